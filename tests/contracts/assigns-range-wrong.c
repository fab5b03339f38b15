// clear: unsafe
/*@ requires n == 3 && \valid(a + (0 .. 9));
    assigns *(a + (1 .. n)); */
void clear(int *a, int n) { a[1] = 0; a[2] = 0; a[n + 1] = 0; }
