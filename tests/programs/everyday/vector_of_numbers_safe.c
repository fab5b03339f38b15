//@ verdict: safe
//@ engines: portfolio
//@ property: valid-memsafety
// Numbers of the input in a vector that doubles when it is full; the bad one doubles it one number too late.
#include <stdio.h>
#include <stdlib.h>
typedef struct {
  int *data;
  size_t len, cap;
} vec;
static int push(vec *v, int x) {
  if (v->len == v->cap) {
    size_t cap = v->cap ? v->cap * 2 : 4;
    int *data = realloc(v->data, cap * sizeof *data);
    if (!data) return -1;
    v->data = data;
    v->cap = cap;
  }
  v->data[v->len++] = x;
  return 0;
}
int main(void) {
  vec v = {0};
  int x;
  while (scanf("%d", &x) == 1) {
    if (push(&v, x) < 0) {
      free(v.data);
      return 1;
    }
  }
  long sum = 0;
  for (size_t i = 0; i < v.len; i++) sum += v.data[i] % 100;
  printf("%ld\n", sum % 100);
  free(v.data);
  return 0;
}
