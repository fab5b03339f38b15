//@ verdict: unsafe
//@ engines: portfolio
//@ property: valid-memsafety
// All nodes with a value are removed from a list; the bad one forgets to free them.
extern void *malloc(unsigned long);
extern void free(void *);
extern int __VERIFIER_nondet_int(void);
struct node { int value; struct node *next; };
int main(void) {
  struct node *head = 0;
  while (__VERIFIER_nondet_int()) {
    struct node *node = malloc(sizeof *node);
    node->value = __VERIFIER_nondet_int();
    node->next = head;
    head = node;
  }
  int unwanted = __VERIFIER_nondet_int();
  struct node *before = 0, *at = head;
  while (at) {
    struct node *next = at->next;
    if (at->value == unwanted) {
      if (before) before->next = next;
      else head = next;
      at->value = 0;
    } else {
      before = at;
    }
    at = next;
  }
  while (head) {
    struct node *next = head->next;
    free(head);
    head = next;
  }
  return 0;
}
