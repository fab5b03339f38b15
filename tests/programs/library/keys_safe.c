//@ verdict: safe
//@ engines: portfolio
// search.h: what was entered is found, the first under its key.
#include <search.h>
extern void reach_error(void);

int main(void) {
  int one = 1, two = 2;
  ENTRY e = {"a", &one}, *found;
  hcreate(4);
  hsearch(e, ENTER);
  e.data = &two;
  found = hsearch(e, ENTER);
  if (found == 0 || *(int *)found->data != 1) reach_error();
  e.key = "b";
  if (hsearch(e, FIND) != 0) reach_error();
  hdestroy();
  return 0;
}
