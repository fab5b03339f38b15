typedef int T;
int f(void) { return sizeof(T) + T; }
