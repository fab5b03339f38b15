// make: safe, requires hooks.get != NULL
#include <stdlib.h>
static struct { void *(*get)(size_t); void (*put)(void *); } hooks = { malloc, free };
void *my_malloc(size_t n) { return hooks.get(n); }
void set(void *(*get)(size_t)) { hooks.get = get; }
int make(int n) { int *p = hooks.get(sizeof *p); if (!p) return 0; *p = n; return *p; }
