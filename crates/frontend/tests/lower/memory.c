void reach_error(void);
void *malloc(unsigned long n);
void *calloc(unsigned long n, unsigned long m);
void free(void *p);
void *memset(void *p, int c, unsigned long n);
void *memcpy(void *d, const void *s, unsigned long n);
unsigned long strlen(const char *s);
int strcmp(const char *a, const char *b);
char *strcpy(char *d, const char *s);
void check(int c) { if (!c) reach_error(); }
struct node { int data; struct node *next; };
struct inner { short a; char b[6]; };
struct outer { int x; struct inner in[3]; struct outer *self; };
union u { int i; unsigned char c[4]; };
int g1, g2;
int arr[10];
int table[3][4] = { { 1, 2, 3, 4 }, { 5, 6, 7, 8 }, { 9, 10, 11, 12 } };
struct outer go = { 7, { { 1, "ab" }, { 2, "cde" } }, &go };
char *names[] = { "zero", "one", "two" };
int (*ops[2])(int);
int inc(int x) { return x + 1; }
int dbl(int x) { return x * 2; }
void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }
struct inner make(short a) { struct inner r; r.a = a; r.b[0] = 'q'; r.b[1] = 0; return r; }
int by_value(struct inner v) { v.a++; return v.a; }
int depth(int n) { int x = n; int *p = &x; if (n > 0) depth(n - 1); return *p; }
int main(void) {
  int x = 1, y = 2;
  swap(&x, &y); check(x == 2 && y == 1);
  int *p = x ? &g1 : &g2; *p = 5; check(g1 == 5 && g2 == 0);
  p = &g2; *p = 6; check(g1 == 5 && g2 == 6);
  for (int i = 0; i < 10; i++) arr[i] = i * i;
  check(arr[7] == 49 && *(arr + 3) == 9);
  int *q = arr; q += 4; check(*q == 16 && q[-1] == 9 && q - arr == 4);
  int s = 0;
  for (int i = 0; i < 3; i++) for (int j = 0; j < 4; j++) s += table[i][j];
  check(s == 78 && table[2][1] == 10);
  struct node *list = 0;
  for (int i = 0; i < 5; i++) {
    struct node *n = malloc(sizeof(struct node));
    n->data = i; n->next = list; list = n;
  }
  s = 0;
  for (struct node *n = list; n; n = n->next) s = s * 10 + n->data;
  check(s == 43210);
  check(go.x == 7 && go.in[1].a == 2 && go.in[1].b[2] == 'e' && go.in[2].a == 0);
  check(go.self == &go && go.self->in[0].b[1] == 'b');
  int k = 1; go.in[k].a = 77; check(go.self->in[1].a == 77 && go.x == 7);
  struct outer copy = go; copy.x = 8; check(go.x == 7 && copy.in[1].a == 77);
  union u un; un.i = 0x01020304; check(un.c[0] == 4 && un.c[3] == 1);
  un.c[1] = 0xff; check(un.i == 0x0102ff04);
  check(strlen(names[1]) == 3 && names[2][1] == 'w');
  char buf[16]; strcpy(buf, "hello"); check(strlen(buf) == 5 && strcmp(buf, "hello") == 0);
  check(strcmp(buf, "help") < 0);
  ops[0] = inc; ops[1] = dbl;
  check(ops[0](5) == 6 && (*ops[k])(5) == 10);
  struct inner in = make(4); check(in.a == 4 && in.b[0] == 'q');
  check(by_value(in) == 5 && in.a == 4 && make(9).a == 9);
  check(depth(3) == 3);
  int *z = calloc(4, sizeof(int)); check(z[0] == 0 && z[3] == 0);
  memset(z, 0xff, 8); check(z[0] == -1 && z[1] == -1 && z[2] == 0);
  int w[4]; memcpy(w, z, sizeof w); check(w[1] == -1 && w[3] == 0);
  free(z);
  int vla_n = 5; int vla[vla_n]; for (int i = 0; i < vla_n; i++) vla[i] = i; check(vla[4] == 4);
  int **pp = &p; p = &x; **pp = 33; check(x == 33);
  char *cp = (char *)&y; y = 0x11223344; check(*cp == 0x44 && cp[3] == 0x11);
  struct node nd = { .next = 0, .data = 3 }; struct node *np = &nd;
  struct node **link = &np; (*link)->data++; check(nd.data == 4);
  struct outer *op = (struct outer *)((char *)&go.in - __builtin_offsetof(struct outer, in));
  check(op == &go && op->x == 7);
  const char *str = "walk"; int n = 0; while (*str++) n++; check(n == 4);
  return 0;
}
