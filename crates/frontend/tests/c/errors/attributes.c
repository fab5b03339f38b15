int x __attribute__((aligned(3)));
struct s { int a __attribute__((aligned(3))); };
struct __attribute__((aligned(-8))) t { int a; };
