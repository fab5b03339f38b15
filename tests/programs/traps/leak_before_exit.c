//@ verdict: unsafe
//@ engines: portfolio
//@ property: valid-memsafety
extern void *malloc(unsigned long); extern void free(void*); extern void exit(int);
int main(){ int *p = malloc(4); *p = 1; p = 0; exit(0); } //~ violated
