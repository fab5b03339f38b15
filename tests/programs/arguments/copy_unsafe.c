//@ verdict: unsafe
//@ engines: portfolio, impact
//@ property: valid-memsafety
// As much of an argument as fits, and one more.
int main(int argc, char **argv) {
  char b[4];
  unsigned n = 0;
  if (argc > 1) {
    char *s = argv[1];
    while (*s && n <= 4) {
      b[n++] = *s; //~ violated
      s++;
    }
  }
  return n > 3 && b[3] == 'x';
}
