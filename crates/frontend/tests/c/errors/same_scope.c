void f(int p) { int p; int q; int q; { int q; } }
void g(int a, int a) { }
