//@ verdict: safe
// "Abstractions from Proofs", Figure 1 with 1 conditions.
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }
int lock = 0;
void acquire(void) { if (lock) reach_error(); lock = 1; }
void release(void) { if (!lock) reach_error(); lock = 0; }
int main(void) {
    int p1 = __VERIFIER_nondet_int();
    if (p1) acquire();
    if (p1) release();
    return 0;
}
