//@ verdict: safe
//@ engines: portfolio, impact
//@ property: valid-memsafety
//@ no-aids: unknown impact
// Every argument is walked to its end, and no further.
int main(int argc, char **argv) {
  unsigned n = 0;
  if (argc > 1) {
    char *s = argv[1];
    while (*s) {
      n += *s == '-';
      s++;
    }
  }
  return n > 3;
}
