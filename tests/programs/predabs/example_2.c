//@ verdict: safe
// Examples 2 and 3 (class PII): the summary r = x + 1 of inc.
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }
int inc(int x) { int r = x + 1; return r; }
int main(void) {
    int a = __VERIFIER_nondet_int(), b;
    if (a > 1000) return 0;
    b = inc(a);
    if (b - 1 != a) reach_error();
    return 0;
}
