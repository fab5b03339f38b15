void f(int a) { asm("x" : "=r"(a + 1)); }
