//@ verdict: safe
//@ engines: predabs, portfolio
// Mutual recursion: the lock is held in one function and free in the other.
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }
int lock = 0;
void acquire(void) { if (lock) reach_error(); lock = 1; }
void release(void) { if (!lock) reach_error(); lock = 0; }
void inside(void);
void outside(void) {
    acquire();
    inside();
}
void inside(void) {
    release();
    if (__VERIFIER_nondet_int()) outside();
}
int main(void) {
    outside();
    if (lock) reach_error();
    return 0;
}
