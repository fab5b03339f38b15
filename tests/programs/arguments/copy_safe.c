//@ verdict: safe
//@ engines: portfolio, impact
//@ property: valid-memsafety
//@ no-aids: unknown impact
// As much of an argument as fits.
int main(int argc, char **argv) {
  char b[4];
  unsigned n = 0;
  if (argc > 1) {
    char *s = argv[1];
    while (*s && n < 4) {
      b[n++] = *s;
      s++;
    }
  }
  return n > 3 && b[3] == 'x';
}
