// letter: unsafe
enum kind { NUMBER, NAME };
struct item { enum kind kind; union { long number; const char *name; } u; };
int letter(struct item *e) { return e->kind == NAME ? e->u.name[0] : *(int *)0; }
