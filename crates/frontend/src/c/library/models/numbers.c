/* stdlib.h, stdio.h, malloc.h, dlfcn.h and others, the rest: generators with a state of the caller's, numbers as texts,
   streams of memory, libraries that are loaded. */
/* The state is the caller's: it may be set back, so that numbers are not free. */
int random_r(void *state, int *r) { craig_words(state, sizeof(long) == 8 ? 48 : 28); __builtin_craig_writable(r, sizeof(int)); *r = __builtin_craig_any_int(); __builtin_craig_assume(*r >= 0); return 0; }
int srandom_r(unsigned seed, void *state) { craig_words(state, sizeof(long) == 8 ? 48 : 28); return 0; }
int initstate_r(unsigned seed, char *s, size_t n, void *state) { craig_words(s, n); craig_words(state, sizeof(long) == 8 ? 48 : 28); return n < 8 ? -1 : 0; }
int setstate_r(char *s, void *state) { __builtin_craig_readable(s, 8); craig_words(state, sizeof(long) == 8 ? 48 : 28); return 0; }
int drand48_r(void *state, double *r) { craig_words(state, 24); __builtin_craig_writable(r, sizeof(double)); *r = __builtin_craig_any_double(); __builtin_craig_assume(*r >= 0.0 && *r < 1.0); return 0; }
int erand48_r(unsigned short *x, void *state, double *r) { __builtin_craig_writable(x, 6); return drand48_r(state, r); }
int lrand48_r(void *state, long *r) { craig_words(state, 24); __builtin_craig_writable(r, sizeof(long)); *r = __builtin_craig_any_int(); __builtin_craig_assume(*r >= 0); return 0; }
int nrand48_r(unsigned short *x, void *state, long *r) { __builtin_craig_writable(x, 6); return lrand48_r(state, r); }
int mrand48_r(void *state, long *r) { craig_words(state, 24); __builtin_craig_writable(r, sizeof(long)); *r = __builtin_craig_any_int(); return 0; }
int jrand48_r(unsigned short *x, void *state, long *r) { __builtin_craig_writable(x, 6); return mrand48_r(state, r); }
int srand48_r(long seed, void *state) { craig_words(state, 24); return 0; }
int seed48_r(unsigned short *x, void *state) { __builtin_craig_readable(x, 6); craig_words(state, 24); return 0; }
int lcong48_r(unsigned short *x, void *state) { __builtin_craig_readable(x, 14); craig_words(state, 24); return 0; }
/* Which digits is not modelled. */
static char craig_number_text[512];
static char *craig_some_digits(char *s, size_t n, int *point, int *sign) {
  size_t i, k = __builtin_craig_any_size();
  __builtin_craig_writable(point, sizeof(int)); __builtin_craig_writable(sign, sizeof(int));
  *point = __builtin_craig_any_int();
  *sign = __builtin_craig_any_bool();
  __builtin_craig_assume(k < n);
  for (i = 0; i < k; i++) { char c = __builtin_craig_any_char(); __builtin_craig_assume(c != 0); s[i] = c; }
  s[k] = 0;
  __builtin_craig_ends(s + k);
  return s;
}
char *ecvt(double x, int n, int *point, int *sign) { return craig_some_digits(craig_number_text, 512, point, sign); }
char *fcvt(double x, int n, int *point, int *sign) { return craig_some_digits(craig_number_text, 512, point, sign); }
char *qecvt(long double x, int n, int *point, int *sign) { return craig_some_digits(craig_number_text, 512, point, sign); }
char *qfcvt(long double x, int n, int *point, int *sign) { return craig_some_digits(craig_number_text, 512, point, sign); }
static int craig_digits_into(char *s, size_t n, int *point, int *sign) {
  __builtin_craig_writable(s, n);
  if (n == 0 || __builtin_craig_any_bool()) return -1;
  craig_some_digits(s, n, point, sign);
  return 0;
}
int ecvt_r(double x, int k, int *point, int *sign, char *s, size_t n) { return craig_digits_into(s, n, point, sign); }
int fcvt_r(double x, int k, int *point, int *sign, char *s, size_t n) { return craig_digits_into(s, n, point, sign); }
int qecvt_r(long double x, int k, int *point, int *sign, char *s, size_t n) { return craig_digits_into(s, n, point, sign); }
int qfcvt_r(long double x, int k, int *point, int *sign, char *s, size_t n) { return craig_digits_into(s, n, point, sign); }
/* As many digits as asked for, at most 17 (21); a sign, a point, an exponent. */
char *gcvt(double x, int n, char *s) { __builtin_craig_writable(s, 2); int k = n < 1 ? 1 : n > 17 ? 17 : n; return craig_name_for(s, k + 9); }
char *qgcvt(long double x, int n, char *s) { __builtin_craig_writable(s, 2); int k = n < 1 ? 1 : n > 21 ? 21 : n; return craig_name_for(s, k + 10); }
static int craig_from_float(char *s, size_t n, const char *format) {
  int k = __builtin_craig_any_int();
  craig_str_end(format);
  __builtin_craig_assume(k >= 1);
  if (n == 0) return k;
  if ((size_t)k < n) {
    int i;
    __builtin_craig_writable(s, k + 1);
    for (i = 0; i < k; i++) { char c = __builtin_craig_any_char(); __builtin_craig_assume(c != 0); s[i] = c; }
    s[k] = 0;
    __builtin_craig_ends(s + k);
  } else {
    size_t i;
    __builtin_craig_writable(s, n);
    for (i = 0; i + 1 < n; i++) { char c = __builtin_craig_any_char(); __builtin_craig_assume(c != 0); s[i] = c; }
    s[n - 1] = 0;
    __builtin_craig_ends(s + n - 1);
  }
  return k;
}
int strfromd(char *s, size_t n, const char *format, double x) { return craig_from_float(s, n, format); }
int strfromf(char *s, size_t n, const char *format, float x) { return craig_from_float(s, n, format); }
int strfroml(char *s, size_t n, const char *format, long double x) { return craig_from_float(s, n, format); }
ssize_t strfmon(char *s, size_t n, const char *format, ...) {
  size_t i, k = __builtin_craig_any_size();
  craig_str_end(format);
  __builtin_craig_writable(s, n);
  if (n == 0 || __builtin_craig_any_bool()) { craig_errno = 7; return -1; }
  __builtin_craig_assume(k < n);
  for (i = 0; i < k; i++) s[i] = __builtin_craig_any_char();
  s[k] = 0;
  __builtin_craig_ends(s + k);
  return k;
}
ssize_t strfmon_l(char *s, size_t n, void *l, const char *format, ...) { return strfmon(s, n, format); }
long double strtold_l(const char *s, char **end, void *l) { return strtold(s, end); }
long wcstol_l(const wchar_t *s, wchar_t **end, int base, void *l) { return wcstol(s, end, base); }
unsigned long wcstoul_l(const wchar_t *s, wchar_t **end, int base, void *l) { return wcstoul(s, end, base); }
long long wcstoll_l(const wchar_t *s, wchar_t **end, int base, void *l) { return wcstoll(s, end, base); }
unsigned long long wcstoull_l(const wchar_t *s, wchar_t **end, int base, void *l) { return wcstoull(s, end, base); }
long long wcstoq(const wchar_t *s, wchar_t **end, int base) { return wcstoll(s, end, base); }
unsigned long long wcstouq(const wchar_t *s, wchar_t **end, int base) { return wcstoull(s, end, base); }
double wcstod_l(const wchar_t *s, wchar_t **end, void *l) { return wcstod(s, end); }
float wcstof_l(const wchar_t *s, wchar_t **end, void *l) { return wcstof(s, end); }
long double wcstold_l(const wchar_t *s, wchar_t **end, void *l) { return wcstold(s, end); }
int iswctype_l(wint_t c, unsigned long kind, void *l) { return iswctype(c, kind); }
unsigned long wctype_l(const char *name, void *l) { return wctype(name); }
wint_t towctrans_l(wint_t c, const int *kind, void *l) { return towctrans(c, kind); }
const int *wctrans_l(const char *name, void *l) { return wctrans(name); }
int isctype(int c, int mask) { return c >= 0 && c < 128 ? __ctype_b_loc()[0][c] & mask : __builtin_craig_any_int(); }
/* stdio.h and stdio_ext.h */
FILE *tmpfile64(void) { return tmpfile(); }
FILE *freopen64(const char *name, const char *mode, FILE *f) { return freopen(name, mode, f); }
int fseeko64(FILE *f, long long at, int from) { if (sizeof(long) < 8 && at != (long)at) return craig_fails(); return fseek(f, (long)at, from); }
long long ftello64(FILE *f) { return sizeof(long) == 8 ? (long long)ftell(f) : __builtin_craig_any_llong(); }
int fgetpos64(FILE *f, void *p) { return fgetpos(f, p); }
int fsetpos64(FILE *f, const void *p) { return fsetpos(f, p); }
int fcloseall(void) { return craig_may_fail(); }
/* The text grows in memory that the caller frees; where it stands is known after the stream is closed or flushed. */
FILE *open_memstream(char **s, size_t *n) { __builtin_craig_unmodelled("a stream into memory that grows is not modelled"); return 0; }
FILE *open_wmemstream(wchar_t **s, size_t *n) { __builtin_craig_unmodelled("a stream into memory that grows is not modelled"); return 0; }
size_t __fbufsize(FILE *f) { craig_file(f); return __builtin_craig_any_size(); }
int __freading(FILE *f) { craig_file(f); return __builtin_craig_any_bool(); }
int __fwriting(FILE *f) { craig_file(f); return __builtin_craig_any_bool(); }
int __freadable(FILE *f) { craig_file(f); return __builtin_craig_any_bool(); }
int __fwritable(FILE *f) { craig_file(f); return __builtin_craig_any_bool(); }
int __flbf(FILE *f) { craig_file(f); return __builtin_craig_any_bool(); }
size_t __fpending(FILE *f) { craig_file(f); return __builtin_craig_any_size(); }
void __fpurge(FILE *f) { craig_file(f); f->pushed = 0; }
void _flushlbf(void) { }
int __fsetlocking(FILE *f, int kind) { int old = __builtin_craig_any_int(); craig_file(f); __builtin_craig_assume(old == 1 || old == 2); return old; }
int __uflow(FILE *f) { return fgetc(f); }
int __overflow(FILE *f, int c) { return fputc(c, f); }
wint_t getwc_unlocked(FILE *f) { return fgetwc(f); }
wint_t fgetwc_unlocked(FILE *f) { return fgetwc(f); }
wint_t getwchar_unlocked(void) { return getwchar(); }
wint_t fputwc_unlocked(wchar_t c, FILE *f) { return fputwc(c, f); }
wint_t putwc_unlocked(wchar_t c, FILE *f) { return fputwc(c, f); }
wint_t putwchar_unlocked(wchar_t c) { return putwchar(c); }
int fputws_unlocked(const wchar_t *s, FILE *f) { return fputws(s, f); }
int wscanf(const wchar_t *f, ...) { craig_wcs_end(f); return craig_unread(); }
int fwscanf(FILE *s, const wchar_t *f, ...) { craig_file(s); craig_wcs_end(f); return craig_unread(); }
int fmtmsg(long kind, const char *label, int severity, const char *text, const char *action, const char *tag) {
  if (label != 0) craig_str_end(label);
  if (text != 0) craig_str_end(text);
  if (action != 0) craig_str_end(action);
  if (tag != 0) craig_str_end(tag);
  return __builtin_craig_any_int();
}
int addseverity(int n, const char *text) { if (text != 0) craig_str_end(text); return craig_may_fail(); }
size_t parse_printf_format(const char *f, size_t n, int *kinds) { craig_str_end(f); craig_words(kinds, n * sizeof(int)); return __builtin_craig_any_size(); }
/* malloc.h */
static void craig_into_mallinfo(void *r) { craig_words(r, 10 * sizeof(int)); }
static void craig_into_mallinfo2(void *r) { craig_words(r, 10 * sizeof(size_t)); }
void malloc_stats(void) { }
int malloc_info(int options, FILE *f) { craig_file(f); return craig_fails(); }
/* dlfcn.h: what is in another library nobody knows; calling it is calling the unknown. */
static int craig_library;
void *dlopen(const char *name, int mode) { if (name != 0) craig_str_end(name); return __builtin_craig_input_bool("dlopen.fails") ? (void *)0 : (void *)&craig_library; }
void *dlmopen(long space, const char *name, int mode) { return dlopen(name, mode); }
int dlclose(void *l) { __builtin_craig_require(l != 0, "the library is null"); return craig_fails(); }
char *dlerror(void) { return __builtin_craig_any_bool() ? (char *)0 : craig_some_text(); }
void *dlsym(void *l, const char *name) { craig_str_end(name); if (__builtin_craig_input_bool("dlsym.fails")) return 0; __builtin_craig_unmodelled("what a loaded library holds is not modelled"); return &craig_library; }
void *dlvsym(void *l, const char *name, const char *version) { craig_str_end(version); return dlsym(l, name); }
int dladdr(const void *p, void *info) { craig_words(info, 4 * sizeof(long)); __builtin_craig_unmodelled("what `dladdr` finds is not modelled"); return __builtin_craig_any_bool(); }
int dlinfo(void *l, int what, void *to) { __builtin_craig_unmodelled("what `dlinfo` writes is not modelled"); return craig_fails(); }
/* execinfo.h */
int backtrace(void **p, int n) {
  int i, k = __builtin_craig_any_int();
  if (n > 0) __builtin_craig_writable(p, n * sizeof(void *));
  __builtin_craig_assume(k >= 0 && k <= (n > 0 ? n : 0));
  for (i = 0; i < k; i++) p[i] = (void *)__builtin_craig_any_ulong();
  return k;
}
char **backtrace_symbols(void *const *p, int n) {
  char **list;
  int i;
  if (n > 0) __builtin_craig_readable(p, n * sizeof(void *));
  list = malloc((n > 0 ? n : 1) * sizeof(char *));
  if (list != 0) for (i = 0; i < n; i++) list[i] = craig_some_text();
  return list;
}
void backtrace_symbols_fd(void *const *p, int n, int fd) { if (n > 0) __builtin_craig_readable(p, n * sizeof(void *)); }
int fegetmode(void *p) { craig_words(p, 8); return 0; }
int fesetmode(const void *p) { if (p != (const void *)-1) __builtin_craig_unmodelled("another rounding than to nearest is not modelled"); return 0; }
/* math.h, C23: results rounded once to a narrower type. Through a wider type where that is exact, else some value. */
float fadd(double x, double y) { return __builtin_craig_any_float(); }
float fsub(double x, double y) { return __builtin_craig_any_float(); }
float fmul(double x, double y) { return __builtin_craig_any_float(); }
float fdiv(double x, double y) { return __builtin_craig_any_float(); }
float fsqrt(double x) { return __builtin_craig_any_float(); }
float ffma(double x, double y, double z) { return __builtin_craig_any_float(); }
float faddl(long double x, long double y) { return __builtin_craig_any_float(); }
float fsubl(long double x, long double y) { return __builtin_craig_any_float(); }
float fmull(long double x, long double y) { return __builtin_craig_any_float(); }
float fdivl(long double x, long double y) { return __builtin_craig_any_float(); }
float fsqrtl(long double x) { return __builtin_craig_any_float(); }
float ffmal(long double x, long double y, long double z) { return __builtin_craig_any_float(); }
double daddl(long double x, long double y) { return __builtin_craig_any_double(); }
double dsubl(long double x, long double y) { return __builtin_craig_any_double(); }
double dmull(long double x, long double y) { return __builtin_craig_any_double(); }
double ddivl(long double x, long double y) { return __builtin_craig_any_double(); }
double dsqrtl(long double x) { return __builtin_craig_any_double(); }
double dfmal(long double x, long double y, long double z) { return __builtin_craig_any_double(); }
