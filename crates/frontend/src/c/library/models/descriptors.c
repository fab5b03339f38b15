/* unistd.h, fcntl.h and sys/stat.h, the rest: names of 64 bits, identities, programs that are started. */
static int craig_stat64(void *p) {
  size_t n = sizeof(long) == 8 ? 144 : 96;
  if (sizeof(long) == 8) return craig_stat(p);
  __builtin_craig_writable(p, n);
  if (craig_fails()) return -1;
  craig_words(p, n);
  return 0;
}
int stat64(const char *name, void *s) { craig_str_end(name); return craig_stat64(s); }
int lstat64(const char *name, void *s) { craig_str_end(name); return craig_stat64(s); }
int fstat64(int fd, void *s) { return craig_stat64(s); }
int fstatat64(int d, const char *name, void *s, int flags) { craig_str_end(name); return craig_stat64(s); }
int statx(int d, const char *name, int flags, unsigned mask, void *p) { craig_str_end(name); return craig_record(p, 256); }
int lchmod(const char *name, unsigned mode) { return craig_name_fails(name); }
unsigned getumask(void) { unsigned old = umask(0); umask(old); return old; }
int mknodat(int d, const char *name, unsigned mode, unsigned long dev) { return craig_name_fails(name); }
int mkfifoat(int d, const char *name, unsigned mode) { return craig_name_fails(name); }
int openat64(int at, const char *name, int flags, ...) { return craig_open_file(name, flags); }
int creat64(const char *name, unsigned mode) { return craig_open_file(name, 577); }
long long lseek64(int fd, long long at, int from) {
  long long r;
  if (sizeof(long) == 8) return lseek(fd, (long)at, from);
  if (craig_bad_descriptor(fd) || craig_fails()) return -1;
  craig_goes_back();
  r = __builtin_craig_any_llong();
  __builtin_craig_assume(r >= 0);
  return r;
}
ssize_t pread64(int fd, void *p, size_t n, long long at) { craig_goes_back(); return read(fd, p, n); }
ssize_t pwrite64(int fd, const void *p, size_t n, long long at) { return write(fd, p, n); }
int truncate64(const char *name, long long n) { return craig_name_fails(name); }
int ftruncate64(int fd, long long n) { return craig_descriptor_fails(fd); }
int lockf64(int fd, int what, long long n) { return craig_descriptor_fails(fd); }
int posix_fadvise64(int fd, long long at, long long n, int what) { return craig_fails() ? craig_errno : 0; }
int posix_fallocate64(int fd, long long at, long long n) { return craig_fails() ? craig_errno : 0; }
int fcntl64(int fd, int what, ...) { return fcntl(fd, what); }
int name_to_handle_at(int d, const char *name, void *handle, int *mount, int flags) {
  craig_str_end(name);
  __builtin_craig_writable(mount, sizeof(int));
  __builtin_craig_writable(handle, 8);
  __builtin_craig_unmodelled("what `name_to_handle_at` writes is not modelled");
  return craig_fails();
}
int open_by_handle_at(int mount, void *handle, int flags) { __builtin_craig_readable(handle, 8); return craig_descriptor(); }
int mkstemp64(char *name) { return mkstemp(name); }
int mkostemp64(char *name, int flags) { return mkstemp(name); }
/* The six characters stand before a suffix. */
int mkstemps(char *name, int suffix) {
  size_t n = strlen(name), i;
  if (suffix < 0 || n < (size_t)suffix + 6) { craig_errno = 22; return -1; }
  n -= suffix;
  for (i = n - 6; i < n; i++) if (name[i] != 'X') { craig_errno = 22; return -1; }
  __builtin_craig_writable(name + n - 6, 6);
  for (i = n - 6; i < n; i++) {
    char c = __builtin_craig_any_char();
    __builtin_craig_assume(c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z');
    name[i] = c;
  }
  craig_own_descriptors = 1;
  return craig_descriptor();
}
int mkostemps(char *name, int suffix, int flags) { return mkstemps(name, suffix); }
int mkstemps64(char *name, int suffix) { return mkstemps(name, suffix); }
int mkostemps64(char *name, int suffix, int flags) { return mkstemps(name, suffix); }
int renameat2(int d, const char *a, int e, const char *b, unsigned flags) { craig_str_end(a); craig_str_end(b); return craig_fails(); }
void closefrom(int fd) { craig_descriptors_end = 1; }
int close_range(unsigned from, unsigned to, int flags) { craig_descriptors_end = 1; return craig_fails(); }
/* Identities. */
int getresuid(unsigned *r, unsigned *e, unsigned *s) {
  __builtin_craig_writable(r, sizeof(unsigned)); __builtin_craig_writable(e, sizeof(unsigned)); __builtin_craig_writable(s, sizeof(unsigned));
  *r = getuid(); *e = geteuid(); *s = __builtin_craig_any_uint();
  return 0;
}
int getresgid(unsigned *r, unsigned *e, unsigned *s) {
  __builtin_craig_writable(r, sizeof(unsigned)); __builtin_craig_writable(e, sizeof(unsigned)); __builtin_craig_writable(s, sizeof(unsigned));
  *r = getgid(); *e = getegid(); *s = __builtin_craig_any_uint();
  return 0;
}
int setresuid(unsigned r, unsigned e, unsigned s) { return setreuid(r, e); }
int setresgid(unsigned r, unsigned e, unsigned s) { return setregid(r, e); }
int group_member(unsigned id) { return __builtin_craig_input_bool("group"); }
int sethostname(const char *s, size_t n) { __builtin_craig_readable(s, n); return craig_fails(); }
int setdomainname(const char *s, size_t n) { __builtin_craig_readable(s, n); return craig_fails(); }
int sethostid(long id) { return craig_fails(); }
int setlogin(const char *name) { craig_str_end(name); return craig_fails(); }
int ttyslot(void) { return __builtin_craig_any_int(); }
int vhangup(void) { return craig_fails(); }
int revoke(const char *name) { return craig_name_fails(name); }
int profil(unsigned short *p, size_t n, size_t offset, unsigned scale) { __builtin_craig_unmodelled("what `profil` writes is not modelled"); return craig_fails(); }
char *cuserid(char *s) { if (s != 0) return craig_name_for(s, 9); return craig_some_text(); }
/* Programs that take the place of this one, or run beside it. */
int execvpe(const char *name, char *const *argv, char *const *env) { craig_arguments_of(argv); if (env != 0) craig_arguments_of(env); return craig_replaced(name); }
int execveat(int d, const char *name, char *const *argv, char *const *env, int flags) { craig_arguments_of(argv); if (env != 0) craig_arguments_of(env); return craig_replaced(name); }
int fexecve(int fd, char *const *argv, char *const *env) { craig_arguments_of(argv); if (env != 0) craig_arguments_of(env); return craig_replaced(""); }
int posix_spawn(int *pid, const char *name, const void *actions, const void *attributes, char *const *argv, char *const *env) {
  craig_str_end(name);
  craig_arguments_of(argv);
  if (env != 0) craig_arguments_of(env);
  if (actions != 0) __builtin_craig_readable(actions, sizeof(long) == 8 ? 80 : 76);
  if (attributes != 0) __builtin_craig_readable(attributes, 336);
  if (craig_fails()) return craig_errno;
  craig_forks++;
  craig_child = craig_id();
  if (pid != 0) { __builtin_craig_writable(pid, sizeof(int)); *pid = craig_child; }
  return 0;
}
int posix_spawnp(int *pid, const char *name, const void *actions, const void *attributes, char *const *argv, char *const *env) { return posix_spawn(pid, name, actions, attributes, argv, env); }
int posix_spawnattr_init(void *p) { craig_words(p, 336); return 0; }
int posix_spawnattr_destroy(void *p) { __builtin_craig_readable(p, 336); return 0; }
static int craig_spawn_set(const void *p) { __builtin_craig_writable(p, 336); return craig_may_fail() ? craig_errno : 0; }
static int craig_spawn_get(const void *p, void *to, size_t n) { __builtin_craig_readable(p, 336); craig_words(to, n); return 0; }
int posix_spawnattr_getsigdefault(const void *p, void *set) { return craig_spawn_get(p, set, 128); }
int posix_spawnattr_setsigdefault(void *p, const void *set) { __builtin_craig_readable(set, 128); return craig_spawn_set(p); }
int posix_spawnattr_getsigmask(const void *p, void *set) { return craig_spawn_get(p, set, 128); }
int posix_spawnattr_setsigmask(void *p, const void *set) { __builtin_craig_readable(set, 128); return craig_spawn_set(p); }
int posix_spawnattr_getflags(const void *p, short *n) { return craig_spawn_get(p, n, sizeof(short)); }
int posix_spawnattr_setflags(void *p, int n) { return craig_spawn_set(p); }
int posix_spawnattr_getpgroup(const void *p, int *n) { return craig_spawn_get(p, n, sizeof(int)); }
int posix_spawnattr_setpgroup(void *p, int n) { return craig_spawn_set(p); }
int posix_spawnattr_getschedpolicy(const void *p, int *n) { return craig_spawn_get(p, n, sizeof(int)); }
int posix_spawnattr_setschedpolicy(void *p, int n) { return craig_spawn_set(p); }
int posix_spawnattr_getschedparam(const void *p, void *n) { return craig_spawn_get(p, n, 4); }
int posix_spawnattr_setschedparam(void *p, const void *n) { __builtin_craig_readable(n, 4); return craig_spawn_set(p); }
/* The actions' record has memory of its own, which `destroy` gives back. */
static int craig_spawn_action(void *p) { __builtin_craig_writable(p, sizeof(long) == 8 ? 80 : 76); return craig_may_fail() ? craig_errno : 0; }
int posix_spawn_file_actions_init(void *p) { craig_words(p, sizeof(long) == 8 ? 80 : 76); return 0; }
int posix_spawn_file_actions_destroy(void *p) { __builtin_craig_readable(p, sizeof(long) == 8 ? 80 : 76); return 0; }
int posix_spawn_file_actions_addopen(void *p, int fd, const char *name, int flags, unsigned mode) { craig_str_end(name); return craig_spawn_action(p); }
int posix_spawn_file_actions_addclose(void *p, int fd) { return craig_spawn_action(p); }
int posix_spawn_file_actions_adddup2(void *p, int a, int b) { return craig_spawn_action(p); }
int posix_spawn_file_actions_addchdir_np(void *p, const char *name) { craig_str_end(name); return craig_spawn_action(p); }
int posix_spawn_file_actions_addfchdir_np(void *p, int fd) { return craig_spawn_action(p); }
int posix_spawn_file_actions_addclosefrom_np(void *p, int fd) { return craig_spawn_action(p); }
int posix_spawn_file_actions_addtcsetpgrp_np(void *p, int fd) { return craig_spawn_action(p); }
int waitid(int type, unsigned id, void *p, int options) { if (p != 0) craig_words(p, 128); return craig_may_fail(); }
/* Directories, the rest. */
struct craig_entry *readdir64(void *d) { return readdir(d); }
int readdir_r(void *d, struct craig_entry *e, struct craig_entry **result) {
  struct craig_entry *next = readdir(d);
  __builtin_craig_writable(result, sizeof *result);
  *result = 0;
  if (next == 0) return 0;
  __builtin_craig_writable(e, sizeof *e);
  memcpy(e, next, sizeof *e);
  *result = e;
  return 0;
}
int readdir64_r(void *d, struct craig_entry *e, struct craig_entry **result) { return readdir_r(d, e, result); }
long telldir(void *d) { craig_is_directory(d); return __builtin_craig_any_long(); }
void seekdir(void *d, long at) { craig_is_directory(d); }
int alphasort(const struct craig_entry **a, const struct craig_entry **b) { return strcoll((*a)->name, (*b)->name); }
int versionsort(const struct craig_entry **a, const struct craig_entry **b) { return strverscmp((*a)->name, (*b)->name); }
int alphasort64(const struct craig_entry **a, const struct craig_entry **b) { return alphasort(a, b); }
int versionsort64(const struct craig_entry **a, const struct craig_entry **b) { return versionsort(a, b); }
/* Each entry that the filter wants in memory of its own, sorted. */
int scandir(const char *name, struct craig_entry ***list, int (*filter)(const struct craig_entry *), int (*compare)(const struct craig_entry **, const struct craig_entry **)) {
  struct craig_entry **array, *e;
  struct craig_directory *d = craig_new_directory();
  int n = 0, most = __builtin_craig_input_int("scandir.count");
  craig_str_end(name);
  __builtin_craig_writable(list, sizeof *list);
  __builtin_craig_assume(most >= 0 && most < 65536);
  if (craig_fails()) return -1;
  array = malloc((most + 1) * sizeof *array);
  if (array == 0) { craig_errno = 12; return -1; }
  while (n < most && (e = readdir(d)) != 0) {
    if (filter != 0 && filter(e) == 0) continue;
    array[n] = malloc(sizeof *e);
    if (array[n] == 0) { craig_errno = 12; return -1; }
    memcpy(array[n], e, sizeof *e);
    n++;
  }
  if (compare != 0) qsort(array, n, sizeof *array, (int (*)(const void *, const void *))compare);
  *list = array;
  return n;
}
int scandir64(const char *name, struct craig_entry ***list, int (*filter)(const struct craig_entry *), int (*compare)(const struct craig_entry **, const struct craig_entry **)) { return scandir(name, list, filter, compare); }
int scandirat(int d, const char *name, struct craig_entry ***list, int (*filter)(const struct craig_entry *), int (*compare)(const struct craig_entry **, const struct craig_entry **)) { return scandir(name, list, filter, compare); }
int scandirat64(int d, const char *name, struct craig_entry ***list, int (*filter)(const struct craig_entry *), int (*compare)(const struct craig_entry **, const struct craig_entry **)) { return scandir(name, list, filter, compare); }
ssize_t getdents64(int fd, void *p, size_t n) { return craig_receive(p, n); }
ssize_t getdirentries(int fd, char *p, size_t n, long *at) { __builtin_craig_writable(at, sizeof(long)); craig_offset(at); return craig_receive(p, n); }
ssize_t getdirentries64(int fd, char *p, size_t n, long long *at) { __builtin_craig_writable(at, 8); craig_offset64(at); return craig_receive(p, n); }
/* ftw.h: some names, with what the system knows of each, until the program has had enough. */
int ftw(const char *name, int (*f)(const char *, const void *, int), int depth) {
  long record[18];
  craig_str_end(name);
  if (craig_fails()) return -1;
  while (__builtin_craig_input_bool("ftw.more")) {
    int k, kind = __builtin_craig_any_int();
    craig_words(record, sizeof record);
    __builtin_craig_assume(kind >= 0 && kind <= 6);
    k = f(craig_value(), record, kind);
    if (k != 0) return k;
  }
  return 0;
}
int nftw(const char *name, int (*f)(const char *, const void *, int, void *), int depth, int flags) {
  long record[18];
  int where[2];
  craig_str_end(name);
  if (craig_fails()) return -1;
  while (__builtin_craig_input_bool("ftw.more")) {
    int k, kind = __builtin_craig_any_int();
    char *at = craig_value();
    craig_words(record, sizeof record);
    where[0] = __builtin_craig_any_int();
    where[1] = __builtin_craig_any_int();
    __builtin_craig_assume(kind >= 0 && kind <= 6 && where[1] >= 0 && where[0] >= 0 && (size_t)where[0] <= strlen(at));
    k = f(at, record, kind, where);
    if (k != 0) return k;
  }
  return 0;
}
int ftw64(const char *name, int (*f)(const char *, const void *, int), int depth) { return ftw(name, f, depth); }
int nftw64(const char *name, int (*f)(const char *, const void *, int, void *), int depth, int flags) { return nftw(name, f, depth, flags); }
