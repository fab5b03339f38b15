// mid: safe, requires s != NULL, requires (*s).to points into (*s).from, requires (*s).at points into (*s).from, requires (*s).at <= (*s).to
struct span { const int *from, *to, *at; };
int mid(struct span *s) {
  if (s->from == 0 || s->at == s->to) return 0;
  return s->to[-1] + *s->at;
}
