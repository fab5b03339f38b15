//@ verdict: safe
// Example 1 (class PI): b > 0 and a <= c - 2 suffice.
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }
int main(void) {
    int a, b = __VERIFIER_nondet_int(), c;
    if (b > 0 && b < 1000) {
        c = 2 * b;
        a = b;
        a = a - 1;
        if (a < b)
            if (a == c) reach_error();
    }
    return 0;
}
