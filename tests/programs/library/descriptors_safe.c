//@ verdict: safe
//@ engines: portfolio
// Descriptors that are open at once are different; what is none makes calls fail.
#include <fcntl.h>
#include <unistd.h>
extern void reach_error(void);

int main(void) {
  int a = open("a", O_RDONLY), b = open("b", O_RDONLY), ends[2];
  if (a < 0 || b < 0 || pipe(ends)) return 0;
  if (a == b || ends[0] == ends[1] || ends[0] == a) reach_error();
  if (close(-1) == 0 || write(-1, "x", 1) != -1) reach_error();
  return 0;
}
