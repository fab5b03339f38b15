//@ verdict: safe
// Example 4 (class PIII): *y = 0 after y = x.
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }
int main(void) {
    int u = __VERIFIER_nondet_int(), v = __VERIFIER_nondet_int();
    int *x = &u, *y = &v;
    *x = 0;
    y = x;
    if (y == x) {
        *y = *y + 1;
        if (*x == 0) reach_error();
    }
    return 0;
}
