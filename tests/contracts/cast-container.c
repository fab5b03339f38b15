// value: safe, requires link != NULL
struct link { struct link *next; };
struct item { int *value; struct link link; };
#define ITEM(l) ((struct item *)((char *)(l) - __builtin_offsetof(struct item, link)))
int value(struct link *link) { return ITEM(link)->value ? *ITEM(link)->value : 0; }
