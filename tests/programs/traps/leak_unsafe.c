//@ verdict: unsafe
//@ engines: portfolio
//@ property: valid-memsafety
extern void abort(void);
void reach_error(void) { abort(); }
extern void *malloc(unsigned long);
extern void free(void *);
int main(void) {
  int *p = malloc(4);
  *p = 1;
  if (*p == 2) free(p);
  return 0;
}
