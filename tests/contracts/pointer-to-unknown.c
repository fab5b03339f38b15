// apply: safe, requires f != NULL
int apply(int (*f)(double, int), int n) { return f(1.0, n) > 0 ? n : 0; }
