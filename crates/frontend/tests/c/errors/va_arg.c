int f(int n, ...) { return __builtin_va_arg(1, int); }
