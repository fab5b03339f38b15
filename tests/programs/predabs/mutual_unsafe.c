//@ verdict: unsafe
//@ engines: predabs, portfolio
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }
int lock = 0;
void acquire(void) { if (lock) reach_error(); lock = 1; } //~ violated
void release(void) { if (!lock) reach_error(); lock = 0; }
void inside(void);
void outside(void) {
    acquire();
    inside();
}
void inside(void) {
    if (__VERIFIER_nondet_int()) release();
    if (__VERIFIER_nondet_int()) outside();
}
int main(void) {
    outside();
    return 0;
}
