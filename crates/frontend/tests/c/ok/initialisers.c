struct point { int x, y; };
struct line { struct point from, to; char name[4]; };
int a[] = {1, 2, 3};
int b[5] = {[3] = 7, 8, [0] = 1};
int c[2][3] = {1, 2, 3, 4};
int d[][2] = {{1}, {2, 3}};
int range[10] = {[2 ... 4] = 9};
struct line l1 = {1, 2, 3, 4, "abc"};
struct line l2 = {{1}, .to.y = 5, .name = {'a', 'b'}};
struct line l3 = {.to = {7, 8}, "xyz"};
struct line list[2] = {{{1, 2}, {3, 4}, "p"}, {.name = "q"}};
struct line old = {to: {1, 2}};
char s1[] = "hello", s2[3] = "hello", s3[8] = {"hi"};
int wide[] = L"ab";
char *texts[] = {"one", "two" " three"};
union u { int i; char c[4]; double d; } u1 = {5}, u2 = {.d = 1.5}, u3 = {.c = {1, 2}};
struct { int k; union { int m; struct { short n, o; }; }; } anon = {.k = 1, .o = 3}, anon2 = {1, 2};
int *pointer = &c[1][2], *middle = a + 1;
struct point *literal = &(struct point){3, 4};
struct flexible { int n; int rest[]; } flex = {2, {5, 6}};
int scalar = {4};
struct point zero = {};
int (*fp)(struct point) = 0;

struct point make(int n) {
  struct point p = {n, n + 1}, q = p;
  struct line l = {p, q};
  struct point array[2] = {p, {1, 2}};
  int copy[] = {[0] = n, n * 2};
  char buffer[16] = "x";
  static int counter = 5;
  static struct point once;
  l = (struct line){.from = q};
  return ((struct point[]){p, q})[counter++ & 1];
}
