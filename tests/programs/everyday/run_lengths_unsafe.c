//@ verdict: unsafe
//@ engines: portfolio
//@ property: valid-memsafety
// Runs of equal characters are written as a digit and the character; the bad one has room for half of that.
#include <stdio.h>
#include <string.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  if (argc != 2) return 1;
  const char *s = argv[1];
  size_t n = strlen(s);
  char *out = malloc(n + 1);
  if (!out) return 1;
  size_t o = 0;
  for (size_t i = 0; i < n;) {
    size_t j = i;
    while (j < n && s[j] == s[i] && j - i < 9) j++;
    out[o++] = '0' + (j - i);
    out[o++] = s[i];
    i = j;
  }
  out[o] = 0;
  puts(out);
  free(out);
  return 0;
}
