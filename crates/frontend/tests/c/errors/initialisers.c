struct s { int a; };
int x[2] = {[5] = 1, [-1] = 2};
struct s v = {.b = 1};
int y = {.a = 1};
int z[3] = 5;
struct s w = {[0] = 1};
int r[4] = {[3 ... 1] = 2};
int f(void) = 3;
void g(int n) { int vla[n] = {1}; extern int e = 2; }
