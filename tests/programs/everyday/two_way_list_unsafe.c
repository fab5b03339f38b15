//@ verdict: unsafe
//@ engines: portfolio
//@ property: valid-memsafety
// Nodes are taken out of the middle of a list linked both ways; the bad one leaves a link to a freed node.
extern void *malloc(unsigned long);
extern void free(void *);
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next, *prev; int value; };
int main(void) {
  struct node *head = 0;
  while (__VERIFIER_nondet_int()) {
    struct node *node = malloc(sizeof *node);
    node->value = __VERIFIER_nondet_int();
    node->prev = 0;
    node->next = head;
    if (head) head->prev = node;
    head = node;
  }
  struct node *at = head;
  while (at) {
    struct node *next = at->next;
    if (at->value < 0) {
      if (at->prev) at->prev->next = at->next;
      else head = at->next;
      if (at->next) at->next->prev = at;
      free(at);
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
