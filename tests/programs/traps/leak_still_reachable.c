//@ verdict: unknown FIXME what a global points to at the end is no leak, but that is not followed
//@ engines: portfolio
//@ property: valid-memsafety
extern void *malloc(unsigned long); extern void free(void*);
int *g;
int main(){ g = malloc(4); return 0; }
