int n;
enum { A = n };
struct s { int a : n; };
void f(int v) { switch (v) { case n: ; } }
_Static_assert(n, "");
