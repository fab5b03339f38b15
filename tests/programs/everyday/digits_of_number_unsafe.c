//@ verdict: unsafe
//@ engines: portfolio
//@ property: valid-memsafety
// The digits of a number, the last one first; the bad one has no room for all of them.
#include <stdio.h>
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  char reversed[10];
  unsigned n = __VERIFIER_nondet_uint();
  int count = 0, k = 0;
  char *text = malloc(10);
  if (!text) return 1;
  do {
    reversed[count++] = '0' + n % 10;
    n /= 10;
  } while (n);
  while (count > 0) text[k++] = reversed[--count];
  text[k] = 0;
  puts(text);
  free(text);
  return 0;
}
