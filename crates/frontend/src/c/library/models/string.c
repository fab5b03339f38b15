/* string.h and strings.h: what has no wide twin. */
static int craig_lower(int c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }
void *memrchr(const void *p, int c, size_t n) {
  const unsigned char *s = p;
  __builtin_craig_readable(p, n);
  while (n > 0) {
    n--;
    if (s[n] == (unsigned char)c) return (void *)(s + n);
  }
  return 0;
}
void *rawmemchr(const void *p, int c) {
  const unsigned char *s = p;
  for (;;) {
    __builtin_craig_readable(s, 1);
    if (*s == (unsigned char)c) return (void *)s;
    s++;
  }
}
void *memccpy(void *d, const void *s, int c, size_t n) {
  unsigned char *a = d;
  const unsigned char *b = s;
  size_t i;
  for (i = 0; i < n; i++) {
    __builtin_craig_readable(b + i, 1);
    __builtin_craig_writable(a + i, 1);
    a[i] = b[i];
    if (a[i] == (unsigned char)c) return a + i + 1;
  }
  return 0;
}
void *memmem(const void *p, size_t n, const void *q, size_t m) {
  const unsigned char *a = p, *b = q;
  size_t i, j;
  __builtin_craig_readable(p, n);
  __builtin_craig_readable(q, m);
  for (i = 0; i + m <= n; i++) {
    for (j = 0; j < m && a[i + j] == b[j]; j++) ;
    if (j == m) return (void *)(a + i);
  }
  return 0;
}
void swab(const void *from, void *to, ssize_t n) {
  const unsigned char *a = from;
  unsigned char *b = to;
  ssize_t i;
  for (i = 0; i + 1 < n; i += 2) {
    unsigned char x, y;
    __builtin_craig_readable(a + i, 2);
    __builtin_craig_writable(b + i, 2);
    x = a[i];
    y = a[i + 1];
    b[i] = y;
    b[i + 1] = x;
  }
}
int bcmp(const void *p, const void *q, size_t n) { return memcmp(p, q, n); }
char *index(const char *s, int c) { return strchr(s, c); }
char *rindex(const char *s, int c) { return strrchr(s, c); }
static char *craig_strtok_rest;
char *strtok(char *s, const char *set) { return craig_str_token(s, set, &craig_strtok_rest); }
char *strtok_r(char *s, const char *set, char **rest) {
  __builtin_craig_writable(rest, sizeof(char *));
  return craig_str_token(s, set, rest);
}
wchar_t *wcstok(wchar_t *s, const wchar_t *set, wchar_t **rest) {
  __builtin_craig_writable(rest, sizeof(wchar_t *));
  return craig_wcs_token(s, set, rest);
}
char *strsep(char **sp, const char *set) {
  char *s, *word;
  __builtin_craig_writable(sp, sizeof(char *));
  s = *sp;
  if (s == 0) return 0;
  word = s;
  s += strcspn(s, set);
  if (*s == 0) {
    *sp = 0;
  } else {
    __builtin_craig_writable(s, 1);
    *s = 0;
    *sp = s + 1;
  }
  return word;
}
int ffs(int x) {
  unsigned u = x;
  int i;
  if (u == 0) return 0;
  for (i = 1; (u & 1) == 0; i++) u >>= 1;
  return i;
}
int ffsl(long x) {
  unsigned long u = x;
  int i;
  if (u == 0) return 0;
  for (i = 1; (u & 1) == 0; i++) u >>= 1;
  return i;
}
int ffsll(long long x) {
  unsigned long long u = x;
  int i;
  if (u == 0) return 0;
  for (i = 1; (u & 1) == 0; i++) u >>= 1;
  return i;
}
static char *craig_some_text(void) {
  size_t i, n = __builtin_craig_any_size();
  char *s;
  __builtin_craig_assume(n < 4096);
  s = __builtin_alloca(n + 1);
  for (i = 0; i < n; i++) {
    char c = __builtin_craig_any_char();
    __builtin_craig_assume(c != 0);
    s[i] = c;
  }
  s[n] = 0;
  __builtin_craig_ends(s + n);
  return s;
}
char *strerror(int e) { return craig_some_text(); }
char *strsignal(int s) { return craig_some_text(); }
char *gai_strerror(int e) { return craig_some_text(); }
char *strerror_l(int e, void *l) { return craig_some_text(); }
int strerror_r(int e, char *s, size_t n) { __builtin_craig_writable(s, n); if (n == 0) return 34; craig_name_for(s, n); return 0; }
int strcasecmp_l(const char *a, const char *b, void *l) { return strcasecmp(a, b); }
int strncasecmp_l(const char *a, const char *b, size_t n, void *l) { return strncasecmp(a, b, n); }
int strcoll_l(const char *a, const char *b, void *l) { return strcoll(a, b); }
size_t strxfrm_l(char *d, const char *s, size_t n, void *l) { return strxfrm(d, s, n); }
int wcscasecmp_l(const wchar_t *a, const wchar_t *b, void *l) { return wcscasecmp(a, b); }
int wcsncasecmp_l(const wchar_t *a, const wchar_t *b, size_t n, void *l) { return wcsncasecmp(a, b, n); }
int wcscoll_l(const wchar_t *a, const wchar_t *b, void *l) { return wcscoll(a, b); }
size_t wcsxfrm_l(wchar_t *d, const wchar_t *s, size_t n, void *l) { return wcsxfrm(d, s, n); }
/* Two functions have this name: GNU's, and one that cuts off slashes at the end. */
char *basename(char *s) {
  static char here[] = ".";
  char *slash;
  if (s == 0) return here;
  slash = strrchr(s, '/');
  if (*s == 0 || slash != 0 && slash[1] == 0) __builtin_craig_unmodelled("which `basename` is meant is not known");
  return slash ? slash + 1 : s;
}
