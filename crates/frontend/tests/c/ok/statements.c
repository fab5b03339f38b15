int f(int);
int control(int n) {
  int i, sum = 0;
  for (i = 0; i < n; i++) {
    if (i == 3) continue;
    else if (i == 5) break;
    else sum += i;
  }
  for (int j = n; j; --j) ;
  while (n > 0) n--;
  do { n += 2; } while (n < 10);
  switch (n) {
    case 1: sum = 1;
    case 2: case 3: sum++; break;
    case 4 ... 7: { int k = sum; sum = k; }
    default: sum = 0;
    case -1:
      while (sum) { case 99: sum--; }
  }
  goto end;
again:
  sum = ({ int t = f(sum); t > 0 ? t : 0; });
  if (sum) goto again;
end:
  return sum;
}
void jumps(int n) {
  static void *table[] = {&&one, &&two};
  goto *table[n & 1];
one: f(1);
two: f(2);
}
void duff(char *to, char *from, int count) {
  int n = (count + 7) / 8;
  switch (count % 8) {
    case 0: do { *to++ = *from++;
    case 3: *to++ = *from++;
    case 1: *to++ = *from++;
    } while (--n > 0);
  }
}
int assembly(int in) {
  int out;
  asm volatile("mov %1, %0" : "=r"(out) : "r"(in) : "memory", "cc");
  __asm__("nop");
  return out;
}
int locals(void) {
  int x = 1;
  { int x = x = 2; { __label__ l; goto l; l: ; } }
  { __label__ l; l: if (x) goto l; }
  return __func__[0] + sizeof __func__;
}
