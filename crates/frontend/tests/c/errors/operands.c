struct s { int x; } v, w;
int *p;
void f(void) { v + w; p * 2; p + p; 1.5 % 2; ~1.5; -p; !v; v && w; *3; if (v) ; 1.0 << 2; }
