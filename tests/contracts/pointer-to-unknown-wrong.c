// apply: unsafe
int apply(int (*f)(double, int), int n) { int a[2] = {0}; return a[f(1.0, n) > 2 ? 2 : 0]; }
