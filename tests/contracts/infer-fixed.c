// fourth: safe, requires a != NULL, requires 4 <= elements of a
int fourth(const int *a) { return a[0] + a[3]; }
