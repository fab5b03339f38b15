typedef int T;
int f(void) { return sizeof(T) + (T) + T; }
void g(void) { int T; T x; }
