//@ verdict: safe
//@ engines: portfolio
//@ property: valid-memsafety
// A list that owns the lines it was made of; the bad one has no room for the zero of a line.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct line {
  char *text;
  struct line *next;
};
int main(void) {
  char buffer[256];
  struct line *head = NULL, **tail = &head;
  while (fgets(buffer, sizeof buffer, stdin)) {
    struct line *l = malloc(sizeof *l);
    if (!l) abort();
    l->text = malloc(strlen(buffer) + 1);
    if (!l->text) abort();
    strcpy(l->text, buffer);
    l->next = NULL;
    *tail = l;
    tail = &l->next;
  }
  for (struct line *l = head; l; l = l->next) fputs(l->text, stdout);
  while (head) {
    struct line *next = head->next;
    free(head->text);
    free(head);
    head = next;
  }
  return 0;
}
