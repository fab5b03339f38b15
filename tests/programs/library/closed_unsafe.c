//@ verdict: unsafe
//@ engines: portfolio
// Closing may fail, but need not.
#include <fcntl.h>
#include <unistd.h>
extern void reach_error(void);

// With parameters no harness is run: a compiled run does not surely show the error.
int main(int argc, char **argv) {
  int fd = open("a", O_RDONLY);
  if (fd < 0) return 0;
  if (close(fd) >= 0) reach_error(); //~ violated
  return 0;
}
