//@ verdict: safe
//@ engines: portfolio
#include <string.h>
extern void abort(void);
void reach_error(void) { abort(); }
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

int main(void) {
  int a = 5, b = 0;
  char s[8], t[8];
  __builtin___memcpy_chk(&b, &a, sizeof b, sizeof b);
  CHECK(b == 5);
  __builtin___memset_chk(t, 'x', 7, sizeof t);
  t[7] = 0;
  __builtin___strcpy_chk(s, "abc", sizeof s);
  CHECK(strlen(s) == 3 && t[6] == 'x');
  return 0;
}
