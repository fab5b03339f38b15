// Section 6.2 (PIV): memory that a callee allocates is no other memory of the caller.
extern void *malloc(unsigned long);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int *make(int v) {
  if (v > 3) return make(v - 1);
  int *p = malloc(sizeof(int));
  *p = v;
  return p;
}
int main(void) {
  int kept = 7;
  int *other = &kept;
  int *a = make(__VERIFIER_nondet_int());
  if (*a > 3 || *other != 7) reach_error();
  return 0;
}
