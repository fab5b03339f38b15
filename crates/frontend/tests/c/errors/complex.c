_Complex double c;
struct s { int x; } s;
void f(void) { c % c; c < 1; __imag__ s; c + s; c & 1; }
double bad = __real__ s;
