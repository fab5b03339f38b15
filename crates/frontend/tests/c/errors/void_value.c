void v(void);
int f(void) { int x = v(); return v() + 1; }
