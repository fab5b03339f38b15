// keep: safe
struct box { int used; int size; };
/*@ requires \valid(s);
    assigns s->used; */
void keep(struct box *s, int x) { if (s->size > x) s->used = x; }
