//@ verdict: unsafe
//@ engines: portfolio
//@ property: valid-deref
// Parent and child are two executions: the child sees zero, its parent a number, and neither the other's memory.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  char *text = malloc(8);
  int pipes[2], own = getpid(), status;
  pid_t child;
  char answer[16];
  ssize_t n;
  if (text == NULL || pipe(pipes) != 0)
    return 1;
  child = fork();
  if (child < 0)
    return 1;
  if (child == 0) {
    free(text);
    if (getpid() == own)
      text[0] = 'c';
    write(pipes[1], "done", 4);
    _exit(0);
  }
  text[0] = 'p';
  if (child == own)
    free(text);
  n = read(pipes[0], answer, sizeof answer - 1);
  if (n >= 0)
    answer[n] = 0;
  waitpid(child, &status, 0);
  free(text);
  text[1] = 'q'; //~ violated
  free(text);
  return 0;
}
