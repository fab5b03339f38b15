//@ verdict: unsafe
//@ engines: portfolio
//@ property: valid-memsafety
// The sieve of Eratosthenes for a number given as argument; the bad one has no byte for the number itself.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 100;
  if (n < 2 || n > 100000) return 1;
  char *prime = malloc(n + 1);
  if (!prime) return 1;
  memset(prime, 1, n + 1);
  for (int i = 2; i * i <= n; i++)
    if (prime[i])
      for (int j = i * i; j <= 1 + n; j += i) prime[j] = 0;
  int count = 0;
  for (int i = 2; i <= n; i++)
    if (prime[i]) count++;
  printf("%d\n", count);
  free(prime);
  return 0;
}
