// pick: safe
/*@ ensures \result == (c ? a : b); */
int pick(int c, int a, int b) { if (c) return a; return b; }
