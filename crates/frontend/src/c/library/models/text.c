/* Strings of CHAR: read twice, for string.h (STR = str, MEM = mem) and wchar.h (wcs, wmem). */
size_t STRlen(const CHAR *s) {
  const CHAR *e = craig_STR_end(s);
  size_t i = 0;
  while (s + i < e && s[i] != 0) i++;
  return i;
}
size_t STRnlen(const CHAR *s, size_t n) { return craig_STR_bounded(s, n); }
static void craig_STR_copy(CHAR *d, const CHAR *s, size_t n) {
  size_t i;
  __builtin_craig_writable(d, (n + 1) * sizeof(CHAR));
  __builtin_craig_require(d + n < s || s + n < d, "the areas overlap");
  for (i = 0; i < n; i++) d[i] = s[i];
  d[n] = 0;
  __builtin_craig_ends(d + n);
}
CHAR *STRcpy(CHAR *d, const CHAR *s) {
  craig_STR_copy(d, s, STRlen(s));
  return d;
}
CHAR *STP_cpy(CHAR *d, const CHAR *s) {
  size_t n = STRlen(s);
  craig_STR_copy(d, s, n);
  return d + n;
}
CHAR *STRncpy(CHAR *d, const CHAR *s, size_t n) {
  size_t i, m = craig_STR_bounded(s, n);
  __builtin_craig_writable(d, n * sizeof(CHAR));
  __builtin_craig_require(n == 0 || d + n - 1 < s || s + m < d, "the areas overlap");
  for (i = 0; i < m; i++) d[i] = s[i];
  for (; i < n; i++) d[i] = 0;
  if (m < n) __builtin_craig_ends(d + m);
  return d;
}
CHAR *STP_ncpy(CHAR *d, const CHAR *s, size_t n) {
  STRncpy(d, s, n);
  return d + craig_STR_bounded(d, n);
}
CHAR *STRcat(CHAR *d, const CHAR *s) {
  craig_STR_copy(d + STRlen(d), s, STRlen(s));
  return d;
}
CHAR *STRncat(CHAR *d, const CHAR *s, size_t n) {
  craig_STR_copy(d + STRlen(d), s, craig_STR_bounded(s, n));
  return d;
}
size_t STRlcpy(CHAR *d, const CHAR *s, size_t n) {
  size_t m = STRlen(s);
  if (n > 0) craig_STR_copy(d, s, m < n ? m : n - 1);
  return m;
}
size_t STRlcat(CHAR *d, const CHAR *s, size_t n) {
  size_t k = craig_STR_bounded(d, n), m = STRlen(s);
  if (k < n) craig_STR_copy(d + k, s, m < n - k ? m : n - k - 1);
  return k + m;
}
int STRcmp(const CHAR *a, const CHAR *b) {
  const CHAR *e = craig_STR_end(a), *f = craig_STR_end(b);
  size_t i = 0;
  while (a + i < e && b + i < f && a[i] == b[i] && a[i] != 0) i++;
  return (UCHAR)a[i] < (UCHAR)b[i] ? -1 : (UCHAR)a[i] > (UCHAR)b[i];
}
int STRcoll(const CHAR *a, const CHAR *b) { int r = STRcmp(a, b); return craig_other_locale ? __builtin_craig_any_int() : r; }
int STRncmp(const CHAR *a, const CHAR *b, size_t n) {
  size_t i = 0;
  while (i < n) {
    __builtin_craig_readable(a + i, sizeof(CHAR));
    __builtin_craig_readable(b + i, sizeof(CHAR));
    if (a[i] != b[i]) return (UCHAR)a[i] < (UCHAR)b[i] ? -1 : 1;
    if (a[i] == 0) return 0;
    i++;
  }
  return 0;
}
int STRcasecmp(const CHAR *a, const CHAR *b) {
  const CHAR *e = craig_STR_end(a), *f = craig_STR_end(b);
  size_t i = 0;
  while (a + i < e && b + i < f && craig_lower((UCHAR)a[i]) == craig_lower((UCHAR)b[i]) && a[i] != 0) i++;
  if (craig_other_locale) return __builtin_craig_any_int();
  return craig_lower((UCHAR)a[i]) - craig_lower((UCHAR)b[i]);
}
int STRncasecmp(const CHAR *a, const CHAR *b, size_t n) {
  size_t i = 0;
  while (i < n) {
    __builtin_craig_readable(a + i, sizeof(CHAR));
    __builtin_craig_readable(b + i, sizeof(CHAR));
    if (craig_other_locale && __builtin_craig_any_bool()) return __builtin_craig_any_int();
    if (craig_lower((UCHAR)a[i]) != craig_lower((UCHAR)b[i]))
      return craig_lower((UCHAR)a[i]) - craig_lower((UCHAR)b[i]);
    if (a[i] == 0) return 0;
    i++;
  }
  return 0;
}
CHAR *STRchr(const CHAR *s, ICHAR c) {
  const CHAR *e = craig_STR_end(s);
  while (s < e && *s != 0) {
    if (*s == (CHAR)c) return (CHAR *)s;
    s++;
  }
  return (CHAR)c == 0 ? (CHAR *)s : (CHAR *)0;
}
CHAR *STRchrnul(const CHAR *s, ICHAR c) {
  const CHAR *e = craig_STR_end(s);
  while (s < e && *s != 0 && *s != (CHAR)c) s++;
  return (CHAR *)s;
}
CHAR *STRrchr(const CHAR *s, ICHAR c) {
  const CHAR *e = craig_STR_end(s);
  const CHAR *found = 0;
  while (s < e && *s != 0) {
    if (*s == (CHAR)c) found = s;
    s++;
  }
  return (CHAR)c == 0 ? (CHAR *)s : (CHAR *)found;
}
static int craig_STR_member(const CHAR *set, CHAR c) {
  const CHAR *e = craig_STR_end(set);
  while (set < e && *set != 0) {
    if (*set == c) return 1;
    set++;
  }
  return 0;
}
size_t STRspn(const CHAR *s, const CHAR *set) {
  const CHAR *e = craig_STR_end(s);
  size_t i = 0;
  craig_STR_end(set);
  while (s + i < e && s[i] != 0 && craig_STR_member(set, s[i])) i++;
  return i;
}
size_t STRcspn(const CHAR *s, const CHAR *set) {
  const CHAR *e = craig_STR_end(s);
  size_t i = 0;
  craig_STR_end(set);
  while (s + i < e && s[i] != 0 && !craig_STR_member(set, s[i])) i++;
  return i;
}
CHAR *STRpbrk(const CHAR *s, const CHAR *set) {
  s += STRcspn(s, set);
  return *s != 0 ? (CHAR *)s : (CHAR *)0;
}
CHAR *STRSTR(const CHAR *s, const CHAR *t) {
  size_t n = STRlen(s), m = STRlen(t), i, j;
  for (i = 0; i + m <= n; i++) {
    for (j = 0; j < m && s[i + j] == t[j]; j++) ;
    if (j == m) return (CHAR *)s + i;
  }
  return 0;
}
CHAR *STRcasestr(const CHAR *s, const CHAR *t) {
  size_t n = STRlen(s), m = STRlen(t), i, j;
  for (i = 0; i + m <= n; i++) {
    for (j = 0; j < m && craig_lower((UCHAR)s[i + j]) == craig_lower((UCHAR)t[j]); j++) ;
    if (j == m) return (CHAR *)s + i;
  }
  return 0;
}
static CHAR *craig_STR_token(CHAR *s, const CHAR *set, CHAR **rest) {
  CHAR *word;
  if (s == 0) {
    s = *rest;
    if (s == 0) return 0;
  }
  s += STRspn(s, set);
  if (*s == 0) {
    *rest = 0;
    return 0;
  }
  word = s;
  s += STRcspn(s, set);
  if (*s == 0) {
    *rest = 0;
  } else {
    __builtin_craig_writable(s, sizeof(CHAR));
    *s = 0;
    *rest = s + 1;
  }
  return word;
}
CHAR *STRdup(const CHAR *s) {
  size_t n = STRlen(s), i;
  CHAR *d = malloc((n + 1) * sizeof(CHAR));
  if (d == 0) return 0;
  for (i = 0; i < n; i++) d[i] = s[i];
  d[n] = 0;
  __builtin_craig_ends(d + n);
  return d;
}
CHAR *STRndup(const CHAR *s, size_t m) {
  size_t n = craig_STR_bounded(s, m), i;
  CHAR *d = malloc((n + 1) * sizeof(CHAR));
  if (d == 0) return 0;
  for (i = 0; i < n; i++) d[i] = s[i];
  d[n] = 0;
  __builtin_craig_ends(d + n);
  return d;
}
size_t STRxfrm(CHAR *d, const CHAR *s, size_t n) {
  if (craig_other_locale) __builtin_craig_unmodelled("the order of another locale is not modelled");
  size_t m = STRlen(s);
  if (n > 0 && m < n) craig_STR_copy(d, s, m);
  return m;
}
int MEMcmp(const void *p, const void *q, size_t n) {
  const UCHAR *a = p, *b = q;
  size_t i;
  __builtin_craig_readable(p, n * sizeof(CHAR));
  __builtin_craig_readable(q, n * sizeof(CHAR));
  for (i = 0; i < n; i++)
    if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
  return 0;
}
void *MEMchr(const void *p, ICHAR c, size_t n) {
  const UCHAR *s = p;
  size_t i;
  for (i = 0; i < n; i++) {
    __builtin_craig_readable(s + i, sizeof(CHAR));
    if (s[i] == (UCHAR)c) return (void *)(s + i);
  }
  return 0;
}
static int craig_STR_format(CHAR *d, size_t n, const CHAR *s) {
  size_t m = STRlen(s);
  if (n > 0) craig_STR_copy(d, s, m < n ? m : n - 1);
  return sizeof(CHAR) == 1 || m < n ? (int)m : -1;
}
