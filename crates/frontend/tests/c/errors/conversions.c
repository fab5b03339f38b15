struct s { int a; } v;
struct t { int b; } w;
int f(void) { v = w; v = 3; int *p = 1.5; float x = p; return v; }
void g(void) { (struct s)3; (float)(char *)0; }
