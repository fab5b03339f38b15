//@ verdict: safe
//@ engines: portfolio
//@ property: valid-memsafety
// Points of an image by row and column; the bad one takes the height for the length of a row.
#include <stdio.h>
#include <stdlib.h>
struct image { int w, h; unsigned char *px; };
static struct image *make(int w, int h) {
  if (w <= 0 || h <= 0 || w > 4096 || h > 4096) return NULL;
  struct image *m = malloc(sizeof *m); if (!m) return NULL;
  m->w = w; m->h = h; m->px = malloc((size_t)w * h);
  if (!m->px) { free(m); return NULL; }
  return m;
}
int main(void) {
  int w, h;
  if (scanf("%d %d", &w, &h) != 2) return 1;
  struct image *m = make(w, h);
  if (!m) return 1;
  for (int y = 0; y < m->h; y++) for (int x = 0; x < m->w; x++)
    m->px[y * m->w + x] = (x + y) & 255;
  printf("%d\n", m->px[0]);
  free(m->px); free(m);
  return 0;
}
