//@ verdict: safe
//@ engines: portfolio
//@ property: valid-free
extern void abort(void);
void reach_error(void) { abort(); }
extern void *malloc(unsigned long);
extern void free(void *);
int main(void) {
  int *p = malloc(4), *q = malloc(4);
  free(p);
  free(q);
  if (p == q) free(q);
  return 0;
}
