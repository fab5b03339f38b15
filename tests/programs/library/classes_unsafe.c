//@ verdict: unsafe
//@ engines: portfolio
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
extern void abort(void);
void reach_error(void) { abort(); }
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

int main(void) {
  CHECK(isdigit('7') && !isdigit('x') && isspace('\t') && isupper('Q') && !islower('Q') && isxdigit('f'));
  CHECK(toupper('a') == 'A' && tolower('Z') == 'Z' && toupper('1') == '1');
  CHECK(ispunct('!') && !isalnum('_') && isprint(' ') && !isgraph(' '));
  return 0;
}
