void f(void) { goto missing; again: ; again: ; void *p = &&nowhere; }
