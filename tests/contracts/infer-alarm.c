// bad: unsafe
int bad(int n) { int a[4] = {0}; return a[n]; }
