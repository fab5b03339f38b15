//@ verdict: safe
//@ engines: portfolio
//@ property: valid-memsafety
// A stack of the numbers that lines begin with; the bad one pops without asking whether there is anything. That lines stay in
// their buffer and that the stack is a list is shown by different parts of the proof.
#include <stdio.h>
#include <stdlib.h>
struct number { int value; struct number *below; };
static struct number *top;
static void push(int value) {
  struct number *number = malloc(sizeof *number);
  if (!number) exit(1);
  number->value = value;
  number->below = top;
  top = number;
}
static int pop(int *value) {
  if (!top) return 0;
  struct number *number = top;
  *value = number->value;
  top = number->below;
  free(number);
  return 1;
}
int main(void) {
  char line[64];
  int value;
  while (fgets(line, sizeof line, stdin)) {
    if (line[0] == 'q') break;
    if (line[0] != '-') push(atoi(line));
    else if (pop(&value)) printf("%d\n", value);
  }
  while (pop(&value)) {}
  return 0;
}
