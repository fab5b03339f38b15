typedef int T;
typedef unsigned long size_t;
__extension__ typedef long long ll;
extern int printf(const char *__restrict fmt, ...) __attribute__((__nothrow__, __format__(__printf__, 1, 2)));
static __inline__ __attribute__((always_inline)) int twice(int x) { return x + x; }
int dollar$name = 1;
int renamed(int) __asm__("other_name");
void die(void) __attribute__((noreturn));
_Noreturn void die2(void);
int weak_one(void) __attribute__((weak));
int target(int a) { return a; }
int other(int a) __attribute__((alias("target")));
typedef int word __attribute__((mode(__DI__)));
typedef struct { char c; int i; } __attribute__((packed)) tight;
struct __attribute__((aligned(32))) wide { char c; };
struct empty {};
struct flex { int n; char data[0]; };
_Alignas(16) char aligned_buffer[4];
__thread int per_thread;
typedef union { int *i; char *c; } __attribute__((__transparent_union__)) any;
void take(any);
int elvis(int a, int b) { return a ?: b; }
int kr(a, b) char a; int *b; { return a + *b; }
implicit() { return undeclared(1, 2.0f, 'c'); }
int shadow(void) { int T = 3; return T * 2; }
int typed(int n) {
  __typeof__(n) m = n;
  typeof(int *) p = &m;
  __auto_type q = p;
  int vla[n][m + 1];
  vla[1][2] = sizeof vla + sizeof(int[n]);
  take(p);
  if (__builtin_expect(!!n, 1)) __builtin_unreachable();
  return *q + __builtin_choose_expr(1, 4, "no") + _Generic(n, long: 1, int: 2, default: 3)
    + __builtin_constant_p(3) + __builtin_constant_p(n) + __alignof__(double)
    + __builtin_offsetof(struct flex, data) + ((union { int i; float f; })1.5f).i + 2[p];
}
int sum(int count, ...) {
  __builtin_va_list ap, ap2;
  int s = 0;
  __builtin_va_start(ap, count);
  __builtin_va_copy(ap2, ap);
  while (count--) s += __builtin_va_arg(ap, int);
  __builtin_va_end(ap);
  return s;
}
int (*choose(int k))(int) { return k ? twice : &target; }
int calls(int (*fn)(int), int (*table[3])(int)) {
  return fn(1) + (*fn)(2) + (**table[0])(3) + choose(1)(4) + (0 ? die2(), 1 : 2);
}
struct pair { int a, b; };
struct pair get(void);
int temporary(void) { return get().b; }
int atomics(int *p) { return __sync_fetch_and_add(p, 1) + __atomic_load_n(p, 5); }
unsigned __int128 big = (unsigned __int128)1 << 70;
_Float128 quad = 1.5f128;
long double ld = 0.1L;
float hex = 0x1.8p3f;
double tiny = 1e-310, third = 1.0 / 3;
