int f(int, char *);
int x;
struct s { int a; } v;
void g(void) { f(1); f(1, 0, 2); x(3); f(v, 0); }
