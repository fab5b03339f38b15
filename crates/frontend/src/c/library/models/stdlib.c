/* stdlib.h: conversions, sorting, searching, resized allocation; wide conversions beside them. */
static int craig_space(int c) { return c == ' ' || c >= 9 && c <= 13; }
static int craig_digit(int c) {
  return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'z' ? c - 'a' + 10 : c >= 'A' && c <= 'Z' ? c - 'A' + 10 : 99;
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
/* Digits of base ten up to e, where nothing but the digits changes: v stays below the largest long and nine more. */
static unsigned long craig_ten(const char *s, const char *e, int *over, const char **end) {
  unsigned long v = 0;
  const char *first = s;
  while (s < e && *s >= '0' && *s <= '9') {
    if (v > (~0UL >> 1) / 10) *over = 1; else v = v * 10 + (*s - '0');
    s++;
  }
  *end = s == first ? 0 : s;
  return v;
}
static unsigned long long craig_ten_wide(const char *s, const char *e, int *over, const char **end) {
  unsigned long long v = 0;
  const char *first = s;
  while (s < e && *s >= '0' && *s <= '9') {
    if (v > (~0ULL >> 1) / 10) *over = 1; else v = v * 10 + (*s - '0');
    s++;
  }
  *end = s == first ? 0 : s;
  return v;
}
static long craig_strtol_ten(const char *s, char **end, int base) {
  const char *e = craig_str_end(s), *p = s, *at;
  int negative = 0, over = 0;
  unsigned long v;
  while (p < e && craig_space(*p)) p++;
  if (p < e && (*p == '-' || *p == '+')) {
    negative = *p == '-';
    p++;
  }
  v = craig_ten(p, e, &over, &at);
  craig_set_end(end, at ? at : s);
  if (over || v > (~0UL >> 1) + negative) {
    craig_errno = 34;
    return negative ? -(long)(~0UL >> 1) - 1 : (long)(~0UL >> 1);
  }
  return negative ? (long)(0UL - v) : (long)v;
}
static long long craig_strtoll_ten(const char *s, char **end, int base) {
  const char *e = craig_str_end(s), *p = s, *at;
  int negative = 0, over = 0;
  unsigned long long v;
  while (p < e && craig_space(*p)) p++;
  if (p < e && (*p == '-' || *p == '+')) {
    negative = *p == '-';
    p++;
  }
  v = craig_ten_wide(p, e, &over, &at);
  craig_set_end(end, at ? at : s);
  if (over || v > (~0ULL >> 1) + negative) {
    craig_errno = 34;
    return negative ? -(long long)(~0ULL >> 1) - 1 : (long long)(~0ULL >> 1);
  }
  return negative ? (long long)(0ULL - v) : (long long)v;
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
int atoi(const char *s) { return (int)craig_strtol_ten(s, 0, 10); }
long atol(const char *s) { return craig_strtol_ten(s, 0, 10); }
long long atoll(const char *s) { return craig_strtoll_ten(s, 0, 10); }
/* The nearest number to digits and a power of ten: exact up to 38 digits. */
struct craig_decimal { unsigned __int128 digits; int power, negative, special; const char *end; };
static int craig_same_word(const char *s, const char *e, const char *word) {
  int n = 0;
  while (word[n] != 0) {
    if (s + n >= e || craig_lower(s[n]) != word[n]) return 0;
    n++;
  }
  return n;
}
static int craig_alnum(char c) { return c >= '0' && c <= '9' || craig_lower(c) >= 'a' && craig_lower(c) <= 'z'; }
static int craig_hexadecimal(char c) { return c >= '0' && c <= '9' ? c - '0' : craig_lower(c) >= 'a' && craig_lower(c) <= 'f' ? craig_lower(c) - 'a' + 10 : -1; }
/* 0x1.8p3: up to 13 digits and powers of two up to 30, which are powers of ten and five. */
static void craig_read_binary(const char *s, const char *e, struct craig_decimal *r) {
  int any = 0, count = 0, point = 0, shift = 0, i, d;
  r->end = s + 1;
  for (s += 2; s < e; s++) {
    d = craig_hexadecimal(*s);
    if (*s == '.' && !point) {
      point = 1;
    } else if (d >= 0) {
      any = 1;
      if (count < 13) {
        r->digits = r->digits * 16 + d;
        if (r->digits != 0) count++;
        if (point) shift -= 4;
      } else {
        r->special = 3;
      }
    } else {
      break;
    }
  }
  if (!any) {
    r->digits = 0;
    return;
  }
  r->end = s;
  if (s < e && (*s == 'p' || *s == 'P')) {
    const char *p = s + 1;
    int minus = 0, power = 0;
    if (p < e && (*p == '-' || *p == '+')) {
      minus = *p == '-';
      p++;
    }
    if (p < e && *p >= '0' && *p <= '9') {
      while (p < e && *p >= '0' && *p <= '9') {
        if (power < 100000) power = power * 10 + (*p - '0');
        p++;
      }
      r->end = p;
      shift += minus ? -power : power;
    }
  }
  if (r->digits == 0) return;
  if (shift < -30 || shift > 30) r->special = 3;
  if (r->special == 3) return;
  for (i = 0; i < shift; i++) r->digits *= 2;
  for (i = 0; i > shift; i--) r->digits *= 5;
  if (shift < 0) r->power = shift;
}
/* special: 0 digits, 1 infinity, 2 no number, 3 not modelled */
static void craig_read_decimal(const char *s, struct craig_decimal *r) {
  if (craig_other_locale) {
    /* Another character may be before the decimals. */
    size_t length = __builtin_craig_any_size();
    __builtin_craig_assume(length <= strlen(s));
    r->digits = 0; r->power = r->negative = 0; r->special = 3; r->end = s + length;
    return;
  }
  const char *e = craig_str_end(s), *begin = s;
  int any = 0, count = 0, point = 0, n;
  if (!__builtin_craig_checks()) e = s + strlen(s);
  r->digits = 0;
  r->power = 0;
  r->negative = 0;
  r->special = 0;
  r->end = begin;
  while (s < e && craig_space(*s)) s++;
  if (s < e && (*s == '-' || *s == '+')) {
    r->negative = *s == '-';
    s++;
  }
  if (s + 1 < e && s[0] == '0' && (s[1] == 'x' || s[1] == 'X')) {
    craig_read_binary(s, e, r);
    return;
  }
  n = craig_same_word(s, e, "infinity");
  if (n == 0) n = craig_same_word(s, e, "inf");
  if (n > 0) {
    r->special = 1;
    r->end = s + n;
    return;
  }
  n = craig_same_word(s, e, "nan");
  if (n > 0) {
    r->special = 2;
    r->end = s + n;
    /* Letters and digits in brackets say which. */
    if (s + n < e && s[n] == '(') {
      do n++; while (s + n < e && (craig_alnum(s[n]) || s[n] == '_'));
      if (s + n < e && s[n] == ')') r->end = s + n + 1;
    }
    return;
  }
  while (s < e) {
    if (*s == '.' && !point) {
      point = 1;
    } else if (*s >= '0' && *s <= '9') {
      any = 1;
      if (count < 38) {
        r->digits = r->digits * 10 + (*s - '0');
        if (r->digits != 0) count++;
        if (point) r->power--;
      } else {
        if (*s != '0') r->special = 3;
        if (!point) r->power++;
      }
    } else {
      break;
    }
    s++;
  }
  if (!any) return;
  r->end = s;
  if (s < e && (*s == 'e' || *s == 'E')) {
    const char *p = s + 1;
    int minus = 0, power = 0;
    if (p < e && (*p == '-' || *p == '+')) {
      minus = *p == '-';
      p++;
    }
    if (p < e && *p >= '0' && *p <= '9') {
      while (p < e && *p >= '0' && *p <= '9') {
        if (power < 100000) power = power * 10 + (*p - '0');
        p++;
      }
      r->end = p;
      r->power += minus ? -power : power;
    }
  }
}
double strtod(const char *s, char **end) {
  struct craig_decimal r;
  double v;
  craig_read_decimal(s, &r);
  craig_set_end(end, r.end);
  if (r.special == 3) return __builtin_craig_any_double();
  v = r.special == 1 ? __builtin_inf() : r.special == 2 ? __builtin_nan("") : __builtin_craig_decimal_double(r.digits, r.power);
  if (r.special == 0 && r.digits != 0 && (v == 0 || v - v != 0)) craig_errno = 34;
  return r.negative ? -v : v;
}
float strtof(const char *s, char **end) {
  struct craig_decimal r;
  float v;
  craig_read_decimal(s, &r);
  craig_set_end(end, r.end);
  if (r.special == 3) return __builtin_craig_any_float();
  v = r.special == 1 ? __builtin_inff() : r.special == 2 ? __builtin_nanf("") : __builtin_craig_decimal_float(r.digits, r.power);
  if (r.special == 0 && r.digits != 0 && (v == 0 || v - v != 0)) craig_errno = 34;
  return r.negative ? -v : v;
}
long double strtold(const char *s, char **end) {
  struct craig_decimal r;
  long double v;
  craig_read_decimal(s, &r);
  craig_set_end(end, r.end);
  if (r.special == 3) return __builtin_craig_any_ldouble();
  v = r.special == 1 ? __builtin_infl() : r.special == 2 ? __builtin_nanl("") : __builtin_craig_decimal_ldouble(r.digits, r.power);
  if (r.special == 0 && r.digits != 0 && (v == 0 || v - v != 0)) craig_errno = 34;
  return r.negative ? -v : v;
}
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
static void craig_wide_end(wchar_t **end, const wchar_t *at) {
  if (end != 0) {
    __builtin_craig_writable(end, sizeof(wchar_t *));
    *end = (wchar_t *)at;
  }
}
unsigned long wcstoul(const wchar_t *s, wchar_t **end, int base) {
  char buffer[128], *at;
  const wchar_t *first = craig_wide_number(s, buffer);
  unsigned long v = strtoul(buffer, &at, base);
  if (strlen(buffer) == 127) v = __builtin_craig_any_ulong();
  craig_wide_end(end, at == buffer ? s : first + (at - buffer));
  return v;
}
long long wcstoll(const wchar_t *s, wchar_t **end, int base) {
  char buffer[128], *at;
  const wchar_t *first = craig_wide_number(s, buffer);
  long long v = strtoll(buffer, &at, base);
  if (strlen(buffer) == 127) v = __builtin_craig_any_llong();
  craig_wide_end(end, at == buffer ? s : first + (at - buffer));
  return v;
}
unsigned long long wcstoull(const wchar_t *s, wchar_t **end, int base) {
  char buffer[128], *at;
  const wchar_t *first = craig_wide_number(s, buffer);
  unsigned long long v = strtoull(buffer, &at, base);
  if (strlen(buffer) == 127) v = __builtin_craig_any_ullong();
  craig_wide_end(end, at == buffer ? s : first + (at - buffer));
  return v;
}
long long wcstoimax(const wchar_t *s, wchar_t **end, int base) { return wcstoll(s, end, base); }
unsigned long long wcstoumax(const wchar_t *s, wchar_t **end, int base) { return wcstoull(s, end, base); }
double wcstod(const wchar_t *s, wchar_t **end) {
  char buffer[128], *at;
  const wchar_t *first = craig_wide_number(s, buffer);
  double v = strtod(buffer, &at);
  if (strlen(buffer) == 127) v = __builtin_craig_any_double();
  craig_wide_end(end, at == buffer ? s : first + (at - buffer));
  return v;
}
float wcstof(const wchar_t *s, wchar_t **end) {
  char buffer[128], *at;
  const wchar_t *first = craig_wide_number(s, buffer);
  float v = strtof(buffer, &at);
  if (strlen(buffer) == 127) v = __builtin_craig_any_float();
  craig_wide_end(end, at == buffer ? s : first + (at - buffer));
  return v;
}
long double wcstold(const wchar_t *s, wchar_t **end) {
  char buffer[128], *at;
  const wchar_t *first = craig_wide_number(s, buffer);
  long double v = strtold(buffer, &at);
  if (strlen(buffer) == 127) v = __builtin_craig_any_ldouble();
  craig_wide_end(end, at == buffer ? s : first + (at - buffer));
  return v;
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
void qsort_r(void *base, size_t n, size_t size, int (*compare)(const void *, const void *, void *), void *arg) {
  char *a = base;
  size_t i, j;
  __builtin_craig_writable(base, n * size);
  for (i = 1; i < n; i++)
    for (j = i; j > 0 && compare(a + (j - 1) * size, a + j * size, arg) > 0; j--)
      craig_swap(a + (j - 1) * size, a + j * size, size);
}
void *lfind(const void *key, const void *base, size_t *n, size_t size, int (*compare)(const void *, const void *)) {
  size_t i;
  __builtin_craig_readable(n, sizeof(size_t));
  for (i = 0; i < *n; i++)
    if (compare(key, (const char *)base + i * size) == 0) return (void *)((const char *)base + i * size);
  return 0;
}
void *lsearch(const void *key, void *base, size_t *n, size_t size, int (*compare)(const void *, const void *)) {
  char *at;
  size_t i;
  __builtin_craig_writable(n, sizeof(size_t));
  for (i = 0; i < *n; i++)
    if (compare(key, (char *)base + i * size) == 0) return (char *)base + i * size;
  at = (char *)base + *n * size;
  memcpy(at, key, size);
  *n = *n + 1;
  return at;
}
struct craig_div { int quot, rem; };
struct craig_ldiv { long quot, rem; };
struct craig_lldiv { long long quot, rem; };
/* Results that are records: written to where the first argument points. */
static void craig_into_div(struct craig_div *r, int a, int b) { r->quot = a / b; r->rem = a % b; }
static void craig_into_ldiv(struct craig_ldiv *r, long a, long b) { r->quot = a / b; r->rem = a % b; }
static void craig_into_lldiv(struct craig_lldiv *r, long long a, long long b) { r->quot = a / b; r->rem = a % b; }
static void craig_into_imaxdiv(struct craig_lldiv *r, long long a, long long b) { r->quot = a / b; r->rem = a % b; }
/* A character of several bytes, in another locale. */
static size_t craig_multibyte(wchar_t *w, size_t n) {
  size_t k = __builtin_craig_any_size();
  __builtin_craig_assume(k >= 1 && k <= n && k <= 16 || k >= (size_t)-2);
  if (k >= (size_t)-2) { craig_errno = 84; return k; }
  if (w != 0) { __builtin_craig_writable(w, sizeof(wchar_t)); *w = __builtin_craig_any_int(); }
  return k;
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
  if (n > 0 && *s < 0 && craig_other_locale) { size_t m = craig_multibyte(w, n); return m >= (size_t)-2 ? -1 : (int)m; }
  k = mblen(s, n);
  if (k >= 0 && w != 0) {
    __builtin_craig_writable(w, sizeof(wchar_t));
    *w = *s;
  }
  return k;
}
int wctomb(char *s, wchar_t w) {
  if (s == 0) return 0;
  if (w < 0 || w > 127) { if (craig_other_locale) __builtin_craig_unmodelled("the bytes of a wide character depend on the locale"); return -1; }
  __builtin_craig_writable(s, 1);
  *s = w;
  return 1;
}
/* What m bytes are as wide characters, in another locale. */
static size_t craig_wide_copy(wchar_t *w, size_t m, size_t n) {
  size_t i, k = __builtin_craig_any_size();
  if (__builtin_craig_any_bool()) { craig_errno = 84; return (size_t)-1; }
  __builtin_craig_assume(k >= 1 && k <= m);
  if (w == 0) return k;
  for (i = 0; i < n && i <= k; i++) {
    wchar_t c = __builtin_craig_any_int();
    __builtin_craig_assume(c != 0);
    __builtin_craig_writable(w + i, sizeof(wchar_t));
    w[i] = i == k ? 0 : c;
  }
  return k < n ? k : n;
}
size_t mbstowcs(wchar_t *w, const char *s, size_t n) {
  size_t i, m = strlen(s);
  for (i = 0; i < m; i++)
    if (s[i] < 0) { if (craig_other_locale) return craig_wide_copy(w, m, n); return (size_t)-1; }
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
    if (w[i] < 0 || w[i] > 127) { if (craig_other_locale) __builtin_craig_unmodelled("the bytes of a wide character depend on the locale"); return (size_t)-1; }
  if (s == 0) return m;
  for (i = 0; i < n && i <= m; i++) {
    __builtin_craig_writable(s + i, 1);
    s[i] = w[i];
  }
  if (m < n) __builtin_craig_ends(s + m);
  return m < n ? m : n;
}
/* The C locale: a character is a byte. */
size_t mbrlen(const char *s, size_t n, void *state) { return mbrtowc(0, s, n, state); }
size_t mbrtowc(wchar_t *w, const char *s, size_t n, void *state) {
  if (state != 0) __builtin_craig_writable(state, 8);
  if (s == 0) return 0;
  if (n == 0) return (size_t)-2;
  __builtin_craig_readable(s, 1);
  if (*s < 0) {
    if (craig_other_locale) return craig_multibyte(w, n);
    craig_errno = 84;
    return (size_t)-1;
  }
  if (w != 0) {
    __builtin_craig_writable(w, sizeof(wchar_t));
    *w = *s;
  }
  return *s != 0;
}
size_t wcrtomb(char *s, wchar_t w, void *state) {
  if (state != 0) __builtin_craig_writable(state, 8);
  if (s == 0) return 1;
  if (w < 0 || w > 127) {
    if (craig_other_locale) __builtin_craig_unmodelled("the bytes of a wide character depend on the locale");
    craig_errno = 84;
    return (size_t)-1;
  }
  __builtin_craig_writable(s, 1);
  *s = w;
  return 1;
}
int mbsinit(const void *state) { if (state != 0) __builtin_craig_readable(state, 8); return 1; }
size_t mbsrtowcs(wchar_t *w, const char **s, size_t n, void *state) {
  size_t m, k;
  __builtin_craig_writable(s, sizeof(char *));
  k = strlen(*s);
  m = mbstowcs(w, *s, n);
  if (w != 0 && m != (size_t)-1 && m != k && m < n && craig_other_locale) __builtin_craig_unmodelled("characters of several bytes are not modelled");
  if (w != 0 && m != (size_t)-1) *s = m == k && m < n ? (char *)0 : *s + m;
  return m;
}
size_t wcsrtombs(char *s, const wchar_t **w, size_t n, void *state) {
  size_t m, k;
  __builtin_craig_writable(w, sizeof(wchar_t *));
  k = wcslen(*w);
  m = wcstombs(s, *w, n);
  if (s != 0 && m != (size_t)-1) *w = m == k && m < n ? (wchar_t *)0 : *w + m;
  return m;
}
wint_t btowc(int c) { if (craig_other_locale && c > 127 && c < 256) return (wint_t)__builtin_craig_any_int(); return c >= 0 && c < 128 ? c : (wint_t)-1; }
int wctob(wint_t c) { if (craig_other_locale && c > 127 && __builtin_craig_any_bool()) return 128 + (__builtin_craig_any_int() & 127); return c < 128 ? (int)c : -1; }
int posix_memalign(void **p, size_t align, size_t n) {
  void *q;
  __builtin_craig_writable(p, sizeof(void *));
  if (align % sizeof(void *) != 0 || align == 0 || (align & (align - 1)) != 0) return 22;
  q = aligned_alloc(align, n);
  if (q == 0) return 12;
  *p = q;
  return 0;
}
/* Allocation of more may fail in any case; an error that rests on that alone is left open, unless allocation may fail. */
static void *craig_resized(void *p, size_t n, int may_fail) {
  size_t m;
  char *q;
  if (p == 0) return malloc(n);
  if (n == 0) {
    free(p);
    return 0;
  }
  m = __builtin_craig_room(p);
  if (may_fail && n > m && !__builtin_craig_runs() && __builtin_craig_input_bool("realloc.fails")) {
    craig_errno = 12;
    return 0;
  }
  q = malloc(n);
  if (q == 0) return 0;
  memcpy(q, p, m < n ? m : n);
  free(p);
  return q;
}
/* More memory may be refused to a program that is prepared for it; to others it is given, as malloc gives it. */
void *realloc(void *p, size_t n) { return craig_resized(p, n, __builtin_craig_prepared()); }
void *xrealloc(void *p, size_t n) { return craig_resized(p, n, 0); }
void *reallocarray(void *p, size_t n, size_t size) {
  size_t all;
  if (__builtin_mul_overflow(n, size, &all)) { craig_errno = 12; return 0; }
  return realloc(p, all);
}
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
