struct s { int x; } v, *p;
struct t;
void f(struct t *q) { v.y; p->z; p.x; v->x; q->a; 3 .x; }
