//@ verdict: safe
//@ engines: portfolio
//@ property: valid-memsafety
// An argument against a literal: both end where their objects end.
#include <string.h>

int main(int argc, char **argv) {
  if (argc < 2) return 1;
  return strcmp(argv[1], "-v") == 0;
}
