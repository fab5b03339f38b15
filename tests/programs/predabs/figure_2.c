//@ verdict: safe
// Figure 2: x = ctr, x = ctr - 1, x = y - 1, y = m + 1 at the points of the trace.
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }
int main(void) {
    int ctr = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int();
    if (ctr > 1000 || m > 1000) return 0;
    int x = ctr;
    ctr = ctr + 1;
    int y = ctr;
    if (x == m)
        if (y != m + 1) reach_error();
    return 0;
}
