//@ verdict: safe
//@ engines: portfolio
//@ property: valid-memsafety
// Sums and products of a stack of numbers; the bad one finds room where there is none.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#define DEPTH 32
static double stack[DEPTH];
static int used;
static void push(double value) {
  if (used >= DEPTH) exit(1);
  stack[used++] = value;
}
static double pop(void) {
  if (used > 0) return stack[--used];
  exit(1);
}
int main(void) {
  char word[64];
  while (scanf("%63s", word) == 1) {
    if (isdigit((unsigned char) word[0])) push(atof(word));
    else if (word[0] == '+') push(pop() + pop());
    else if (word[0] == '*') push(pop() * pop());
    else printf("? %s\n", word);
  }
  if (used) printf("%g\n", pop());
  return 0;
}
