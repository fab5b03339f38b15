//@ verdict: safe
//@ engines: portfolio
// getopt moves words that are no options to the end.
#include <unistd.h>
extern void reach_error(void);

int main(void) {
  char *words[] = {"p", "x", "-a", 0};
  int option = getopt(3, words, "a");
  if (option != 'a') reach_error();
  return 0;
}
