struct t;
struct s { int a; char a; struct t b; int f(void); void v; };
