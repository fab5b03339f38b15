//@ verdict: safe
// A lock taken and released in a loop under a condition that the loop chooses anew.
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }
int main(void) {
    int lock = 0, old, new = __VERIFIER_nondet_int();
    if (new > 1000 || new < 0) return 0;
    do {
        if (lock) reach_error();
        lock = 1;
        old = new;
        if (__VERIFIER_nondet_int()) {
            if (!lock) reach_error();
            lock = 0;
            if (new < 100000) new = new + 1; else return 0;
        }
    } while (new != old);
    if (!lock) reach_error();
    return 0;
}
