//@ verdict: unsafe
//@ engines: portfolio
//@ property: valid-memsafety
//@ options: --32
// Rings with their heads in the nodes of a list; the bad one looks into a node that is freed.
extern void *malloc(unsigned long);
extern void free(void *);
extern int __VERIFIER_nondet_int(void);
struct link { struct link *next, *prev; };
struct item { int number; struct link link; };
struct group { struct group *next; struct link items; };
static void add(struct link *head) {
  struct item *item = malloc(sizeof *item);
  item->number = 0;
  item->link.next = head;
  item->link.prev = head->prev;
  head->prev->next = &item->link;
  head->prev = &item->link;
}
int main(void) {
  struct group *groups = 0;
  while (__VERIFIER_nondet_int()) {
    struct group *group = malloc(sizeof *group);
    group->items.next = group->items.prev = &group->items;
    do add(&group->items);
    while (__VERIFIER_nondet_int());
    group->next = groups;
    groups = group;
  }
  while (groups) {
    struct group *next = groups->next;
    struct link *link = groups->items.next;
    while (link != &groups->items) {
      struct link *after = link->next;
      free((char *)link - __builtin_offsetof(struct item, link));
      link = after;
    }
    free(groups);
    groups = groups->next;
  }
  return 0;
}
