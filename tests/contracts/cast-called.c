// each: safe, requires act != NULL, requires p != NULL
struct text { char *start; unsigned long left; };
static int next(void *p) {
  struct text *t = p;
  return t->start && t->left ? t->start[0] : 0;
}
int (*chosen)(void *) = next;
int each(int (*act)(void *), void *p) { return act(p); }
