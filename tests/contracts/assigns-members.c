// push: safe
struct stack { int *items; int used; int size; };
/*@ requires \valid(s) && \valid(s->items + (0 .. 7)) && 0 <= s->used < 8;
    assigns s->used, s->items[s->used]; */
void push(struct stack *s, int x) { s->items[s->used] = x; s->used++; }
