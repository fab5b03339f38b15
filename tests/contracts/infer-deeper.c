// four: safe, requires c != NULL, requires (*c).next != NULL, requires (*(*c).next).next != NULL, requires (*(*(*c).next).next).next != NULL
struct node { struct node *next; int v; };
int four(struct node *c) { return c->next->next->next->v; }
