struct s { int a; } v;
int *p;
void f(int c) { c ? v : 1; c ? p : 1.5; }
