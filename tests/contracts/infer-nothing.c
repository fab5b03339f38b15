// safe: safe
int safe(const int *a) { return a ? a[0] : 0; }
