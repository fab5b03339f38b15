// last: unsafe
/*@ requires n > 0;
    requires \valid_read(a + (0 .. n - 1));
    ensures \result == 3; */
int last(const int *a, int n) { return a[n - 1]; }
