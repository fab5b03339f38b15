//@ verdict: unsafe
//@ engines: portfolio
//@ property: valid-memsafety
// A queue of records with names that are cut; the bad one prints a name that was given back.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct job {
  int id;
  char name[16];
  struct job *next;
};
struct queue {
  struct job *head, *tail;
};
static void enqueue(struct queue *q, int id, const char *name) {
  struct job *j = malloc(sizeof *j);
  if (!j) exit(1);
  j->id = id;
  strncpy(j->name, name, sizeof j->name);
  j->name[sizeof j->name - 1] = '\0';
  j->next = NULL;
  if (q->tail)
    q->tail->next = j;
  else
    q->head = j;
  q->tail = j;
}
static struct job *dequeue(struct queue *q) {
  struct job *j = q->head;
  if (!j) return NULL;
  q->head = j->next;
  if (!q->head) q->tail = NULL;
  return j;
}
int main(int argc, char **argv) {
  struct queue q = {NULL, NULL};
  for (int i = 1; i < argc; i++) enqueue(&q, i, argv[i]);
  struct job *j;
  while ((j = dequeue(&q))) {
    free(j);
    printf("%d %s\n", j->id, j->name);
  }
  return 0;
}
