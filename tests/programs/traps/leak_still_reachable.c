//@ verdict: safe
//@ engines: portfolio
//@ property: valid-memsafety
extern void *malloc(unsigned long); extern void free(void*);
int *g;
int main(){ g = malloc(4); return 0; }
