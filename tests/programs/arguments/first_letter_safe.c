//@ verdict: safe
//@ engines: portfolio, impact
//@ property: valid-memsafety
// Arguments are valid strings, and null comes behind them.
int main(int argc, char **argv) {
  if (argc < 2) return 0;
  if (argv[argc]) return 1;
  return argv[argc - 1][0] == '-';
}
