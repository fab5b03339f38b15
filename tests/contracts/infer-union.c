// letter: safe, requires e != NULL, requires (*e).u does not hold number if (*e).kind == 1, requires (*e).u.name != NULL
enum kind { NUMBER, NAME };
struct item { enum kind kind; union { long number; const char *name; } u; };
int letter(struct item *e) { return e->kind == NAME ? e->u.name[0] : e->u.number != 0; }
