//@ verdict: safe
//@ engines: portfolio
//@ property: valid-memsafety
// Lines of the input in capitals; the bad one forgets that a line may be empty.
#include <ctype.h>
#include <stdio.h>
#include <string.h>
int main(void) {
  char line[128];
  while (fgets(line, sizeof line, stdin)) {
    size_t n = strlen(line);
    if (n > 0 && line[n - 1] == '\n') line[n - 1] = 0;
    for (char *p = line; *p; p++) *p = toupper((unsigned char)*p);
    puts(line);
  }
  return 0;
}
