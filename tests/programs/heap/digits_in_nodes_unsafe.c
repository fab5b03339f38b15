//@ verdict: unsafe
//@ engines: portfolio
// Digits in the nodes of a list, most of which are inputs: what they add up to is bounded by what a choice leaves of each.
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }
void *malloc(unsigned long);
void free(void *);
struct node {
  int digit;
  struct node *next;
};
int main(void) {
  struct node *list = 0;
  for (int i = 0; i < 24; i++) {
    struct node *new = malloc(sizeof *new);
    if (new == 0)
      return 0;
    int digit = __VERIFIER_nondet_int();
    new->digit = digit < -1 || digit > 9 ? 0 : digit;
    new->next = list;
    list = new;
  }
  int sum = 0;
  while (list != 0) {
    struct node *next = list->next;
    sum += list->digit;
    free(list);
    list = next;
  }
  if (sum < 0 || sum > 216)
    reach_error();
  return 0;
}
