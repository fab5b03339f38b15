//@ verdict: unsafe
//@ engines: portfolio
//@ property: valid-memsafety
// One argument is just too long.
#include <string.h>

int main(int argc, char **argv) {
  char text[40];
  if (argc < 2 || strlen(argv[1]) > sizeof text) return 1;
  strcpy(text, argv[1]); //~ violated
  return text[0] == 'x';
}
