// half: unsafe
/*@ ensures 0 <= \result <= n; */
int half(int n) { return n / 2; }
