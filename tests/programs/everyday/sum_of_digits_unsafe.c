//@ verdict: unsafe
//@ engines: portfolio
//@ property: valid-memsafety
// The sum of two numbers of any length, digit by digit; the bad one has no place for the last carry.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static char *add(const char *a, const char *b) {
  int i = strlen(a) - 1, j = strlen(b) - 1, carry = 0;
  int k = (i > j ? i : j) + 1;
  char *r = malloc(k + 1);
  if (!r) return NULL;
  r[k] = 0;
  while (i >= 0 || j >= 0 || carry) {
    int s = carry;
    if (i >= 0) s += a[i--] - '0';
    if (j >= 0) s += b[j--] - '0';
    r[--k] = '0' + s % 10;
    carry = s > 9;
  }
  while (k > 0) r[--k] = '0';
  return r;
}
int main(int argc, char **argv) {
  if (argc != 3) return 1;
  for (int a = 1; a < 3; a++)
    for (char *p = argv[a]; *p; p++)
      if (*p < '0' || *p > '9') return 1;
  char *r = add(argv[1], argv[2]);
  if (!r) return 1;
  puts(r);
  free(r);
  return 0;
}
