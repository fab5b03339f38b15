//@ verdict: unsafe
//@ engines: portfolio
//@ property: valid-memsafety
// Brackets are matched by a stack of fixed size; the bad one does not look whether it is full.
extern char __VERIFIER_nondet_char(void);
#define DEEP 8
int main(void) {
  char stack[DEEP];
  int depth = 0;
  for (;;) {
    char c = __VERIFIER_nondet_char();
    if (c == 0) break;
    if (c == '(' || c == '[') {
      if (depth == DEEP + 1) return 1;
      stack[depth++] = c;
    } else if (c == ')' || c == ']') {
      if (depth == 0) return 1;
      char open = stack[--depth];
      if ((open == '(') != (c == ')')) return 1;
    }
  }
  return depth != 0;
}
