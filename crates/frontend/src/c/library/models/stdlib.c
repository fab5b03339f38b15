/* stdlib.h: conversions, sorting, random numbers, environment. */
static int craig_space(int c) { return c == ' ' || c >= 9 && c <= 13; }
static int craig_digit(int c) {
  return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'z' ? c - 'a' + 10 : c >= 'A' && c <= 'Z' ? c - 'A' + 10 : 99;
}
/* Base ten, where the factors are constants: cheaper to reason about. */
static unsigned long long craig_decimal(const char *s, const char *e, unsigned long long max, int *over, const char **end) {
  unsigned long long v = 0;
  int any = 0;
  while (s < e && *s >= '0' && *s <= '9') {
    unsigned d = *s - '0';
    if (*over || v > (max - d) / 10) *over = 1; else v = v * 10 + d;
    any = 1;
    s++;
  }
  *end = any ? s : 0;
  return *over ? max : v;
}
/* The magnitude in the text, at most max; *over says whether it was larger; *end is behind it or 0. */
static unsigned long long craig_digits(const char *s, int base, unsigned long long max, int *negative, int *over, const char **end) {
  const char *e = craig_str_end(s);
  unsigned long long v = 0;
  int any = 0, d;
  *over = 0;
  *negative = 0;
  while (s < e && craig_space(*s)) s++;
  if (s < e && (*s == '-' || *s == '+')) {
    *negative = *s == '-';
    s++;
  }
  if (base == 10) return craig_decimal(s, e, max, over, end);
  if ((base == 0 || base == 16) && s < e && s[0] == '0' && (s[1] == 'x' || s[1] == 'X') && craig_digit(s[2]) < 16) {
    base = 16;
    s += 2;
  } else if (base == 0) {
    base = s < e && *s == '0' ? 8 : 10;
  }
  while (s < e) {
    d = craig_digit(*s);
    if (d >= base) break;
    if (*over || v > (max - d) / base) *over = 1; else v = v * base + d;
    any = 1;
    s++;
  }
  *end = any ? s : 0;
  return *over ? max : v;
}
static void craig_set_end(char **end, const char *at) {
  if (end != 0) {
    __builtin_craig_writable(end, sizeof(char *));
    *end = (char *)at;
  }
}
long strtol(const char *s, char **end, int base) {
  int negative, over;
  const char *at;
  unsigned long long max = (~0UL >> 1), v;
  if (base < 0 || base == 1 || base > 36) { craig_errno = 22; craig_set_end(end, s); return 0; }
  v = craig_digits(s, base, max + 1, &negative, &over, &at);
  craig_set_end(end, at ? at : s);
  if (over || !negative && v > max) {
    craig_errno = 34;
    return negative ? -(long)max - 1 : (long)max;
  }
  return negative ? (long)(0UL - (unsigned long)v) : (long)v;
}
long long strtoll(const char *s, char **end, int base) {
  int negative, over;
  const char *at;
  unsigned long long max = (~0ULL >> 1), v;
  if (base < 0 || base == 1 || base > 36) { craig_errno = 22; craig_set_end(end, s); return 0; }
  v = craig_digits(s, base, max + 1, &negative, &over, &at);
  craig_set_end(end, at ? at : s);
  if (over || !negative && v > max) {
    craig_errno = 34;
    return negative ? -(long long)max - 1 : (long long)max;
  }
  return negative ? (long long)(0ULL - v) : (long long)v;
}
unsigned long strtoul(const char *s, char **end, int base) {
  int negative, over;
  const char *at;
  unsigned long long v;
  if (base < 0 || base == 1 || base > 36) { craig_errno = 22; craig_set_end(end, s); return 0; }
  v = craig_digits(s, base, ~0UL, &negative, &over, &at);
  craig_set_end(end, at ? at : s);
  if (over) {
    craig_errno = 34;
    return ~0UL;
  }
  return negative ? 0UL - (unsigned long)v : (unsigned long)v;
}
unsigned long long strtoull(const char *s, char **end, int base) {
  int negative, over;
  const char *at;
  unsigned long long v;
  if (base < 0 || base == 1 || base > 36) { craig_errno = 22; craig_set_end(end, s); return 0; }
  v = craig_digits(s, base, ~0ULL, &negative, &over, &at);
  craig_set_end(end, at ? at : s);
  if (over) {
    craig_errno = 34;
    return ~0ULL;
  }
  return negative ? 0ULL - v : v;
}
long long strtoimax(const char *s, char **end, int base) { return strtoll(s, end, base); }
unsigned long long strtoumax(const char *s, char **end, int base) { return strtoull(s, end, base); }
long long strtoq(const char *s, char **end, int base) { return strtoll(s, end, base); }
unsigned long long strtouq(const char *s, char **end, int base) { return strtoull(s, end, base); }
/* Out of range atoi is undefined; glibc cuts the long. */
int atoi(const char *s) { return (int)strtol(s, 0, 10); }
long atol(const char *s) { return strtol(s, 0, 10); }
long long atoll(const char *s) { return strtoll(s, 0, 10); }
static const char *craig_float_end(const char *s) {
  const char *e = craig_str_end(s);
  size_t n = __builtin_craig_any_size();
  __builtin_craig_assume(n <= (size_t)(e - s));
  return s + n;
}
double strtod(const char *s, char **end) {
  craig_str_end(s);
  if (end != 0) craig_set_end(end, craig_float_end(s));
  return __builtin_craig_any_double();
}
float strtof(const char *s, char **end) { return (float)strtod(s, end); }
long double strtold(const char *s, char **end) { return strtod(s, end); }
double atof(const char *s) { return strtod(s, 0); }
static const wchar_t *craig_wide_number(const wchar_t *s, char *buffer) {
  const wchar_t *e = craig_wcs_end(s);
  size_t i = 0;
  while (s < e && craig_class(*s, 0x2000)) s++;
  while (s + i < e && i < 127 && s[i] > 0 && s[i] < 128) { buffer[i] = s[i]; i++; }
  buffer[i] = 0;
  return s;
}
long wcstol(const wchar_t *s, wchar_t **end, int base) {
  char buffer[128], *at;
  const wchar_t *first = craig_wide_number(s, buffer);
  long v = strtol(buffer, &at, base);
  if (strlen(buffer) == 127) v = __builtin_craig_any_long();
  if (end != 0) {
    __builtin_craig_writable(end, sizeof(wchar_t *));
    *end = (wchar_t *)(at == buffer ? s : first + (at - buffer));
  }
  return v;
}
unsigned long wcstoul(const wchar_t *s, wchar_t **end, int base) {
  long v = wcstol(s, end, base);
  return v < 0 || v == (long)(~0UL >> 1) ? __builtin_craig_any_ulong() : (unsigned long)v;
}
long long wcstoll(const wchar_t *s, wchar_t **end, int base) {
  long v = wcstol(s, end, base);
  return v == (long)(~0UL >> 1) || v == -(long)(~0UL >> 1) - 1 ? __builtin_craig_any_llong() : v;
}
double wcstod(const wchar_t *s, wchar_t **end) {
  const wchar_t *e = craig_wcs_end(s);
  size_t n = __builtin_craig_any_size();
  __builtin_craig_assume(n <= (size_t)(e - s));
  if (end != 0) {
    __builtin_craig_writable(end, sizeof(wchar_t *));
    *end = (wchar_t *)(s + n);
  }
  return __builtin_craig_any_double();
}
int abs(int x) { return x < 0 ? -x : x; }

/* Any number in the range is possible: the generator is the program's environment. */
static int craig_rand(void) {
  int r = __builtin_craig_input_int("rand");
  __builtin_craig_assume(r >= 0);
  return r;
}
int rand(void) { return craig_rand(); }
int rand_r(unsigned *seed) {
  __builtin_craig_writable(seed, sizeof(unsigned));
  *seed = __builtin_craig_input_uint("rand");
  return craig_rand();
}
void srand(unsigned seed) { }
void srandom(unsigned seed) { }
void srand48(long seed) { }
long random(void) { return craig_rand(); }
long lrand48(void) { return craig_rand(); }
long mrand48(void) { return __builtin_craig_input_int("rand"); }
double drand48(void) {
  double d = __builtin_craig_input_double("rand");
  __builtin_craig_assume(d >= 0.0 && d < 1.0);
  return d;
}
unsigned arc4random(void) { return __builtin_craig_input_uint("rand"); }
unsigned arc4random_uniform(unsigned n) {
  unsigned r = __builtin_craig_input_uint("rand");
  __builtin_craig_assume(n == 0 ? r == 0 : r < n);
  return r;
}

/* The environment: each variable is there or not, with any text. */
char *getenv(const char *name) {
  size_t i, n;
  char *s;
  craig_str_end(name);
  if (__builtin_craig_input_bool("environment.present") == 0) return 0;
  n = __builtin_craig_input_size("environment.length");
  __builtin_craig_assume(n < 131072);
  s = __builtin_alloca(n + 1);
  for (i = 0; i < n; i++) {
    char c = __builtin_craig_input_char("environment.byte");
    __builtin_craig_assume(c != 0);
    s[i] = c;
  }
  s[n] = 0;
  __builtin_craig_ends(s + n);
  return s;
}
char *secure_getenv(const char *name) { return getenv(name); }
int setenv(const char *name, const char *value, int over) { craig_str_end(name); craig_str_end(value); return __builtin_craig_input_bool("setenv") ? -1 : 0; }
int unsetenv(const char *name) { craig_str_end(name); return __builtin_craig_input_bool("unsetenv") ? -1 : 0; }
int putenv(char *text) { craig_str_end(text); return __builtin_craig_input_bool("putenv") ? -1 : 0; }
int system(const char *command) {
  if (command != 0) craig_str_end(command);
  return __builtin_craig_input_int("system");
}

void *bsearch(const void *key, const void *base, size_t n, size_t size, int (*compare)(const void *, const void *)) {
  size_t low = 0, high = n;
  while (low < high) {
    size_t mid = low + (high - low) / 2;
    const char *p = (const char *)base + mid * size;
    int c = compare(key, p);
    if (c == 0) return (void *)p;
    if (c < 0) high = mid; else low = mid + 1;
  }
  return 0;
}
static void craig_swap(char *a, char *b, size_t size) {
  size_t i;
  for (i = 0; i < size; i++) {
    char c = a[i];
    a[i] = b[i];
    b[i] = c;
  }
}
/* Insertion: stable, so the order of equal elements is one of those that C allows. */
void qsort(void *base, size_t n, size_t size, int (*compare)(const void *, const void *)) {
  char *a = base;
  size_t i, j;
  __builtin_craig_writable(base, n * size);
  for (i = 1; i < n; i++)
    for (j = i; j > 0 && compare(a + (j - 1) * size, a + j * size) > 0; j--)
      craig_swap(a + (j - 1) * size, a + j * size, size);
}
void *lfind(const void *key, const void *base, size_t *n, size_t size, int (*compare)(const void *, const void *)) {
  size_t i;
  __builtin_craig_readable(n, sizeof(size_t));
  for (i = 0; i < *n; i++)
    if (compare(key, (const char *)base + i * size) == 0) return (void *)((const char *)base + i * size);
  return 0;
}
int mblen(const char *s, size_t n) {
  if (s == 0) return 0;
  if (n == 0) return -1;
  __builtin_craig_readable(s, 1);
  return *s == 0 ? 0 : *s > 0 ? 1 : __builtin_craig_any_int();
}
int mbtowc(wchar_t *w, const char *s, size_t n) {
  int k;
  if (s == 0) return 0;
  k = mblen(s, n);
  if (k >= 0 && w != 0) {
    __builtin_craig_writable(w, sizeof(wchar_t));
    *w = *s;
  }
  return k;
}
int wctomb(char *s, wchar_t w) {
  if (s == 0) return 0;
  if (w < 0 || w > 127) return -1;
  __builtin_craig_writable(s, 1);
  *s = w;
  return 1;
}
size_t mbstowcs(wchar_t *w, const char *s, size_t n) {
  size_t i, m = strlen(s);
  for (i = 0; i < m; i++)
    if (s[i] < 0) return (size_t)-1;
  if (w == 0) return m;
  for (i = 0; i < n && i <= m; i++) {
    __builtin_craig_writable(w + i, sizeof(wchar_t));
    w[i] = s[i];
  }
  if (m < n) __builtin_craig_ends(w + m);
  return m < n ? m : n;
}
size_t wcstombs(char *s, const wchar_t *w, size_t n) {
  size_t i, m = wcslen(w);
  for (i = 0; i < m; i++)
    if (w[i] < 0 || w[i] > 127) return (size_t)-1;
  if (s == 0) return m;
  for (i = 0; i < n && i <= m; i++) {
    __builtin_craig_writable(s + i, 1);
    s[i] = w[i];
  }
  if (m < n) __builtin_craig_ends(s + m);
  return m < n ? m : n;
}
wint_t btowc(int c) { return c >= 0 && c < 128 ? c : (wint_t)-1; }
int wctob(wint_t c) { return c < 128 ? (int)c : -1; }
int posix_memalign(void **p, size_t align, size_t n) {
  void *q;
  __builtin_craig_writable(p, sizeof(void *));
  q = malloc(n);
  if (q == 0) return 12;
  *p = q;
  return 0;
}
void *realloc(void *p, size_t n) {
  size_t m;
  char *q;
  if (p == 0) return malloc(n);
  if (n == 0) {
    free(p);
    return 0;
  }
  m = __builtin_craig_room(p);
  q = malloc(n);
  if (q == 0) return 0;
  memcpy(q, p, m < n ? m : n);
  free(p);
  return q;
}
void *reallocarray(void *p, size_t n, size_t size) { return realloc(p, n * size); }
void *mempcpy(void *d, const void *s, size_t n) { memcpy(d, s, n); return (char *)d + n; }
void bzero(void *p, size_t n) { memset(p, 0, n); }
void explicit_bzero(void *p, size_t n) { memset(p, 0, n); }
void bcopy(const void *s, void *d, size_t n) { memmove(d, s, n); }
wchar_t *wmemset(wchar_t *d, wchar_t c, size_t n) {
  size_t i;
  __builtin_craig_writable(d, n * sizeof(wchar_t));
  for (i = 0; i < n; i++) d[i] = c;
  return d;
}
wchar_t *wmemcpy(wchar_t *d, const wchar_t *s, size_t n) {
  size_t i;
  __builtin_craig_readable(s, n * sizeof(wchar_t));
  __builtin_craig_writable(d, n * sizeof(wchar_t));
  __builtin_craig_require(n == 0 || d + n <= s || s + n <= d, "the areas overlap");
  for (i = 0; i < n; i++) d[i] = s[i];
  return d;
}
wchar_t *wmempcpy(wchar_t *d, const wchar_t *s, size_t n) { wmemcpy(d, s, n); return d + n; }
wchar_t *wmemmove(wchar_t *d, const wchar_t *s, size_t n) {
  size_t i;
  __builtin_craig_readable(s, n * sizeof(wchar_t));
  __builtin_craig_writable(d, n * sizeof(wchar_t));
  if (d <= s) for (i = 0; i < n; i++) d[i] = s[i];
  else for (i = n; i > 0; i--) d[i - 1] = s[i - 1];
  return d;
}
/* The command line: any number of strings of any length, then null. */
static char **craig_arguments(int argc) {
  char **argv = __builtin_alloca(((size_t)argc + 1) * sizeof(char *));
  int i;
  for (i = 0; i < argc; i++) {
    size_t j, n = __builtin_craig_input_size("argv.length");
    char *s;
    __builtin_craig_assume(n < 131072);
    s = __builtin_alloca(n + 1);
    for (j = 0; j < n; j++) {
      char c = __builtin_craig_input_char("argv.byte");
      __builtin_craig_assume(c != 0);
      s[j] = c;
    }
    s[n] = 0;
    __builtin_craig_ends(s + n);
    argv[i] = s;
  }
  argv[argc] = 0;
  return argv;
}
