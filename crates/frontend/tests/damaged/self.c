struct S { struct S s; }; typedef T T; enum E { A = sizeof(enum E), B = A + B }; int f(int a[sizeof f(a)]); int main(void) { struct S s = { s }; return f; }
