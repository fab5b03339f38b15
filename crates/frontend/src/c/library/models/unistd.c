/* unistd.h, fcntl.h, sys/…: descriptors, files, processes. */
static int craig_fails(void) {
  if (__builtin_craig_input_bool("call.fails")) {
    craig_errno = __builtin_craig_input_int("errno");
    __builtin_craig_assume(craig_errno > 0 && craig_errno < 134);
    return -1;
  }
  return 0;
}
static int craig_positive_error(void) {
  int e = __builtin_craig_any_int();
  __builtin_craig_assume(e > 0 && e < 134);
  return e;
}
/* An empty name is none. */
static int craig_no_name(const char *name) {
  craig_str_end(name);
  if (*name != 0) return 0;
  craig_errno = 2;
  return 1;
}
static int craig_name_fails(const char *name) { return craig_no_name(name) ? -1 : craig_fails(); }
/* The same of calls that fail for reasons that the outside cannot choose. */
static int craig_may_fail(void) {
  if (__builtin_craig_runs() || !__builtin_craig_maybe()) return 0;
  craig_errno = __builtin_craig_any_int();
  __builtin_craig_assume(craig_errno > 0 && craig_errno < 134);
  return -1;
}
/* No descriptor: the call fails. */
static int craig_bad_descriptor(int fd) {
  if (fd >= 0) return 0;
  craig_errno = 9;
  return 1;
}
static int craig_descriptor_fails(int fd) { return craig_bad_descriptor(fd) ? -1 : craig_fails(); }
/* The lowest that is free: they grow until one is closed; the first three are open. */
static int craig_last_descriptor = 2, craig_descriptors_end;
static int craig_next_descriptor(void) {
  int fd;
  if (craig_descriptors_end) {
    fd = __builtin_craig_any_int();
    __builtin_craig_assume(fd >= 0);
    return fd;
  }
  fd = __builtin_craig_input_int("descriptor");
  __builtin_craig_assume(fd > craig_last_descriptor);
  craig_last_descriptor = fd;
  return fd;
}
static int craig_descriptor(void) {
  int fd;
  if (__builtin_craig_runs()) {
    fd = __builtin_craig_input_int("descriptor");
    __builtin_craig_assume(fd >= -1);
    if (fd == -1) craig_errno = __builtin_craig_input_int("errno");
    return fd;
  }
  return craig_fails() ? -1 : craig_next_descriptor();
}
/* Descriptors through which the program may read what it wrote. */
static int craig_own_descriptors;
static size_t craig_bytes(char *s, size_t n, int own) {
  size_t i, k;
  if (__builtin_craig_rereads())
    if (own) {
      k = __builtin_craig_any_size();
      __builtin_craig_assume(k <= n);
      for (i = 0; i < k; i++) s[i] = __builtin_craig_any_char();
      return k;
    }
  k = __builtin_craig_input_size("stdin.count");
  __builtin_craig_assume(k <= n);
  for (i = 0; i < k; i++) s[i] = __builtin_craig_input_char("stdin.byte");
  return k;
}
/* Something was read; and from some place in a file, which may be read again: what comes then is not free. */
static int craig_has_read, craig_went_back;
static void craig_goes_back(void) { if (craig_has_read) { craig_went_back = 1; craig_own_descriptors = 1; } }
ssize_t read(int fd, void *p, size_t n) {
  __builtin_craig_writable(p, n);
  if (__builtin_craig_runs()) {
    ssize_t k, i;
    __builtin_craig_ask("read", fd, n);
    k = __builtin_craig_input_long("read.count");
    for (i = 0; i < k; i++) ((char *)p)[i] = __builtin_craig_input_char("read.byte");
    return k;
  }
  if (craig_bad_descriptor(fd) || craig_fails()) return -1;
  craig_has_read = 1;
  return craig_bytes(p, n, craig_own_descriptors && (fd != 0 || craig_descriptors_end || craig_went_back));
}
/* From the other side of a connection. */
static ssize_t craig_receive(void *p, size_t n) {
  __builtin_craig_writable(p, n);
  if (craig_fails()) return -1;
  return craig_bytes(p, n, 0);
}
ssize_t pread(int fd, void *p, size_t n, long at) { craig_goes_back(); return read(fd, p, n); }
ssize_t write(int fd, const void *p, size_t n) {
  __builtin_craig_readable(p, n);
  if (__builtin_craig_runs()) {
    size_t i;
    for (i = 0; i < n; i++) __builtin_craig_ask("emit", fd, ((const unsigned char *)p)[i]);
    return n;
  }
  if (craig_bad_descriptor(fd) || craig_fails()) return -1;
  return craig_written(n);
}
ssize_t pwrite(int fd, const void *p, size_t n, long at) { return write(fd, p, n); }
static int craig_open_file(const char *name, int flags) {
  if (craig_no_name(name)) return -1;
  if (flags & 3) craig_own_descriptors = 1;
  __builtin_craig_ask("open", name, flags);
  return craig_descriptor();
}
int open(const char *name, int flags, ...) { return craig_open_file(name, flags); }
int open64(const char *name, int flags, ...) { return craig_open_file(name, flags); }
int openat(int at, const char *name, int flags, ...) { return craig_open_file(name, flags); }
int creat(const char *name, unsigned mode) { return craig_open_file(name, 577); }
/* Whether a descriptor is open is not followed: the first that is closed is, unless the program made the number up. */
int close(int fd) {
  if (craig_bad_descriptor(fd)) return -1;
  __builtin_craig_ask("close", fd);
  if (__builtin_craig_runs()) {
    if (!__builtin_craig_input_bool("close.fails")) return 0;
    craig_errno = __builtin_craig_input_int("errno");
    return -1;
  }
  if (craig_descriptors_end) return craig_may_fail();
  craig_descriptors_end = 1;
  return craig_fails();
}
int dup(int fd) { return craig_bad_descriptor(fd) ? -1 : craig_descriptor(); }
int dup2(int a, int b) {
  if (craig_bad_descriptor(a) || craig_bad_descriptor(b) || craig_fails()) return -1;
  craig_descriptors_end = 1;
  craig_own_descriptors = 1;
  return b;
}
int pipe(int *fds) {
  __builtin_craig_writable(fds, 2 * sizeof(int));
  if (craig_fails()) return -1;
  craig_own_descriptors = 1;
  fds[0] = craig_next_descriptor();
  fds[1] = craig_next_descriptor();
  __builtin_craig_assume(fds[0] != fds[1]);
  return 0;
}
/* How long a file is the outside says once; where a program stands in it, nobody knows. */
static int craig_ends_asked;
long lseek(int fd, long at, int from) {
  long r;
  if (craig_bad_descriptor(fd) || craig_fails()) return -1;
  craig_goes_back();
  if (from == 0 && at >= 0) return at;
  if (from == 0 || from < 0 || from > 4) {
    /* Some devices stand nowhere. */
    if (from == 0 && __builtin_craig_maybe()) return 0;
    craig_errno = 22;
    return -1;
  }
  if (from == 2 && at == 0 && !craig_own_descriptors && !craig_ends_asked) {
    craig_ends_asked = 1;
    r = __builtin_craig_input_long("lseek");
  } else {
    r = __builtin_craig_any_long();
  }
  __builtin_craig_assume(r >= 0);
  return r;
}
int unlink(const char *name) { return craig_name_fails(name); }
int rmdir(const char *name) { return craig_name_fails(name); }
int mkdir(const char *name, unsigned mode) { return craig_name_fails(name); }
int chdir(const char *name) { return craig_name_fails(name); }
int chmod(const char *name, unsigned mode) { return craig_name_fails(name); }
int access(const char *name, int mode) { return craig_name_fails(name); }
/* What was said of the first three stays; of others it is asked once. */
static int craig_terminals[4];
int isatty(int fd) {
  int at = fd >= 0 && fd < 3 ? fd : 3;
  if (craig_bad_descriptor(fd)) return 0;
  if (craig_terminals[at] == 0) craig_terminals[at] = __builtin_craig_input_bool("isatty") ? 2 : 1;
  else if (at == 3) return __builtin_craig_any_bool();
  return craig_terminals[at] - 1;
}
int fsync(int fd) { return craig_descriptor_fails(fd); }
int ftruncate(int fd, long n) { return craig_descriptor_fails(fd); }
/* Only a signal ends it early. */
unsigned sleep(unsigned n) { unsigned r = __builtin_craig_runs() ? 0 : __builtin_craig_any_uint(); __builtin_craig_assume(r <= n); return r; }
int usleep(unsigned n) { return craig_may_fail(); }
/* What was left of the last one. */
static unsigned craig_alarm;
unsigned alarm(unsigned n) {
  unsigned r = 0;
  if (craig_alarm != 0) {
    r = __builtin_craig_any_uint();
    __builtin_craig_assume(r <= craig_alarm);
  }
  craig_alarm = n;
  return r;
}
static int craig_pid, craig_ppid, craig_shares_memory;
static int craig_id(void) { int n = __builtin_craig_input_int("pid"); __builtin_craig_assume(n > 0); return n; }
int getpid(void) { if (craig_pid == 0) craig_pid = craig_id(); return craig_pid; }
int getppid(void) { if (craig_ppid == 0) craig_ppid = craig_id(); return craig_ppid; }
static unsigned craig_uid;
static int craig_uid_known;
unsigned getuid(void) { if (!craig_uid_known) { craig_uid = __builtin_craig_input_uint("uid"); craig_uid_known = 1; } return craig_uid; }
static unsigned craig_euid;
static int craig_euid_known;
unsigned geteuid(void) { if (!craig_euid_known) { craig_euid = __builtin_craig_input_uint("euid"); craig_euid_known = 1; } return craig_euid; }
static unsigned craig_gid;
static int craig_gid_known;
unsigned getgid(void) { if (!craig_gid_known) { craig_gid = __builtin_craig_input_uint("gid"); craig_gid_known = 1; } return craig_gid; }
static unsigned craig_egid;
static int craig_egid_known;
unsigned getegid(void) { if (!craig_egid_known) { craig_egid = __builtin_craig_input_uint("egid"); craig_egid_known = 1; } return craig_egid; }
int setuid(unsigned id) { craig_uid_known = 0; return craig_fails(); }
int setgid(unsigned id) { craig_gid_known = 0; return craig_fails(); }
int seteuid(unsigned id) { craig_euid_known = 0; return craig_fails(); }
int setegid(unsigned id) { craig_egid_known = 0; return craig_fails(); }
/* A text of the outside that is shorter than n. */
static void craig_text_of(char *s, size_t n) {
  size_t k = __builtin_craig_input_size("text.length"), i;
  __builtin_craig_writable(s, n);
  __builtin_craig_assume(k < n);
  for (i = 0; i < k; i++) s[i] = __builtin_craig_input_char("text.byte");
  s[k] = 0;
  __builtin_craig_ends(s + k);
}
/* Names have at most 64 characters; what is too long for the buffer is cut. */
int gethostname(char *s, size_t n) {
  size_t i;
  __builtin_craig_writable(s, n);
  if (n == 0 || n < 65 && __builtin_craig_input_bool("hostname.long")) {
    if (!__builtin_craig_runs()) for (i = 0; i < n; i++) s[i] = __builtin_craig_any_char();
    craig_errno = 36;
    return -1;
  }
  craig_text_of(s, n < 65 ? n : 65);
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
  if (n < 2 || craig_fails()) {
    if (n < 2) craig_errno = n == 0 ? 22 : 34;
    return 0;
  }
  craig_text_of(s, n);
  __builtin_craig_assume(s[0] == '/');
  return s;
}
int getpagesize(void) { return 4096; }
static int craig_sysconf_name, craig_sysconf_known;
static long craig_sysconf_value;
long sysconf(int name) {
  if (name == 30) return 4096;
  /* Processors and pages are the machine's, the rest is what the system was made with. */
  if (name < 83 || name > 86) {
    long r = __builtin_craig_any_long();
    __builtin_craig_assume(r >= -1);
    return r;
  }
  if (craig_sysconf_known && craig_sysconf_name != name) return __builtin_craig_any_long();
  if (!craig_sysconf_known) {
    craig_sysconf_known = 1;
    craig_sysconf_name = name;
    craig_sysconf_value = __builtin_craig_input_long("sysconf");
    __builtin_craig_assume(craig_sysconf_value == -1 || craig_sysconf_value >= 1);
  }
  return craig_sysconf_value;
}

int acct(const char *name) { return name == 0 ? craig_fails() : craig_name_fails(name); }
int chroot(const char *name) { return craig_name_fails(name); }
int fchdir(int fd) { return craig_descriptor_fails(fd); }
int fdatasync(int fd) { return craig_descriptor_fails(fd); }
int setpgrp(void) { craig_pgrp = 0; return craig_fails(); }
int syncfs(int fd) { return craig_descriptor_fails(fd); }
int link(const char *a, const char *b) { return craig_no_name(a) ? -1 : craig_name_fails(b); }
int symlink(const char *a, const char *b) { return craig_no_name(a) ? -1 : craig_name_fails(b); }
int linkat(int d, const char *a, int e, const char *b, int flags) { craig_str_end(a); craig_str_end(b); return craig_fails(); }
int symlinkat(const char *a, int d, const char *b) { craig_str_end(a); craig_str_end(b); return craig_fails(); }
int unlinkat(int d, const char *name, int flags) { return craig_name_fails(name); }
int faccessat(int d, const char *name, int mode, int flags) { craig_str_end(name); return craig_fails(); }
int chown(const char *name, unsigned u, unsigned g) { return craig_name_fails(name); }
int lchown(const char *name, unsigned u, unsigned g) { return craig_name_fails(name); }
int fchown(int fd, unsigned u, unsigned g) { return craig_descriptor_fails(fd); }
int fchownat(int d, const char *name, unsigned u, unsigned g, int flags) { craig_str_end(name); return craig_fails(); }
int truncate(const char *name, long n) { return craig_name_fails(name); }
int lockf(int fd, int what, long n) { return craig_descriptor_fails(fd); }
int nice(int n) { return __builtin_craig_any_int(); }
int pause(void) { craig_errno = 4; return -1; }
void sync(void) { }
int setpgid(int a, int b) { craig_pgrp = 0; return craig_fails(); }
int getpgid(int p) { int n = __builtin_craig_input_int("pid"); __builtin_craig_assume(n >= -1); return n; }
static int craig_pgrp;
int getpgrp(void) { if (craig_pgrp == 0) craig_pgrp = craig_id(); return craig_pgrp; }
int getsid(int p) { return getpgid(p); }
int setsid(void) { craig_pgrp = 0; return craig_fails() ? -1 : craig_id(); }
int tcgetpgrp(int fd) { return getpgid(fd); }
int tcsetpgrp(int fd, int p) { return craig_descriptor_fails(fd); }
int setreuid(unsigned a, unsigned b) { craig_uid_known = craig_euid_known = 0; return craig_fails(); }
int setregid(unsigned a, unsigned b) { craig_gid_known = craig_egid_known = 0; return craig_fails(); }
int getgroups(int n, unsigned *list) {
  int i, k = __builtin_craig_input_int("groups");
  __builtin_craig_assume(k >= -1 && (n == 0 || k <= n));
  if (n > 0) {
    __builtin_craig_writable(list, n * sizeof(unsigned));
    for (i = 0; i < k; i++) list[i] = __builtin_craig_input_uint("groups");
  }
  return k;
}
static long craig_limit(void) { long r = __builtin_craig_any_long(); __builtin_craig_assume(r >= -1); return r; }
long pathconf(const char *name, int what) { return craig_no_name(name) ? -1 : craig_limit(); }
long fpathconf(int fd, int what) { return craig_bad_descriptor(fd) ? -1 : craig_limit(); }
static long craig_hostid;
static int craig_hostid_known;
long gethostid(void) { if (!craig_hostid_known) { craig_hostid = __builtin_craig_input_int("hostid"); craig_hostid_known = 1; } return craig_hostid; }
int getdtablesize(void) { return 1024; }
int getdomainname(char *s, size_t n) { return gethostname(s, n); }
int getlogin_r(char *s, size_t n) { __builtin_craig_writable(s, n); if (n == 0) return 34; if (craig_fails()) return craig_errno; craig_text_of(s, n); return 0; }
int ttyname_r(int fd, char *s, size_t n) { __builtin_craig_writable(s, n); if (n == 0) return 34; if (craig_fails()) return craig_errno; craig_text_of(s, n); return 0; }
char *getlogin(void) { return __builtin_craig_input_bool("login") ? craig_some_text() : (char *)0; }
char *ttyname(int fd) { return __builtin_craig_input_bool("tty") ? craig_some_text() : (char *)0; }
char *getwd(char *s) { __builtin_craig_writable(s, 1); return getcwd(s, 4096); }
size_t confstr(int name, char *s, size_t n) { size_t r = __builtin_craig_any_size(); if (n > 0) craig_text_of(s, n); __builtin_craig_assume(r < 65536); return r; }
ssize_t readlink(const char *name, char *s, size_t n) { if (craig_no_name(name)) return -1; return craig_receive(s, n); }
ssize_t readlinkat(int d, const char *name, char *s, size_t n) { return readlink(name, s, n); }
unsigned ualarm(unsigned a, unsigned b) { craig_alarm = ~0U; return __builtin_craig_any_uint(); }
int daemon(int a, int b) { return craig_fails(); }
/* F_SETFD, F_SETFL, F_SETLK, F_SETLKW; what the others give may be what was set. */
int fcntl(int fd, int what, ...) {
  int n;
  if (craig_bad_descriptor(fd) || craig_fails()) return -1;
  if (what == 2 || what == 4 || what == 6 || what == 7) return 0;
  if (what == 5) __builtin_craig_unmodelled("what `fcntl` writes is not modelled");
  n = __builtin_craig_any_int();
  __builtin_craig_assume(n >= 0);
  return n;
}
int ioctl(int fd, unsigned long what, ...) { __builtin_craig_unmodelled("what `ioctl` writes is not modelled"); return craig_fails(); }
int posix_fadvise(int fd, long at, long n, int what) { return craig_fails() ? craig_errno : 0; }
int posix_fallocate(int fd, long at, long n) { return craig_fails() ? craig_errno : 0; }
/* Six characters at the end of a name become others. */
static int craig_template(char *name) {
  size_t n = strlen(name), i;
  for (i = n < 6 ? 0 : n - 6; i < n; i++) if (name[i] != 'X') break;
  if (n < 6 || i < n) { craig_errno = 22; return 0; }
  __builtin_craig_writable(name + n - 6, 6);
  for (i = n - 6; i < n; i++) {
    char c = __builtin_craig_any_char();
    __builtin_craig_assume(c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z');
    name[i] = c;
  }
  __builtin_craig_ends(name + n);
  return 1;
}
int mkstemp(char *name) {
  if (!craig_template(name)) return -1;
  craig_own_descriptors = 1;
  return craig_descriptor();
}
char *mkdtemp(char *name) { return !craig_template(name) || craig_fails() ? (char *)0 : name; }
char *mktemp(char *name) { if (!craig_template(name)) *name = 0; return name; }
char *realpath(const char *name, char *to) {
  if (craig_name_fails(name)) return 0;
  if (to == 0) { to = malloc(4096); if (to == 0) return 0; }
  return craig_name_for(to, 4096);
}
/* A program that is replaced by another ends. */
static int craig_replaced(const char *name) {
  craig_str_end(name);
  if (craig_fails()) return -1;
  _exit(0);
  return 0;
}
/* Of the arguments the first is looked at. */
static void craig_arguments_of(char *const *argv) { __builtin_craig_readable(argv, sizeof(char *)); if (*argv != 0) craig_str_end(*argv); }
int execv(const char *name, char *const *argv) { craig_arguments_of(argv); return craig_replaced(name); }
int execvp(const char *name, char *const *argv) { craig_arguments_of(argv); return craig_replaced(name); }
int execve(const char *name, char *const *argv, char *const *env) { craig_arguments_of(argv); if (env != 0) craig_arguments_of(env); return craig_replaced(name); }
int execl(const char *name, const char *arg, ...) { craig_str_end(arg); return craig_replaced(name); }
int execlp(const char *name, const char *arg, ...) { craig_str_end(arg); return craig_replaced(name); }
int execle(const char *name, const char *arg, ...) { craig_str_end(arg); return craig_replaced(name); }
/* One child is followed: it ends, or is waited for by somebody else. Who kills it, is the outside's business; what it
   returns otherwise, not. */
static int craig_child, craig_fork_handlers;
static void craig_status_of(int *status) {
  if (status == 0) return;
  __builtin_craig_writable(status, sizeof(int));
  if (__builtin_craig_input_bool("child.killed")) *status = 9;
  else *status = __builtin_craig_any_int();
}
static int craig_wait(int pid, int *status, int options) {
  int n;
  if (craig_forks == 1 && craig_child != 0 && (pid == -1 || pid == craig_child) && (options & ~3) == 0) {
    if (__builtin_craig_input_bool("wait.fails")) { craig_errno = __builtin_craig_input_bool("wait.interrupted") ? 4 : 10; return -1; }
    if ((options & 1) && __builtin_craig_input_bool("wait.nobody")) return 0;
    n = craig_child;
    /* Whoever started the program may have left it children. */
    if (pid == -1 && __builtin_craig_maybe()) { n = __builtin_craig_any_int(); __builtin_craig_assume(n > 0); }
    craig_child = 0;
  } else {
    n = __builtin_craig_any_int();
    __builtin_craig_assume(n >= -1 && (n != 0 || (options & 1)));
    if (n == -1) craig_errno = __builtin_craig_any_int();
    if (n <= 0) return n;
  }
  craig_status_of(status);
  return n;
}
int wait(int *status) { return craig_wait(-1, status, 0); }
int waitpid(int pid, int *status, int options) { return craig_wait(pid, status, options); }
/* Parent and child are executions of their own, from the call on: neither sees what the other writes to its memory. */
int pthread_atfork(void (*before)(void), void (*in_parent)(void), void (*in_child)(void)) {
  craig_fork_handlers = 1;
  return 0;
}
int _Fork(void) {
  int own = getpid(), n;
  if (__builtin_craig_runs()) __builtin_craig_unmodelled("`fork`: the other process is not run");
  if (craig_shares_memory) __builtin_craig_unmodelled("memory that processes share is not modelled");
  if (craig_fails()) return -1;
  if (__builtin_craig_input_bool("fork.child")) {
    n = craig_id();
    __builtin_craig_assume(n != own);
    craig_ppid = 0; craig_pid = n; craig_forks = 0; craig_child = 0;
    return 0;
  }
  /* Which numbers are free again is not followed. */
  if (craig_forks != 0) n = __builtin_craig_any_int(); else n = craig_id();
  __builtin_craig_assume(n > 0 && n != own);
  craig_forks++;
  craig_child = n;
  return n;
}
int fork(void) {
  if (craig_fork_handlers) __builtin_craig_unmodelled("handlers of `pthread_atfork` are not modelled");
  return _Fork();
}
/* What a child does to the memory of its parent is undefined, so there is nothing to see of it. */
int vfork(void) { return _Fork(); }
/* What the outside says of a file. */
static int craig_stat(long *s) {
  int i;
  __builtin_craig_writable(s, 18 * sizeof(long));
  if (craig_fails()) return -1;
  /* Of files that the program writes the outside cannot choose all. */
  if (craig_own_descriptors || craig_writes != 0) for (i = 0; i < 18; i++) s[i] = __builtin_craig_any_long();
  else for (i = 0; i < 18; i++) s[i] = __builtin_craig_input_long("stat");
  __builtin_craig_assume(s[6] >= 0);
  return 0;
}
int stat(const char *name, void *s) { return craig_no_name(name) ? -1 : craig_stat(s); }
int lstat(const char *name, void *s) { return craig_no_name(name) ? -1 : craig_stat(s); }
int fstat(int fd, void *s) { return craig_bad_descriptor(fd) ? -1 : craig_stat(s); }
int fstatat(int d, const char *name, void *s, int flags) { craig_str_end(name); return craig_stat(s); }
int fchmod(int fd, unsigned mode) { return craig_descriptor_fails(fd); }
int fchmodat(int d, const char *name, unsigned mode, int flags) { return craig_name_fails(name); }
int mkdirat(int d, const char *name, unsigned mode) { return craig_name_fails(name); }
int mkfifo(const char *name, unsigned mode) { return craig_name_fails(name); }
int mknod(const char *name, unsigned mode, unsigned long dev) { return craig_name_fails(name); }
static unsigned craig_mask;
static int craig_mask_known;
unsigned umask(unsigned mode) {
  unsigned old = craig_mask_known ? craig_mask : __builtin_craig_input_uint("umask") & 511;
  craig_mask_known = 1;
  craig_mask = mode & 511;
  return old;
}
/* Directories: entries of the outside. */
struct craig_entry { unsigned long number; long offset; unsigned short length; unsigned char type; char name[256]; };
/* Each has room for the entry that was read last. */
struct craig_directory { int open; struct craig_entry entry; };
static int craig_directories_closed;
static struct craig_directory *craig_new_directory(void) {
  struct craig_directory *d = __builtin_alloca(sizeof(struct craig_directory));
  d->open = 1;
  return d;
}
static void craig_is_directory(struct craig_directory *d) {
  __builtin_craig_require(d != 0, "the directory is null");
  if (__builtin_craig_checks() && craig_directories_closed) __builtin_craig_require(d->open == 1, "the directory is closed");
}
void *opendir(const char *name) { return craig_name_fails(name) ? (void *)0 : (void *)craig_new_directory(); }
void *fdopendir(int fd) { return craig_fails() ? (void *)0 : (void *)craig_new_directory(); }
struct craig_entry *readdir(void *p) {
  size_t i, n;
  struct craig_directory *d = p;
  craig_is_directory(d);
  if (__builtin_craig_input_bool("readdir.ends")) return 0;
  d->entry.number = __builtin_craig_input_ulong("readdir");
  d->entry.type = __builtin_craig_input_uchar("readdir");
  n = __builtin_craig_input_size("readdir.length");
  __builtin_craig_assume(n > 0 && n < 256);
  for (i = 0; i < n; i++) {
    char c = __builtin_craig_input_char("readdir.byte");
    __builtin_craig_assume(c != 0 && c != '/');
    d->entry.name[i] = c;
  }
  d->entry.name[n] = 0;
  return &d->entry;
}
int closedir(void *p) {
  struct craig_directory *d = p;
  craig_is_directory(d);
  d->open = 0;
  craig_directories_closed = 1;
  return craig_fails();
}
int dirfd(void *d) { craig_is_directory(d); return craig_descriptor(); }
void rewinddir(void *d) { craig_is_directory(d); }
char *dirname(char *s) {
  static char here[] = ".", root[] = "/";
  char *slash;
  if (s == 0) return here;
  craig_str_end(s);
  if (*s == 0) return here;
  slash = s + strlen(s);
  while (slash > s && slash[-1] == '/') slash--;
  while (slash > s && slash[-1] != '/') slash--;
  while (slash > s && slash[-1] == '/') slash--;
  if (slash == s) return *s == '/' ? root : here;
  *slash = 0;
  return s;
}

/* getopt: the outside chooses the options; how far it has come is in optind. */
extern char *optarg;
extern int optind, opterr, optopt;
static char *craig_option_text(void) {
  size_t n = __builtin_craig_input_size("getopt.length");
  char *s;
  __builtin_craig_assume(n < 131072);
  s = __builtin_alloca(n + 1);
  s[n] = 0;
  __builtin_craig_ends(s + n);
  return s;
}
struct craig_option { const char *name; int has_arg; int *flag; int val; };
/* Where the letters of a word go on, and the words before the last option that are none: glibc moves them to the end. */
static char *craig_letters;
static int craig_getopt_runs, craig_first_word, craig_last_word;
static int craig_is_word(const char *s) { return s[0] != '-' || s[1] == 0; }
static void craig_turn(char **argv, int from, int to) {
  while (from + 1 < to) {
    char *one = argv[from];
    to--;
    argv[from] = argv[to];
    argv[to] = one;
    from++;
  }
}
static void craig_exchange(char **argv) {
  craig_turn(argv, craig_first_word, craig_last_word);
  craig_turn(argv, craig_last_word, optind);
  craig_turn(argv, craig_first_word, optind);
  craig_first_word += optind - craig_last_word;
  craig_last_word = optind;
}
static void craig_complain(int says, const char *program, const char *what, const char *prefix, const char *name, const char *rest) {
  if (__builtin_craig_runs() && says) {
    fputs(program, &craig_stderr);
    fputs(": ", &craig_stderr);
    fputs(what, &craig_stderr);
    fputs(prefix, &craig_stderr);
    fputs(name, &craig_stderr);
    fputs(rest, &craig_stderr);
  }
}
static int craig_long_option(int argc, char *const *argv, const char *options, const struct craig_option *list, int *index, int only, const char *prefix, int says) {
  char *end = craig_letters, *name = craig_letters;
  int n = 0, i, found = -1;
  while (end[0] != 0 && end[0] != '=') { end++; n++; }
  for (i = 0; list[i].name != 0 && found < 0; i++) if (strncmp(list[i].name, name, n) == 0 && list[i].name[n] == 0) found = i;
  if (found < 0) {
    for (i = 0; list[i].name != 0; i++)
      if (strncmp(list[i].name, name, n) == 0) {
        if (found < 0) found = i;
        else if (only || list[found].has_arg != list[i].has_arg || list[found].flag != list[i].flag || list[found].val != list[i].val) {
          if (__builtin_craig_runs() && says) __builtin_craig_unmodelled("what `getopt_long` says of an ambiguous option is not modelled");
          craig_letters = 0;
          optind++;
          optopt = 0;
          return '?';
        }
      }
  }
  if (found < 0) {
    if (only && argv[optind][1] != '-' && strchr(options, name[0]) != 0) return -1;
    craig_complain(says, argv[0], "unrecognized option '", prefix, name, "'\n");
    craig_letters = 0;
    optind++;
    optopt = 0;
    return '?';
  }
  optind++;
  craig_letters = 0;
  if (end[0] != 0) {
    if (list[found].has_arg == 0) {
      craig_complain(says, argv[0], "option '", prefix, list[found].name, "' doesn't allow an argument\n");
      optopt = list[found].val;
      return '?';
    }
    optarg = end + 1;
  } else if (list[found].has_arg == 1) {
    if (optind >= argc) {
      craig_complain(says, argv[0], "option '", prefix, list[found].name, "' requires an argument\n");
      optopt = list[found].val;
      return options[0] == ':' ? ':' : '?';
    }
    optarg = argv[optind];
    optind++;
  }
  if (index != 0) { __builtin_craig_writable(index, sizeof(int)); *index = found; }
  if (list[found].flag == 0) return list[found].val;
  __builtin_craig_writable(list[found].flag, sizeof(int));
  *list[found].flag = list[found].val;
  return 0;
}
/* As glibc does it. `only`: long options also have one dash. */
static int craig_next_option(int argc, char *const *argv, const char *options, const struct craig_option *list, int *index, int only) {
  const char *found;
  char letter[2];
  int moves = 1, returns = 0, says, c;
  if (argc < 1) return -1;
  optarg = 0;
  if (optind == 0 || !craig_getopt_runs) {
    if (optind == 0) optind = 1;
    craig_first_word = craig_last_word = optind;
    craig_letters = 0;
    craig_getopt_runs = 1;
  }
  if (options[0] == '-') { returns = 1; moves = 0; options++; }
  else if (options[0] == '+') { moves = 0; options++; }
  says = opterr != 0 && options[0] != ':';
  if (craig_letters == 0 || craig_letters[0] == 0) {
    if (craig_last_word > optind) craig_last_word = optind;
    if (craig_first_word > optind) craig_first_word = optind;
    if (moves) {
      if (craig_first_word != craig_last_word && craig_last_word != optind) craig_exchange((char **)argv);
      else if (craig_last_word != optind) craig_first_word = optind;
      while (optind < argc && craig_is_word(argv[optind])) optind++;
      craig_last_word = optind;
    }
    if (optind != argc && strcmp(argv[optind], "--") == 0) {
      optind++;
      if (craig_first_word != craig_last_word && craig_last_word != optind) craig_exchange((char **)argv);
      else if (craig_first_word == craig_last_word) craig_first_word = optind;
      craig_last_word = argc;
      optind = argc;
    }
    if (optind == argc) {
      if (craig_first_word != craig_last_word) optind = craig_first_word;
      return -1;
    }
    if (craig_is_word(argv[optind])) {
      if (!returns) return -1;
      optarg = argv[optind];
      optind++;
      return 1;
    }
    if (list != 0) {
      if (argv[optind][1] == '-') {
        craig_letters = argv[optind] + 2;
        return craig_long_option(argc, argv, options, list, index, only, "--", says);
      }
      if (only && (argv[optind][2] != 0 || strchr(options, argv[optind][1]) == 0)) {
        craig_letters = argv[optind] + 1;
        c = craig_long_option(argc, argv, options, list, index, only, "-", says);
        if (c != -1) return c;
      }
    }
    craig_letters = argv[optind] + 1;
  }
  c = craig_letters[0];
  craig_letters++;
  found = strchr(options, c);
  if (craig_letters[0] == 0) optind++;
  letter[0] = (char)c;
  letter[1] = 0;
  if (found == 0 || c == ':' || c == ';') {
    craig_complain(says, argv[0], "invalid option -- '", "", letter, "'\n");
    optopt = c;
    return '?';
  }
  if (found[0] == 'W' && found[1] == ';') __builtin_craig_unmodelled("`W;` among the options is not modelled");
  if (found[1] == ':') {
    if (craig_letters[0] != 0) {
      optarg = craig_letters;
      optind++;
    } else if (found[2] != ':') {
      if (optind == argc) {
        craig_complain(says, argv[0], "option requires an argument -- '", "", letter, "'\n");
        optopt = c;
        c = options[0] == ':' ? ':' : '?';
      } else {
        optarg = argv[optind];
        optind++;
      }
    }
    craig_letters = 0;
  }
  return c;
}
/* glibc keeps `optopt` beside and hands it out after each call; it is zero then, not '?', until a letter is unknown. */
static int craig_exact_getopt(int argc, char *const *argv, const char *options, const struct craig_option *list, int *index, int only) {
  static int kept;
  int c;
  optopt = kept;
  c = craig_next_option(argc, argv, options, list, index, only);
  kept = optopt;
  return c;
}
static int craig_take_option(int argc) {
  int k = __builtin_craig_input_int("getopt.step");
  __builtin_craig_assume(k >= 0 && k <= 2 && optind < argc && k <= argc - optind);
  optind += k;
  return k;
}
int getopt(int argc, char *const *argv, const char *options) {
  size_t k, n = strlen(options);
  /* What a program made itself, the outside does not choose. */
  if (__builtin_craig_runs() || argv != craig_argv) return craig_exact_getopt(argc, argv, options, 0, 0, 0);
  optarg = 0;
  if (optind >= argc || __builtin_craig_input_bool("getopt.ends")) return -1;
  craig_take_option(argc);
  if (__builtin_craig_input_bool("getopt.unknown")) {
    optopt = __builtin_craig_input_char("getopt.letter");
    __builtin_craig_assume(optopt != 0);
    return '?';
  }
  k = __builtin_craig_input_size("getopt.option");
  __builtin_craig_assume(k < n && options[k] != ':' && options[k] != '+' && options[k] != '-');
  if (options[k + 1] == ':') {
    if (options[k + 2] == ':' && __builtin_craig_input_bool("getopt.bare")) return options[k];
    if (__builtin_craig_input_bool("getopt.missing") && options[k + 2] != ':') {
      __builtin_craig_assume(optind == argc);
      optopt = options[k];
      return options[0] == ':' ? ':' : '?';
    }
    optarg = craig_option_text();
  }
  return options[k];
}
int getopt_long(int argc, char *const *argv, const char *options, const struct craig_option *list, int *index) {
  int k = 0, n = 0;
  if (__builtin_craig_runs() || argv != craig_argv) return craig_exact_getopt(argc, argv, options, list, index, 0);
  if (list == 0) return getopt(argc, argv, options);
  if (__builtin_craig_input_bool("getopt.short")) return getopt(argc, argv, options);
  optarg = 0;
  if (optind >= argc || __builtin_craig_input_bool("getopt.ends")) return -1;
  craig_take_option(argc);
  while (list[n].name != 0) n++;
  k = __builtin_craig_input_int("getopt.long");
  __builtin_craig_assume(k >= 0 && k < n);
  if (index != 0) { __builtin_craig_writable(index, sizeof(int)); *index = k; }
  if (list[k].has_arg == 1 || list[k].has_arg == 2 && __builtin_craig_input_bool("getopt.with")) optarg = craig_option_text();
  if (list[k].flag == 0) return list[k].val;
  __builtin_craig_writable(list[k].flag, sizeof(int));
  *list[k].flag = list[k].val;
  return 0;
}
int getopt_long_only(int argc, char *const *argv, const char *options, const struct craig_option *list, int *index) {
  if (__builtin_craig_runs() || argv != craig_argv) return craig_exact_getopt(argc, argv, options, list, index, 1);
  return getopt_long(argc, argv, options, list, index);
}
