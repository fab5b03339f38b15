// one: safe
/*@ ensures \result == 1 <==> (a != 0 ^^ b != 0); */
int one(int a, int b) { return !a != !b; }
