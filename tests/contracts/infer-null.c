// first: safe, requires a != NULL
int first(const int *a) { return a[0]; }
