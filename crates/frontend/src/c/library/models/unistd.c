/* unistd.h, fcntl.h, sys/…, sockets, time.h, signal.h, locale.h, pthread.h of a single thread. */
static int craig_fails(void) {
  if (__builtin_craig_input_bool("call.fails")) {
    craig_errno = __builtin_craig_input_int("errno");
    __builtin_craig_assume(craig_errno > 0 && craig_errno < 134);
    return -1;
  }
  return 0;
}
static int craig_descriptor(void) {
  int fd = __builtin_craig_input_int("descriptor");
  __builtin_craig_assume(fd >= -1);
  return fd;
}
ssize_t read(int fd, void *p, size_t n) {
  __builtin_craig_writable(p, n);
  if (craig_fails()) return -1;
  return craig_bytes(p, n);
}
ssize_t pread(int fd, void *p, size_t n, long at) { return read(fd, p, n); }
ssize_t recv(int fd, void *p, size_t n, int flags) { return read(fd, p, n); }
ssize_t write(int fd, const void *p, size_t n) {
  __builtin_craig_readable(p, n);
  if (craig_fails()) return -1;
  return craig_written(n);
}
ssize_t pwrite(int fd, const void *p, size_t n, long at) { return write(fd, p, n); }
ssize_t send(int fd, const void *p, size_t n, int flags) { return write(fd, p, n); }
ssize_t sendto(int fd, const void *p, size_t n, int flags, const void *to, unsigned size) { return write(fd, p, n); }
static void craig_address(void *p, unsigned *size) {
  if (p != 0) {
    __builtin_craig_readable(size, sizeof(unsigned));
    __builtin_craig_writable(p, *size);
    craig_bytes(p, *size);
  }
}
ssize_t recvfrom(int fd, void *p, size_t n, int flags, void *from, unsigned *size) { craig_address(from, size); return read(fd, p, n); }
int socket(int a, int b, int c) { return craig_descriptor(); }
int accept(int fd, void *p, unsigned *size) { craig_address(p, size); return craig_descriptor(); }
int bind(int fd, const void *p, unsigned n) { __builtin_craig_readable(p, n); return craig_fails(); }
int connect(int fd, const void *p, unsigned n) { __builtin_craig_readable(p, n); return craig_fails(); }
int listen(int fd, int n) { return craig_fails(); }
int shutdown(int fd, int how) { return craig_fails(); }
int setsockopt(int fd, int level, int name, const void *p, unsigned n) { __builtin_craig_readable(p, n); return craig_fails(); }
unsigned inet_addr(const char *s) { craig_str_end(s); return __builtin_craig_any_uint(); }
static unsigned short craig_swap16(unsigned short x) { return (unsigned short)(x << 8 | x >> 8); }
static unsigned craig_swap32(unsigned x) { return x << 24 | (x & 0xff00) << 8 | (x >> 8 & 0xff00) | x >> 24; }
unsigned short htons(unsigned short x) { return craig_swap16(x); }
unsigned short ntohs(unsigned short x) { return craig_swap16(x); }
unsigned htonl(unsigned x) { return craig_swap32(x); }
unsigned ntohl(unsigned x) { return craig_swap32(x); }
int open(const char *name, int flags, ...) { craig_str_end(name); return craig_descriptor(); }
int open64(const char *name, int flags, ...) { craig_str_end(name); return craig_descriptor(); }
int creat(const char *name, unsigned mode) { craig_str_end(name); return craig_descriptor(); }
int close(int fd) { return craig_fails(); }
int dup(int fd) { return craig_descriptor(); }
int dup2(int a, int b) { return craig_fails() ? -1 : b; }
int pipe(int *fds) {
  __builtin_craig_writable(fds, 2 * sizeof(int));
  if (craig_fails()) return -1;
  fds[0] = craig_descriptor();
  fds[1] = craig_descriptor();
  return 0;
}
long lseek(int fd, long at, int from) { long r = __builtin_craig_input_long("lseek"); __builtin_craig_assume(r >= -1); return r; }
int unlink(const char *name) { craig_str_end(name); return craig_fails(); }
int rmdir(const char *name) { craig_str_end(name); return craig_fails(); }
int mkdir(const char *name, unsigned mode) { craig_str_end(name); return craig_fails(); }
int chdir(const char *name) { craig_str_end(name); return craig_fails(); }
int chmod(const char *name, unsigned mode) { craig_str_end(name); return craig_fails(); }
int access(const char *name, int mode) { craig_str_end(name); return craig_fails(); }
int isatty(int fd) { return __builtin_craig_input_bool("isatty"); }
int fsync(int fd) { return craig_fails(); }
int ftruncate(int fd, long n) { return craig_fails(); }
unsigned sleep(unsigned n) { unsigned r = __builtin_craig_input_uint("sleep"); __builtin_craig_assume(r <= n); return r; }
int usleep(unsigned n) { return craig_fails(); }
unsigned alarm(unsigned n) { return __builtin_craig_input_uint("alarm"); }
static int craig_pid, craig_ppid;
static int craig_id(void) { int n = __builtin_craig_input_int("pid"); __builtin_craig_assume(n > 0); return n; }
int getpid(void) { if (craig_pid == 0) craig_pid = craig_id(); return craig_pid; }
int getppid(void) { if (craig_ppid == 0) craig_ppid = craig_id(); return craig_ppid; }
unsigned getuid(void) { return __builtin_craig_input_uint("uid"); }
unsigned geteuid(void) { return __builtin_craig_input_uint("uid"); }
unsigned getgid(void) { return __builtin_craig_input_uint("uid"); }
unsigned getegid(void) { return __builtin_craig_input_uint("uid"); }
int gethostname(char *s, size_t n) {
  size_t k = __builtin_craig_input_size("hostname"), i;
  __builtin_craig_writable(s, n);
  if (n == 0) return -1;
  __builtin_craig_assume(k < n);
  for (i = 0; i < k; i++) s[i] = __builtin_craig_input_char("hostname");
  s[k] = 0;
  __builtin_craig_ends(s + k);
  return 0;
}
char *getcwd(char *s, size_t n) {
  if (s == 0) {
    if (n == 0) {
      n = __builtin_craig_input_size("getcwd");
      __builtin_craig_assume(n > 0 && n < 65536);
    }
    s = malloc(n);
    if (s == 0) return 0;
  }
  return gethostname(s, n) ? (char *)0 : s;
}
int getpagesize(void) { return 4096; }
long sysconf(int name) { return __builtin_craig_input_long("sysconf"); }

long time(long *p) {
  long t = __builtin_craig_input_long("time");
  __builtin_craig_assume(t >= -1);
  if (p != 0) {
    __builtin_craig_writable(p, sizeof(long));
    *p = t;
  }
  return t;
}
long clock(void) { long t = __builtin_craig_input_long("time"); __builtin_craig_assume(t >= -1); return t; }
double difftime(long a, long b) { return (double)a - (double)b; }
struct craig_timespec { long seconds, part; };
static void craig_now(struct craig_timespec *t, long parts) {
  if (t == 0) return;
  __builtin_craig_writable(t, sizeof *t);
  t->seconds = __builtin_craig_input_long("time");
  t->part = __builtin_craig_input_long("time");
  __builtin_craig_assume(t->seconds >= 0 && t->part >= 0 && t->part < parts);
}
int gettimeofday(struct craig_timespec *t, void *zone) { craig_now(t, 1000000); return 0; }
int clock_gettime(int clock, struct craig_timespec *t) { craig_now(t, 1000000000); return 0; }
int nanosleep(const struct craig_timespec *t, struct craig_timespec *rest) { craig_now(rest, 1000000000); return craig_fails(); }
struct craig_tm { int sec, min, hour, mday, mon, year, wday, yday, isdst; long gmtoff; const char *zone; };
static struct craig_tm craig_date;
static struct craig_tm *craig_some_date(const long *t, struct craig_tm *d) {
  __builtin_craig_readable(t, sizeof(long));
  __builtin_craig_writable(d, sizeof *d);
  d->sec = __builtin_craig_any_int();
  d->min = __builtin_craig_any_int();
  d->hour = __builtin_craig_any_int();
  d->mday = __builtin_craig_any_int();
  d->mon = __builtin_craig_any_int();
  d->year = __builtin_craig_any_int();
  d->wday = __builtin_craig_any_int();
  d->yday = __builtin_craig_any_int();
  d->isdst = __builtin_craig_any_int();
  __builtin_craig_assume(d->sec >= 0 && d->sec <= 60 && d->min >= 0 && d->min < 60 && d->hour >= 0 && d->hour < 24);
  __builtin_craig_assume(d->mday >= 1 && d->mday <= 31 && d->mon >= 0 && d->mon < 12 && d->wday >= 0 && d->wday < 7);
  __builtin_craig_assume(d->yday >= 0 && d->yday < 366);
  return d;
}
struct craig_tm *localtime(const long *t) { return craig_some_date(t, &craig_date); }
struct craig_tm *gmtime(const long *t) { return craig_some_date(t, &craig_date); }
struct craig_tm *localtime_r(const long *t, struct craig_tm *d) { return craig_some_date(t, d); }
struct craig_tm *gmtime_r(const long *t, struct craig_tm *d) { return craig_some_date(t, d); }
long mktime(struct craig_tm *d) { __builtin_craig_writable(d, sizeof *d); return __builtin_craig_any_long(); }
char *ctime(const long *t) { __builtin_craig_readable(t, sizeof(long)); return craig_some_text(); }
char *asctime(const struct craig_tm *d) { __builtin_craig_readable(d, sizeof *d); return craig_some_text(); }
size_t strftime(char *s, size_t n, const char *format, const struct craig_tm *d) {
  size_t i, k = __builtin_craig_any_size();
  craig_str_end(format);
  __builtin_craig_readable(d, sizeof *d);
  __builtin_craig_writable(s, n);
  if (n == 0) return 0;
  __builtin_craig_assume(k < n);
  for (i = 0; i < k; i++) s[i] = __builtin_craig_any_char();
  s[k] = 0;
  __builtin_craig_ends(s + k);
  return k;
}
char *setlocale(int category, const char *name) {
  if (name != 0) craig_str_end(name);
  return __builtin_craig_input_bool("setlocale.fails") ? (char *)0 : craig_some_text();
}
int raise(int s) { return craig_fails(); }
int kill(int pid, int s) { return craig_fails(); }
int sigemptyset(void *p) { return 0; }
int sigfillset(void *p) { return 0; }
int sigaddset(void *p, int s) { return craig_fails(); }
int pthread_mutex_init(void *m, const void *a) { return 0; }
int pthread_mutex_destroy(void *m) { return 0; }
int pthread_mutex_lock(void *m) { return 0; }
int pthread_mutex_trylock(void *m) { return 0; }
int pthread_mutex_unlock(void *m) { return 0; }
unsigned long pthread_self(void) { return 1; }
int sched_yield(void) { return 0; }
