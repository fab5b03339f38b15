//@ verdict: safe
//@ engines: all except trace, whale: they do not look for facts about all cells of an array
//@ no-aids: unknown impact split predabs
// Each cell is the largest, or at most the second: of no cell the program asks one half alone.
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }

int main(void) {
  int a[1000];
  int first, second;
  for (int i = 0; i < 1000; i++)
    a[i] = __VERIFIER_nondet_int();
  first = a[0];
  second = a[0];
  for (int i = 1; i < 1000; i++) {
    if (a[i] >= first) {
      second = first;
      first = a[i];
    } else if (a[i] > second) {
      second = a[i];
    }
  }
  for (int x = 0; x < 1000; x++) {
    if (!(a[x] <= second || a[x] == first))
      reach_error();
  }
  return 0;
}
