void reach_error(void);
void check(int c) { if (!c) reach_error(); }
int fact(int n) { return n <= 1 ? 1 : n * fact(n - 1); }
int classify(int x) {
  switch (x) {
  case 0: return 10;
  case 1:
  case 2: x += 5; break;
  case 5 ... 9: x = 50;
  case 20: x++; break;
  default: x = -1;
  }
  return x;
}
int even(int n);
int odd(int n) { return n == 0 ? 0 : even(n - 1); }
int even(int n) { return n == 0 ? 1 : odd(n - 1); }
int main(void) {
  int i, s = 0;
  for (i = 0; i < 10; i++) { if (i == 3) continue; if (i == 7) break; s += i; }
  check(s == 0 + 1 + 2 + 4 + 5 + 6 && i == 7);
  do { s--; } while (s > 5);
  check(s == 5);
  while (s) { s--; if (s == 2) goto out; }
  check(0);
out:
  check(s == 2);
  check(classify(0) == 10 && classify(1) == 6 && classify(2) == 7);
  check(classify(7) == 51 && classify(20) == 21 && classify(99) == -1);
  check(fact(5) == 120);
  check(even(10) && !odd(10));
  int n = 3;
  s = 0;
again:
  s += n;
  if (--n) goto again;
  check(s == 6);
  s = ({ int t = 4; t * 2; });
  check(s == 8);
  for (i = 0;;) { switch (i) { case 3: goto done; default: i++; continue; } }
done:
  check(i == 3);
  return 0;
}
