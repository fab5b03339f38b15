struct s { int a; };
int x = __builtin_offsetof(struct s, b);
int y = __builtin_offsetof(int, a);
