// below: unsafe
/*@ ensures \result == 1 <==> a < b; */
int below(int a, unsigned b) { return a < b; }
