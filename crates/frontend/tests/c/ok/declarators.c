int *p[3], (*q)[3], (*f)(void), *(*(*g)(int))[2];
char *(*(*h[4])(int (*)(double), ...))(void);
typedef int fn(int, char);
fn declared, *pointer_to;
typedef struct node node;
struct node { node *next; struct { int a; }; union { int b; float c; } u; unsigned : 4; unsigned k : 2; };
extern struct opaque *o;
int param_array(int a[10], int b[static 2], int m[][4], fn callback);
struct outer { struct inner { int z; } i; } outer_object;
struct inner reused;
extern int tentative[];
int tentative[4];
static int internal;
int use(void) { extern int internal_elsewhere; int unused(int); return internal + internal_elsewhere + reused.z; }
enum e { X, Y } ev = Y;
const volatile int cv = 3;
void scopes(int n) { enum { X = 9 }; struct node { char c; } local; n = X + sizeof local; { typedef char n; n c = 1; } }
