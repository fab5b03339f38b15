// copy: safe, requires src != NULL, requires elements of src <= elements of dst
// upper: safe, requires from != NULL, requires elements of from <= elements of to
#include <stddef.h>

void copy(char *dst, const char *src) {
  while ((*dst++ = *src++))
    ;
}

void upper(char *to, const char *from) {
  size_t i;
  for (i = 0; from[i] != 0; i++)
    to[i] = from[i] >= 'a' && from[i] <= 'z' ? from[i] - 32 : from[i];
  to[i] = 0;
}
