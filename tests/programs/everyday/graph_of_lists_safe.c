//@ verdict: safe
//@ engines: portfolio
//@ property: valid-memsafety
// The edges of a graph in lists, one for each of as many nodes as the input says; the bad one takes the number of nodes for a node.
#include <stdio.h>
#include <stdlib.h>
struct edge { int to; struct edge *next; };
struct graph { int n; struct edge **adj; };
static struct graph *graph_new(int n) {
  struct graph *g = malloc(sizeof *g);
  if (!g) return NULL;
  g->n = n;
  g->adj = calloc(n, sizeof *g->adj);
  if (!g->adj) {
    free(g);
    return NULL;
  }
  return g;
}
static int add_edge(struct graph *g, int from, int to) {
  if (from < 0 || from >= g->n || to < 0 || to >= g->n) return 0;
  struct edge *e = malloc(sizeof *e);
  if (!e) return 0;
  e->to = to;
  e->next = g->adj[from];
  g->adj[from] = e;
  return 1;
}
static void graph_free(struct graph *g) {
  for (int i = 0; i < g->n; i++) {
    struct edge *e = g->adj[i];
    while (e) {
      struct edge *next = e->next;
      free(e);
      e = next;
    }
  }
  free(g->adj);
  free(g);
}
int main(void) {
  int n, a, b;
  if (scanf("%d", &n) != 1 || n < 1 || n > 1000) return 1;
  struct graph *g = graph_new(n);
  if (!g) return 1;
  while (scanf("%d %d", &a, &b) == 2) add_edge(g, a, b);
  for (int i = 0; i < g->n; i++) {
    int degree = 0;
    for (struct edge *e = g->adj[i]; e; e = e->next) degree++;
    printf("%d: %d\n", i, degree);
  }
  graph_free(g);
  return 0;
}
