//@ verdict: unsafe
//@ engines: portfolio
//@ property: valid-memsafety
// Lists of edges, one for each node of a graph; the bad one lets a node through that is none.
#include <stdio.h>
#include <stdlib.h>
#define MAXV 50
struct edge { int to; struct edge *next; };
static struct edge *adj[MAXV];
static void add_edge(int from, int to) {
  struct edge *e = malloc(sizeof *e);
  if (!e) exit(1);
  e->to = to;
  e->next = adj[from];
  adj[from] = e;
}
static int degree(int v) {
  int d = 0;
  for (struct edge *e = adj[v]; e; e = e->next) d++;
  return d;
}
int main(void) {
  int n, u, v;
  if (scanf("%d", &n) != 1 || n < 1 || n > MAXV) return 1;
  while (scanf("%d %d", &u, &v) == 2) {
    if (u < 0 || u >= n || v < 0 || v > n) continue;
    add_edge(u, v);
    add_edge(v, u);
  }
  for (int i = 0; i < n; i++) printf("%d: %d\n", i, degree(i));
  for (int i = 0; i < n; i++)
    while (adj[i]) {
      struct edge *e = adj[i];
      adj[i] = e->next;
      free(e);
    }
  return 0;
}
