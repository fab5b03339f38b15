//@ verdict: unsafe
//@ engines: portfolio
extern void abort(void);
void reach_error(void) { abort(); }
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

int main(void) {
  int x = 5, expected = 7;
  CHECK(__sync_fetch_and_add(&x, 2) == 5 && x == 7);
  CHECK(__atomic_compare_exchange_n(&x, &expected, 9, 0, 5, 5) && x == 9);
  CHECK(!__atomic_compare_exchange_n(&x, &expected, 1, 0, 5, 5) && expected == 9);
  CHECK(__atomic_exchange_n(&x, 3, 5) == 9 && __atomic_load_n(&x, 5) == 3);
  CHECK(__sync_nand_and_fetch(&x, 1) == -1);
  CHECK(__sync_bool_compare_and_swap(&x, x, 4) && __atomic_fetch_or(&x, 3, 5) == 4 && x == 7);
  return 0;
}
