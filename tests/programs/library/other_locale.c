//@ verdict: unknown
//@ engines: all
// The environment chooses the locale, and letters beyond ASCII are some of another one: nothing is proved of them here. Which
// are, is not modelled, so there is no error that counts either.
#include <ctype.h>
#include <locale.h>
#include <stdlib.h>
#include <wchar.h>
#include <wctype.h>

extern void reach_error(void);

int main(void) {
  wchar_t wide[4];
  if (setlocale(LC_ALL, "") == NULL)
    return 1;
  if (isalpha(0xe9) || toupper(0xe9) != 0xe9 || towupper(0xe9) != 0xe9 || MB_CUR_MAX != 1 || mbstowcs(wide, "\xc3\xa9", 4) != (size_t)-1)
    reach_error();
  return 0;
}
