// last: safe, requires n <= elements of rows
int *last(int **rows, unsigned n) { return n ? rows[n - 1] : 0; }
