//@ verdict: unsafe
//@ engines: portfolio
//@ options: --32
// What is freed can be allocated again: addresses of 32 bits do not run out.
extern void reach_error(void);
void *malloc(unsigned);
void free(void *);
int main(void) {
  for (int i = 0; i < 6; i++) {
    char *p = malloc(1 << 30);
    free(p);
  }
  if (1)
    reach_error(); //~ violated
  return 0;
}
