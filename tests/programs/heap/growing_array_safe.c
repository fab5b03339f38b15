//@ verdict: safe
//@ engines: portfolio
//@ property: valid-memsafety
// An array that doubles; the bad one writes before it grows.
extern void *malloc(unsigned long);
extern void free(void *);
extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);
int main(void) {
  int capacity = 2, count = 0;
  int *data = malloc(capacity * sizeof(int));
  for (int i = 0; i < 12; i++) {
    if (count == capacity) {
      int *larger = malloc(2 * capacity * sizeof(int));
      for (int k = 0; k < count; k++) larger[k] = data[k];
      free(data);
      data = larger;
      capacity = 2 * capacity;
    }
    data[count++] = i;
  }
  int last = data[11];
  free(data);
  return last;
}
