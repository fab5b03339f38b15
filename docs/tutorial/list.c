#include <stdlib.h>

struct node { int value; struct node *next; };

static struct node *push(struct node *head, int value) {
  struct node *n = malloc(sizeof *n);
  n->value = value;
  n->next = head;
  return n;
}

int main(void) {
  struct node *head = push(NULL, 1);
  head = push(head, 2);
  while (head) {
    free(head);
    head = head->next;
  }
  return 0;
}
