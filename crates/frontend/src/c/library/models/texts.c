/* Texts of other kinds: vectors (argz.h, envz.h), messages (libintl.h, nl_types.h), other alphabets (iconv.h, uchar.h),
   names by patterns (glob.h, wordexp.h), numbers as texts, names of errors. */
/* An argz vector: texts one after the other, each with its zero. */
size_t argz_count(const char *p, size_t n) {
  size_t k = 0, i;
  __builtin_craig_readable(p, n);
  for (i = 0; i < n; i++) if (p[i] == 0) k++;
  return k;
}
char *argz_next(const char *p, size_t n, const char *entry) {
  if (entry != 0) {
    if (entry < p + n) entry = entry + strlen(entry) + 1;
    return entry >= p + n ? (char *)0 : (char *)entry;
  }
  return n > 0 ? (char *)p : (char *)0;
}
int argz_create(char *const *argv, char **to, size_t *n) {
  size_t i, k, sum = 0;
  char *p;
  __builtin_craig_writable(to, sizeof(char *)); __builtin_craig_writable(n, sizeof(size_t));
  for (i = 0; __builtin_craig_readable(argv + i, sizeof(char *)), argv[i] != 0; i++) sum += strlen(argv[i]) + 1;
  if (sum == 0) { *to = 0; *n = 0; return 0; }
  p = malloc(sum);
  if (p == 0) return 12;
  sum = 0;
  for (i = 0; argv[i] != 0; i++) {
    k = strlen(argv[i]) + 1;
    memcpy(p + sum, argv[i], k);
    sum += k;
  }
  *to = p;
  *n = sum;
  return 0;
}
int argz_create_sep(const char *s, int sep, char **to, size_t *n) {
  size_t i, k = 0, m = strlen(s) + 1;
  char *p;
  __builtin_craig_writable(to, sizeof(char *)); __builtin_craig_writable(n, sizeof(size_t));
  if (m > 1) {
    p = malloc(m);
    if (p == 0) return 12;
    for (i = 0; i < m; i++) {
      if (s[i] == (char)sep) {
        if (k > 0 && p[k - 1] != 0) { p[k] = 0; k++; }
      } else { p[k] = s[i]; k++; }
    }
    if (k == 0) { free(p); p = 0; }
    *to = p;
    *n = k;
  } else {
    *to = 0;
    *n = 0;
  }
  return 0;
}
void argz_extract(const char *p, size_t n, char **argv) {
  size_t i = 0, k = 0;
  while (i < n) {
    __builtin_craig_writable(argv + k, sizeof(char *));
    argv[k] = (char *)p + i;
    k++;
    i += strnlen(p + i, n - i) + 1;
  }
  __builtin_craig_writable(argv + k, sizeof(char *));
  argv[k] = 0;
}
void argz_stringify(char *p, size_t n, int sep) {
  size_t i;
  __builtin_craig_writable(p, n);
  for (i = 0; i + 1 < n; i++) if (p[i] == 0) p[i] = (char)sep;
}
int argz_append(char **p, size_t *n, const char *s, size_t k) {
  char *q;
  __builtin_craig_writable(p, sizeof(char *)); __builtin_craig_writable(n, sizeof(size_t));
  q = realloc(*p, *n + k);
  if (q == 0) return 12;
  memcpy(q + *n, s, k);
  *p = q;
  *n = *n + k;
  return 0;
}
int argz_add(char **p, size_t *n, const char *s) { return argz_append(p, n, s, strlen(s) + 1); }
int argz_add_sep(char **p, size_t *n, const char *s, int sep) {
  char *q = 0;
  size_t k = 0;
  int e = argz_create_sep(s, sep, &q, &k);
  if (e == 0 && k > 0) { e = argz_append(p, n, q, k); free(q); }
  return e;
}
void argz_delete(char **p, size_t *n, char *entry) {
  size_t k, rest;
  __builtin_craig_writable(p, sizeof(char *)); __builtin_craig_writable(n, sizeof(size_t));
  if (entry == 0) return;
  k = strlen(entry) + 1;
  rest = *n - (entry - *p) - k;
  *n = *n - k;
  memmove(entry, entry + k, rest);
  if (*n == 0) { free(*p); *p = 0; }
}
int argz_insert(char **p, size_t *n, char *before, const char *s) {
  size_t k, at;
  char *q;
  if (before == 0) return argz_add(p, n, s);
  __builtin_craig_writable(p, sizeof(char *)); __builtin_craig_writable(n, sizeof(size_t));
  if (before < *p || before >= *p + *n) return 22;
  while (before > *p && before[-1] != 0) before--;
  at = before - *p;
  k = strlen(s) + 1;
  q = realloc(*p, *n + k);
  if (q == 0) return 12;
  memmove(q + at + k, q + at, *n - at);
  memmove(q + at, s, k);
  *p = q;
  *n = *n + k;
  return 0;
}
int argz_replace(char **p, size_t *n, const char *s, const char *with, unsigned *count) { craig_str_end(s); craig_str_end(with); __builtin_craig_unmodelled("what `argz_replace` makes is not modelled"); return 0; }
/* envz: entries NAME or NAME=VALUE. */
char *envz_entry(const char *p, size_t n, const char *name) {
  size_t i = 0, k;
  if (n > 0) craig_str_end(name);
  while (i < n) {
    k = 0;
    while (name[k] != 0 && name[k] != '=' && p[i + k] == name[k]) k++;
    if ((name[k] == 0 || name[k] == '=') && (p[i + k] == 0 || p[i + k] == '=')) return (char *)p + i;
    i += strlen(p + i) + 1;
  }
  return 0;
}
char *envz_get(const char *p, size_t n, const char *name) {
  char *e = envz_entry(p, n, name);
  if (e == 0) return 0;
  while (*e != 0 && *e != '=') e++;
  return *e == '=' ? e + 1 : (char *)0;
}
void envz_remove(char **p, size_t *n, const char *name) { char *e = envz_entry(*p, *n, name); if (e != 0) argz_delete(p, n, e); }
int envz_add(char **p, size_t *n, const char *name, const char *value) {
  char *q;
  size_t a, b;
  int e;
  envz_remove(p, n, name);
  if (value == 0) return argz_add(p, n, name);
  a = strlen(name);
  b = strlen(value);
  q = malloc(a + b + 2);
  if (q == 0) return 12;
  memcpy(q, name, a);
  q[a] = '=';
  memcpy(q + a + 1, value, b + 1);
  e = argz_append(p, n, q, a + b + 2);
  free(q);
  return e;
}
int envz_merge(char **p, size_t *n, const char *q, size_t m, int over) {
  size_t i = 0, k;
  int e;
  while (i < m) {
    char *old = envz_entry(*p, *n, q + i);
    k = strlen(q + i) + 1;
    if (old == 0 || over) {
      if (old != 0) argz_delete(p, n, old);
      e = argz_append(p, n, q + i, k);
      if (e != 0) return e;
    }
    i += k;
  }
  return 0;
}
void envz_strip(char **p, size_t *n) {
  size_t i = 0;
  __builtin_craig_writable(p, sizeof(char *)); __builtin_craig_writable(n, sizeof(size_t));
  while (i < *n) {
    char *s = *p + i;
    size_t k = strlen(s) + 1;
    if (strchr(s, '=') != 0) { i += k; continue; }
    *n = *n - k;
    memmove(s, s + k, *n - i);
  }
}
/* libintl.h: in the C locale a message is itself. */
char *gettext(const char *s) { return (char *)craig_text(s); }
char *dgettext(const char *domain, const char *s) { return (char *)craig_text(s); }
char *dcgettext(const char *domain, const char *s, int category) { return (char *)craig_text(s); }
char *ngettext(const char *one, const char *more, unsigned long n) { return (char *)craig_text(n == 1 ? one : more); }
char *dngettext(const char *domain, const char *one, const char *more, unsigned long n) { return ngettext(one, more, n); }
char *dcngettext(const char *domain, const char *one, const char *more, unsigned long n, int category) { return ngettext(one, more, n); }
char *textdomain(const char *name) { if (name != 0) craig_str_end(name); return craig_some_text(); }
char *bindtextdomain(const char *name, const char *dir) { if (dir != 0) craig_str_end(dir); return name == 0 || *name == 0 || __builtin_craig_any_bool() ? (char *)0 : craig_some_text(); }
char *bind_textdomain_codeset(const char *name, const char *set) { return bindtextdomain(name, set); }
void *catopen(const char *name, int flags) { craig_str_end(name); return craig_fails() ? (void *)-1 : (void *)__builtin_craig_any_ulong(); }
char *catgets(void *c, int set, int number, const char *s) { craig_str_end(s); return c != (void *)-1 && __builtin_craig_input_bool("message") ? craig_some_text() : (char *)s; }
int catclose(void *c) { return craig_may_fail(); }
char *nl_langinfo_l(int item, void *l) { return craig_some_text(); }
/* iconv.h: how far it comes and what it writes is not modelled. */
void *iconv_open(const char *to, const char *from) { craig_str_end(to); craig_str_end(from); return craig_fails() ? (void *)-1 : (void *)&craig_some_locale; }
size_t iconv(void *c, char **in, size_t *left, char **out, size_t *room) {
  size_t i, k = __builtin_craig_any_size(), m = __builtin_craig_any_size(), r = __builtin_craig_any_size();
  if (out != 0 && *out != 0) {
    __builtin_craig_writable(room, sizeof(size_t)); __builtin_craig_writable(out, sizeof(char *)); __builtin_craig_writable(*out, *room);
    __builtin_craig_assume(m <= *room);
    for (i = 0; i < m; i++) (*out)[i] = __builtin_craig_any_char();
    *out = *out + m;
    *room = *room - m;
  }
  if (in != 0 && *in != 0) {
    __builtin_craig_writable(left, sizeof(size_t)); __builtin_craig_writable(in, sizeof(char *)); __builtin_craig_readable(*in, *left);
    __builtin_craig_assume(k <= *left);
    *in = *in + k;
    *left = *left - k;
  }
  if (r == (size_t)-1) { craig_errno = __builtin_craig_any_int(); __builtin_craig_assume(craig_errno == 7 || craig_errno == 22 || craig_errno == 84); }
  return r;
}
int iconv_close(void *c) { return 0; }
/* uchar.h in the C locale: a character is a byte. */
size_t mbrtoc32(unsigned *w, const char *s, size_t n, void *state) { return mbrtowc((wchar_t *)w, s, n, state); }
size_t c32rtomb(char *s, unsigned w, void *state) { return wcrtomb(s, (wchar_t)w, state); }
size_t mbrtoc16(unsigned short *w, const char *s, size_t n, void *state) {
  wchar_t c = 0;
  size_t k = mbrtowc(&c, s, n, state);
  if (w != 0 && k <= 1) { __builtin_craig_writable(w, 2); *w = (unsigned short)c; }
  return k;
}
size_t c16rtomb(char *s, unsigned short w, void *state) { return wcrtomb(s, w, state); }
size_t mbrtoc8(unsigned char *w, const char *s, size_t n, void *state) {
  wchar_t c = 0;
  size_t k = mbrtowc(&c, s, n, state);
  if (w != 0 && k <= 1) { __builtin_craig_writable(w, 1); *w = (unsigned char)c; }
  return k;
}
size_t c8rtomb(char *s, unsigned char w, void *state) { return wcrtomb(s, w, state); }
size_t __mbrlen(const char *s, size_t n, void *state) { return mbrtowc(0, s, n, state); }
size_t mbsnrtowcs(wchar_t *w, const char **s, size_t k, size_t n, void *state) {
  size_t i;
  __builtin_craig_writable(s, sizeof(char *));
  for (i = 0; i < k && (w == 0 || i < n); i++) {
    __builtin_craig_readable(*s + i, 1);
    if ((*s)[i] < 0) { if (craig_other_locale) __builtin_craig_unmodelled("characters of several bytes are not modelled"); craig_errno = 84; if (w != 0) *s = *s + i; return (size_t)-1; }
    if (w != 0) { __builtin_craig_writable(w + i, sizeof(wchar_t)); w[i] = (*s)[i]; }
    if ((*s)[i] == 0) { if (w != 0) *s = 0; return i; }
  }
  if (w != 0) *s = *s + i;
  return i;
}
size_t wcsnrtombs(char *s, const wchar_t **w, size_t k, size_t n, void *state) {
  size_t i;
  __builtin_craig_writable(w, sizeof(wchar_t *));
  for (i = 0; i < k && (s == 0 || i < n); i++) {
    __builtin_craig_readable(*w + i, sizeof(wchar_t));
    if ((*w)[i] < 0 || (*w)[i] > 127) { if (craig_other_locale) __builtin_craig_unmodelled("the bytes of a wide character depend on the locale"); craig_errno = 84; if (s != 0) *w = *w + i; return (size_t)-1; }
    if (s != 0) { __builtin_craig_writable(s + i, 1); s[i] = (char)(*w)[i]; }
    if ((*w)[i] == 0) { if (s != 0) *w = 0; return i; }
  }
  if (s != 0) *w = *w + i;
  return i;
}
int wcswidth(const wchar_t *s, size_t n) {
  size_t i;
  int sum = 0, k;
  for (i = 0; i < n; i++) {
    __builtin_craig_readable(s + i, sizeof(wchar_t));
    if (s[i] == 0) break;
    k = wcwidth(s[i]);
    if (k < 0) return -1;
    sum += k;
  }
  return sum;
}
/* glob.h and wordexp.h: some names, in memory of the library's own. */
struct craig_glob { size_t count; char **names; size_t offset; int flags; void *calls[5]; };
int glob(const char *pattern, int flags, int (*f)(const char *, int), struct craig_glob *g) {
  size_t i, n = __builtin_craig_input_size("glob.count"), first;
  craig_str_end(pattern);
  __builtin_craig_writable(g, sizeof *g);
  if (f != 0) __builtin_craig_unmodelled("what `glob` calls is not modelled");
  if (flags & 32) __builtin_craig_unmodelled("names of two patterns together are not modelled");
  first = flags & 8 ? g->offset : 0;
  g->count = 0;
  g->names = 0;
  g->flags = flags;
  if (__builtin_craig_input_bool("glob.fails")) { int e = __builtin_craig_input_int("glob.error"); __builtin_craig_assume(e >= 1 && e <= 3); return e; }
  __builtin_craig_assume(n > 0 && n < 65536);
  g->names = malloc((first + n + 1) * sizeof(char *));
  if (g->names == 0) return 1;
  for (i = 0; i < first; i++) g->names[i] = 0;
  for (i = 0; i < n; i++) g->names[first + i] = craig_value();
  g->names[first + n] = 0;
  g->count = n;
  return 0;
}
void globfree(struct craig_glob *g) { __builtin_craig_writable(g, sizeof *g); free(g->names); g->names = 0; }
int glob64(const char *pattern, int flags, int (*f)(const char *, int), struct craig_glob *g) { return glob(pattern, flags, f, g); }
void globfree64(struct craig_glob *g) { globfree(g); }
int glob_pattern_p(const char *pattern, int quote) { craig_str_end(pattern); return __builtin_craig_any_bool(); }
struct craig_words { size_t count; char **words; size_t offset; };
int wordexp(const char *s, struct craig_words *w, int flags) {
  size_t i, n = __builtin_craig_input_size("wordexp.count"), first;
  craig_str_end(s);
  __builtin_craig_writable(w, sizeof *w);
  if (flags & 10) __builtin_craig_unmodelled("words that are added or re-used are not modelled");
  first = flags & 1 ? w->offset : 0;
  if (__builtin_craig_input_bool("wordexp.fails")) { int e = __builtin_craig_input_int("wordexp.error"); __builtin_craig_assume(e >= 1 && e <= 5); return e; }
  __builtin_craig_assume(n < 65536);
  w->words = malloc((first + n + 1) * sizeof(char *));
  if (w->words == 0) return 1;
  for (i = 0; i < first; i++) w->words[i] = 0;
  for (i = 0; i < n; i++) w->words[first + i] = craig_value();
  w->words[first + n] = 0;
  w->count = n;
  return 0;
}
void wordfree(struct craig_words *w) { __builtin_craig_writable(w, sizeof *w); free(w->words); w->words = 0; }
/* Names of errors and signals. */
const char *strerrorname_np(int e) { return __builtin_craig_any_bool() ? (char *)0 : craig_some_text(); }
const char *strerrordesc_np(int e) { return __builtin_craig_any_bool() ? (char *)0 : craig_some_text(); }
const char *sigabbrev_np(int s) { return s < 1 || s > 31 || s == 16 && __builtin_craig_any_bool() ? (char *)0 : craig_some_text(); }
const char *sigdescr_np(int s) { return sigabbrev_np(s); }
char *crypt(const char *key, const char *salt) { craig_str_end(key); craig_str_end(salt); return __builtin_craig_any_bool() ? (char *)0 : craig_some_text(); }
int __memcmpeq(const void *a, const void *b, size_t n) { return memcmp(a, b, n); }
