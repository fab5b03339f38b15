//@ verdict: unsafe
//@ engines: portfolio
//@ property: valid-memsafety
// All nodes but the last have tag 0; the bad one goes on beyond the last.
extern void *malloc(unsigned long);
extern void free(void *);
extern int __VERIFIER_nondet_int(void);
struct node { int value; struct node *next; };
int main(void) {
  struct node *head = malloc(sizeof *head), *p = head;
  while (__VERIFIER_nondet_int()) {
    p->value = 0;
    p->next = malloc(sizeof *p);
    p = p->next;
  }
  p->value = 1;
  p->next = 0;
  p = head;
  while (p->value == 0) p = p->next;
  p = p->next;
  p->value = 2;
  while (head) {
    p = head->next;
    free(head);
    head = p;
  }
  return 0;
}
