//@ verdict: safe
// Examples 5 and 6 (class PIV): the callee writes through a pointer of the caller.
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }
void inc(int *x) { *x = *x + 1; }
int main(void) {
    int cell = __VERIFIER_nondet_int();
    int *y = &cell;
    *y = 0;
    inc(y);
    if (*y != 1) reach_error();
    return 0;
}
