/* What the models share: types, and the end of a string. */
typedef unsigned long size_t;
typedef long ssize_t;
typedef int wchar_t;
typedef unsigned int wint_t;
typedef __builtin_va_list va_list;

/* The program's errno; __errno_location hands it out. */
static int craig_errno;
int *__errno_location(void) { return &craig_errno; }
/* The program asked for another locale than C and got it. */
static int craig_other_locale;
/* Processes that the program started. */
static int craig_forks;

/* A null-terminated string begins at s: a pointer to a zero of it, not always the first. */
static const char *craig_str_end(const char *s) {
  const char *e;
  if (!__builtin_craig_checks()) return (const char *)-1;
  __builtin_craig_readable(s, 1);
  if (__builtin_craig_literal(s)) return (const char *)__builtin_craig_literal(s);
  if (__builtin_craig_argument(s)) {
    e = __builtin_craig_last(s);
    if (*e == 0) return e;
  }
  e = __builtin_craig_hint(s);
  if (*e == 0) return e;
  e = s;
  while (*e != 0) {
    e++;
    __builtin_craig_readable(e, 1);
  }
  __builtin_craig_ends(e);
  return e;
}

/* The same, but the string may also go on for n characters. */
static size_t craig_str_bounded(const char *s, size_t n) {
  size_t i = 0;
  while (i < n) {
    __builtin_craig_readable(s + i, 1);
    if (s[i] == 0) break;
    i++;
  }
  return i;
}

static const wchar_t *craig_wcs_end(const wchar_t *s) {
  const wchar_t *e;
  if (!__builtin_craig_checks()) return (const wchar_t *)-1;
  __builtin_craig_readable(s, sizeof(wchar_t));
  if (__builtin_craig_literal(s)) return (const wchar_t *)__builtin_craig_literal(s);
  e = (const wchar_t *)__builtin_craig_hint(s);
  if (((size_t)e - (size_t)s) % sizeof(wchar_t) == 0 && __builtin_craig_room(e) >= sizeof(wchar_t) && *e == 0) return e;
  e = s;
  while (*e != 0) {
    e++;
    __builtin_craig_readable(e, sizeof(wchar_t));
  }
  __builtin_craig_ends(e);
  return e;
}

static size_t craig_wcs_bounded(const wchar_t *s, size_t n) {
  size_t i = 0;
  while (i < n) {
    __builtin_craig_readable(s + i, sizeof(wchar_t));
    if (s[i] == 0) break;
    i++;
  }
  return i;
}

/* Arguments of %s and %ls: valid, and handed on. */
static const char *craig_text(const char *s) {
  craig_str_end(s);
  return s;
}
static const wchar_t *craig_wide_text(const wchar_t *s) {
  craig_wcs_end(s);
  return s;
}
static void craig_text_part(const char *s, long n) {
  if (n < 0) craig_str_end(s); else craig_str_bounded(s, n);
}
static void craig_wide_part(const wchar_t *s, long n) {
  if (n < 0) craig_wcs_end(s); else craig_wcs_bounded(s, n);
}
