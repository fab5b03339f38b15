//@ verdict: safe
//@ engines: portfolio
//@ property: valid-memsafety
// A hash table with chains that is filled, searched and emptied; the bad one takes a remainder that may be negative.
extern void *malloc(unsigned long);
extern void free(void *);
extern int __VERIFIER_nondet_int(void);
#define BUCKETS 4
struct entry { int key; int value; struct entry *next; };
static struct entry *table[BUCKETS];
static int bucket(int key) { return (unsigned)key % BUCKETS; }
static void add(int key, int value) {
  struct entry *e = malloc(sizeof *e);
  int b = bucket(key);
  e->key = key;
  e->value = value;
  e->next = table[b];
  table[b] = e;
}
static struct entry *find(int key) {
  for (struct entry *e = table[bucket(key)]; e; e = e->next)
    if (e->key == key) return e;
  return 0;
}
int main(void) {
  while (__VERIFIER_nondet_int()) add(__VERIFIER_nondet_int(), 1);
  struct entry *found = find(__VERIFIER_nondet_int());
  if (found) found->value = 2;
  for (int b = 0; b < BUCKETS; b++)
    while (table[b]) {
      struct entry *next = table[b]->next;
      free(table[b]);
      table[b] = next;
    }
  return 0;
}
