/* What programs of a system use beside unistd.h: messages and ends (err.h), the rounding of floats (fenv.h), limits,
   mapped memory, terminals, patterns. What records hold is not modelled. */
static void craig_words(void *p, size_t n) {
  size_t i;
  __builtin_craig_writable(p, n);
  for (i = 0; i + sizeof(long) <= n; i += sizeof(long)) *(long *)((char *)p + i) = __builtin_craig_any_long();
  for (; i < n; i++) ((char *)p)[i] = __builtin_craig_any_char();
}
/* err.h and error.h */
static void craig_message(const char *format) { if (format != 0) craig_str_end(format); }
void warn(const char *format, ...) { craig_message(format); }
void warnx(const char *format, ...) { craig_message(format); }
void vwarn(const char *format, va_list list) { craig_message(format); }
void vwarnx(const char *format, va_list list) { craig_message(format); }
void err(int status, const char *format, ...) { craig_message(format); exit(status); }
void errx(int status, const char *format, ...) { craig_message(format); exit(status); }
void verr(int status, const char *format, va_list list) { craig_message(format); exit(status); }
void verrx(int status, const char *format, va_list list) { craig_message(format); exit(status); }
void error(int status, int number, const char *format, ...) { craig_str_end(format); if (status != 0) exit(status); }
void error_at_line(int status, int number, const char *file, unsigned line, const char *format, ...) { if (file != 0) craig_str_end(file); craig_str_end(format); if (status != 0) exit(status); }
/* fenv.h: floats are rounded to nearest; flags are not followed. */
int fegetround(void) { return 0; }
int fesetround(int mode) { if (mode != 0) __builtin_craig_unmodelled("another rounding than to nearest is not modelled"); return 0; }
int feclearexcept(int flags) { return 0; }
int feraiseexcept(int flags) { return 0; }
int fesetexcept(int flags) { return 0; }
int fetestexcept(int flags) { return __builtin_craig_any_int() & flags; }
int fegetexceptflag(void *p, int flags) { __builtin_craig_writable(p, 2); *(unsigned short *)p = (unsigned short)__builtin_craig_any_uint(); return 0; }
int fesetexceptflag(const void *p, int flags) { __builtin_craig_readable(p, 2); return 0; }
int fetestexceptflag(const void *p, int flags) { __builtin_craig_readable(p, 2); return __builtin_craig_any_int() & flags; }
int fegetenv(void *p) { __builtin_craig_writable(p, 28); return 0; }
int fesetenv(const void *p) { if (p != (void *)-1 && p != (void *)-2) __builtin_craig_readable(p, 28); return 0; }
int feholdexcept(void *p) { __builtin_craig_writable(p, 28); return 0; }
int feupdateenv(const void *p) { return fesetenv(p); }
int feenableexcept(int flags) { return __builtin_craig_any_int(); }
int fedisableexcept(int flags) { return __builtin_craig_any_int(); }
int fegetexcept(void) { return __builtin_craig_any_int(); }
/* Limits, times, names of the machine. */
int getrlimit(int what, void *p) {
  unsigned long *limits = p;
  if (craig_fails()) return -1;
  craig_words(p, 2 * sizeof(long));
  __builtin_craig_assume(limits[0] <= limits[1]);
  return 0;
}
int setrlimit(int what, const void *p) { __builtin_craig_readable(p, 2 * sizeof(long)); return craig_fails(); }
int getrusage(int who, void *p) { if (craig_fails()) return -1; craig_words(p, 18 * sizeof(long)); return 0; }
int getpriority(int which, unsigned who) { int n = __builtin_craig_input_int("priority"); __builtin_craig_assume(n >= -20 && n < 20); return n; }
int setpriority(int which, unsigned who, int n) { return craig_fails(); }
int uname(void *p) {
  int i;
  __builtin_craig_writable(p, 6 * 65);
  for (i = 0; i < 6; i++) craig_name_for((char *)p + 65 * i, 65);
  return 0;
}
int getloadavg(double *p, int n) { int i; __builtin_craig_writable(p, n * sizeof(double)); for (i = 0; i < n; i++) p[i] = __builtin_craig_any_double(); return n; }
int gettid(void) { return getpid(); }
int wait3(int *status, int options, void *usage) { if (usage != 0) craig_words(usage, 18 * sizeof(long)); return craig_wait(-1, status, options); }
int wait4(int pid, int *status, int options, void *usage) { if (usage != 0) craig_words(usage, 18 * sizeof(long)); return craig_wait(pid, status, options); }
int utime(const char *name, const void *times) { if (times != 0) __builtin_craig_readable(times, 2 * sizeof(long)); craig_str_end(name); return craig_fails(); }
int utimensat(int d, const char *name, const void *times, int flags) { if (times != 0) __builtin_craig_readable(times, 4 * sizeof(long)); craig_str_end(name); return craig_fails(); }
int futimens(int fd, const void *times) { if (times != 0) __builtin_craig_readable(times, 4 * sizeof(long)); return craig_descriptor_fails(fd); }
int pipe2(int *fds, int flags) { return pipe(fds); }
int dup3(int a, int b, int flags) { return dup2(a, b); }
long sigaltstack(const void *p, void *old) { if (p != 0) __builtin_craig_readable(p, 3 * sizeof(long)); if (old != 0) craig_words(old, 3 * sizeof(long)); return craig_may_fail(); }
void openlog(const char *name, int options, int facility) { if (name != 0) craig_str_end(name); }
void closelog(void) { }
static int craig_logged = 255;
int setlogmask(int n) { int old = craig_logged; if (n != 0) craig_logged = n; return old; }
/* Mapped memory is new memory, zero unless a file is there. */
void *mmap(void *at, size_t n, int protection, int flags, int fd, long offset) {
  char *p;
  if (n == 0 || craig_fails()) return (void *)-1;
  if (flags & 1) craig_shares_memory = 1;
  p = __builtin_alloca(n);
  if (flags & 32) memset(p, 0, n); else __builtin_craig_unmodelled("what a mapped file holds is not modelled");
  return p;
}
int munmap(void *p, size_t n) {
  if (__builtin_craig_checks()) __builtin_craig_doubt("use of memory that is mapped no longer is not checked");
  return craig_may_fail();
}
int mprotect(void *p, size_t n, int protection) { return craig_fails(); }
int msync(void *p, size_t n, int flags) { return craig_fails(); }
int madvise(void *p, size_t n, int advice) { return craig_fails(); }
int mlock(const void *p, size_t n) { return craig_fails(); }
int munlock(const void *p, size_t n) { return craig_fails(); }
int mlockall(int flags) { return craig_fails(); }
int munlockall(void) { return craig_fails(); }
int shm_open(const char *name, int flags, unsigned mode) { return craig_open_file(name, flags); }
int shm_unlink(const char *name) { craig_str_end(name); return craig_fails(); }
/* Vectors of buffers. */
struct craig_vector { void *base; size_t length; };
ssize_t readv(int fd, const struct craig_vector *v, int n) {
  ssize_t sum = 0;
  int i;
  __builtin_craig_readable(v, n * sizeof *v);
  for (i = 0; i < n; i++) {
    ssize_t k = read(fd, v[i].base, v[i].length);
    if (k < 0) return -1;
    sum += k;
    if ((size_t)k < v[i].length) break;
  }
  return sum;
}
ssize_t writev(int fd, const struct craig_vector *v, int n) {
  ssize_t sum = 0;
  int i;
  __builtin_craig_readable(v, n * sizeof *v);
  for (i = 0; i < n; i++) {
    ssize_t k = write(fd, v[i].base, v[i].length);
    if (k < 0) return -1;
    sum += k;
    if ((size_t)k < v[i].length) break;
  }
  return sum;
}
/* Terminals. */
int tcgetattr(int fd, void *p) { if (craig_fails()) return -1; craig_words(p, 60); return 0; }
int tcsetattr(int fd, int when, const void *p) { __builtin_craig_readable(p, 60); return craig_descriptor_fails(fd); }
int tcflush(int fd, int what) { return craig_descriptor_fails(fd); }
int tcdrain(int fd) { return craig_descriptor_fails(fd); }
/* Patterns: whether something matches is not modelled. */
int fnmatch(const char *pattern, const char *text, int flags) { craig_str_end(pattern); craig_str_end(text); return __builtin_craig_any_bool(); }
int regcomp(void *p, const char *pattern, int flags) { craig_words(p, 8 * sizeof(long)); int r = __builtin_craig_any_int(); craig_str_end(pattern); __builtin_craig_assume(r >= 0 && r <= 16); return r; }
int regexec(const void *p, const char *text, size_t n, int *match, int flags) {
  size_t i;
  int length = (int)strlen(text), none = __builtin_craig_any_bool();
  __builtin_craig_readable(p, 8 * sizeof(long));
  if (none) return 1;
  if (n > 0) __builtin_craig_writable(match, n * 2 * sizeof(int));
  for (i = 0; i < n; i++) {
    match[2 * i] = __builtin_craig_any_int();
    match[2 * i + 1] = __builtin_craig_any_int();
    __builtin_craig_assume(match[2 * i] >= -1 && match[2 * i] <= match[2 * i + 1] && match[2 * i + 1] <= length);
  }
  return 0;
}
void regfree(void *p) { __builtin_craig_writable(p, 8 * sizeof(long)); }
size_t regerror(int code, const void *p, char *s, size_t n) { if (n > 0) { __builtin_craig_writable(s, n); craig_name_for(s, n); } return __builtin_craig_any_size(); }
/* stdlib.h and string.h, the rest. */
int strverscmp(const char *a, const char *b) {
  size_t i = 0, j, k;
  craig_str_end(a);
  craig_str_end(b);
  while (a[i] == b[i] && a[i] != 0) i++;
  if (a[i] == b[i]) return 0;
  j = i;
  while (j > 0 && a[j - 1] >= '0' && a[j - 1] <= '9') j--;
  if (j < i || a[i] >= '0' && a[i] <= '9' && b[i] >= '0' && b[i] <= '9') {
    int r = __builtin_craig_any_int();
    k = i;
    if (a[j] == '0' || b[j] == '0') { __builtin_craig_assume(r != 0); return r; }
    while (a[k] >= '0' && a[k] <= '9' && b[k] >= '0' && b[k] <= '9') k++;
    if (a[k] >= '0' && a[k] <= '9') return 1;
    if (b[k] >= '0' && b[k] <= '9') return -1;
  }
  return (unsigned char)a[i] - (unsigned char)b[i];
}
void *memfrob(void *p, size_t n) { size_t i; __builtin_craig_writable(p, n); for (i = 0; i < n; i++) ((char *)p)[i] ^= 42; return p; }
char *strfry(char *s) { size_t i, n = strlen(s); __builtin_craig_writable(s, n + 1); for (i = 0; i < n; i++) { char c = __builtin_craig_any_char(); __builtin_craig_assume(c != 0); s[i] = c; } return s; }
long a64l(const char *s) {
  unsigned v = 0, d;
  int i;
  for (i = 0; i < 6; i++) {
    __builtin_craig_readable(s + i, 1);
    if (s[i] == '.') d = 0;
    else if (s[i] == '/') d = 1;
    else if (s[i] >= '0' && s[i] <= '9') d = s[i] - '0' + 2;
    else if (s[i] >= 'A' && s[i] <= 'Z') d = s[i] - 'A' + 12;
    else if (s[i] >= 'a' && s[i] <= 'z') d = s[i] - 'a' + 38;
    else break;
    v |= d << 6 * i;
  }
  return (long)v;
}
char *l64a(long n) {
  static char text[7];
  unsigned v = (unsigned)n, d;
  int i = 0;
  while (v != 0) {
    d = v & 63;
    text[i] = d == 0 ? '.' : d == 1 ? '/' : d < 12 ? '0' + d - 2 : d < 38 ? 'A' + d - 12 : 'a' + d - 38;
    v >>= 6;
    i++;
  }
  text[i] = 0;
  return text;
}
int getsubopt(char **option, char *const *tokens, char **value) {
  char *s, *end, *equal;
  size_t n, i;
  __builtin_craig_writable(option, sizeof *option);
  __builtin_craig_writable(value, sizeof *value);
  s = *option;
  if (*s == 0) { *value = 0; return -1; }
  end = s + strcspn(s, ",");
  for (equal = s; equal < end && *equal != '='; equal++) ;
  n = equal - s;
  for (i = 0; tokens[i] != 0; i++)
    if (strncmp(tokens[i], s, n) == 0 && tokens[i][n] == 0) {
      *value = equal < end ? equal + 1 : 0;
      if (*end != 0) { *end = 0; end++; }
      *option = end;
      return (int)i;
    }
  *value = s;
  if (*end != 0) { *end = 0; end++; }
  *option = end;
  return -1;
}
int rpmatch(const char *s) { craig_str_end(s); return *s == 'y' || *s == 'Y' ? 1 : *s == 'n' || *s == 'N' ? 0 : -1; }
int wcwidth(wchar_t c) { return c == 0 ? 0 : c >= 32 && c < 127 ? 1 : c < 128 && c >= 0 ? -1 : __builtin_craig_any_int(); }
wchar_t *wcswcs(const wchar_t *s, const wchar_t *t) { return wcsstr(s, t); }
long strtol_l(const char *s, char **end, int base, void *l) { return strtol(s, end, base); }
unsigned long strtoul_l(const char *s, char **end, int base, void *l) { return strtoul(s, end, base); }
long long strtoll_l(const char *s, char **end, int base, void *l) { return strtoll(s, end, base); }
unsigned long long strtoull_l(const char *s, char **end, int base, void *l) { return strtoull(s, end, base); }
double strtod_l(const char *s, char **end, void *l) { return strtod(s, end); }
float strtof_l(const char *s, char **end, void *l) { return strtof(s, end); }
size_t strftime_l(char *s, size_t n, const char *format, const struct craig_tm *d, void *l) { return strftime(s, n, format, d); }
size_t malloc_usable_size(void *p) { return p == 0 ? 0 : __builtin_craig_any_size(); }
int malloc_trim(size_t n) { return __builtin_craig_any_bool(); }
int mallopt(int what, int n) { return 1; }
char *get_current_dir_name(void) { return getcwd(0, 0); }
char *canonicalize_file_name(const char *name) { return realpath(name, 0); }
int mkostemp(char *name, int flags) { return mkstemp(name); }
int euidaccess(const char *name, int mode) { return access(name, mode); }
int eaccess(const char *name, int mode) { return access(name, mode); }
char *getpass(const char *prompt) { craig_str_end(prompt); return craig_value(); }
int sigisemptyset(const void *p) { __builtin_craig_readable(p, sizeof(long)); return __builtin_craig_any_bool(); }
