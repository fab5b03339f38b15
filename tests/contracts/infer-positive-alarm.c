// last: unsafe
int last(int *a, int n) { int b[4] = {0}; return a ? b[n - 1] : 0; }
