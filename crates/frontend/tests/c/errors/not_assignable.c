void f(void) { int a[2], b[2]; 3 = 4; a = b; f = 0; a[0]++ = 1; (a[0] + 1)++; }
