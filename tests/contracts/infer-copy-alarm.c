// copy: unsafe
#include <stddef.h>

/* One character more than the source has. */
void copy(char *dst, const char *src) {
  size_t i;
  for (i = 0; src[i] != 0; i++)
    dst[i] = src[i];
  dst[i] = 0;
  dst[i + 1] = src[i + 1];
}
