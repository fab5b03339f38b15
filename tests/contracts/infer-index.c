// at: safe, requires i < elements of a, requires 0 <= i
int at(const int *a, int i) { return a[i]; }
