int f(int);
long f(int);
extern int a;
extern char a;
typedef int t;
typedef char t;
int g;
int g(void);
