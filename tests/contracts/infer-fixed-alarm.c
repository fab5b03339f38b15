// before: unsafe
int before(const int *a) { return a[-1]; }
