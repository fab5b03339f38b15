// mark: unsafe
struct node { struct node *left, *right; int *value; };
struct parser { struct node *root; struct node *last; char *name; int (*read)(struct node *); int error; };
int mark(struct parser *p) { p->error = 1; return p->name ? p->name[-1] : 0; }
