// f: safe, vacuous
int f(int x) { __CPROVER_assume(x > 3 && x < 2); __CPROVER_assert(x == 0, "never"); return x; }
