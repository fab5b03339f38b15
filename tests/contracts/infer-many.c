// take: safe, requires s != NULL, requires (*s).h < 40
struct state { int a[3], b[5], c[7], d[9]; unsigned e, f, g, i, j, k, l, m, h; int heap[40]; };
int take(struct state *s) {
  s->e = s->f + s->g + s->i + s->j + s->k + s->l + s->m;
  return s->heap[s->h];
}
