// max: unsafe
/*@ ensures \result >= a && \result >= b; */
int max(int a, int b) { return a > b ? b : a; }
