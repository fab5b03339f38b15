//@ verdict: unsafe
// Figure 1 with the second unlock under the wrong condition.
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }
int lock = 0;
void acquire(void) { if (lock) reach_error(); lock = 1; }
void release(void) { if (!lock) reach_error(); lock = 0; }
int main(void) {
    int p1 = __VERIFIER_nondet_int();
    int p2 = __VERIFIER_nondet_int();
    int p3 = __VERIFIER_nondet_int();
    if (p1) acquire();
    if (p1) release();
    if (p2) acquire();
    if (p3) release();
    if (p3) acquire();
    if (p3) release();
    return 0;
}
