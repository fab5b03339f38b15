int f(void) { return 0; }
int f(void) { return 1; }
int x = 1;
int x = 2;
struct s { int a; };
struct s { int b; };
enum { A, A };
