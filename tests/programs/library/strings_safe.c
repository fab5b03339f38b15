//@ verdict: safe
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
  char b[32];
  strcpy(b, "hello");
  strcat(b, " world");
  CHECK(strlen(b) == 11);
  CHECK(strcmp(b, "hello world") == 0 && strncmp(b, "help", 3) == 0);
  CHECK(strchr(b, 'o') == b + 4 && strrchr(b, 'o') == b + 7 && strchr(b, 'z') == 0);
  CHECK(strstr(b, "lo w") == b + 3 && strspn(b, "hel") == 4 && strcspn(b, " ") == 5);
  CHECK(strcmp(strtok(b, " "), "hello") == 0 && strcmp(strtok(0, " "), "world") == 0 && strtok(0, " ") == 0);
  return 0;
}
