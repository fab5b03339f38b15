//@ verdict: safe
//@ engines: predabs, whale, portfolio
// The summary r = x of a recursive function, under the guard x >= 0.
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }
int id(int x) { if (x == 0) return 0; return id(x - 1) + 1; }
int main(void) {
    int a = __VERIFIER_nondet_int();
    if (a < 0) return 0;
    if (id(a) != a) reach_error();
    return 0;
}
