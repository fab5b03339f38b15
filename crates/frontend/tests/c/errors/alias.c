int f(void) __attribute__((alias("nowhere")));
