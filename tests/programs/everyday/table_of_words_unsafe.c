//@ verdict: unsafe
//@ engines: portfolio
//@ property: valid-memsafety
// Words of the input are looked up in a table by halving; the bad one looks behind its end.
#include <stdio.h>
#include <string.h>
static const char *const words[] = { "apple", "banana", "cherry", "date", "elder", "fig" };
static int find(const char *word) {
  int low = 0, high = sizeof words / sizeof words[0];
  while (low <= high) {
    int middle = low + (high - low) / 2;
    int order = strcmp(word, words[middle]); //~ violated
    if (order == 0) return middle;
    if (order < 0) high = middle; else low = middle + 1;
  }
  return -1;
}
int main(void) {
  char word[40];
  while (scanf("%39s", word) == 1) printf("%d\n", find(word));
  return 0;
}
