//@ verdict: unsafe
//@ engines: portfolio
//@ property: valid-memsafety
// All arguments are printed; the bad one prints the null pointer after them too.
#include <stdio.h>
int main(int argc, char **argv) {
  for (int i = 1; i <= argc; i++)
    printf("%s%s", argv[i], i < argc - 1 ? " " : ""); //~ violated
  printf("\n");
  return 0;
}
