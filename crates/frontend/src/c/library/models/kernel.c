/* What the system offers beside files: events, queues, semaphores and memory shared by processes, sizes of file
   systems, schedules, attributes of files, pseudo terminals. What it answers is the outside's; records are filled with
   values that are not modelled. Sizes of records are those of the two data models. */
static size_t craig_bits(size_t wide, size_t narrow) { return sizeof(long) == 8 ? wide : narrow; }
static int craig_record(void *p, size_t n) { __builtin_craig_writable(p, n); if (craig_fails()) return -1; craig_words(p, n); return 0; }
/* How many of n something happened to, or that it failed. */
static int craig_count_of(int n) {
  int k = __builtin_craig_input_int("count");
  if (craig_fails()) return -1;
  __builtin_craig_assume(k >= 0 && k <= n);
  return k;
}
/* A number of the system's: an identifier, not negative. */
static int craig_new_id(void) {
  int n = __builtin_craig_any_int();
  if (craig_fails()) return -1;
  __builtin_craig_assume(n >= 0);
  return n;
}
/* sys/epoll.h, sys/eventfd.h, sys/inotify.h, sys/signalfd.h, sys/timerfd.h */
/* A time and a set of signals, which may both be null. */
static void craig_interval(const void *t) { if (t != 0) __builtin_craig_readable(t, 2 * sizeof(long)); }
static void craig_mask_of(const void *set) { if (set != 0) __builtin_craig_readable(set, 8); }
int epoll_create(int n) { return craig_descriptor(); }
int epoll_create1(int flags) { return craig_descriptor(); }
int epoll_ctl(int fd, int what, int other, void *event) { if (event != 0) __builtin_craig_readable(event, 12); return craig_fails(); }
int epoll_wait(int fd, void *events, int n, int timeout) {
  int i, k = craig_count_of(n);
  if (n <= 0) { craig_errno = 22; return -1; }
  __builtin_craig_writable(events, n * 12UL);
  for (i = 0; i < 3 * k; i++) ((int *)events)[i] = __builtin_craig_any_int();
  return k;
}
int epoll_pwait(int fd, void *events, int n, int timeout, const void *set) { craig_mask_of(set); return epoll_wait(fd, events, n, timeout); }
int epoll_pwait2(int fd, void *events, int n, const void *timeout, const void *set) { craig_interval(timeout); craig_mask_of(set); return epoll_wait(fd, events, n, 0); }
int eventfd(unsigned n, int flags) { craig_own_descriptors = 1; return craig_descriptor(); }
int eventfd_read(int fd, unsigned long long *value) { return craig_record(value, 8); }
int eventfd_write(int fd, unsigned long long value) { return craig_fails(); }
int inotify_init(void) { return craig_descriptor(); }
int inotify_init1(int flags) { return craig_descriptor(); }
int inotify_add_watch(int fd, const char *name, unsigned mask) { craig_str_end(name); return craig_new_id(); }
int inotify_rm_watch(int fd, int watch) { return craig_fails(); }
int signalfd(int fd, const void *set, int flags) { __builtin_craig_readable(set, 128); return craig_descriptor(); }
int timerfd_create(int clock, int flags) { return craig_descriptor(); }
int timerfd_settime(int fd, int flags, const void *new, void *old) { __builtin_craig_readable(new, 4 * sizeof(long)); if (old != 0) return craig_record(old, 4 * sizeof(long)); return craig_fails(); }
int timerfd_gettime(int fd, void *now) { return craig_record(now, 4 * sizeof(long)); }
int pselect(int n, void *r, void *w, void *x, const void *t, const void *set) { craig_interval(t); craig_mask_of(set); return select(n, r, w, x, 0); }
int ppoll(void *p, unsigned long n, const void *t, const void *set) { craig_interval(t); craig_mask_of(set); return poll(p, n, 0); }
/* sys/ipc.h, sys/msg.h, sys/sem.h, sys/shm.h, mqueue.h, semaphore.h */
int ftok(const char *name, int n) { craig_str_end(name); return craig_new_id(); }
int msgget(int key, int flags) { return craig_new_id(); }
int msgctl(int id, int what, void *p) { if (what == 2) return craig_record(p, craig_bits(120, 88)); return craig_fails(); }
int msgsnd(int id, const void *p, size_t n, int flags) { __builtin_craig_readable(p, n + sizeof(long)); return craig_fails(); }
/* What comes may be what the program itself has sent. */
ssize_t msgrcv(int id, void *p, size_t n, long type, int flags) {
  size_t k = __builtin_craig_any_size(), i;
  __builtin_craig_writable(p, n + sizeof(long));
  if (craig_fails()) return -1;
  __builtin_craig_assume(k <= n);
  *(long *)p = __builtin_craig_any_long();
  for (i = 0; i < k; i++) ((char *)p)[sizeof(long) + i] = __builtin_craig_any_char();
  return k;
}
int semget(int key, int n, int flags) { return craig_new_id(); }
int semctl(int id, int number, int what, ...) {
  if (what == 2 || what == 13 || what == 3 || what == 18) __builtin_craig_unmodelled("what `semctl` writes is not modelled");
  return craig_new_id();
}
int semop(int id, void *p, size_t n) { __builtin_craig_readable(p, n * 6); return craig_fails(); }
int semtimedop(int id, void *p, size_t n, const void *t) { if (t != 0) __builtin_craig_readable(t, 2 * sizeof(long)); return semop(id, p, n); }
int shmget(int key, size_t n, int flags) { return craig_new_id(); }
void *shmat(int id, const void *at, int flags) { __builtin_craig_unmodelled("memory that processes share is not modelled"); return (void *)-1; }
int shmdt(const void *p) { return craig_fails(); }
int shmctl(int id, int what, void *p) { if (what == 2) return craig_record(p, craig_bits(112, 84)); return craig_fails(); }
int mq_open(const char *name, int flags, ...) { craig_str_end(name); return craig_descriptor(); }
int mq_close(int q) { return craig_fails(); }
int mq_unlink(const char *name) { craig_str_end(name); return craig_fails(); }
int mq_getattr(int q, void *p) { return craig_record(p, 8 * sizeof(long)); }
int mq_setattr(int q, const void *new, void *old) { __builtin_craig_readable(new, 8 * sizeof(long)); if (old != 0) return craig_record(old, 8 * sizeof(long)); return craig_fails(); }
int mq_notify(int q, const void *p) { if (p != 0) __builtin_craig_readable(p, 64); return craig_fails(); }
int mq_send(int q, const char *p, size_t n, unsigned priority) { __builtin_craig_readable(p, n); return craig_fails(); }
int mq_timedsend(int q, const char *p, size_t n, unsigned priority, const void *t) { __builtin_craig_readable(t, 2 * sizeof(long)); return mq_send(q, p, n, priority); }
ssize_t mq_receive(int q, char *p, size_t n, unsigned *priority) {
  size_t k = __builtin_craig_any_size(), i;
  __builtin_craig_writable(p, n);
  if (craig_fails()) return -1;
  __builtin_craig_assume(k <= n);
  for (i = 0; i < k; i++) p[i] = __builtin_craig_any_char();
  if (priority != 0) { __builtin_craig_writable(priority, sizeof(unsigned)); *priority = __builtin_craig_any_uint(); }
  return k;
}
ssize_t mq_timedreceive(int q, char *p, size_t n, unsigned *priority, const void *t) { __builtin_craig_readable(t, 2 * sizeof(long)); return mq_receive(q, p, n, priority); }
static int craig_named_semaphore;
int *sem_open(const char *name, int flags, ...) {
  craig_str_end(name);
  if (craig_fails()) return 0;
  craig_named_semaphore = __builtin_craig_any_int();
  __builtin_craig_assume(craig_named_semaphore >= 0);
  return &craig_named_semaphore;
}
int sem_close(int *s) { __builtin_craig_writable(s, sizeof(int)); return 0; }
int sem_unlink(const char *name) { craig_str_end(name); return craig_fails(); }
int sem_timedwait(int *s, const void *t) { __builtin_craig_readable(t, 2 * sizeof(long));
  __builtin_craig_writable(s, sizeof(int));
  if (*s <= 0) { craig_errno = 110; return -1; }
  *s = *s - 1;
  return 0;
}
int sem_clockwait(int *s, int clock, const void *t) { __builtin_craig_readable(t, 2 * sizeof(long)); return sem_timedwait(s, t); }
/* sys/statvfs.h, sys/statfs.h, sys/sysinfo.h, sys/resource.h, sys/times.h, sys/timeb.h */
int statvfs(const char *name, void *p) { craig_str_end(name); return craig_record(p, craig_bits(112, 72)); }
int fstatvfs(int fd, void *p) { return craig_record(p, craig_bits(112, 72)); }
int statvfs64(const char *name, void *p) { craig_str_end(name); return craig_record(p, craig_bits(112, 96)); }
int fstatvfs64(int fd, void *p) { return craig_record(p, craig_bits(112, 96)); }
int statfs(const char *name, void *p) { craig_str_end(name); return craig_record(p, craig_bits(120, 64)); }
int fstatfs(int fd, void *p) { return craig_record(p, craig_bits(120, 64)); }
int statfs64(const char *name, void *p) { craig_str_end(name); return craig_record(p, craig_bits(120, 84)); }
int fstatfs64(int fd, void *p) { return craig_record(p, craig_bits(120, 84)); }
int sysinfo(void *p) { return craig_record(p, craig_bits(112, 64)); }
int get_nprocs(void) { int n = (int)sysconf(84); __builtin_craig_assume(n >= 1); return n; }
int get_nprocs_conf(void) { int n = (int)sysconf(83); __builtin_craig_assume(n >= 1); return n; }
long get_phys_pages(void) { return sysconf(85); }
long get_avphys_pages(void) { return sysconf(86); }
int prlimit(int pid, int what, const void *new, void *old) { if (new != 0) __builtin_craig_readable(new, 2 * sizeof(long)); if (old != 0) return craig_record(old, 2 * sizeof(long)); return craig_fails(); }
int prlimit64(int pid, int what, const void *new, void *old) { if (new != 0) __builtin_craig_readable(new, 16); if (old != 0) return craig_record(old, 16); return craig_fails(); }
int getrlimit64(int what, unsigned long long *p) {
  __builtin_craig_writable(p, 16);
  if (craig_fails()) return -1;
  p[0] = __builtin_craig_any_ullong();
  p[1] = __builtin_craig_any_ullong();
  __builtin_craig_assume(p[0] <= p[1]);
  return 0;
}
int setrlimit64(int what, const void *p) { __builtin_craig_readable(p, 16); return craig_fails(); }
long times(void *p) { if (p != 0 && craig_record(p, 4 * sizeof(long)) != 0) return -1; return __builtin_craig_any_long(); }
int ftime(void *p) { return craig_record(p, craig_bits(16, 12)); }
long ulimit(int what, ...) { return __builtin_craig_any_long(); }
/* sys/time.h, time.h: clocks are not followed; a timer may go off at any time, which only a signal would tell. */
int adjtime(const void *new, void *old) { if (new != 0) __builtin_craig_readable(new, 2 * sizeof(long)); if (old != 0) return craig_record(old, 2 * sizeof(long)); return craig_fails(); }
int clock_adjtime(int clock, void *p) { return craig_record(p, craig_bits(208, 128)); }
int lutimes(const char *name, const void *t) { if (t != 0) __builtin_craig_readable(t, 4 * sizeof(long)); return craig_name_fails(name); }
int futimes(int fd, const void *t) { if (t != 0) __builtin_craig_readable(t, 4 * sizeof(long)); return craig_descriptor_fails(fd); }
int futimesat(int fd, const char *name, const void *t) { if (t != 0) __builtin_craig_readable(t, 4 * sizeof(long)); if (name != 0) craig_str_end(name); return craig_fails(); }
int dysize(int year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 366 : 365; }
int clock_getcpuclockid(int pid, int *clock) { if (pid != 0 && craig_fails()) return craig_errno; __builtin_craig_writable(clock, sizeof(int)); *clock = __builtin_craig_any_int(); return 0; }
int timespec_getres(struct craig_timespec *t, int base) { base = craig_base(base); if (base != 0 && t != 0) clock_getres(0, t); return base; }
int timer_create(int clock, void *event, void **timer) {
  if (event != 0) __builtin_craig_doubt("what a timer calls is not modelled");
  __builtin_craig_writable(timer, sizeof(void *));
  if (craig_fails()) return -1;
  *timer = (void *)__builtin_craig_any_ulong();
  return 0;
}
int timer_delete(void *timer) { return craig_fails(); }
int timer_settime(void *timer, int flags, const void *new, void *old) { __builtin_craig_readable(new, 4 * sizeof(long)); if (old != 0) return craig_record(old, 4 * sizeof(long)); return craig_fails(); }
int timer_gettime(void *timer, void *now) { return craig_record(now, 4 * sizeof(long)); }
int timer_getoverrun(void *timer) { return craig_new_id(); }
struct craig_tm *getdate(const char *s) { craig_str_end(s); if (__builtin_craig_any_bool()) return 0; craig_fill_date(&craig_date); return &craig_date; }
int getdate_r(const char *s, struct craig_tm *d) { craig_str_end(s); int r = __builtin_craig_any_int(); craig_fill_date(d); __builtin_craig_assume(r >= 0 && r <= 8); return r; }
char *strptime_l(const char *s, const char *format, struct craig_tm *d, void *l) { return strptime(s, format, d); }
size_t wcsftime_l(wchar_t *s, size_t n, const wchar_t *format, const struct craig_tm *d, void *l) { return wcsftime(s, n, format, d); }
/* sched.h */
int sched_getcpu(void) { int n = __builtin_craig_any_int(); __builtin_craig_assume(n >= -1); return n; }
int getcpu(unsigned *cpu, unsigned *node) { if (cpu != 0) craig_words(cpu, 4); if (node != 0) craig_words(node, 4); return 0; }
int unshare(int flags) { return craig_fails(); }
int setns(int fd, int type) { return craig_fails(); }
int sched_setparam(int pid, const void *p) { __builtin_craig_readable(p, 4); return craig_fails(); }
int sched_getparam(int pid, void *p) { return craig_record(p, 4); }
int sched_setscheduler(int pid, int policy, const void *p) { __builtin_craig_readable(p, 4); return craig_fails(); }
int sched_getscheduler(int pid) { return craig_new_id(); }
int sched_rr_get_interval(int pid, void *t) { return craig_record(t, 2 * sizeof(long)); }
int sched_setaffinity(int pid, size_t n, const void *set) { __builtin_craig_readable(set, n); return craig_fails(); }
int sched_getaffinity(int pid, size_t n, void *set) { return craig_record(set, n); }
int __sched_cpucount(size_t n, const void *set) { int k = __builtin_craig_any_int(); __builtin_craig_readable(set, n); __builtin_craig_assume(k >= 0 && (size_t)k <= 8 * n); return k; }
void *__sched_cpualloc(size_t n) { return malloc((n + 8 * sizeof(long) - 1) / (8 * sizeof(long)) * sizeof(long)); }
void __sched_cpufree(void *set) { free(set); }
int prctl(int what, ...) { __builtin_craig_unmodelled("what `prctl` writes is not modelled"); return craig_new_id(); }
long syscall(long number, ...) { __builtin_craig_unmodelled("a system call by its number is not modelled"); return __builtin_craig_any_long(); }
/* sys/sendfile.h, sys/uio.h, fcntl.h: bytes that go from descriptor to descriptor */
static ssize_t craig_moved(size_t n) { size_t k = __builtin_craig_input_size("moved"); if (craig_fails()) return -1; __builtin_craig_assume(k <= n && k <= (~(size_t)0 >> 1)); return k; }
static void craig_offset(long *at) { if (at != 0) { __builtin_craig_writable(at, sizeof(long)); *at = __builtin_craig_any_long(); } }
static void craig_offset64(long long *at) { if (at != 0) { __builtin_craig_writable(at, 8); *at = __builtin_craig_any_llong(); } }
ssize_t sendfile(int to, int from, long *at, size_t n) { craig_own_descriptors = 1; craig_offset(at); return craig_moved(n); }
ssize_t sendfile64(int to, int from, long long *at, size_t n) { craig_own_descriptors = 1; craig_offset64(at); return craig_moved(n); }
ssize_t copy_file_range(int from, long long *a, int to, long long *b, size_t n, unsigned flags) { craig_own_descriptors = 1; craig_offset64(a); craig_offset64(b); return craig_moved(n); }
ssize_t splice(int from, long long *a, int to, long long *b, size_t n, unsigned flags) { return copy_file_range(from, a, to, b, n, flags); }
ssize_t tee(int from, int to, size_t n, unsigned flags) { craig_own_descriptors = 1; return craig_moved(n); }
ssize_t vmsplice(int fd, const void *v, size_t n, unsigned flags) { __builtin_craig_readable(v, n * 2 * sizeof(long)); craig_own_descriptors = 1; return craig_moved(~(size_t)0 >> 1); }
ssize_t readahead(int fd, long long at, size_t n) { return craig_fails(); }
int sync_file_range(int fd, long long at, long long n, unsigned flags) { return craig_fails(); }
int fallocate(int fd, int mode, long at, long n) { return craig_descriptor_fails(fd); }
int fallocate64(int fd, int mode, long long at, long long n) { return craig_descriptor_fails(fd); }
int flock(int fd, int what) { return craig_descriptor_fails(fd); }
ssize_t preadv(int fd, const struct craig_vector *v, int n, long at) { craig_goes_back(); return readv(fd, v, n); }
ssize_t pwritev(int fd, const struct craig_vector *v, int n, long at) { return writev(fd, v, n); }
ssize_t preadv64(int fd, const struct craig_vector *v, int n, long long at) { craig_goes_back(); return readv(fd, v, n); }
ssize_t pwritev64(int fd, const struct craig_vector *v, int n, long long at) { return writev(fd, v, n); }
ssize_t preadv2(int fd, const struct craig_vector *v, int n, long at, int flags) { craig_goes_back(); return readv(fd, v, n); }
ssize_t pwritev2(int fd, const struct craig_vector *v, int n, long at, int flags) { return writev(fd, v, n); }
ssize_t preadv64v2(int fd, const struct craig_vector *v, int n, long long at, int flags) { craig_goes_back(); return readv(fd, v, n); }
ssize_t pwritev64v2(int fd, const struct craig_vector *v, int n, long long at, int flags) { return writev(fd, v, n); }
/* sys/xattr.h: attributes of files; a size of 0 asks how long the value is */
static ssize_t craig_attribute(char *p, size_t n) {
  size_t k = __builtin_craig_any_size(), i;
  if (n > 0) __builtin_craig_writable(p, n);
  if (craig_fails()) return -1;
  __builtin_craig_assume(k <= 65536 && (n == 0 || k <= n));
  if (n > 0) for (i = 0; i < k; i++) p[i] = __builtin_craig_any_char();
  return k;
}
int setxattr(const char *file, const char *name, const void *p, size_t n, int flags) { craig_str_end(file); craig_str_end(name); __builtin_craig_readable(p, n); return craig_fails(); }
int lsetxattr(const char *file, const char *name, const void *p, size_t n, int flags) { return setxattr(file, name, p, n, flags); }
int fsetxattr(int fd, const char *name, const void *p, size_t n, int flags) { craig_str_end(name); __builtin_craig_readable(p, n); return craig_fails(); }
ssize_t getxattr(const char *file, const char *name, void *p, size_t n) { craig_str_end(file); craig_str_end(name); return craig_attribute(p, n); }
ssize_t lgetxattr(const char *file, const char *name, void *p, size_t n) { return getxattr(file, name, p, n); }
ssize_t fgetxattr(int fd, const char *name, void *p, size_t n) { craig_str_end(name); return craig_attribute(p, n); }
ssize_t listxattr(const char *file, char *p, size_t n) { craig_str_end(file); return craig_attribute(p, n); }
ssize_t llistxattr(const char *file, char *p, size_t n) { return listxattr(file, p, n); }
ssize_t flistxattr(int fd, char *p, size_t n) { return craig_attribute(p, n); }
int removexattr(const char *file, const char *name) { craig_str_end(file); craig_str_end(name); return craig_fails(); }
int lremovexattr(const char *file, const char *name) { return removexattr(file, name); }
int fremovexattr(int fd, const char *name) { craig_str_end(name); return craig_fails(); }
/* sys/mman.h */
int memfd_create(const char *name, unsigned flags) { craig_str_end(name); craig_own_descriptors = 1; return craig_descriptor(); }
int mlock2(const void *p, size_t n, unsigned flags) { return craig_fails(); }
int posix_madvise(void *p, size_t n, int advice) { return craig_fails() ? craig_errno : 0; }
int mincore(void *p, size_t n, unsigned char *pages) { return craig_record(pages, (n + 4095) / 4096); }
void *mmap64(void *at, size_t n, int protection, int flags, int fd, long long offset) { return mmap(at, n, protection, flags, fd, 0); }
void *mremap(void *p, size_t old, size_t new, int flags, ...) { __builtin_craig_unmodelled("mapped memory that moves is not modelled"); return (void *)-1; }
int remap_file_pages(void *p, size_t n, int protection, size_t page, int flags) { __builtin_craig_unmodelled("mapped memory that changes its file is not modelled"); return craig_fails(); }
int pkey_alloc(unsigned flags, unsigned rights) { return craig_new_id(); }
int pkey_free(int key) { return craig_fails(); }
int pkey_set(int key, unsigned rights) { return craig_fails(); }
int pkey_get(int key) { return craig_new_id(); }
int pkey_mprotect(void *p, size_t n, int protection, int key) { return craig_fails(); }
int brk(void *end) { return craig_fails(); }
void *sbrk(long n) { __builtin_craig_unmodelled("memory of `sbrk` is not modelled"); return (void *)-1; }
/* Pseudo terminals and speeds (pty.h, termios.h). Where speeds are kept depends on the system. */
int posix_openpt(int flags) { return craig_descriptor(); }
int getpt(void) { return craig_descriptor(); }
int grantpt(int fd) { return craig_descriptor_fails(fd); }
int unlockpt(int fd) { return craig_descriptor_fails(fd); }
char *ptsname(int fd) { return craig_fails() ? (char *)0 : craig_some_text(); }
int ptsname_r(int fd, char *s, size_t n) { __builtin_craig_require(s != 0, "the buffer is null"); if (craig_fails()) return craig_errno; if (n == 0) return 34; craig_name_for(s, n); return 0; }
int openpty(int *a, int *b, char *name, const void *attributes, const void *size) {
  __builtin_craig_writable(a, sizeof(int)); __builtin_craig_writable(b, sizeof(int));
  if (attributes != 0) __builtin_craig_readable(attributes, 60);
  if (size != 0) __builtin_craig_readable(size, 8);
  if (craig_fails()) return -1;
  *a = craig_next_descriptor(); *b = craig_next_descriptor();
  craig_own_descriptors = 1;
  if (name != 0) craig_name_for(name, 32);
  return 0;
}
int forkpty(int *a, char *name, const void *attributes, const void *size) {
  int other;
  if (openpty(a, &other, name, attributes, size) == -1) return -1;
  return fork();
}
unsigned cfgetispeed(const void *p) { __builtin_craig_readable(p, 60); return __builtin_craig_any_uint(); }
unsigned cfgetospeed(const void *p) { __builtin_craig_readable(p, 60); return __builtin_craig_any_uint(); }
static int craig_set_speed(unsigned *p) {
  __builtin_craig_writable(p, 60);
  if (__builtin_craig_any_bool()) { craig_errno = 22; return -1; }
  p[0] = __builtin_craig_any_uint();
  p[2] = __builtin_craig_any_uint();
  p[13] = __builtin_craig_any_uint();
  p[14] = __builtin_craig_any_uint();
  return 0;
}
int cfsetispeed(void *p, unsigned speed) { return craig_set_speed(p); }
int cfsetospeed(void *p, unsigned speed) { return craig_set_speed(p); }
int cfsetspeed(void *p, unsigned speed) { return craig_set_speed(p); }
void cfmakeraw(unsigned *p) {
  __builtin_craig_writable(p, 60);
  p[0] &= ~0x5ebU; p[1] &= ~1U; p[3] &= ~0x804bU; p[2] = p[2] & ~0x130U | 0x30U;
  ((unsigned char *)p)[17 + 6] = 1;
  ((unsigned char *)p)[17 + 5] = 0;
}
int tcsendbreak(int fd, int n) { return craig_descriptor_fails(fd); }
int tcflow(int fd, int what) { return craig_descriptor_fails(fd); }
int tcgetsid(int fd) { return getpgid(fd); }
/* sys/sysmacros.h: numbers of devices. */
unsigned gnu_dev_major(unsigned long long dev) { return (unsigned)(dev >> 8 & 0xfff | dev >> 32 & ~0xfffULL); }
unsigned gnu_dev_minor(unsigned long long dev) { return (unsigned)(dev & 0xff | dev >> 12 & ~0xffULL); }
unsigned long long gnu_dev_makedev(unsigned major, unsigned minor) { return (unsigned long long)(major & 0xfff) << 8 | (unsigned long long)(major & ~0xfffU) << 32 | minor & 0xff | (unsigned long long)(minor & ~0xffU) << 12; }
/* aio.h and getaddrinfo_a: memory is written while the program goes on. */
static int craig_meanwhile(void) { __builtin_craig_unmodelled("what is read or written while the program goes on is not modelled"); return craig_fails(); }
int aio_read(void *p) { return craig_meanwhile(); }
int aio_write(void *p) { return craig_meanwhile(); }
int aio_fsync(int what, void *p) { return craig_meanwhile(); }
int lio_listio(int mode, void *const *list, int n, void *event) { return craig_meanwhile(); }
int aio_read64(void *p) { return craig_meanwhile(); }
int aio_write64(void *p) { return craig_meanwhile(); }
int aio_fsync64(int what, void *p) { return craig_meanwhile(); }
int lio_listio64(int mode, void *const *list, int n, void *event) { return craig_meanwhile(); }
int getaddrinfo_a(int mode, void **list, int n, void *event) { return craig_meanwhile(); }
int register_printf_specifier(int c, void *f, void *g) { return craig_meanwhile(); }
int register_printf_function(int c, void *f, void *g) { return craig_meanwhile(); }
ssize_t process_vm_readv(int pid, const void *a, unsigned long n, const void *b, unsigned long m, unsigned long flags) { return craig_meanwhile(); }
