//@ verdict: safe
//@ engines: portfolio
//@ property: valid-memsafety
// A list reversed and freed; the bad one loses the rest.
extern void *malloc(unsigned long);
extern void free(void *);
extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);
struct node { int value; struct node *next; };
int main(void) {
  struct node *head = 0;
  for (int i = 0; i < 4; i++) {
    struct node *n = malloc(sizeof *n);
    n->value = i;
    n->next = head;
    head = n;
  }
  struct node *reversed = 0;
  while (head) {
    struct node *next = head->next;
    head->next = reversed;
    reversed = head;
    head = next;
  }
  while (reversed) {
    struct node *next = reversed->next;
    free(reversed);
    reversed = next;
  }
  return 0;
}
