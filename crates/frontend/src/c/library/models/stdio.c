/* stdio.h: streams. A stream is an object of ours; what it holds is chosen by the outside. */
struct craig_stream { int open; int eof; int error; int pushed; int known; };
typedef struct craig_stream FILE;
static struct craig_stream craig_stdin, craig_stdout, craig_stderr;
static void craig_file(FILE *f) {
  __builtin_craig_require(f != 0, "the stream is null");
}
static int craig_read_byte(FILE *f) {
  int c;
  if (f->pushed != 0) {
    c = f->pushed - 1;
    f->pushed = 0;
    return c;
  }
  c = __builtin_craig_input_int("stdin");
  __builtin_craig_assume(c >= -1 && c <= 255);
  return c;
}
int getchar(void) { return craig_read_byte(&craig_stdin); }
int getchar_unlocked(void) { return craig_read_byte(&craig_stdin); }
int getc(FILE *f) { craig_file(f); return craig_read_byte(f); }
int fgetc(FILE *f) { craig_file(f); return craig_read_byte(f); }
int _IO_getc(FILE *f) { craig_file(f); return craig_read_byte(f); }
int getc_unlocked(FILE *f) { craig_file(f); return craig_read_byte(f); }
wint_t getwchar(void) {
  int c = __builtin_craig_input_int("stdin");
  __builtin_craig_assume(c >= -1 && c <= 0x10ffff);
  return c;
}
wint_t fgetwc(FILE *f) { craig_file(f); return getwchar(); }
wint_t getwc(FILE *f) { craig_file(f); return getwchar(); }
int ungetc(int c, FILE *f) {
  craig_file(f);
  if (c == -1) return -1;
  f->pushed = (unsigned char)c + 1;
  return (unsigned char)c;
}
wint_t ungetwc(wint_t c, FILE *f) { craig_file(f); return c; }
/* A line of at most n - 1 characters, or null. */
static char *craig_line(char *s, int n) {
  int i = 0, k;
  if (n <= 0) return 0;
  if (n == 1) {
    *s = 0;
    return s;
  }
  k = __builtin_craig_input_int("stdin.line");
  __builtin_craig_assume(k >= 0 && k < n);
  if (k == 0) return 0;
  while (i < k) {
    char c = __builtin_craig_input_char("stdin.byte");
    __builtin_craig_assume(c != '\n' || i == k - 1);
    s[i] = c;
    i++;
  }
  s[k] = 0;
  __builtin_craig_ends(s + k);
  return s;
}
char *fgets(char *s, int n, FILE *f) {
  craig_file(f);
  __builtin_craig_writable(s, n > 0 ? n : 0);
  return craig_line(s, n);
}
char *fgets_unlocked(char *s, int n, FILE *f) { return fgets(s, n, f); }
wchar_t *fgetws(wchar_t *s, int n, FILE *f) {
  int i = 0, k;
  craig_file(f);
  __builtin_craig_writable(s, n > 0 ? n * sizeof(wchar_t) : 0);
  if (n <= 0) return 0;
  if (n == 1) {
    *s = 0;
    return s;
  }
  k = __builtin_craig_input_int("stdin.line");
  __builtin_craig_assume(k >= 0 && k < n);
  if (k == 0) return 0;
  while (i < k) {
    wchar_t c = __builtin_craig_input_int("stdin.wide");
    __builtin_craig_assume(c >= 0 && c <= 0x10ffff && (c != '\n' || i == k - 1));
    s[i] = c;
    i++;
  }
  s[k] = 0;
  __builtin_craig_ends(s + k);
  return s;
}
/* No bound: the line may be longer than any array. */
char *gets(char *s) {
  size_t i = 0;
  for (;;) {
    int c = craig_read_byte(&craig_stdin);
    if (c == -1 && i == 0) return 0;
    __builtin_craig_writable(s + i, 1);
    if (c == -1 || c == '\n') {
      s[i] = 0;
      __builtin_craig_ends(s + i);
      return s;
    }
    s[i] = c;
    i++;
  }
}
static size_t craig_bytes(char *s, size_t n) {
  size_t i, k = __builtin_craig_input_size("stdin.count");
  __builtin_craig_assume(k <= n);
  for (i = 0; i < k; i++) s[i] = __builtin_craig_input_char("stdin.byte");
  return k;
}
size_t fread(void *p, size_t size, size_t n, FILE *f) {
  craig_file(f);
  __builtin_craig_writable(p, size * n);
  if (size == 0 || n == 0) return 0;
  return craig_bytes(p, size * n) / size;
}
size_t fread_unlocked(void *p, size_t size, size_t n, FILE *f) { return fread(p, size, n, f); }
static size_t craig_written(size_t n) {
  size_t k = __builtin_craig_input_size("written");
  __builtin_craig_assume(k <= n);
  return k;
}
size_t fwrite(const void *p, size_t size, size_t n, FILE *f) {
  craig_file(f);
  __builtin_craig_readable(p, size * n);
  if (size == 0) return 0;
  return craig_written(n);
}
ssize_t getdelim(char **line, size_t *size, int end, FILE *f) {
  size_t i, k;
  char *s;
  craig_file(f);
  __builtin_craig_writable(line, sizeof(char *));
  __builtin_craig_writable(size, sizeof(size_t));
  k = __builtin_craig_input_size("stdin.line");
  if (k == 0) return -1;
  __builtin_craig_assume(k < 0x7fffffff);
  if (*line == 0 || *size < k + 1) {
    s = realloc(*line, k + 1);
    if (s == 0) return -1;
    *line = s;
    *size = k + 1;
  }
  s = *line;
  for (i = 0; i < k; i++) {
    char c = __builtin_craig_input_char("stdin.byte");
    __builtin_craig_assume(c != end || i == k - 1);
    s[i] = c;
  }
  s[k] = 0;
  __builtin_craig_ends(s + k);
  return k;
}
ssize_t getline(char **line, size_t *size, FILE *f) { return getdelim(line, size, '\n', f); }
static FILE *craig_open(void) {
  FILE *f;
  if (__builtin_craig_input_bool("fopen.fails")) {
    craig_errno = 2;
    return 0;
  }
  f = __builtin_alloca(sizeof(struct craig_stream));
  f->open = 1;
  f->pushed = 0;
  return f;
}
FILE *fopen(const char *name, const char *mode) { craig_str_end(name); craig_str_end(mode); return craig_open(); }
FILE *fopen64(const char *name, const char *mode) { return fopen(name, mode); }
FILE *fdopen(int fd, const char *mode) { craig_str_end(mode); return craig_open(); }
FILE *tmpfile(void) { return craig_open(); }
FILE *popen(const char *name, const char *mode) { return fopen(name, mode); }
FILE *freopen(const char *name, const char *mode, FILE *f) {
  craig_file(f);
  craig_str_end(mode);
  return __builtin_craig_input_bool("fopen.fails") ? (FILE *)0 : f;
}
int fclose(FILE *f) {
  craig_file(f);
  if (f != &craig_stdin && f != &craig_stdout && f != &craig_stderr) {
    __builtin_craig_readable(f, sizeof(struct craig_stream));
    __builtin_craig_require(f->open == 1, "the stream is closed already");
    f->open = 0;
  }
  return __builtin_craig_input_bool("fclose.fails") ? -1 : 0;
}
int pclose(FILE *f) { return fclose(f); }
int fflush(FILE *f) { return 0; }
int fflush_unlocked(FILE *f) { return 0; }
int feof(FILE *f) { craig_file(f); return __builtin_craig_any_int(); }
int ferror(FILE *f) { craig_file(f); return __builtin_craig_any_int(); }
void clearerr(FILE *f) { craig_file(f); }
int fileno(FILE *f) {
  int n = __builtin_craig_input_int("fileno");
  craig_file(f);
  __builtin_craig_assume(n >= 0);
  return n;
}
int fseek(FILE *f, long at, int from) { craig_file(f); return __builtin_craig_input_bool("fseek.fails") ? -1 : 0; }
int fseeko(FILE *f, long at, int from) { craig_file(f); return __builtin_craig_input_bool("fseek.fails") ? -1 : 0; }
long ftell(FILE *f) {
  long n = __builtin_craig_input_long("ftell");
  craig_file(f);
  __builtin_craig_assume(n >= -1);
  return n;
}
long ftello(FILE *f) { return ftell(f); }
void rewind(FILE *f) { craig_file(f); }
void setbuf(FILE *f, char *b) { craig_file(f); }
void setlinebuf(FILE *f) { craig_file(f); }
void setbuffer(FILE *f, char *b, size_t n) { craig_file(f); }
int setvbuf(FILE *f, char *b, int mode, size_t n) { craig_file(f); return 0; }
int remove(const char *name) { craig_str_end(name); return __builtin_craig_input_bool("remove.fails") ? -1 : 0; }
int rename(const char *a, const char *b) { craig_str_end(a); craig_str_end(b); return __builtin_craig_input_bool("rename.fails") ? -1 : 0; }
int fwide(FILE *f, int mode) { craig_file(f); return mode; }

/* What is printed: pointers must be valid; the rest is for `run`. */
int fputs(const char *s, FILE *f) { craig_file(f); craig_str_end(s); return 1; }
int fputs_unlocked(const char *s, FILE *f) { return fputs(s, f); }
int fputws(const wchar_t *s, FILE *f) { craig_file(f); craig_wcs_end(s); return 1; }
wint_t putwchar(wchar_t c) { return c; }
wint_t fputwc(wchar_t c, FILE *f) { craig_file(f); return c; }
wint_t putwc(wchar_t c, FILE *f) { craig_file(f); return c; }
void perror(const char *s) { if (s != 0) craig_str_end(s); }

/* Formatted text goes to a place that is kept here. */
static char *craig_to;
static wchar_t *craig_wide_to;
static size_t craig_room, craig_count;
static void craig_put(int c) {
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
static void craig_pad(int c, long n) {
  while (n > 0) {
    craig_put(c);
    n--;
  }
}
static void craig_begin(char *d, size_t n) {
  craig_to = d;
  craig_wide_to = 0;
  craig_room = n;
  craig_count = 0;
}
static void craig_begin_wide(wchar_t *d, size_t n) {
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
  if (!(flags & 1)) craig_pad(' ', width - 1);
  craig_put((unsigned char)c);
  if (flags & 1) craig_pad(' ', width - 1);
}
static void craig_put_text(const char *s, int flags, long width, long precision) {
  size_t i, n = precision < 0 ? strlen(s) : strnlen(s, precision);
  if (!(flags & 1)) craig_pad(' ', width - (long)n);
  for (i = 0; i < n; i++) craig_put((unsigned char)s[i]);
  if (flags & 1) craig_pad(' ', width - (long)n);
}
static void craig_put_wide(const wchar_t *s, int flags, long width, long precision) {
  size_t i, n = precision < 0 ? wcslen(s) : wcsnlen(s, precision);
  if (!(flags & 1)) craig_pad(' ', width - (long)n);
  for (i = 0; i < n; i++) craig_put(s[i]);
  if (flags & 1) craig_pad(' ', width - (long)n);
}
static void craig_put_number(unsigned long long v, int negative, int base, int upper, int flags, long width, long precision) {
  char digits[68];
  int n = 0, i, d, prefix = 0, zero = v == 0;
  int sign = negative ? '-' : flags & 4 ? '+' : flags & 8 ? ' ' : 0;
  long body;
  while (v != 0) {
    d = v % base;
    digits[n] = d < 10 ? '0' + d : (upper ? 'A' : 'a') + d - 10;
    n++;
    v /= base;
  }
  if (zero && precision != 0) {
    digits[0] = '0';
    n = 1;
  }
  if (base == 16 && (flags & 16) && !zero) prefix = 2;
  body = n;
  if (precision > body) body = precision;
  if (base == 8 && (flags & 16) && (n == 0 || digits[n - 1] != '0') && body == n) body++;
  if ((flags & 2) && !(flags & 1) && precision < 0 && width - prefix - (sign != 0) > body)
    body = width - prefix - (sign != 0);
  width -= body + prefix + (sign != 0);
  if (!(flags & 1)) craig_pad(' ', width);
  if (sign) craig_put(sign);
  if (prefix) {
    craig_put('0');
    craig_put(upper ? 'X' : 'x');
  }
  craig_pad('0', body - n);
  for (i = n; i > 0; i--) craig_put(digits[i - 1]);
  if (flags & 1) craig_pad(' ', width);
}
static void craig_put_signed(long long v, int flags, long width, long precision) {
  craig_put_number(v < 0 ? 0ULL - (unsigned long long)v : (unsigned long long)v, v < 0, 10, 0, flags, width, precision);
}
static void craig_put_pointer(const void *p, int flags, long width) {
  if (p == 0) craig_put_text("(nil)", flags & 1, width, -1);
  else craig_put_number((unsigned long)p, 0, 16, 0, flags | 16, width, -1);
}
/* Floating point: some text of a length that fits. */
static void craig_put_float(double d, int flags, long width, long precision) {
  size_t n = __builtin_craig_any_size();
  if (precision < 0) precision = 6;
  __builtin_craig_assume(n >= 1 && n < 320 + (size_t)precision);
  if (width > 0) __builtin_craig_assume(n >= (size_t)width);
  while (n > 0) {
    char c = __builtin_craig_any_char();
    __builtin_craig_assume(c > 31 && c < 127);
    craig_put(c);
    n--;
  }
}
static void craig_put_count(int *p) {
  __builtin_craig_writable(p, sizeof(int));
  *p = (int)craig_count;
}
static void craig_put_count_long(long *p) {
  __builtin_craig_writable(p, sizeof(long));
  *p = (long)craig_count;
}

/* scanf from a stream: whether the next item is there, and what it is. */
static int craig_scan_next(void) {
  int r = __builtin_craig_input_int("scan");
  __builtin_craig_assume(r >= -1 && r <= 1);
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
static void craig_scan_chars(char *d, size_t n) {
  size_t i;
  __builtin_craig_writable(d, n);
  for (i = 0; i < n; i++) d[i] = __builtin_craig_input_char("scan.byte");
}
static void craig_scan_char(signed char *d) { __builtin_craig_writable(d, 1); *d = __builtin_craig_input_char("scan.int"); }
static void craig_scan_short(short *d) { __builtin_craig_writable(d, sizeof *d); *d = (short)__builtin_craig_input_int("scan.int"); }
static void craig_scan_int(int *d) { __builtin_craig_writable(d, sizeof *d); *d = __builtin_craig_input_int("scan.int"); }
static void craig_scan_long(long *d) { __builtin_craig_writable(d, sizeof *d); *d = __builtin_craig_input_long("scan.int"); }
static void craig_scan_llong(long long *d) { __builtin_craig_writable(d, sizeof *d); *d = __builtin_craig_input_llong("scan.int"); }
static void craig_scan_float(float *d) { __builtin_craig_writable(d, sizeof *d); *d = __builtin_craig_input_float("scan.float"); }
static void craig_scan_double(double *d) { __builtin_craig_writable(d, sizeof *d); *d = __builtin_craig_input_double("scan.float"); }
static void craig_scan_ldouble(long double *d) { __builtin_craig_writable(d, sizeof *d); *d = __builtin_craig_input_double("scan.float"); }
static void craig_scan_pointer(void **d) { __builtin_craig_writable(d, sizeof *d); *d = (void *)__builtin_craig_any_ulong(); }

/* sscanf: the text and how far it was read. */
static const char *craig_from, *craig_from_end;
static void craig_source(const char *s) {
  craig_from = s;
  craig_from_end = s + strlen(s);
}
static void craig_skip_space(void) {
  while (craig_from < craig_from_end && craig_space(*craig_from)) craig_from++;
}
/* 1 matched, 0 not, -1 the text is at its end. */
static int craig_source_literal(int c) {
  if (craig_from >= craig_from_end) return -1;
  if (*craig_from != c) return 0;
  craig_from++;
  return 1;
}
static int craig_source_number(long width, int base, unsigned long long *v, int *negative) {
  int any = 0, d;
  *v = 0;
  *negative = 0;
  craig_skip_space();
  if (craig_from >= craig_from_end) return -1;
  if (width > 0 && (*craig_from == '-' || *craig_from == '+')) {
    *negative = *craig_from == '-';
    craig_from++;
    width--;
  }
  if ((base == 0 || base == 16) && width > 2 && craig_from + 1 < craig_from_end && *craig_from == '0' && (craig_from[1] == 'x' || craig_from[1] == 'X')) {
    base = 16;
    craig_from += 2;
    width -= 2;
  }
  if (base == 0) base = craig_from < craig_from_end && *craig_from == '0' ? 8 : 10;
  while (width > 0 && craig_from < craig_from_end) {
    d = craig_digit(*craig_from);
    if (d >= base) break;
    *v = *v * base + d;
    any = 1;
    craig_from++;
    width--;
  }
  return any;
}
static int craig_source_int(int *p, long width, int base) {
  unsigned long long v;
  int negative, r = craig_source_number(width, base, &v, &negative);
  if (r == 1) { __builtin_craig_writable(p, sizeof *p); *p = (int)(negative ? 0 - v : v); }
  return r;
}
static int craig_source_short(short *p, long width, int base) {
  unsigned long long v;
  int negative, r = craig_source_number(width, base, &v, &negative);
  if (r == 1) { __builtin_craig_writable(p, sizeof *p); *p = (short)(negative ? 0 - v : v); }
  return r;
}
static int craig_source_char(signed char *p, long width, int base) {
  unsigned long long v;
  int negative, r = craig_source_number(width, base, &v, &negative);
  if (r == 1) { __builtin_craig_writable(p, sizeof *p); *p = (signed char)(negative ? 0 - v : v); }
  return r;
}
static int craig_source_long(long *p, long width, int base) {
  unsigned long long v;
  int negative, r = craig_source_number(width, base, &v, &negative);
  if (r == 1) { __builtin_craig_writable(p, sizeof *p); *p = (long)(negative ? 0 - v : v); }
  return r;
}
static int craig_source_llong(long long *p, long width, int base) {
  unsigned long long v;
  int negative, r = craig_source_number(width, base, &v, &negative);
  if (r == 1) { __builtin_craig_writable(p, sizeof *p); *p = (long long)(negative ? 0 - v : v); }
  return r;
}
static int craig_source_text(char *d, size_t width) {
  size_t i = 0;
  craig_skip_space();
  if (craig_from >= craig_from_end) return -1;
  while (i < width && craig_from < craig_from_end && !craig_space(*craig_from)) {
    __builtin_craig_writable(d + i, 1);
    d[i] = *craig_from;
    i++;
    craig_from++;
  }
  __builtin_craig_writable(d + i, 1);
  d[i] = 0;
  __builtin_craig_ends(d + i);
  return 1;
}
static int craig_source_chars(char *d, size_t n) {
  size_t i;
  for (i = 0; i < n; i++) {
    if (craig_from >= craig_from_end) return i == 0 ? -1 : 1;
    __builtin_craig_writable(d + i, 1);
    d[i] = *craig_from;
    craig_from++;
  }
  return 1;
}
static int craig_source_count(int *p) {
  __builtin_craig_writable(p, sizeof *p);
  *p = __builtin_craig_any_int();
  return 1;
}
static int craig_source_any(char *d, size_t width) {
  size_t i = 0;
  if (craig_from >= craig_from_end) return -1;
  if (__builtin_craig_any_bool()) return 0;
  while (i < width && craig_from < craig_from_end && __builtin_craig_any_bool()) {
    __builtin_craig_writable(d + i, 1);
    d[i] = *craig_from;
    i++;
    craig_from++;
  }
  __builtin_craig_writable(d + i, 1);
  d[i] = 0;
  return 1;
}
static int craig_source_skip(size_t width) {
  if (craig_from >= craig_from_end) return -1;
  while (craig_from < craig_from_end && __builtin_craig_any_bool()) craig_from++;
  return __builtin_craig_any_bool();
}
static int craig_source_double(double *p) {
  int r = craig_source_skip(0);
  if (r == 1) { __builtin_craig_writable(p, sizeof *p); *p = __builtin_craig_any_double(); }
  return r;
}
static int craig_source_float(float *p) {
  int r = craig_source_skip(0);
  if (r == 1) { __builtin_craig_writable(p, sizeof *p); *p = __builtin_craig_any_float(); }
  return r;
}
static void craig_scan_set(char *d, size_t width) {
  size_t i = 0, k = __builtin_craig_any_size();
  __builtin_craig_assume(k > 0 && k <= width);
  while (i < k) {
    char c = __builtin_craig_any_char();
    __builtin_craig_assume(c != 0);
    __builtin_craig_writable(d + i, 1);
    d[i] = c;
    i++;
  }
  __builtin_craig_writable(d + k, 1);
  d[k] = 0;
  __builtin_craig_ends(d + k);
}
static void craig_scan_count(int *p) { __builtin_craig_writable(p, sizeof *p); *p = __builtin_craig_any_int(); }
