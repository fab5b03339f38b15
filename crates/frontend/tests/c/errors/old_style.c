int f(a) int a, b; { return a; }
