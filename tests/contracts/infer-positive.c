// last: safe, requires 1 <= n, requires n <= elements of a
int last(int *a, int n) { return a[n - 1]; }
