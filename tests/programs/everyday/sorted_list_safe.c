//@ verdict: safe
//@ engines: portfolio
//@ property: valid-memsafety
// Numbers are inserted into a sorted list; the bad one looks at the value of the end.
extern void *malloc(unsigned long);
extern void free(void *);
extern int __VERIFIER_nondet_int(void);
struct node { int value; struct node *next; };
static struct node *insert(struct node *head, int value) {
  struct node *node = malloc(sizeof *node);
  node->value = value;
  if (!head || head->value >= value) {
    node->next = head;
    return node;
  }
  struct node *at = head;
  while (at->next && at->next->value < value) at = at->next;
  node->next = at->next;
  at->next = node;
  return head;
}
int main(void) {
  struct node *head = 0;
  while (__VERIFIER_nondet_int()) head = insert(head, __VERIFIER_nondet_int());
  while (head) {
    struct node *next = head->next;
    free(head);
    head = next;
  }
  return 0;
}
