//@ verdict: unknown FIXME upward copies that overlap are left open
//@ engines: portfolio
// Upwards, a copy into its own source repeats what it copied: no memmove.
extern void reach_error(void);
static void own_copy(void *d, const void *s, unsigned long n) {
  for (unsigned long i = 0; i < n; ++i)
    ((char *)d)[i] = ((const char *)s)[i];
}
int main(void) {
  char a[4] = {1, 2, 3, 4};
  own_copy(a + 1, a, 3);
  if (a[2] != 2)
    reach_error();
  return 0;
}
