typedef int v2 __attribute__((vector_size(8)));
_Complex double z = 1.0 + 2.0i;
v2 v = {1, 2};
static const int k = 5;
int j = k + 1;
struct text { int n; char s[]; } t = {2, "ab"};
_Complex double sum(_Complex double a, double x) { return a * x + ~a; }
v2 next(v2 a) { a += v; return a << 1; }
int size(void) { return sizeof t; }
