_Static_assert(sizeof(int) == 8, "ints are wide");
_Static_assert(0);
void f(void) { _Static_assert(1 > 2, "order"); }
