//@ verdict: safe
//@ engines: portfolio
//@ property: valid-memsafety
// A list of any length reversed in place; the bad one loses all but one node.
extern void *malloc(unsigned long);
extern void free(void *);
extern int __VERIFIER_nondet_int(void);
struct node { int value; struct node *next; };
int main(void) {
  struct node *head = 0, *done = 0;
  while (__VERIFIER_nondet_int()) {
    struct node *n = malloc(sizeof *n);
    n->value = 1;
    n->next = head;
    head = n;
  }
  while (head) {
    struct node *next = head->next;
    head->next = done;
    done = head;
    head = next;
  }
  while (done) {
    struct node *next = done->next;
    free(done);
    done = next;
  }
  return 0;
}
