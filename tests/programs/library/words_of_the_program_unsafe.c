//@ verdict: unsafe
//@ engines: portfolio
// The text of an argument is copied before it is compared with what the program knows, as is a variable of the environment.
#include <stdlib.h>
#include <string.h>
extern void reach_error(void);
int main(int argc, char **argv) {
  char command[16], *level = getenv("LEVEL");
  if (argc != 2 || strlen(argv[1]) >= sizeof command) return 0;
  strcpy(command, argv[1]);
  if (level == NULL || strcmp(level, "high") != 0) return 0;
  if (strcmp(command, "start") == 0 && command[4] == 't') reach_error(); //~ violated
  return 0;
}
