//@ verdict: safe
//@ engines: portfolio
// Numbers that do not fit become the greatest of long and are cut then; text that ends early still counts.
#include <stdio.h>
#include <wchar.h>
extern void abort(void);
void reach_error(void) { abort(); }
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

int main(void) {
  int i = 0;
  long l = 0;
  unsigned long u = 0;
  char b[4] = {9, 9, 9, 9}, s[4];
  wchar_t w[4] = {9, 9, 9, 9};
  CHECK(sscanf("99999999999999999999", "%d", &i) == 1 && i == -1);
  CHECK(sscanf("-99999999999999999999", "%ld", &l) == 1 && l == -9223372036854775807L - 1);
  CHECK(sscanf("99999999999999999999", "%lu", &u) == 1 && u == -1UL);
  CHECK(sscanf("ab", "%3c", b) == 1 && b[1] == 'b' && b[2] == 9);
  CHECK(sscanf("ab", "%ls", w) == 1 && w[1] == 'b' && w[2] == 0);
  CHECK(sscanf("\xe9", "%3[\xe9]", s) == 1 && s[1] == 0);
  return 0;
}
