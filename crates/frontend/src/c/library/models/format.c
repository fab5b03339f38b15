/* The parts that formats are made of; those known only at run time are taken apart by craig_format. */
/* Formatted text goes to a place that is kept here. */
static char *craig_to;
static wchar_t *craig_wide_to;
static size_t craig_room, craig_count;
static FILE *craig_onto;
static void craig_put(int c) {
  if (craig_onto != 0) craig_emit(craig_onto, c);
  if (craig_count < craig_room) {
    if (craig_wide_to != 0) {
      __builtin_craig_writable(craig_wide_to + craig_count, sizeof(wchar_t));
      craig_wide_to[craig_count] = c;
    } else {
      __builtin_craig_writable(craig_to + craig_count, 1);
      craig_to[craig_count] = c;
    }
  }
  craig_count++;
}
/* Text whose length is known is claimed as a whole and then set, so that no proof depends on the loop that sets it. */
static void craig_claim(long n) {
  if (n > 0 && craig_count < craig_room) {
    size_t k = n;
    if (k > craig_room - craig_count) k = craig_room - craig_count;
    if (craig_wide_to != 0) __builtin_craig_writable(craig_wide_to + craig_count, k * sizeof(wchar_t));
    else __builtin_craig_writable(craig_to + craig_count, k);
  }
}
static void craig_set(size_t at, int c) {
  if (craig_onto != 0) craig_emit(craig_onto, c);
  if (at < craig_room) {
    if (craig_wide_to != 0) craig_wide_to[at] = c; else craig_to[at] = c;
  }
}
static void craig_pad(int c, long n) {
  while (n > 0) {
    craig_put(c);
    n--;
  }
}
static void craig_begin(char *d, size_t n) {
  craig_onto = 0;
  craig_to = d;
  craig_wide_to = 0;
  craig_room = n;
  craig_count = 0;
}
/* The result of printing is how many characters there were. */
static void craig_printed(void) { __builtin_craig_assumed("what is printed can be written"); }
static void craig_begin_onto(FILE *f) {
  craig_file(f);
  craig_begin(0, 0);
  craig_onto = f;
}
/* New memory for as many characters as were counted. */
static void craig_begin_new(void) {
  char *d = malloc(craig_count + 1);
  craig_begin(d, d == 0 ? 0 : (size_t)-1);
}
static int craig_end_new(char **p) {
  __builtin_craig_writable(p, sizeof(char *));
  if (craig_to == 0) return -1;
  craig_to[craig_count] = 0;
  __builtin_craig_ends(craig_to + craig_count);
  *p = craig_to;
  return (int)craig_count;
}
static void craig_begin_wide(wchar_t *d, size_t n) {
  craig_onto = 0;
  craig_to = 0;
  craig_wide_to = d;
  craig_room = n;
  craig_count = 0;
}
static int craig_end(size_t n) {
  size_t last = craig_count;
  if (n > 0) {
    if (last >= n) last = n - 1;
    __builtin_craig_writable(craig_to + last, 1);
    craig_to[last] = 0;
    __builtin_craig_ends(craig_to + last);
  }
  return (int)craig_count;
}
static int craig_end_wide(size_t n) {
  size_t last = craig_count;
  if (n > 0) {
    if (last >= n) last = n - 1;
    __builtin_craig_writable(craig_wide_to + last, sizeof(wchar_t));
    craig_wide_to[last] = 0;
    __builtin_craig_ends(craig_wide_to + last);
  }
  return craig_count < n ? (int)craig_count : -1;
}
static void craig_put_literal(const char *s, size_t n) {
  size_t i;
  for (i = 0; i < n; i++) craig_put((unsigned char)s[i]);
}
/* flags: 1 left, 2 zero, 4 plus, 8 space, 16 alternative */
static void craig_put_char(int c, int flags, long width) {
  if (width < 0) { flags |= 1; width = -width; }
  if (!(flags & 1)) craig_pad(' ', width - 1);
  craig_put((unsigned char)c);
  if (flags & 1) craig_pad(' ', width - 1);
}
/* A wide character; as bytes it is one only if it is small. */
static int craig_narrowed(wchar_t c) {
  if (craig_wide_to == 0 && (c < 0 || c > 127)) {
    if (craig_room != 0 || __builtin_craig_runs()) __builtin_craig_unmodelled("the bytes of a wide character depend on the locale");
    /* Printed, only how many bytes it has is to be seen, or that it cannot be written. */
    craig_count += __builtin_craig_any_size();
    __builtin_craig_assume(craig_count <= 0x7fffffff || craig_count == (size_t)-2);
  }
  return c;
}
static void craig_put_wide_char(int c, int flags, long width) {
  if (width < 0) { flags |= 1; width = -width; }
  if (!(flags & 1)) craig_pad(' ', width - 1);
  craig_put(craig_narrowed(c));
  if (flags & 1) craig_pad(' ', width - 1);
}
static void craig_put_text(const char *s, int flags, long width, long precision) {
  size_t i, n = precision < 0 ? strlen(s) : strnlen(s, precision);
  if (width < 0) { flags |= 1; width = -width; }
  if (!(flags & 1)) craig_pad(' ', width - (long)n);
  craig_claim(n);
  for (i = 0; i < n; i++) craig_set(craig_count + i, (unsigned char)s[i]);
  craig_count += n;
  if (flags & 1) craig_pad(' ', width - (long)n);
}
static void craig_put_wide(const wchar_t *s, int flags, long width, long precision) {
  size_t i, n = precision < 0 ? wcslen(s) : wcsnlen(s, precision);
  if (width < 0) { flags |= 1; width = -width; }
  if (!(flags & 1)) craig_pad(' ', width - (long)n);
  for (i = 0; i < n; i++) craig_put(craig_narrowed(s[i]));
  if (flags & 1) craig_pad(' ', width - (long)n);
}
/* How many digits there are is a matter of comparisons, so that a proof needs neither loop nor division. */
static int craig_digits_ten(unsigned long long v) {
  return 1 + (v >= 10ULL) + (v >= 100ULL) + (v >= 1000ULL) + (v >= 10000ULL) + (v >= 100000ULL)
    + (v >= 1000000ULL) + (v >= 10000000ULL) + (v >= 100000000ULL) + (v >= 1000000000ULL)
    + (v >= 10000000000ULL) + (v >= 100000000000ULL) + (v >= 1000000000000ULL) + (v >= 10000000000000ULL)
    + (v >= 100000000000000ULL) + (v >= 1000000000000000ULL) + (v >= 10000000000000000ULL)
    + (v >= 100000000000000000ULL) + (v >= 1000000000000000000ULL) + (v >= 10000000000000000000ULL);
}
static int craig_digits_eight(unsigned long long v) {
  return 1 + (v >= 8ULL) + (v >= 64ULL) + (v >= 512ULL) + (v >= 4096ULL) + (v >= 32768ULL) + (v >= 262144ULL)
    + (v >= 2097152ULL) + (v >= 16777216ULL) + (v >= 134217728ULL) + (v >= 1073741824ULL)
    + (v >= 8589934592ULL) + (v >= 68719476736ULL) + (v >= 549755813888ULL) + (v >= 4398046511104ULL)
    + (v >= 35184372088832ULL) + (v >= 281474976710656ULL) + (v >= 2251799813685248ULL)
    + (v >= 18014398509481984ULL) + (v >= 144115188075855872ULL) + (v >= 1152921504606846976ULL)
    + (v >= 9223372036854775808ULL);
}
static int craig_digits_sixteen(unsigned long long v) {
  return 1 + (v >= 16ULL) + (v >= 256ULL) + (v >= 4096ULL) + (v >= 65536ULL) + (v >= 1048576ULL)
    + (v >= 16777216ULL) + (v >= 268435456ULL) + (v >= 4294967296ULL) + (v >= 68719476736ULL)
    + (v >= 1099511627776ULL) + (v >= 17592186044416ULL) + (v >= 281474976710656ULL)
    + (v >= 4503599627370496ULL) + (v >= 72057594037927936ULL) + (v >= 1152921504606846976ULL);
}
static void craig_put_number(unsigned long long v, int negative, int base, int upper, int flags, long width, long precision) {
  char digits[68];
  int n, i, d, prefix = 0, zero = v == 0;
  int sign = negative ? '-' : flags & 4 ? '+' : flags & 8 ? ' ' : 0;
  size_t at = craig_count;
  long body, pad, j;
  if (width < 0) { flags |= 1; width = -width; }
  if (zero) n = precision != 0;
  else n = base == 10 ? craig_digits_ten(v) : base == 16 ? craig_digits_sixteen(v) : craig_digits_eight(v);
  for (i = 0; i < n; i++) {
    d = v % base;
    digits[i] = d < 10 ? '0' + d : (upper ? 'A' : 'a') + d - 10;
    v /= base;
  }
  if (base == 16 && (flags & 16) && !zero) prefix = 2;
  body = n;
  if (precision > body) body = precision;
  if (base == 8 && (flags & 16) && (n == 0 || !zero) && body == n) body++;
  if ((flags & 2) && !(flags & 1) && precision < 0 && width - prefix - (sign != 0) > body)
    body = width - prefix - (sign != 0);
  pad = width - body - prefix - (sign != 0);
  if (pad < 0) pad = 0;
  craig_claim(pad + (sign != 0) + prefix + body);
  if (!(flags & 1)) for (j = 0; j < pad; j++) craig_set(at++, ' ');
  if (sign) craig_set(at++, sign);
  if (prefix) {
    craig_set(at++, '0');
    craig_set(at++, upper ? 'X' : 'x');
  }
  for (j = n; j < body; j++) craig_set(at++, '0');
  for (i = n; i > 0; i--) craig_set(at++, digits[i - 1]);
  if (flags & 1) for (j = 0; j < pad; j++) craig_set(at++, ' ');
  craig_count += pad + (sign != 0) + prefix + body;
}
static void craig_put_signed(long long v, int flags, long width, long precision) {
  craig_put_number(v < 0 ? 0ULL - (unsigned long long)v : (unsigned long long)v, v < 0, 10, 0, flags, width, precision);
}
/* A number as it is, after a minus if it has one. */
static void craig_put_decimal(unsigned long long v, int n, int negative) {
  size_t at = craig_count + negative;
  int i;
  craig_claim(n + negative);
  if (negative) craig_set(craig_count, '-');
  for (i = n; i > 0; i--) {
    craig_set(at + i - 1, '0' + (int)(v % 10));
    v /= 10;
  }
  craig_count = at + n;
}
static int craig_digits_short(unsigned v) {
  return 1 + (v >= 10U) + (v >= 100U) + (v >= 1000U) + (v >= 10000U) + (v >= 100000U)
    + (v >= 1000000U) + (v >= 10000000U) + (v >= 100000000U) + (v >= 1000000000U);
}
static void craig_put_plain_unsigned(unsigned v) { craig_put_decimal(v, craig_digits_short(v), 0); }
static void craig_put_plain_int(int v) {
  unsigned u = v < 0 ? 0U - (unsigned)v : (unsigned)v;
  craig_put_decimal(u, craig_digits_short(u), v < 0);
}
static void craig_put_plain_ulong(unsigned long long v) { craig_put_decimal(v, craig_digits_ten(v), 0); }
static void craig_put_plain_long(long long v) {
  unsigned long long u = v < 0 ? 0ULL - (unsigned long long)v : (unsigned long long)v;
  craig_put_decimal(u, craig_digits_ten(u), v < 0);
}
static void craig_put_pointer(const void *p, int flags, long width) {
  if (p == 0) craig_put_text("(nil)", flags & 1, width, -1);
  else craig_put_number((unsigned long)p, 0, 16, 0, flags | 16, width, -1);
}
/* Floating point: when run, the text; else some text of a length that fits. */
static void craig_put_float(double d, int letter, int flags, long width, long precision) {
  size_t n, i;
  if (__builtin_craig_runs()) {
    __builtin_craig_ask("float", d, letter, flags, width, precision);
    n = __builtin_craig_input_size("float.length");
    while (n > 0) {
      craig_put(__builtin_craig_input_char("float.byte"));
      n--;
    }
    return;
  }
  n = __builtin_craig_any_size();
  if (width < 0) width = -width;
  if (precision < 0) precision = 6;
  __builtin_craig_assume(n >= 1 && (n < 320 + (size_t)precision || n <= (size_t)width));
  __builtin_craig_assume(n >= (size_t)width);
  craig_claim(n);
  for (i = 0; i < n; i++) {
    char c = __builtin_craig_any_char();
    __builtin_craig_assume(c > 31 && c < 127 || c < 0 && craig_other_locale);
    craig_set(craig_count + i, c);
  }
  craig_count += n;
}
static void craig_put_long_float(long double d, int letter, int flags, long width, long precision) {
  size_t n, i;
  if (__builtin_craig_runs()) {
    __builtin_craig_ask("long float", d, letter, flags, width, precision);
    n = __builtin_craig_input_size("float.length");
    while (n > 0) {
      craig_put(__builtin_craig_input_char("float.byte"));
      n--;
    }
    return;
  }
  n = __builtin_craig_any_size();
  if (width < 0) width = -width;
  if (precision < 0) precision = 6;
  __builtin_craig_assume(n >= 1 && (n < 5000 + (size_t)precision || n <= (size_t)width));
  __builtin_craig_assume(n >= (size_t)width);
  craig_claim(n);
  for (i = 0; i < n; i++) {
    char c = __builtin_craig_any_char();
    __builtin_craig_assume(c > 31 && c < 127 || c < 0 && craig_other_locale);
    craig_set(craig_count + i, c);
  }
  craig_count += n;
}
static void craig_put_count(int *p) {
  __builtin_craig_writable(p, sizeof(int));
  *p = (int)craig_count;
}
static void craig_put_count_char(signed char *p) { __builtin_craig_writable(p, 1); *p = (signed char)craig_count; }
static void craig_put_count_short(short *p) { __builtin_craig_writable(p, sizeof *p); *p = (short)craig_count; }
static void craig_put_count_long(long *p) { __builtin_craig_writable(p, sizeof *p); *p = (long)craig_count; }
static void craig_put_count_llong(long long *p) { __builtin_craig_writable(p, sizeof *p); *p = (long long)craig_count; }

/* scanf from a stream: whether the next item is there, and what it is. A character that fits no number or
   text stays where it is, so that the same item is not there again. kind: 0 text, 1 number or literal, 2 set */
static FILE *craig_scan_from;
static void craig_scan_stdin(void) { craig_scan_from = &craig_stdin; }
static void craig_scan_begin(FILE *f) { craig_file(f); craig_scan_from = f; }
static int craig_scan_state(FILE *f) {
  if (__builtin_craig_rereads())
    if (f->own) return __builtin_craig_any_int();
  return __builtin_craig_input_int("scan");
}
static int craig_scan_next(int kind) {
  FILE *f = craig_scan_from;
  int r;
  if (f->eof) return -1;
  if (f->stuck && kind == 1) return 0;
  r = craig_scan_state(f);
  __builtin_craig_assume(r >= -1 && r <= 1 && (kind != 0 || r != 0));
  f->stuck = r == 0;
  f->pushed = 0;
  if (r == -1) craig_no_more(f);
  return r;
}
static void craig_scan_text(char *d, size_t width) {
  size_t i = 0, k = __builtin_craig_input_size("scan.length");
  __builtin_craig_assume(k > 0 && k <= width);
  while (i < k) {
    char c = __builtin_craig_input_char("scan.byte");
    __builtin_craig_assume(c != 0 && c != ' ' && !(c >= 9 && c <= 13));
    __builtin_craig_writable(d + i, 1);
    d[i] = c;
    i++;
  }
  __builtin_craig_writable(d + k, 1);
  d[k] = 0;
  __builtin_craig_ends(d + k);
}
static void craig_scan_wide(wchar_t *d, size_t width) {
  size_t i = 0, k = __builtin_craig_input_size("scan.length");
  __builtin_craig_assume(k > 0 && k <= width);
  while (i < k) {
    wchar_t c = __builtin_craig_input_int("scan.wide");
    __builtin_craig_assume(c > ' ' && c <= 0x10ffff);
    __builtin_craig_writable(d + i, sizeof(wchar_t));
    d[i] = c;
    i++;
  }
  __builtin_craig_writable(d + k, sizeof(wchar_t));
  d[k] = 0;
  __builtin_craig_ends(d + k);
}
/* The stream may end before all of them are there. */
static size_t craig_scan_many(size_t n) {
  size_t k = n;
  if (n > 1 && !__builtin_craig_runs()) {
    k = __builtin_craig_input_size("scan.length");
    __builtin_craig_assume(k > 0 && k <= n);
    if (k < n) craig_no_more(craig_scan_from);
  }
  return k;
}
static void craig_scan_chars(char *d, size_t n) {
  size_t i, k = craig_scan_many(n);
  __builtin_craig_writable(d, k);
  for (i = 0; i < k; i++) d[i] = __builtin_craig_input_char("scan.byte");
}
static void craig_scan_wide_chars(wchar_t *d, size_t n) {
  size_t i, k = craig_scan_many(n);
  __builtin_craig_writable(d, k * sizeof(wchar_t));
  for (i = 0; i < k; i++) {
    wchar_t c = __builtin_craig_input_int("scan.wide");
    __builtin_craig_assume(c >= 0 && c <= 0x10ffff);
    d[i] = c;
  }
}
static void craig_scan_char(signed char *d) { __builtin_craig_writable(d, 1); *d = __builtin_craig_input_char("scan.int"); }
static void craig_scan_short(short *d) { __builtin_craig_writable(d, sizeof *d); *d = (short)__builtin_craig_input_int("scan.int"); }
static void craig_scan_int(int *d) { __builtin_craig_writable(d, sizeof *d); *d = __builtin_craig_input_int("scan.int"); }
static void craig_scan_long(long *d) { __builtin_craig_writable(d, sizeof *d); *d = __builtin_craig_input_long("scan.int"); }
static void craig_scan_llong(long long *d) { __builtin_craig_writable(d, sizeof *d); *d = __builtin_craig_input_llong("scan.int"); }
/* A number of at most so many characters, the sign among them. */
static long long craig_within(long width, int base) {
  long long v = __builtin_craig_input_llong("scan.int"), most = 1;
  long i;
  if (width > 15) return v;
  for (i = 0; i < width; i++) most *= base;
  __builtin_craig_assume(v < most && v > -(most / base));
  return v;
}
static void craig_within_char(signed char *d, long width, int base) { __builtin_craig_writable(d, 1); *d = (signed char)craig_within(width, base); }
static void craig_within_short(short *d, long width, int base) { __builtin_craig_writable(d, sizeof *d); *d = (short)craig_within(width, base); }
static void craig_within_int(int *d, long width, int base) { __builtin_craig_writable(d, sizeof *d); *d = (int)craig_within(width, base); }
static void craig_within_long(long *d, long width, int base) { __builtin_craig_writable(d, sizeof *d); *d = (long)craig_within(width, base); }
static void craig_within_llong(long long *d, long width, int base) { __builtin_craig_writable(d, sizeof *d); *d = craig_within(width, base); }
static void craig_scan_float(float *d) { __builtin_craig_writable(d, sizeof *d); *d = __builtin_craig_input_float("scan.float"); }
static void craig_scan_double(double *d) { __builtin_craig_writable(d, sizeof *d); *d = __builtin_craig_input_double("scan.float"); }
static void craig_scan_ldouble(long double *d) { __builtin_craig_writable(d, sizeof *d); *d = __builtin_craig_input_double("scan.float"); }
static void craig_scan_pointer(void **d) { __builtin_craig_writable(d, sizeof *d); *d = (void *)__builtin_craig_any_ulong(); }

/* sscanf: the text and how far it was read; when run, a stream is read the same way. */
static const char *craig_from, *craig_from_end;
static FILE *craig_from_stream;
static int craig_from_count;
static void craig_source(const char *s) {
  craig_from = s;
  craig_from_end = s + strlen(s);
  craig_from_stream = 0;
  craig_from_count = 0;
}
static void craig_source_stream(FILE *f) {
  craig_file(f);
  craig_from_stream = f;
  craig_from_count = 0;
}
static void craig_source_stdin(void) { craig_source_stream(&craig_stdin); }
static int craig_peek(void) {
  if (__builtin_craig_runs() && craig_from_stream != 0) {
    int c = craig_read_byte(craig_from_stream);
    if (c != -1) craig_from_stream->pushed = c + 1;
    return c;
  }
  return craig_from < craig_from_end ? (unsigned char)*craig_from : -1;
}
static void craig_next(void) {
  craig_from_count++;
  if (__builtin_craig_runs() && craig_from_stream != 0) craig_from_stream->pushed = 0; else craig_from++;
}
static void craig_skip_space(void) {
  while (craig_space(craig_peek())) craig_next();
}
/* 1 matched, 0 not, -1 the text is at its end. */
static int craig_source_literal(int c) {
  int d = craig_peek();
  if (d == -1) return -1;
  if (d != c) return 0;
  craig_next();
  return 1;
}
/* Unsigned conversions have a negative base. What is too large becomes the greatest number, as with strtol. */
static int craig_source_number(long width, int base, unsigned long long most, unsigned long long *v, int *negative) {
  int any = 0, c, d, large = 0, is_unsigned = base < 0;
  if (is_unsigned) base = -base;
  *v = 0;
  *negative = 0;
  craig_skip_space();
  c = craig_peek();
  if (c == -1) return -1;
  if (c == '-' || c == '+') {
    *negative = c == '-';
    craig_next();
    width--;
    c = craig_peek();
  }
  if ((base == 0 || base == 16) && width > 0 && c == '0') {
    any = 1;
    craig_next();
    width--;
    c = craig_peek();
    if (width > 0 && (c == 'x' || c == 'X')) {
      base = 16;
      any = 0;
      craig_next();
      width--;
      if (width <= 0 || craig_peek() == -1 || craig_digit(craig_peek()) >= 16) {
        /* Libraries differ; for the one that a run is compared with it is a zero. */
        any = __builtin_craig_runs() || __builtin_craig_any_bool();
      }
    } else if (base == 0) {
      base = 8;
    }
  }
  if (base == 0) base = 10;
  while (width > 0) {
    c = craig_peek();
    d = c == -1 ? 99 : craig_digit(c);
    if (d >= base) break;
    if (*v > most / base || (*v == most / base && (unsigned)d > most % base)) large = 1;
    *v = *v * base + d;
    any = 1;
    craig_next();
    width--;
  }
  if (is_unsigned) {
    if (large) {
      *v = most;
      *negative = 0;
    }
  } else if (large || *v > most / 2 + *negative) {
    *v = most / 2 + *negative;
  }
  return any;
}
/* Where nothing is stored (`%*d`) the pointer is one that no program has. */
static int craig_source_int(int *p, long width, int base) {
  unsigned long long v;
  int negative, r = craig_source_number(width, base, (unsigned long)-1, &v, &negative);
  if (r == 1 && p != (void *)1) { __builtin_craig_writable(p, sizeof *p); *p = (int)(negative ? 0 - v : v); }
  return r;
}
static int craig_source_short(short *p, long width, int base) {
  unsigned long long v;
  int negative, r = craig_source_number(width, base, (unsigned long)-1, &v, &negative);
  if (r == 1 && p != (void *)1) { __builtin_craig_writable(p, sizeof *p); *p = (short)(negative ? 0 - v : v); }
  return r;
}
static int craig_source_char(signed char *p, long width, int base) {
  unsigned long long v;
  int negative, r = craig_source_number(width, base, (unsigned long)-1, &v, &negative);
  if (r == 1 && p != (void *)1) { __builtin_craig_writable(p, sizeof *p); *p = (signed char)(negative ? 0 - v : v); }
  return r;
}
static int craig_source_long(long *p, long width, int base) {
  unsigned long long v;
  int negative, r = craig_source_number(width, base, (unsigned long)-1, &v, &negative);
  if (r == 1 && p != (void *)1) { __builtin_craig_writable(p, sizeof *p); *p = (long)(negative ? 0 - v : v); }
  return r;
}
static int craig_source_llong(long long *p, long width, int base) {
  unsigned long long v;
  int negative, r = craig_source_number(width, base, (unsigned long long)-1, &v, &negative);
  if (r == 1 && p != (void *)1) { __builtin_craig_writable(p, sizeof *p); *p = (long long)(negative ? 0 - v : v); }
  return r;
}
static int craig_source_pointer(void **p, long width) {
  unsigned long long v;
  int negative, r = craig_source_number(width, -16, (unsigned long)-1, &v, &negative);
  if (r == 1 && p != (void *)1) { __builtin_craig_writable(p, sizeof *p); *p = (void *)__builtin_craig_any_ulong(); }
  return r;
}
static int craig_source_text(char *d, size_t width) {
  size_t i = 0;
  int c;
  craig_skip_space();
  if (craig_peek() == -1) return -1;
  while (i < width) {
    c = craig_peek();
    if (c == -1 || craig_space(c)) break;
    if (d != (void *)1) {
      __builtin_craig_writable(d + i, 1);
      d[i] = c;
    }
    i++;
    craig_next();
  }
  if (d != (void *)1) {
    __builtin_craig_writable(d + i, 1);
    d[i] = 0;
    __builtin_craig_ends(d + i);
  }
  return 1;
}
static int craig_source_chars(char *d, size_t n) {
  size_t i;
  for (i = 0; i < n; i++) {
    int c = craig_peek();
    if (c == -1) return i == 0 ? -1 : 1;
    if (d != (void *)1) {
      __builtin_craig_writable(d + i, 1);
      d[i] = c;
    }
    craig_next();
  }
  return 1;
}
static int craig_source_count(int *p) { __builtin_craig_writable(p, sizeof *p); *p = craig_from_count; return 1; }
static int craig_source_count_char(signed char *p) { __builtin_craig_writable(p, 1); *p = (signed char)craig_from_count; return 1; }
static int craig_source_count_short(short *p) { __builtin_craig_writable(p, sizeof *p); *p = (short)craig_from_count; return 1; }
static int craig_source_count_long(long *p) { __builtin_craig_writable(p, sizeof *p); *p = craig_from_count; return 1; }
static int craig_source_count_llong(long long *p) { __builtin_craig_writable(p, sizeof *p); *p = craig_from_count; return 1; }
/* Characters of a text as wide ones. */
static int craig_source_wide(wchar_t *d, size_t width, int kind, const char *set, int inverted) {
  size_t i = 0;
  int c;
  if (kind == 's') craig_skip_space();
  if (craig_peek() == -1) return -1;
  while (i < width) {
    c = craig_peek();
    if (c == -1 || (kind == 's' && craig_space(c)) || (kind == '[' && craig_in_set(set, c) == inverted)) break;
    if (c > 127) __builtin_craig_unmodelled("the bytes of a wide character depend on the locale");
    if (d != (void *)1) {
      __builtin_craig_writable(d + i, sizeof(wchar_t));
      d[i] = c;
    }
    i++;
    craig_next();
  }
  if (i == 0) return 0;
  if (d != (void *)1 && kind != 'c') {
    __builtin_craig_writable(d + i, sizeof(wchar_t));
    d[i] = 0;
    __builtin_craig_ends(d + i);
  }
  return 1;
}
static int craig_source_set(char *d, size_t width, const char *set, int inverted) {
  size_t i = 0;
  if (craig_peek() == -1) return -1;
  while (i < width) {
    int c = craig_peek();
    if (c == -1 || craig_in_set(set, c) == inverted) break;
    if (d != (void *)1) {
      __builtin_craig_writable(d + i, 1);
      d[i] = c;
    }
    i++;
    craig_next();
  }
  if (i == 0) return 0;
  if (d != (void *)1) {
    __builtin_craig_writable(d + i, 1);
    d[i] = 0;
    __builtin_craig_ends(d + i);
  }
  return 1;
}
/* The characters of a number are gathered, then converted. */
static int craig_source_real(char *s, long width) {
  int n = 0, c, digits = 0, point = 0, power = 0;
  craig_skip_space();
  if (craig_peek() == -1) return -1;
  if (width > 300) width = 300;
  while (n < width) {
    c = craig_peek();
    if (c >= '0' && c <= '9') digits = 1;
    else if ((c == '+' || c == '-') && (n == 0 || s[n - 1] == 'e' || s[n - 1] == 'E')) ;
    else if (c == '.' && !point && !power) point = 1;
    else if ((c == 'e' || c == 'E') && digits && !power) power = 1;
    else break;
    s[n] = c;
    n++;
    craig_next();
  }
  s[n] = 0;
  c = n < width ? craig_peek() : -1;
  if ((c == 'x' || c == 'X') && n > 0 && n <= 2 && s[n - 1] == '0' && (n == 1 || s[0] == '+' || s[0] == '-') || (!digits && !point && (c == 'i' || c == 'I' || c == 'n' || c == 'N'))) {
    size_t more = __builtin_craig_any_size();
    if (__builtin_craig_runs()) __builtin_craig_unmodelled("scanning of infinities and hexadecimal floats is not modelled");
    /* Infinities and hexadecimal floats: how far they are read is any place, what they are any value. */
    __builtin_craig_assume(more <= (size_t)(craig_from_end - craig_from));
    craig_from += more;
    craig_from_count += (int)more;
    return __builtin_craig_any_bool() ? 2 : 0;
  }
  return digits;
}
static int craig_source_double(double *p, long width) {
  char s[304];
  int r = craig_source_real(s, width);
  if (r > 0 && p != (void *)1) { __builtin_craig_writable(p, sizeof *p); *p = r == 2 ? __builtin_craig_any_double() : strtod(s, 0); }
  return r > 0 ? 1 : r;
}
static int craig_source_float(float *p, long width) {
  char s[304];
  int r = craig_source_real(s, width);
  if (r > 0 && p != (void *)1) { __builtin_craig_writable(p, sizeof *p); *p = r == 2 ? __builtin_craig_any_float() : strtof(s, 0); }
  return r > 0 ? 1 : r;
}
static int craig_source_ldouble(long double *p, long width) {
  char s[304];
  int r = craig_source_real(s, width);
  if (r > 0 && p != (void *)1) { __builtin_craig_writable(p, sizeof *p); *p = r == 2 ? __builtin_craig_any_ldouble() : strtold(s, 0); }
  return r > 0 ? 1 : r;
}
static int craig_in_set(const char *set, int c) {
  while (*set != 0) {
    if ((unsigned char)*set == (unsigned char)c) return 1;
    set++;
  }
  return 0;
}
static void craig_scan_set(char *d, size_t width, const char *set, int inverted) {
  size_t i = 0, k = __builtin_craig_input_size("scan.length");
  __builtin_craig_assume(k > 0 && k <= width);
  while (i < k) {
    char c = __builtin_craig_input_char("scan.byte");
    __builtin_craig_assume(c != 0 && craig_in_set(set, c) != inverted);
    __builtin_craig_writable(d + i, 1);
    d[i] = c;
    i++;
  }
  __builtin_craig_writable(d + k, 1);
  d[k] = 0;
  __builtin_craig_ends(d + k);
}
static void craig_scan_count_char(signed char *p) { __builtin_craig_writable(p, 1); *p = __builtin_craig_any_char(); }
static void craig_scan_count_short(short *p) { __builtin_craig_writable(p, sizeof *p); *p = (short)__builtin_craig_any_int(); }
static void craig_scan_count_long(long *p) { __builtin_craig_writable(p, sizeof *p); *p = __builtin_craig_any_long(); }
static void craig_scan_count_llong(long long *p) { __builtin_craig_writable(p, sizeof *p); *p = __builtin_craig_any_long(); }
static void craig_scan_count(int *p) { __builtin_craig_writable(p, sizeof *p); *p = __builtin_craig_any_int(); }

/* Formats that are known only at run time. */
static const char *craig_measure(const char *f, long *n) {
  while (*f >= '0' && *f <= '9') {
    *n = *n * 10 + (*f - '0');
    f++;
  }
  return f;
}
static void craig_format(const char *f, va_list ap) {
  craig_str_end(f);
  while (*f != 0) {
    int flags = 0, size = 0, letter;
    long width = 0, precision = -1;
    if (*f != '%') {
      craig_put((unsigned char)*f);
      f++;
      continue;
    }
    f++;
    for (;; f++) {
      if (*f == '-') flags |= 1;
      else if (*f == '0') flags |= 2;
      else if (*f == '+') flags |= 4;
      else if (*f == ' ') flags |= 8;
      else if (*f == '#') flags |= 16;
      else break;
    }
    if (*f == '*') {
      width = __builtin_va_arg(ap, int);
      f++;
    } else {
      f = craig_measure(f, &width);
    }
    if (*f == '.') {
      f++;
      precision = 0;
      if (*f == '*') {
        precision = __builtin_va_arg(ap, int);
        f++;
      } else {
        f = craig_measure(f, &precision);
      }
    }
    for (;; f++) {
      if (*f == 'h') size = size == -1 ? -2 : -1;
      else if (*f == 'l') size = size == 1 ? 2 : 1;
      else if (*f == 'z' || *f == 't') size = 1;
      else if (*f == 'j' || *f == 'q' || *f == 'L') size = 2;
      else break;
    }
    letter = *f;
    if (letter != 0) f++;
    if (letter == 'd' || letter == 'i') {
      long long v;
      if (size == 2) v = __builtin_va_arg(ap, long long);
      else if (size == 1) v = __builtin_va_arg(ap, long);
      else v = __builtin_va_arg(ap, int);
      if (size == -1) v = (short)v;
      if (size == -2) v = (signed char)v;
      craig_put_signed(v, flags, width, precision);
    } else if (letter == 'u' || letter == 'x' || letter == 'X' || letter == 'o') {
      unsigned long long v;
      if (size == 2) v = __builtin_va_arg(ap, unsigned long long);
      else if (size == 1) v = __builtin_va_arg(ap, unsigned long);
      else v = __builtin_va_arg(ap, unsigned);
      if (size == -1) v = (unsigned short)v;
      if (size == -2) v = (unsigned char)v;
      craig_put_number(v, 0, letter == 'u' ? 10 : letter == 'o' ? 8 : 16, letter == 'X', flags & ~12, width, precision);
    } else if (letter == 'C' || (letter == 'c' && size == 1)) {
      craig_put_wide_char(__builtin_va_arg(ap, int), flags, width);
    } else if (letter == 'c') {
      craig_put_char(__builtin_va_arg(ap, int), flags, width);
    } else if (letter == 's' && size != 1) {
      craig_put_text(__builtin_va_arg(ap, const char *), flags, width, precision);
    } else if (letter == 's' || letter == 'S') {
      craig_put_wide(__builtin_va_arg(ap, const wchar_t *), flags, width, precision);
    } else if (letter == 'p') {
      craig_put_pointer(__builtin_va_arg(ap, const void *), flags, width);
    } else if (letter == 'n') {
      if (size == 2) craig_put_count_llong(__builtin_va_arg(ap, long long *));
      else if (size == 1) craig_put_count_long(__builtin_va_arg(ap, long *));
      else if (size == -1) craig_put_count_short(__builtin_va_arg(ap, short *));
      else if (size == -2) craig_put_count_char(__builtin_va_arg(ap, signed char *));
      else craig_put_count(__builtin_va_arg(ap, int *));
    } else if (letter == 'm') {
      craig_put_text(strerror(craig_errno), flags, width, precision);
    } else if (letter == '%') {
      craig_put('%');
    } else if (letter == 'f' || letter == 'F' || letter == 'e' || letter == 'E' || letter == 'g' || letter == 'G' || letter == 'a' || letter == 'A') {
      if (size == 2) craig_put_long_float(__builtin_va_arg(ap, long double), letter, flags, width, precision);
      else craig_put_float(__builtin_va_arg(ap, double), letter, flags, width, precision);
    } else {
      __builtin_craig_unmodelled("the format has a conversion that is not modelled");
      return;
    }
  }
}
int vsnprintf(char *d, size_t n, const char *f, va_list ap) { craig_begin(d, n); craig_format(f, ap); return craig_end(n); }
int vsprintf(char *d, const char *f, va_list ap) { craig_begin(d, -1); craig_format(f, ap); return craig_end(-1); }
int vfprintf(FILE *s, const char *f, va_list ap) { craig_begin_onto(s); craig_format(f, ap); craig_printed(); return craig_end(0); }
int vprintf(const char *f, va_list ap) { craig_begin_onto(&craig_stdout); craig_format(f, ap); craig_printed(); return craig_end(0); }
int vdprintf(int fd, const char *f, va_list ap) { craig_begin(0, 0); craig_format(f, ap); craig_printed(); return craig_end(0); }
void vsyslog(int level, const char *f, va_list ap) { craig_begin(0, 0); craig_format(f, ap); }
int vasprintf(char **p, const char *f, va_list ap) {
  va_list again;
  int n;
  __builtin_va_copy(again, ap);
  craig_begin(0, 0);
  craig_format(f, ap);
  craig_begin_new();
  craig_format(f, again);
  n = craig_end_new(p);
  __builtin_va_end(again);
  return n;
}
int __vsnprintf_chk(char *d, size_t n, int flag, size_t size, const char *f, va_list ap) { return vsnprintf(d, n, f, ap); }
int __vsprintf_chk(char *d, int flag, size_t size, const char *f, va_list ap) { return vsprintf(d, f, ap); }
int __vfprintf_chk(FILE *s, int flag, const char *f, va_list ap) { return vfprintf(s, f, ap); }
int __vprintf_chk(int flag, const char *f, va_list ap) { return vprintf(f, ap); }
int snprintf(char *d, size_t n, const char *f, ...) { va_list ap; int r; __builtin_va_start(ap, f); r = vsnprintf(d, n, f, ap); __builtin_va_end(ap); return r; }
int sprintf(char *d, const char *f, ...) { va_list ap; int r; __builtin_va_start(ap, f); r = vsprintf(d, f, ap); __builtin_va_end(ap); return r; }
int asprintf(char **p, const char *f, ...) { va_list ap; int r; __builtin_va_start(ap, f); r = vasprintf(p, f, ap); __builtin_va_end(ap); return r; }
static int craig_printf(const char *f, ...) { va_list ap; int r; __builtin_va_start(ap, f); r = vprintf(f, ap); __builtin_va_end(ap); return r; }
static int craig_fprintf(FILE *s, const char *f, ...) { va_list ap; int r; __builtin_va_start(ap, f); r = vfprintf(s, f, ap); __builtin_va_end(ap); return r; }
/* Wide formats at run time: the same with narrow words. */
static char *craig_narrow(const wchar_t *f) {
  size_t i, n = wcslen(f);
  char *s = __builtin_alloca(n + 1);
  for (i = 0; i < n; i++) s[i] = f[i];
  s[n] = 0;
  __builtin_craig_ends(s + n);
  return s;
}
int vswprintf(wchar_t *d, size_t n, const wchar_t *f, va_list ap) { craig_begin_wide(d, n); craig_format(craig_narrow(f), ap); return craig_end_wide(n); }
int vfwprintf(FILE *s, const wchar_t *f, va_list ap) { craig_begin_onto(s); craig_format(craig_narrow(f), ap); craig_printed(); return craig_end(0); }
int vwprintf(const wchar_t *f, va_list ap) { return vfwprintf(&craig_stdout, f, ap); }
int swprintf(wchar_t *d, size_t n, const wchar_t *f, ...) { va_list ap; int r; __builtin_va_start(ap, f); r = vswprintf(d, n, f, ap); __builtin_va_end(ap); return r; }
/* Formats of scanf that are known only at run time. */
static int craig_unread(void) { __builtin_craig_unmodelled("what a wide format known only at run time reads is not modelled"); return __builtin_craig_any_int(); }
/* Is a character in the n characters of a set, which may have ranges? */
static int craig_in_ranges(const char *set, size_t n, int c) {
  size_t i = 0;
  while (i < n) {
    int low = (unsigned char)set[i], high = low;
    if (i + 2 < n && set[i + 1] == '-') {
      high = (unsigned char)set[i + 2];
      i += 2;
    }
    if (c >= low && c <= high) return 1;
    i++;
  }
  return 0;
}
static int craig_source_ranges(char *d, size_t width, const char *set, size_t n, int inverted) {
  size_t i = 0;
  if (craig_peek() == -1) return -1;
  while (i < width) {
    int c = craig_peek();
    if (c == -1 || craig_in_ranges(set, n, c) == inverted) break;
    if (d != (void *)1) {
      __builtin_craig_writable(d + i, 1);
      d[i] = c;
    }
    i++;
    craig_next();
  }
  if (i == 0) return 0;
  if (d != (void *)1) {
    __builtin_craig_writable(d + i, 1);
    d[i] = 0;
    __builtin_craig_ends(d + i);
  }
  return 1;
}
static void craig_scan_ranges(char *d, size_t width, const char *set, size_t n, int inverted) {
  size_t i = 0, k = __builtin_craig_input_size("scan.length");
  __builtin_craig_assume(k > 0 && k <= width);
  while (i < k) {
    char c = __builtin_craig_input_char("scan.byte");
    __builtin_craig_assume(c != 0 && craig_in_ranges(set, n, (unsigned char)c) != inverted);
    if (d != (void *)1) {
      __builtin_craig_writable(d + i, 1);
      d[i] = c;
    }
    i++;
  }
  if (d != (void *)1) {
    __builtin_craig_writable(d + k, 1);
    d[k] = 0;
    __builtin_craig_ends(d + k);
  }
}
/* text: the characters are known one by one (a string, or any stream when run), else the outside chooses items. */
static int craig_scan_format(const char *f, va_list ap, int text) {
  int items = 0;
  craig_str_end(f);
  while (*f != 0) {
    int stored = 1, size = 0, letter, inverted = 0, r;
    long width = 0;
    const char *set = f;
    size_t n = 0;
    void *p = (void *)1;
    if (craig_space((unsigned char)*f)) {
      if (text) craig_skip_space();
      f++;
      continue;
    }
    if (*f != '%' || f[1] == '%') {
      if (*f == '%') {
        if (text) craig_skip_space();
        f++;
      }
      if (text) r = craig_source_literal((unsigned char)*f); else r = craig_scan_next(1);
      if (r != 1) return r == -1 && items == 0 ? -1 : items;
      f++;
      continue;
    }
    f++;
    if (*f == '*') {
      stored = 0;
      f++;
    }
    f = craig_measure(f, &width);
    for (;; f++) {
      if (*f == 'h') size = size == -1 ? -2 : -1;
      else if (*f == 'l') size = size == 1 ? 2 : 1;
      else if (*f == 'z' || *f == 't') size = 1;
      else if (*f == 'j' || *f == 'q' || *f == 'L') size = 2;
      else break;
    }
    letter = *f;
    if (letter != 0) f++;
    if (letter == '[') {
      if (*f == '^') {
        inverted = 1;
        f++;
      }
      set = f;
      if (*f != 0) f++;
      while (*f != ']' && *f != 0) f++;
      n = f - set;
      if (*f != 0) f++;
    }
    if (width <= 0) width = letter == 'c' ? 1 : 0x7fffffff;
    if (size != 0 && (letter == 's' || letter == 'c' || letter == '[')) {
      __builtin_craig_unmodelled("wide characters of a format known only at run time are not modelled");
      return __builtin_craig_any_int();
    }
    if (stored) p = __builtin_va_arg(ap, void *);
    if (letter == 'n') {
      if (!text) {
        __builtin_craig_unmodelled("how far a stream is read is not modelled");
        return __builtin_craig_any_int();
      }
      if (stored) {
        if (size == 2) craig_source_count_llong(p);
        else if (size == 1) craig_source_count_long(p);
        else if (size == -1) craig_source_count_short(p);
        else if (size == -2) craig_source_count_char(p);
        else craig_source_count(p);
      }
      continue;
    }
    if (letter == 'd' || letter == 'i' || letter == 'u' || letter == 'x' || letter == 'X' || letter == 'o') {
      int base = letter == 'd' ? 10 : letter == 'i' ? 0 : letter == 'u' ? -10 : letter == 'o' ? -8 : -16;
      if (!text) {
        r = craig_scan_next(1);
        if (r == 1 && stored && width < 16) {
          int most = base == 0 || base == 10 || base == -10 ? 10 : -base;
          if (size == 2) craig_within_llong(p, width, most);
          else if (size == 1) craig_within_long(p, width, most);
          else if (size == -1) craig_within_short(p, width, most);
          else if (size == -2) craig_within_char(p, width, most);
          else craig_within_int(p, width, most);
        } else if (r == 1 && stored) {
          if (size == 2) craig_scan_llong(p);
          else if (size == 1) craig_scan_long(p);
          else if (size == -1) craig_scan_short(p);
          else if (size == -2) craig_scan_char(p);
          else craig_scan_int(p);
        }
      } else if (size == 2) r = craig_source_llong(p, width, base);
      else if (size == 1) r = craig_source_long(p, width, base);
      else if (size == -1) r = craig_source_short(p, width, base);
      else if (size == -2) r = craig_source_char(p, width, base);
      else r = craig_source_int(p, width, base);
    } else if (letter == 's') {
      if (text) r = craig_source_text(p, width);
      else {
        r = craig_scan_next(0);
        if (r == 1 && stored) craig_scan_text(p, width);
      }
    } else if (letter == 'c') {
      if (text) r = craig_source_chars(p, width);
      else {
        r = craig_scan_next(0);
        if (r == 1 && stored) craig_scan_chars(p, width);
      }
    } else if (letter == '[') {
      if (text) r = craig_source_ranges(p, width, set, n, inverted);
      else {
        r = craig_scan_next(2);
        if (r == 1) craig_scan_ranges(p, width, set, n, inverted);
      }
    } else if (letter == 'f' || letter == 'F' || letter == 'e' || letter == 'E' || letter == 'g' || letter == 'G' || letter == 'a' || letter == 'A') {
      if (!text) {
        r = craig_scan_next(1);
        if (r == 1 && stored) {
          if (size == 2) craig_scan_ldouble(p);
          else if (size == 1) craig_scan_double(p);
          else craig_scan_float(p);
        }
      } else if (size == 2) r = craig_source_ldouble(p, width);
      else if (size == 1) r = craig_source_double(p, width);
      else r = craig_source_float(p, width);
    } else {
      __builtin_craig_unmodelled("the format has a conversion that is not modelled");
      return __builtin_craig_any_int();
    }
    if (r != 1) return r == -1 && items == 0 ? -1 : items;
    items += stored;
  }
  return items;
}
int vsscanf(const char *s, const char *f, va_list ap) { craig_source(s); return craig_scan_format(f, ap, 1); }
int vfscanf(FILE *s, const char *f, va_list ap) {
  if (__builtin_craig_runs()) {
    craig_source_stream(s);
    return craig_scan_format(f, ap, 1);
  }
  craig_scan_begin(s);
  return craig_scan_format(f, ap, 0);
}
int vscanf(const char *f, va_list ap) { return vfscanf(&craig_stdin, f, ap); }
int scanf(const char *f, ...) { va_list ap; int r; __builtin_va_start(ap, f); r = vfscanf(&craig_stdin, f, ap); __builtin_va_end(ap); return r; }
int fscanf(FILE *s, const char *f, ...) { va_list ap; int r; __builtin_va_start(ap, f); r = vfscanf(s, f, ap); __builtin_va_end(ap); return r; }
int sscanf(const char *s, const char *f, ...) { va_list ap; int r; __builtin_va_start(ap, f); r = vsscanf(s, f, ap); __builtin_va_end(ap); return r; }
int vwscanf(const wchar_t *f, va_list ap) { craig_wcs_end(f); return craig_unread(); }
int vfwscanf(FILE *s, const wchar_t *f, va_list ap) { craig_file(s); craig_wcs_end(f); return craig_unread(); }
int vswscanf(const wchar_t *s, const wchar_t *f, va_list ap) { craig_wcs_end(s); craig_wcs_end(f); return craig_unread(); }
int swscanf(const wchar_t *s, const wchar_t *f, ...) { craig_wcs_end(s); craig_wcs_end(f); return craig_unread(); }
