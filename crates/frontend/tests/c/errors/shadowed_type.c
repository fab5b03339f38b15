typedef int T;
void g(void) { int T; T x; }
