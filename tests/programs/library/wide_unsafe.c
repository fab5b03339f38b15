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
  wchar_t b[16];
  wcscpy(b, L"ab");
  wcscat(b, L"cd");
  CHECK(wcslen(b) == 5 && wcscmp(b, L"abcd") == 0 && wcschr(b, L'c') == b + 2);
  wmemset(b, L'x', 3);
  CHECK(b[2] == L'x' && b[3] == L'd');
  return 0;
}
