//@ verdict: unsafe
// The lock of lock_loop is released without counting.
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
        if (__VERIFIER_nondet_int()) lock = 0;
    } while (new != old);
    if (!lock) reach_error();
    return 0;
}
