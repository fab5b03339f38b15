//@ verdict: safe
// "Abstractions from Proofs", Figure 1 with 8 conditions.
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
    int p4 = __VERIFIER_nondet_int();
    int p5 = __VERIFIER_nondet_int();
    int p6 = __VERIFIER_nondet_int();
    int p7 = __VERIFIER_nondet_int();
    int p8 = __VERIFIER_nondet_int();
    if (p1) acquire();
    if (p1) release();
    if (p2) acquire();
    if (p2) release();
    if (p3) acquire();
    if (p3) release();
    if (p4) acquire();
    if (p4) release();
    if (p5) acquire();
    if (p5) release();
    if (p6) acquire();
    if (p6) release();
    if (p7) acquire();
    if (p7) release();
    if (p8) acquire();
    if (p8) release();
    return 0;
}
