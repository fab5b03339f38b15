//@ verdict: unsafe
//@ engines: portfolio
//@ property: valid-memsafety
// A stack of numbers; the bad one pops without asking whether there is anything.
extern void *malloc(unsigned long);
extern void free(void *);
extern int __VERIFIER_nondet_int(void);
struct cell { int value; struct cell *below; };
static struct cell *stack;
static void push(int value) {
  struct cell *cell = malloc(sizeof *cell);
  cell->value = value;
  cell->below = stack;
  stack = cell;
}
static int pop(void) {
  struct cell *top = stack;
  int value = top->value;
  stack = top->below;
  free(top);
  return value;
}
int main(void) {
  int command;
  while ((command = __VERIFIER_nondet_int()) != 0) {
    if (command == 1) push(__VERIFIER_nondet_int());
    else if (command == 2) pop();
  }
  while (stack) pop();
  return 0;
}
