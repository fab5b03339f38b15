// area: safe, requires s != NULL, requires s does not lead to a `struct square` if (*(struct square *)s).shape.kind == 1, requires s does not lead to a `struct circle` if (*(struct circle *)s).shape.kind == 2
struct shape { int kind; };
struct circle { struct shape shape; int wide[30]; int *radius; };
struct square { struct shape shape; char *name; int more[9]; };
static int circle(struct circle *c) { return c->radius ? c->radius[0] + c->wide[29] : 0; }
static int square(struct square *s) { return s->name ? s->name[0] + s->more[8] : 0; }
int area(struct shape *s) {
  int sum = 0;
  if (s->kind == 1) sum = circle((struct circle *)s);
  if (s->kind == 2) return square((struct square *)s);
  return sum;
}
