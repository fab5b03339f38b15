// value: unsafe
struct link { struct link *next; };
struct item { int *value; struct link link; };
#define ITEM(l) ((struct item *)((char *)(l) - __builtin_offsetof(struct item, link)))
int value(struct link *link) { return link ? ITEM(link)->value[-1] : 0; }
