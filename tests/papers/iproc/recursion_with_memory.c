// Recursion over an array that main writes after a branch: automata and contracts are of the same functions.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int table[4];
int find(int n) {
  int r = 0;
  if (table[n & 3] > 0) r = 1;
  if (n > 0 && r == 0) r = find(n - 1);
  return r;
}
int main(void) {
  int n = __VERIFIER_nondet_int();
  int k;
  if (n > 5) k = 1;
  else k = 2;
  table[k] = 3;
  if (n < 0) n = -n;
  int r = find(k);
  if (r < 0 || r > 1) reach_error();
  return 0;
}
