//@ verdict: safe
//@ engines: portfolio
// `__builtin_convertvector` converts each element; a cast keeps the bytes.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

typedef int v4 __attribute__((vector_size(16)));
typedef float f4 __attribute__((vector_size(16)));
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x < 0 || x > 100) return 0;
  v4 a = {1, 2, x, 4};
  v4 b = __builtin_convertvector(__builtin_convertvector(a, f4), v4);
  f4 c = __builtin_convertvector((v4){0, 3, 0, 0}, f4);
  if (c[1] != 3.0f) reach_error();
  if (b[3] != 4) reach_error();
  return 0;
}
