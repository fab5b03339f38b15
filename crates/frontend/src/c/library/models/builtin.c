/* Builtins of gcc on bits. */
int __builtin_popcount(unsigned x) { int n = 0; while (x) { n += x & 1; x >>= 1; } return n; }
int __builtin_parity(unsigned x) { int n = 0; while (x) { n ^= x & 1; x >>= 1; } return n; }
int __builtin_ctz(unsigned x) { int n = 0; if (x == 0) return __builtin_craig_any_int(); while (!(x & 1)) { n++; x >>= 1; } return n; }
int __builtin_clz(unsigned x) { int n = sizeof(x) * 8; if (x == 0) return __builtin_craig_any_int(); while (x) { n--; x >>= 1; } return n; }
int __builtin_clrsb(unsigned x) { int n = -1; unsigned top = x >> (sizeof(x) * 8 - 1); unsigned i; for (i = 0; i < sizeof(x) * 8 && x >> (sizeof(x) * 8 - 1) == top; i++) { n++; x <<= 1; } return n; }
int __builtin_ffs(unsigned x) { int n = 1; if (x == 0) return 0; while (!(x & 1)) { n++; x >>= 1; } return n; }
int __builtin_popcountl(unsigned long x) { int n = 0; while (x) { n += x & 1; x >>= 1; } return n; }
int __builtin_parityl(unsigned long x) { int n = 0; while (x) { n ^= x & 1; x >>= 1; } return n; }
int __builtin_ctzl(unsigned long x) { int n = 0; if (x == 0) return __builtin_craig_any_int(); while (!(x & 1)) { n++; x >>= 1; } return n; }
int __builtin_clzl(unsigned long x) { int n = sizeof(x) * 8; if (x == 0) return __builtin_craig_any_int(); while (x) { n--; x >>= 1; } return n; }
int __builtin_clrsbl(unsigned long x) { int n = -1; unsigned long top = x >> (sizeof(x) * 8 - 1); unsigned i; for (i = 0; i < sizeof(x) * 8 && x >> (sizeof(x) * 8 - 1) == top; i++) { n++; x <<= 1; } return n; }
int __builtin_ffsl(unsigned long x) { int n = 1; if (x == 0) return 0; while (!(x & 1)) { n++; x >>= 1; } return n; }
int __builtin_popcountll(unsigned long long x) { int n = 0; while (x) { n += x & 1; x >>= 1; } return n; }
int __builtin_parityll(unsigned long long x) { int n = 0; while (x) { n ^= x & 1; x >>= 1; } return n; }
int __builtin_ctzll(unsigned long long x) { int n = 0; if (x == 0) return __builtin_craig_any_int(); while (!(x & 1)) { n++; x >>= 1; } return n; }
int __builtin_clzll(unsigned long long x) { int n = sizeof(x) * 8; if (x == 0) return __builtin_craig_any_int(); while (x) { n--; x >>= 1; } return n; }
int __builtin_clrsbll(unsigned long long x) { int n = -1; unsigned long long top = x >> (sizeof(x) * 8 - 1); unsigned i; for (i = 0; i < sizeof(x) * 8 && x >> (sizeof(x) * 8 - 1) == top; i++) { n++; x <<= 1; } return n; }
int __builtin_ffsll(unsigned long long x) { int n = 1; if (x == 0) return 0; while (!(x & 1)) { n++; x >>= 1; } return n; }
unsigned short __builtin_bswap16(unsigned short x) { return craig_swap16(x); }
unsigned __builtin_bswap32(unsigned x) { return craig_swap32(x); }
unsigned __int128 __builtin_bswap128(unsigned __int128 x) { return (unsigned __int128)__builtin_bswap64((unsigned long long)x) << 64 | __builtin_bswap64((unsigned long long)(x >> 64)); }
unsigned long long __builtin_bswap64(unsigned long long x) { return (unsigned long long)craig_swap32((unsigned)x) << 32 | craig_swap32((unsigned)(x >> 32)); }

void *__builtin_return_address(unsigned n) { return (void *)__builtin_craig_any_ulong(); }
void *__builtin_frame_address(unsigned n) { return (void *)__builtin_craig_any_ulong(); }
void *__builtin_extract_return_addr(void *p) { return p; }
unsigned int __builtin_addc(unsigned int a, unsigned int b, unsigned int in, unsigned int *out) {
  unsigned int s = a + b, r = s + in;
  __builtin_craig_writable(out, sizeof *out);
  *out = s < a || r < s;
  return r;
}
unsigned int __builtin_subc(unsigned int a, unsigned int b, unsigned int in, unsigned int *out) {
  unsigned int s = a - b, r = s - in;
  __builtin_craig_writable(out, sizeof *out);
  *out = a < b || s < in;
  return r;
}
unsigned long __builtin_addcl(unsigned long a, unsigned long b, unsigned long in, unsigned long *out) {
  unsigned long s = a + b, r = s + in;
  __builtin_craig_writable(out, sizeof *out);
  *out = s < a || r < s;
  return r;
}
unsigned long __builtin_subcl(unsigned long a, unsigned long b, unsigned long in, unsigned long *out) {
  unsigned long s = a - b, r = s - in;
  __builtin_craig_writable(out, sizeof *out);
  *out = a < b || s < in;
  return r;
}
unsigned long long __builtin_addcll(unsigned long long a, unsigned long long b, unsigned long long in, unsigned long long *out) {
  unsigned long long s = a + b, r = s + in;
  __builtin_craig_writable(out, sizeof *out);
  *out = s < a || r < s;
  return r;
}
unsigned long long __builtin_subcll(unsigned long long a, unsigned long long b, unsigned long long in, unsigned long long *out) {
  unsigned long long s = a - b, r = s - in;
  __builtin_craig_writable(out, sizeof *out);
  *out = a < b || s < in;
  return r;
}

/* What is built in, for calls through pointers. */
static void *craig_at_malloc(size_t n) { return malloc(n); }
static void *craig_at_calloc(size_t n, size_t size) { return calloc(n, size); }
static void craig_at_free(void *p) { free(p); }
static void *craig_at_memcpy(void *d, const void *s, size_t n) { return memcpy(d, s, n); }
static void *craig_at_memmove(void *d, const void *s, size_t n) { return memmove(d, s, n); }
static void *craig_at_memset(void *d, int c, size_t n) { return memset(d, c, n); }
static int craig_at_puts(const char *s) { return puts(s); }
static int craig_at_putchar(int c) { return putchar(c); }
static void craig_at_abort(void) { abort(); }
static void craig_at_exit(int n) { exit(n); }
static int craig_at_abs(int x) { return abs(x); }
static long craig_at_labs(long x) { return labs(x); }
static long long craig_at_llabs(long long x) { return llabs(x); }
static double craig_at_fabs(double x) { return fabs(x); }
static float craig_at_fabsf(float x) { return fabsf(x); }
static double craig_at_sqrt(double x) { return sqrt(x); }
static double craig_at_floor(double x) { return floor(x); }
static double craig_at_ceil(double x) { return ceil(x); }
static double craig_at_trunc(double x) { return trunc(x); }
static double craig_at_round(double x) { return round(x); }
static double craig_at_fmod(double x, double y) { return fmod(x, y); }
static void *craig_at_aligned_alloc(size_t align, size_t n) { return aligned_alloc(align, n); }
static void craig_at__exit(int n) { _exit(n); }
static void craig_at__Exit(int n) { _Exit(n); }
