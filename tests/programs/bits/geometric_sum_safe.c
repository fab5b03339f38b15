//@ verdict: safe
// 1 + z + z * z + ... times z - 1.
extern void abort(void);
void reach_error(void) { abort(); }
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int z = __VERIFIER_nondet_int(), k = __VERIFIER_nondet_int();
  if (z < 1 || z > 10 || k < 1 || k > 8)
    return 0;
  long x = 1, y = z;
  for (int c = 1; c < k; c++) {
    x = x * z + 1;
    y = y * z;
  }
  if (x * (z - 1) != y - 1)
    reach_error();
  return 0;
}
