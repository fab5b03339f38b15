//@ verdict: safe
//@ engines: all except trace: time
// ASCII is the same in every locale, and a program that asks for none is in that of C.
#include <ctype.h>
#include <locale.h>
#include <stdlib.h>
#include <wchar.h>
#include <wctype.h>

extern void reach_error(void);

int main(void) {
  wchar_t wide[4];
  size_t n;
  if (isalpha(0xe9) || toupper(0xe9) != 0xe9 || MB_CUR_MAX != 1)
    reach_error();
  if (setlocale(LC_ALL, "") == NULL)
    return 1;
  if (!isalpha('e') || toupper('e') != 'E' || towupper(L'e') != L'E' || MB_CUR_MAX < 1)
    reach_error();
  n = mbstowcs(wide, "\xc3\xa9", 4);
  if (n != (size_t)-1 && (n < 1 || n > 2))
    reach_error();
  return 0;
}
