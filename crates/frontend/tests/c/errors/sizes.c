struct t;
int a = sizeof(struct t);
int b[-1];
int n;
int c[n];
void f(void) { struct t x; int d[]; void v; int e[2.5]; }
int g[3](void);
void h[2];
