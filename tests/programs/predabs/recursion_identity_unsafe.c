//@ verdict: unsafe
//@ engines: predabs, whale, portfolio
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }
int id(int x) { if (x == 0) return 0; return id(x - 1) + 1; }
int main(void) {
    int a = __VERIFIER_nondet_int();
    if (a < 0) return 0;
    if (id(a) == 3) reach_error(); //~ violated
    return 0;
}
