_Complex double c;
void f(void) { __real__ c; c + c; 2.0i; }
