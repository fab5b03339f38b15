foo_t x;
foo_t y;
void f(bar *p, foo_t q);
int g(void) { baz z; return 0; }
