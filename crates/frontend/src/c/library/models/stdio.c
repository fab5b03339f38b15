/* stdio.h: streams. A stream is an object of ours; what it holds is chosen by the outside. */
struct craig_stream { int open, eof, error, pushed, stuck, own, id, end; long size; };
typedef struct craig_stream FILE;
static struct craig_stream craig_stdin = { 1, 0, 0, 0, 0, 0, 0, 0, 0 }, craig_stdout = { 1, 0, 0, 0, 0, 0, 1, 0, 0 }, craig_stderr = { 1, 0, 0, 0, 0, 0, 2, 0, 0 };
/* As long as nothing was closed, every stream is open. */
static int craig_closed;
static void craig_file(FILE *f) {
  __builtin_craig_require(f != 0, "the stream is null");
  if (__builtin_craig_checks() && craig_closed) __builtin_craig_require(f->open == 1, "the stream is closed");
}
/* Nothing more comes: the end, which stays, or an error. */
static void craig_no_more(FILE *f) {
  if (__builtin_craig_rereads())
    if (!__builtin_craig_runs() && f->own) {
      if (__builtin_craig_any_bool()) f->error = 1; else f->eof = 1;
      return;
    }
  if (!__builtin_craig_runs() && __builtin_craig_input_bool("stdin.error")) f->error = 1; else f->eof = 1;
}
/* How much there is. */
static size_t craig_outside_size(FILE *f) {
  if (__builtin_craig_rereads())
    if (f->own) return __builtin_craig_any_size();
  return __builtin_craig_input_size("stdin.count");
}
/* The next byte of the outside; what the program may have written itself is not free. */
static int craig_outside(FILE *f) {
  int c;
  if (__builtin_craig_runs()) {
    /* Memory and other programs as streams are not followed. */
    if (f->id < 0) {
      c = __builtin_craig_any_int();
      __builtin_craig_assume(c == 1);
    }
    __builtin_craig_ask("stream", f->id);
  }
  if (__builtin_craig_rereads() && !__builtin_craig_runs()) {
    if (f->own) {
      c = __builtin_craig_any_int();
      __builtin_craig_assume(c >= -1 && c <= 255);
      return c;
    }
  }
  if (f == &craig_stdin) c = __builtin_craig_input_int("stdin"); else c = __builtin_craig_input_int("file");
  __builtin_craig_assume(c >= -1 && c <= 255);
  return c;
}
static char craig_outside_char(FILE *f) {
  char c;
  if (__builtin_craig_rereads())
    if (f->own) return __builtin_craig_any_char();
  if (f == &craig_stdin) c = __builtin_craig_input_char("stdin.byte"); else c = __builtin_craig_input_char("file.byte");
  return c;
}
static int craig_read_byte(FILE *f) {
  int c;
  f->stuck = 0;
  if (f->pushed != 0) {
    c = f->pushed - 1;
    f->pushed = 0;
    return c;
  }
  if (f->eof) return -1;
  c = craig_outside(f);
  if (c == -1) craig_no_more(f);
  return c;
}
int getchar(void) { return craig_read_byte(&craig_stdin); }
int getchar_unlocked(void) { return craig_read_byte(&craig_stdin); }
int getc(FILE *f) { craig_file(f); return craig_read_byte(f); }
int fgetc(FILE *f) { craig_file(f); return craig_read_byte(f); }
int _IO_getc(FILE *f) { craig_file(f); return craig_read_byte(f); }
int getc_unlocked(FILE *f) { craig_file(f); return craig_read_byte(f); }
int fgetc_unlocked(FILE *f) { craig_file(f); return craig_read_byte(f); }
int getw(FILE *f) {
  int w = 0, i, c;
  for (i = 0; i < (int)sizeof(int); i++) {
    c = fgetc(f);
    if (c == -1) return -1;
    w = w | (int)((unsigned)c << 8 * i);
  }
  return w;
}
static int craig_outside_wide(FILE *f) {
  if (__builtin_craig_rereads())
    if (f->own) return __builtin_craig_any_int();
  return __builtin_craig_input_int("stdin.wide");
}
static wint_t craig_read_wide(FILE *f) {
  int c;
  if (__builtin_craig_runs()) return craig_read_byte(f);
  if (f->pushed != 0) {
    c = f->pushed - 1;
    f->pushed = 0;
    return c;
  }
  if (f->eof) return -1;
  c = craig_outside_wide(f);
  __builtin_craig_assume(c >= -1 && c <= 0x10ffff);
  if (c == -1) craig_no_more(f);
  return c;
}
wint_t getwchar(void) { return craig_read_wide(&craig_stdin); }
wint_t fgetwc(FILE *f) { craig_file(f); return craig_read_wide(f); }
wint_t getwc(FILE *f) { craig_file(f); return craig_read_wide(f); }
int ungetc(int c, FILE *f) {
  craig_file(f);
  if (c == -1) return -1;
  if (f->pushed != 0) __builtin_craig_unmodelled("more than one character pushed back is not modelled");
  f->pushed = (unsigned char)c + 1;
  f->eof = 0;
  return (unsigned char)c;
}
wint_t ungetwc(wint_t c, FILE *f) {
  craig_file(f);
  if (c == (wint_t)-1) return c;
  f->pushed = (int)c + 1;
  f->eof = 0;
  return c;
}
/* How long a line is. */
static int craig_line_length(FILE *f) {
  if (__builtin_craig_rereads())
    if (f->own) return __builtin_craig_any_int();
  return __builtin_craig_input_int("stdin.line");
}
/* A line of at most n - 1 characters, or null: exactly, byte by byte. */
static char *craig_exact_line(char *s, int n, FILE *f) {
  int i = 0, c;
  while (i < n - 1) {
    c = craig_read_byte(f);
    if (c == -1) {
      if (i == 0) return 0;
      break;
    }
    s[i] = c;
    i++;
    if (c == '\n') break;
  }
  s[i] = 0;
  return s;
}
/* The same as one choice of the outside: the length first. */
static char *craig_line(char *s, int n, FILE *f) {
  int i = 0, k;
  if (n <= 0) return 0;
  if (__builtin_craig_runs()) return craig_exact_line(s, n, f);
  if (n == 1) {
    *s = 0;
    return s;
  }
  if (f->pushed != 0) {
    s[0] = f->pushed - 1;
    f->pushed = 0;
    if (s[0] == '\n' || n == 2 || f->eof) {
      s[1] = 0;
      __builtin_craig_ends(s + 1);
      return s;
    }
    i = 1;
  } else if (f->eof) {
    return 0;
  }
  k = craig_line_length(f);
  __builtin_craig_assume(k >= i && k < n);
  if (k == 0) {
    craig_no_more(f);
    return 0;
  }
  while (i < k) {
    char c = craig_outside_char(f);
    __builtin_craig_assume(c != '\n' || i == k - 1);
    s[i] = c;
    i++;
  }
  if (k < n - 1 && s[k - 1] != '\n') f->eof = 1;
  s[k] = 0;
  __builtin_craig_ends(s + k);
  return s;
}
char *fgets(char *s, int n, FILE *f) {
  craig_file(f);
  __builtin_craig_writable(s, n > 0 ? n : 0);
  return craig_line(s, n, f);
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
  if (__builtin_craig_runs()) {
    while (i < n - 1) {
      k = craig_read_byte(f);
      if (k == -1) break;
      s[i] = k;
      i++;
      if (k == '\n') break;
    }
    s[i] = 0;
    return i == 0 ? (wchar_t *)0 : s;
  }
  if (f->eof) return 0;
  k = craig_line_length(f);
  __builtin_craig_assume(k >= 0 && k < n);
  if (k == 0) {
    craig_no_more(f);
    return 0;
  }
  while (i < k) {
    wchar_t c;
    c = craig_outside_wide(f);
    __builtin_craig_assume(c >= 0 && c <= 0x10ffff && (c != '\n' || i == k - 1));
    s[i] = c;
    i++;
  }
  if (k < n - 1 && s[k - 1] != '\n') f->eof = 1;
  s[k] = 0;
  __builtin_craig_ends(s + k);
  return s;
}
wchar_t *fgetws_unlocked(wchar_t *s, int n, FILE *f) { return fgetws(s, n, f); }
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
/* At most n bytes of the outside; fewer at its end. */
static size_t craig_stream_bytes(char *s, size_t n, FILE *f) {
  size_t i, k;
  int c;
  if (__builtin_craig_runs()) {
    for (i = 0; i < n; i++) {
      c = craig_read_byte(f);
      if (c == -1) break;
      s[i] = c;
    }
    return i;
  }
  if (n == 0 || f->eof) return 0;
  i = 0;
  if (f->pushed != 0) {
    s[0] = f->pushed - 1;
    f->pushed = 0;
    i = 1;
  }
  k = craig_outside_size(f);
  __builtin_craig_assume(k >= i && k <= n);
  for (; i < k; i++) s[i] = craig_outside_char(f);
  if (k < n) craig_no_more(f);
  return k;
}
size_t fread(void *p, size_t size, size_t n, FILE *f) {
  craig_file(f);
  __builtin_craig_writable(p, size * n);
  if (size == 0 || n == 0) return 0;
  return craig_stream_bytes(p, size * n, f) / size;
}
size_t fread_unlocked(void *p, size_t size, size_t n, FILE *f) { return fread(p, size, n, f); }
static size_t craig_written(size_t n) {
  size_t k;
  if (__builtin_craig_runs()) return n;
  k = __builtin_craig_input_size("written");
  __builtin_craig_assume(k <= n);
  return k;
}
size_t fwrite(const void *p, size_t size, size_t n, FILE *f) {
  craig_file(f);
  __builtin_craig_readable(p, size * n);
  if (size == 0) return 0;
  if (__builtin_craig_runs()) {
    size_t i;
    for (i = 0; i < size * n; i++) craig_emit(f, ((const unsigned char *)p)[i]);
  }
  return craig_written(n);
}
size_t fwrite_unlocked(const void *p, size_t size, size_t n, FILE *f) { return fwrite(p, size, n, f); }
ssize_t getdelim(char **line, size_t *size, int end, FILE *f) {
  size_t i, k;
  char *s;
  craig_file(f);
  __builtin_craig_writable(line, sizeof(char *));
  __builtin_craig_writable(size, sizeof(size_t));
  if (__builtin_craig_runs()) {
    int c = -1;
    k = 0;
    for (;;) {
      c = craig_read_byte(f);
      if (c == -1 && k == 0) return -1;
      if (*line == 0 || *size < k + 2) {
        *line = realloc(*line, 2 * k + 120);
        *size = 2 * k + 120;
      }
      if (c == -1) break;
      (*line)[k] = c;
      k++;
      if (c == end) break;
    }
    (*line)[k] = 0;
    return k;
  }
  /* The buffer is made before anything is read: it is there even if nothing comes. */
  if (*line == 0) {
    s = malloc(120);
    if (s == 0) return -1;
    *line = s;
    *size = 120;
  }
  if (f->eof) return -1;
  if (f->pushed != 0) __builtin_craig_unmodelled("a line that begins with a character pushed back is not modelled");
  if (f->own) k = __builtin_craig_any_size(); else k = __builtin_craig_input_size("stdin.line");
  if (k == 0) {
    craig_no_more(f);
    return -1;
  }
  __builtin_craig_assume(k < 0x7fffffff);
  if (*size < k + 1) {
    s = realloc(*line, k + 1);
    if (s == 0) return -1;
    *line = s;
    *size = k + 1;
  }
  s = *line;
  for (i = 0; i < k; i++) {
    char c = craig_outside_char(f);
    __builtin_craig_assume(c != end || i == k - 1);
    s[i] = c;
  }
  if (s[k - 1] != end) f->eof = 1;
  s[k] = 0;
  __builtin_craig_ends(s + k);
  return k;
}
ssize_t getline(char **line, size_t *size, FILE *f) { return getdelim(line, size, '\n', f); }
ssize_t __getdelim(char **line, size_t *size, int end, FILE *f) { return getdelim(line, size, end, f); }

/* Files that the program itself may have written are not free when they are read. */
static int craig_writes;
static const char *craig_written_name;
static int craig_opens_for_writing(const char *mode) {
  const char *m = mode;
  if (*m != 'r') return 1;
  while (*m != 0) {
    if (*m == '+') return 1;
    m++;
  }
  return 0;
}
static FILE *craig_new_stream(int own, int id) {
  FILE *f = __builtin_alloca(sizeof(struct craig_stream));
  f->open = 1;
  f->eof = 0;
  f->error = 0;
  f->pushed = 0;
  f->stuck = 0;
  f->own = own;
  f->id = id;
  f->end = 0;
  return f;
}
static int craig_fopen_fails(void) {
  if (__builtin_craig_input_bool("fopen.fails")) {
    craig_errno = 2;
    return 1;
  }
  return 0;
}
/* A mode begins with r, w or a. */
static int craig_no_mode(const char *mode) {
  craig_str_end(mode);
  if (*mode == 'r' || *mode == 'w' || *mode == 'a') return 0;
  craig_errno = 22;
  return 1;
}
FILE *fopen(const char *name, const char *mode) {
  int own, id = 3;
  if (craig_no_mode(mode) || craig_no_name(name)) return 0;
  own = craig_writes > 1 || craig_writes == 1 && strcmp(name, craig_written_name) == 0;
  if (craig_opens_for_writing(mode)) {
    if (craig_writes == 0) craig_written_name = name;
    if (craig_writes < 2) craig_writes++;
    own = 1;
  }
  __builtin_craig_ask("fopen", name, mode);
  if (craig_fopen_fails()) return 0;
  if (__builtin_craig_runs()) id = __builtin_craig_input_int("fopen.id");
  return craig_new_stream(own, id);
}
FILE *fopen64(const char *name, const char *mode) { return fopen(name, mode); }
FILE *fdopen(int fd, const char *mode) {
  if (craig_no_mode(mode) || craig_bad_descriptor(fd)) return 0;
  if (craig_fopen_fails()) return 0;
  return craig_new_stream(craig_own_descriptors, fd);
}
FILE *tmpfile(void) {
  int id = 3;
  craig_writes = 2;
  __builtin_craig_ask("tmpfile");
  if (craig_fopen_fails()) return 0;
  if (__builtin_craig_runs()) id = __builtin_craig_input_int("fopen.id");
  return craig_new_stream(1, id);
}
FILE *fmemopen(void *p, size_t n, const char *mode) {
  craig_str_end(mode);
  if (craig_fopen_fails()) return 0;
  if (p != 0) {
    if (*mode == 'r' && strchr(mode, '+') == 0) __builtin_craig_readable(p, n);
    else __builtin_craig_writable(p, n);
  }
  return craig_new_stream(1, -1);
}
FILE *popen(const char *command, const char *mode) {
  craig_str_end(command);
  craig_str_end(mode);
  if (craig_fopen_fails()) return 0;
  craig_forks += 2;
  return craig_new_stream(0, -1);
}
FILE *freopen(const char *name, const char *mode, FILE *f) {
  craig_file(f);
  craig_str_end(mode);
  if (name != 0) craig_str_end(name);
  if (craig_fopen_fails()) return 0;
  f->open = 1;
  f->eof = 0;
  f->error = 0;
  f->pushed = 0;
  f->own = 1;
  return f;
}
int fclose(FILE *f) {
  craig_file(f);
  if (f != &craig_stdin && f != &craig_stdout && f != &craig_stderr) {
    __builtin_craig_readable(f, sizeof(struct craig_stream));
    f->open = 0;
    craig_closed = 1;
  }
  __builtin_craig_ask("close", f->id);
  if (__builtin_craig_runs()) return 0;
  return __builtin_craig_input_bool("fclose.fails") ? -1 : 0;
}
int pclose(FILE *f) {
  int r = fclose(f);
  if (r != 0 || __builtin_craig_runs()) return r;
  r = __builtin_craig_input_int("pclose");
  __builtin_craig_assume(r >= -1 && r < 65536);
  return r;
}
int fflush(FILE *f) { if (f != 0) craig_file(f); return __builtin_craig_runs() || !__builtin_craig_input_bool("fflush.fails") ? 0 : -1; }
int fflush_unlocked(FILE *f) { return fflush(f); }
int feof(FILE *f) { craig_file(f); return f->eof; }
int ferror(FILE *f) { craig_file(f); return f->error; }
int feof_unlocked(FILE *f) { return feof(f); }
int ferror_unlocked(FILE *f) { return ferror(f); }
void clearerr(FILE *f) { craig_file(f); f->eof = 0; f->error = 0; }
void clearerr_unlocked(FILE *f) { clearerr(f); }
/* Descriptors of files are some. */
int fileno(FILE *f) {
  int n;
  craig_file(f);
  if (__builtin_craig_runs() || f == &craig_stdin || f == &craig_stdout || f == &craig_stderr) return f->id;
  n = __builtin_craig_any_int();
  __builtin_craig_assume(n >= -1);
  return n;
}
int fileno_unlocked(FILE *f) { return fileno(f); }
void flockfile(FILE *f) { craig_file(f); }
void funlockfile(FILE *f) { craig_file(f); }
int ftrylockfile(FILE *f) { craig_file(f); return 0; }
/* What is read again after a jump may be what was read before. */
static void craig_jump(FILE *f) {
  f->eof = 0;
  f->pushed = 0;
  f->own = 1;
}
int fseek(FILE *f, long at, int from) {
  craig_file(f);
  __builtin_craig_ask("seek", f->id, at, from);
  if (__builtin_craig_input_bool("fseek.fails")) return -1;
  f->end = from == 2 && at == 0 && !f->own;
  craig_jump(f);
  return 0;
}
int fseeko(FILE *f, long at, int from) { return fseek(f, at, from); }
long ftell(FILE *f) {
  long n;
  craig_file(f);
  __builtin_craig_ask("tell", f->id);
  if (__builtin_craig_runs()) return __builtin_craig_input_long("ftell");
  if (f->end == 2) return f->size;
  if (f->end) {
    /* How long the file is, once. */
    n = __builtin_craig_input_long("ftell");
    f->size = n;
    f->end = 2;
  } else {
    n = __builtin_craig_any_long();
  }
  __builtin_craig_assume(n >= -1);
  return n;
}
long ftello(FILE *f) { return ftell(f); }
void rewind(FILE *f) { craig_file(f); __builtin_craig_ask("seek", f->id, 0L, 0); f->error = 0; f->end = 0; craig_jump(f); }
int fgetpos(FILE *f, void *p) {
  long n = ftell(f);
  __builtin_craig_writable(p, sizeof(long));
  if (n < 0) return -1;
  *(long *)p = n;
  return 0;
}
int fsetpos(FILE *f, const void *p) { __builtin_craig_readable(p, sizeof(long)); return fseek(f, *(const long *)p, 0); }
void setbuf(FILE *f, char *b) { craig_file(f); if (b != 0) __builtin_craig_writable(b, 8192); }
void setlinebuf(FILE *f) { craig_file(f); }
void setbuffer(FILE *f, char *b, size_t n) { craig_file(f); if (b != 0) __builtin_craig_writable(b, n); }
int setvbuf(FILE *f, char *b, int mode, size_t n) { craig_file(f); if (b != 0 && mode >= 0 && mode < 2) __builtin_craig_writable(b, n); return mode < 0 || mode > 2 ? -1 : 0; }
int remove(const char *name) { if (craig_no_name(name)) return -1; __builtin_craig_ask("remove", name); return __builtin_craig_input_bool("remove.fails") ? -1 : 0; }
int rename(const char *a, const char *b) {
  craig_str_end(a);
  craig_str_end(b);
  craig_writes = 2;
  __builtin_craig_ask("rename", a, b);
  return __builtin_craig_input_bool("rename.fails") ? -1 : 0;
}
int renameat(int d, const char *a, int e, const char *b) { return rename(a, b); }
/* How a stream was used before is not followed. */
int fwide(FILE *f, int mode) { craig_file(f); return __builtin_craig_any_int(); }
char *tmpnam(char *s) {
  static char own[20];
  unsigned k, i;
  if (!__builtin_craig_runs()) return __builtin_craig_maybe() ? (char *)0 : craig_name_for(s, 20);
  if (s == 0) s = own; else __builtin_craig_writable(s, 20);
  k = __builtin_craig_input_int("tmpnam");
  for (i = 0; i < 10; i++) s[i] = "/tmp/craig"[i];
  for (i = 10; i < 18; i++, k >>= 4) s[i] = 'a' + k % 16;
  s[18] = 0;
  return s;
}
char *tmpnam_r(char *s) { return s == 0 || __builtin_craig_maybe() ? (char *)0 : craig_name_for(s, 20); }
char *ctermid(char *s) { return craig_name_for(s, 9); }
char *tempnam(const char *dir, const char *prefix) {
  char *s;
  size_t n;
  if (dir != 0) craig_str_end(dir);
  if (prefix != 0) craig_str_end(prefix);
  n = __builtin_craig_any_size();
  __builtin_craig_assume(n > 14 && n < 4096);
  if (__builtin_craig_maybe()) return 0;
  s = malloc(n);
  if (s == 0) return 0;
  return craig_name_for(s, n);
}
/* Some name of less than n characters, there or in a place of the library's. */
static char craig_name_place[32];
static char *craig_name_for(char *s, size_t n) {
  size_t i, k = __builtin_craig_any_size();
  if (s == 0) s = craig_name_place; else __builtin_craig_writable(s, n);
  __builtin_craig_assume(k > 0 && k < n);
  for (i = 0; i < k; i++) {
    char c = __builtin_craig_any_char();
    __builtin_craig_assume(c != 0);
    s[i] = c;
  }
  s[k] = 0;
  __builtin_craig_ends(s + k);
  return s;
}

/* What is printed: pointers must be valid; the rest is for `run`. */
static void craig_emit(FILE *f, int c) { __builtin_craig_ask("emit", f->id, c); }
static int craig_put_fails(void) { return !__builtin_craig_runs() && __builtin_craig_input_bool("write.fails"); }
int fputs(const char *s, FILE *f) {
  craig_file(f);
  craig_str_end(s);
  if (__builtin_craig_runs()) {
    const char *p;
    for (p = s; *p != 0; p++) craig_emit(f, (unsigned char)*p);
  }
  return craig_put_fails() ? -1 : 1;
}
int fputs_unlocked(const char *s, FILE *f) { return fputs(s, f); }
int fputws(const wchar_t *s, FILE *f) {
  craig_file(f);
  craig_wcs_end(s);
  if (__builtin_craig_runs()) {
    const wchar_t *p;
    for (p = s; *p != 0; p++) craig_emit(f, *p);
  }
  return craig_put_fails() ? -1 : 1;
}
int fputc(int c, FILE *f) { craig_file(f); craig_emit(f, (unsigned char)c); return craig_put_fails() ? -1 : (unsigned char)c; }
int putc(int c, FILE *f) { return fputc(c, f); }
int _IO_putc(int c, FILE *f) { return fputc(c, f); }
int putc_unlocked(int c, FILE *f) { return fputc(c, f); }
int fputc_unlocked(int c, FILE *f) { return fputc(c, f); }
int putw(int w, FILE *f) { return fwrite(&w, sizeof w, 1, f) == 1 ? 0 : -1; }
wint_t fputwc(wchar_t c, FILE *f) { craig_file(f); craig_emit(f, c); return craig_put_fails() ? (wint_t)-1 : (wint_t)c; }
wint_t putwc(wchar_t c, FILE *f) { return fputwc(c, f); }
wint_t putwchar(wchar_t c) { return fputwc(c, &craig_stdout); }
void perror(const char *s) { if (s != 0) craig_str_end(s); }
static int craig_stream_number(FILE *f) {
  craig_file(f);
  if (__builtin_craig_runs()) return f->id;
  return 1;
}

