register int r;
int f(void);
void g(void) { &3; &f(); int *p = &(1 + 2); }
