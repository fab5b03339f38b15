/* pthread.h of a single thread: locks are free, nobody waits for nobody. Attributes are what was set. */
unsigned long pthread_self(void) { return 1; }
int pthread_equal(unsigned long a, unsigned long b) { return a == b; }
int pthread_detach(unsigned long t) { return craig_may_fail() ? craig_errno : 0; }
int pthread_join(unsigned long t, void **r) { if (r != 0) { __builtin_craig_writable(r, sizeof(void *)); *r = 0; } return 35; }
int pthread_cancel(unsigned long t) { return craig_may_fail() ? craig_errno : 0; }
void pthread_testcancel(void) { }
int pthread_setcancelstate(int n, int *old) { if (n < 0 || n > 1) return 22; if (old != 0) { __builtin_craig_writable(old, sizeof(int)); *old = __builtin_craig_any_bool(); } return 0; }
int pthread_setcanceltype(int n, int *old) { return pthread_setcancelstate(n, old); }
int sched_yield(void) { return 0; }
/* Policies 4 and 8 are none; 7 is new. */
static int craig_no_policy(int p) {
  if (p >= 0 && p < 7 && p != 4 || p == 7 && !__builtin_craig_maybe()) return 0;
  craig_errno = 22;
  return 1;
}
int sched_get_priority_max(int p) { if (craig_no_policy(p)) return -1; return p == 1 || p == 2 ? 99 : 0; }
int sched_get_priority_min(int p) { if (craig_no_policy(p)) return -1; return p == 1 || p == 2 ? 1 : 0; }
/* A call in use of which depends on threads that there are not. */
int pthread_once(int *control, void (*f)(void)) {
  __builtin_craig_writable(control, sizeof(int));
  if (*control == 0) {
    *control = 1;
    f();
  }
  return 0;
}
static void *craig_specific[64];
static unsigned craig_keys;
int pthread_key_create(unsigned *key, void (*destructor)(void *)) {
  __builtin_craig_writable(key, sizeof(unsigned));
  if (craig_keys >= 64) return 11;
  *key = craig_keys;
  craig_specific[craig_keys] = 0;
  craig_keys++;
  return 0;
}
int pthread_key_delete(unsigned key) { return key < craig_keys ? 0 : 22; }
void *pthread_getspecific(unsigned key) { return key < craig_keys ? craig_specific[key] : (void *)0; }
int pthread_setspecific(unsigned key, const void *p) {
  if (key >= craig_keys) return 22;
  craig_specific[key] = (void *)p;
  return 0;
}
/* A mutex says how often it is locked and, where glibc keeps it, what kind it is: recursive (1) or checking errors (2). */
static int *craig_mutex_kind(int *m) { return m + (sizeof(long) == 8 ? 4 : 3); }
int pthread_mutex_init(int *m, const int *a) { if (a != 0) __builtin_craig_readable(a, 4); __builtin_craig_writable(m, 20); m[0] = 0; *craig_mutex_kind(m) = a == 0 ? 0 : *a & 3; return 0; }
int pthread_mutex_destroy(int *m) { __builtin_craig_writable(m, 20); return m[0] != 0 ? 16 : 0; }
int pthread_cond_init(void *m, const void *a) { if (a != 0) __builtin_craig_readable(a, 4); __builtin_craig_writable(m, 4); return 0; }
int pthread_cond_destroy(void *m) { __builtin_craig_writable(m, 4); return 0; }
int pthread_rwlock_init(int *m, const void *a) { if (a != 0) __builtin_craig_readable(a, 4); __builtin_craig_writable(m, 4); *m = 0; return 0; }
int pthread_rwlock_destroy(void *m) { __builtin_craig_writable(m, 4); return 0; }
int pthread_barrier_init(unsigned *m, const void *a, unsigned n) { if (a != 0) __builtin_craig_readable(a, 4); __builtin_craig_writable(m, 4); if (n == 0) return 22; *m = n; return 0; }
int pthread_barrier_destroy(void *m) { __builtin_craig_writable(m, 4); return 0; }
int pthread_spin_init(int *m, int shared) { __builtin_craig_writable(m, 4); *m = 0; return 0; }
int pthread_spin_destroy(int *m) { __builtin_craig_writable(m, 4); return 0; }
/* Only the one thread can hold a lock. Where it waits for itself, nothing after it happens. */
static int craig_mutex_take(int *m, int busy) {
  __builtin_craig_writable(m, 20);
  if (m[0] != 0 && *craig_mutex_kind(m) != 1) return busy;
  m[0] = m[0] + 1;
  return 0;
}
int pthread_mutex_lock(int *m) {
  int busy = craig_mutex_take(m, 35);
  __builtin_craig_assume(!busy || *craig_mutex_kind(m) == 2);
  return busy;
}
int pthread_mutex_trylock(int *m) { return craig_mutex_take(m, 16); }
int pthread_mutex_unlock(int *m) {
  __builtin_craig_writable(m, 20);
  if (m[0] == 0) return *craig_mutex_kind(m) != 0 ? 1 : 0;
  m[0] = m[0] - 1;
  return 0;
}
/* No other thread has died with it. */
int pthread_mutex_consistent(void *m) { __builtin_craig_writable(m, 4); return 22; }
static int craig_refused(void) { int e = __builtin_craig_any_int(); __builtin_craig_assume(e >= 0 && e < 134); return e; }
int pthread_cond_signal(void *m) { __builtin_craig_writable(m, 4); return 0; }
int pthread_cond_broadcast(void *m) { __builtin_craig_writable(m, 4); return 0; }
/* How many read; -1: the thread writes. */
int pthread_rwlock_rdlock(int *m) { __builtin_craig_writable(m, 4); if (*m < 0) return 35; *m = *m + 1; return 0; }
int pthread_rwlock_wrlock(int *m) { __builtin_craig_writable(m, 4); if (*m < 0) return 35; __builtin_craig_assume(*m == 0); *m = -1; return 0; }
int pthread_rwlock_tryrdlock(int *m) { __builtin_craig_writable(m, 4); if (*m < 0) return 16; *m = *m + 1; return 0; }
int pthread_rwlock_trywrlock(int *m) { __builtin_craig_writable(m, 4); if (*m != 0) return 16; *m = -1; return 0; }
int pthread_rwlock_unlock(int *m) { __builtin_craig_writable(m, 4); *m = *m > 0 ? *m - 1 : 0; return 0; }
int pthread_spin_lock(int *m) { __builtin_craig_writable(m, 4); __builtin_craig_assume(*m == 0); *m = 1; return 0; }
int pthread_spin_trylock(int *m) { __builtin_craig_writable(m, 4); if (*m != 0) return 16; *m = 1; return 0; }
int pthread_spin_unlock(int *m) { __builtin_craig_writable(m, 4); *m = 0; return 0; }
int pthread_mutex_timedlock(int *m, const void *t) { __builtin_craig_readable(t, 2 * sizeof(long)); int busy = craig_mutex_take(m, 110); return busy && *craig_mutex_kind(m) == 2 ? 35 : busy; }
int pthread_rwlock_timedrdlock(int *m, const void *t) { __builtin_craig_readable(t, 2 * sizeof(long)); return pthread_rwlock_rdlock(m); }
int pthread_rwlock_timedwrlock(int *m, const void *t) { __builtin_craig_readable(t, 2 * sizeof(long)); __builtin_craig_writable(m, 4); if (*m > 0) return 110; return pthread_rwlock_wrlock(m); }
/* Nobody can wake the only thread but by accident. */
int pthread_cond_wait(void *c, void *m) { __builtin_craig_writable(c, 4); __builtin_craig_writable(m, 4); return 0; }
int pthread_cond_timedwait(void *c, void *m, const void *t) { __builtin_craig_readable(t, 2 * sizeof(long)); __builtin_craig_writable(c, 4); __builtin_craig_writable(m, 4); return __builtin_craig_input_bool("timeout") ? 110 : 0; }
/* The others never come. */
int pthread_barrier_wait(unsigned *b) { __builtin_craig_writable(b, 4); __builtin_craig_assume(*b == 1); return -1; }
int pthread_attr_init(void *a) { __builtin_craig_writable(a, 4); return 0; }
int pthread_attr_destroy(void *a) { __builtin_craig_writable(a, 4); return 0; }
int pthread_mutexattr_init(int *a) { __builtin_craig_writable(a, 4); *a = 0; return 0; }
int pthread_mutexattr_destroy(void *a) { __builtin_craig_writable(a, 4); return 0; }
int pthread_condattr_init(void *a) { __builtin_craig_writable(a, 4); return 0; }
int pthread_condattr_destroy(void *a) { __builtin_craig_writable(a, 4); return 0; }
int pthread_rwlockattr_init(void *a) { __builtin_craig_writable(a, 4); return 0; }
int pthread_rwlockattr_destroy(void *a) { __builtin_craig_writable(a, 4); return 0; }
int pthread_barrierattr_init(void *a) { __builtin_craig_writable(a, 4); return 0; }
int pthread_barrierattr_destroy(void *a) { __builtin_craig_writable(a, 4); return 0; }
int pthread_attr_setdetachstate(void *a, int n) { __builtin_craig_writable(a, 4); return n < 0 || n > 1 ? 22 : 0; }
int pthread_attr_getdetachstate(const void *a, int *n) { __builtin_craig_readable(a, 4); __builtin_craig_writable(n, sizeof(int)); *n = __builtin_craig_any_int(); return 0; }
int pthread_attr_setinheritsched(void *a, int n) { __builtin_craig_writable(a, 4); return n < 0 || n > 1 ? 22 : 0; }
int pthread_attr_getinheritsched(const void *a, int *n) { __builtin_craig_readable(a, 4); __builtin_craig_writable(n, sizeof(int)); *n = __builtin_craig_any_int(); return 0; }
int pthread_attr_setschedpolicy(void *a, int n) { __builtin_craig_writable(a, 4); return n < 0 || n > 2 ? 22 : 0; }
int pthread_attr_getschedpolicy(const void *a, int *n) { __builtin_craig_readable(a, 4); __builtin_craig_writable(n, sizeof(int)); *n = __builtin_craig_any_int(); return 0; }
int pthread_attr_setscope(void *a, int n) { __builtin_craig_writable(a, 4); return n == 1 ? 95 : n != 0 ? 22 : 0; }
int pthread_attr_getscope(const void *a, int *n) { __builtin_craig_readable(a, 4); __builtin_craig_writable(n, sizeof(int)); *n = __builtin_craig_any_int(); return 0; }
int pthread_mutexattr_setprioceiling(void *a, int n) { __builtin_craig_writable(a, 4); return craig_may_fail() ? craig_errno : 0; }
int pthread_mutexattr_getprioceiling(const void *a, int *n) { __builtin_craig_readable(a, 4); __builtin_craig_writable(n, sizeof(int)); *n = __builtin_craig_any_int(); return 0; }
int pthread_mutexattr_setprotocol(void *a, int n) { __builtin_craig_writable(a, 4); return n < 0 || n > 2 ? 22 : 0; }
int pthread_mutexattr_getprotocol(const void *a, int *n) { __builtin_craig_readable(a, 4); __builtin_craig_writable(n, sizeof(int)); *n = __builtin_craig_any_int(); return 0; }
int pthread_mutexattr_setpshared(void *a, int n) { __builtin_craig_writable(a, 4); return n < 0 || n > 1 ? 22 : 0; }
int pthread_mutexattr_getpshared(const void *a, int *n) { __builtin_craig_readable(a, 4); __builtin_craig_writable(n, sizeof(int)); *n = __builtin_craig_any_int(); return 0; }
int pthread_mutexattr_setrobust(void *a, int n) { __builtin_craig_writable(a, 4); return n < 0 || n > 1 ? 22 : 0; }
int pthread_mutexattr_getrobust(const void *a, int *n) { __builtin_craig_readable(a, 4); __builtin_craig_writable(n, sizeof(int)); *n = __builtin_craig_any_int(); return 0; }
int pthread_mutexattr_settype(int *a, int n) { __builtin_craig_writable(a, 4); if (n < 0 || n > 3) return 22; *a = n; return 0; }
int pthread_mutexattr_gettype(const int *a, int *n) { __builtin_craig_readable(a, 4); __builtin_craig_writable(n, sizeof(int)); *n = *a; return 0; }
int pthread_condattr_setclock(void *a, int n) { __builtin_craig_writable(a, 4); return n < 0 || n > 1 ? 22 : 0; }
int pthread_condattr_getclock(const void *a, int *n) { __builtin_craig_readable(a, 4); __builtin_craig_writable(n, sizeof(int)); *n = __builtin_craig_any_int(); return 0; }
int pthread_condattr_setpshared(void *a, int n) { __builtin_craig_writable(a, 4); return n < 0 || n > 1 ? 22 : 0; }
int pthread_condattr_getpshared(const void *a, int *n) { __builtin_craig_readable(a, 4); __builtin_craig_writable(n, sizeof(int)); *n = __builtin_craig_any_int(); return 0; }
int pthread_rwlockattr_setkind_np(void *a, int n) { __builtin_craig_writable(a, 4); return n < 0 || n > 2 ? 22 : 0; }
int pthread_rwlockattr_getkind_np(const void *a, int *n) { __builtin_craig_readable(a, 4); __builtin_craig_writable(n, sizeof(int)); *n = __builtin_craig_any_int(); return 0; }
int pthread_rwlockattr_setpshared(void *a, int n) { __builtin_craig_writable(a, 4); return n < 0 || n > 1 ? 22 : 0; }
int pthread_rwlockattr_getpshared(const void *a, int *n) { __builtin_craig_readable(a, 4); __builtin_craig_writable(n, sizeof(int)); *n = __builtin_craig_any_int(); return 0; }
int pthread_barrierattr_setpshared(void *a, int n) { __builtin_craig_writable(a, 4); return n < 0 || n > 1 ? 22 : 0; }
int pthread_barrierattr_getpshared(const void *a, int *n) { __builtin_craig_readable(a, 4); __builtin_craig_writable(n, sizeof(int)); *n = __builtin_craig_any_int(); return 0; }
int pthread_attr_setguardsize(void *a, size_t n) { __builtin_craig_writable(a, 4); return 0; }
int pthread_attr_getguardsize(const void *a, size_t *n) { __builtin_craig_readable(a, 4); __builtin_craig_writable(n, sizeof(size_t)); *n = __builtin_craig_any_size(); return 0; }
int pthread_attr_setstacksize(void *a, size_t n) { __builtin_craig_writable(a, 4); return n < 16384 ? 22 : 0; }
int pthread_attr_getstacksize(const void *a, size_t *n) { __builtin_craig_readable(a, 4); __builtin_craig_writable(n, sizeof(size_t)); *n = __builtin_craig_any_size(); return 0; }
int sem_init(int *s, int shared, unsigned n) { __builtin_craig_writable(s, sizeof(int)); if (n > 0x7fffffff) { craig_errno = 22; return -1; } *s = n; return 0; }
int sem_destroy(int *s) { __builtin_craig_writable(s, sizeof(int)); return 0; }
int sem_post(int *s) { __builtin_craig_writable(s, sizeof(int)); if (*s == 0x7fffffff) { craig_errno = 75; return -1; } *s = *s + 1; return 0; }
/* Waiting for ever: nothing after it happens. */
int sem_wait(int *s) { __builtin_craig_writable(s, sizeof(int)); __builtin_craig_assume(*s > 0); *s = *s - 1; return 0; }
int sem_trywait(int *s) {
  __builtin_craig_writable(s, sizeof(int));
  if (*s <= 0) { craig_errno = 11; return -1; }
  *s = *s - 1;
  return 0;
}
int sem_getvalue(int *s, int *n) { __builtin_craig_readable(s, 4); __builtin_craig_writable(n, sizeof(int)); *n = *s; return 0; }
/* threads.h, for the one thread there is: how often a mutex is locked, and its type. */
int mtx_init(int *m, int type) { __builtin_craig_writable(m, 8); m[0] = 0; m[1] = type; return 0; }
int mtx_trylock(int *m) {
  __builtin_craig_writable(m, 8);
  if (m[0] > 0 && (m[1] & 1) == 0) return 1;
  m[0] = m[0] + 1;
  return 0;
}
/* Waiting for ever: nothing after it happens. */
int mtx_lock(int *m) { int busy = mtx_trylock(m); __builtin_craig_assume(!busy); return 0; }
int mtx_unlock(int *m) { __builtin_craig_writable(m, 8); m[0] = m[0] - 1; return 0; }
void mtx_destroy(int *m) { __builtin_craig_writable(m, 8); }
int cnd_init(void *c) { __builtin_craig_writable(c, 1); return 0; }
int cnd_signal(void *c) { __builtin_craig_writable(c, 1); return 0; }
int cnd_broadcast(void *c) { __builtin_craig_writable(c, 1); return 0; }
void cnd_destroy(void *c) { __builtin_craig_writable(c, 1); }
void call_once(int *flag, void (*f)(void)) {
  __builtin_craig_writable(flag, sizeof *flag);
  if (*flag == 0) {
    *flag = 2;
    f();
  }
}
void thrd_yield(void) { }
/* The rest of pthread.h and threads.h. */
int pthread_tryjoin_np(unsigned long t, void **r) { return 16; }
int pthread_timedjoin_np(unsigned long t, void **r, const void *time) { if (time != 0) __builtin_craig_readable(time, 2 * sizeof(long)); return pthread_join(t, r); }
int pthread_clockjoin_np(unsigned long t, void **r, int clock, const void *time) { if (time != 0) __builtin_craig_readable(time, 2 * sizeof(long)); return pthread_join(t, r); }
int pthread_attr_setschedparam(void *a, const void *p) { __builtin_craig_writable(a, 4); __builtin_craig_readable(p, 4); return craig_may_fail() ? craig_errno : 0; }
int pthread_attr_getschedparam(const void *a, void *p) { __builtin_craig_readable(a, 4); craig_words(p, 4); return 0; }
int pthread_attr_setstack(void *a, void *p, size_t n) { __builtin_craig_writable(a, 4); return craig_may_fail() ? craig_errno : 0; }
int pthread_attr_getstack(const void *a, void **p, size_t *n) { __builtin_craig_readable(a, 4); craig_words(p, sizeof(void *)); craig_words(n, sizeof(size_t)); return 0; }
int pthread_attr_setstackaddr(void *a, void *p) { return pthread_attr_setstack(a, p, 0); }
int pthread_attr_getstackaddr(const void *a, void **p) { __builtin_craig_readable(a, 4); craig_words(p, sizeof(void *)); return 0; }
int pthread_attr_setaffinity_np(void *a, size_t n, const void *set) { __builtin_craig_readable(set, n); return pthread_attr_setstack(a, 0, 0); }
int pthread_attr_getaffinity_np(const void *a, size_t n, void *set) { __builtin_craig_readable(a, 4); craig_words(set, n); return 0; }
int pthread_attr_setsigmask_np(void *a, const void *set) { if (set != 0) __builtin_craig_readable(set, 128); return pthread_attr_setstack(a, 0, 0); }
int pthread_attr_getsigmask_np(const void *a, void *set) { __builtin_craig_readable(a, 4); craig_words(set, 128); return 0; }
int pthread_getattr_np(unsigned long t, void *a) { craig_words(a, sizeof(long) == 8 ? 56 : 36); return 0; }
int pthread_getattr_default_np(void *a) { return pthread_getattr_np(1, a); }
int pthread_setattr_default_np(const void *a) { __builtin_craig_readable(a, 4); return craig_may_fail() ? craig_errno : 0; }
int pthread_setschedparam(unsigned long t, int policy, const void *p) { __builtin_craig_readable(p, 4); return craig_may_fail() ? craig_errno : 0; }
int pthread_getschedparam(unsigned long t, int *policy, void *p) { craig_words(policy, sizeof(int)); craig_words(p, 4); return 0; }
int pthread_setschedprio(unsigned long t, int n) { return craig_may_fail() ? craig_errno : 0; }
int pthread_getname_np(unsigned long t, char *s, size_t n) { if (n < 16) return 34; craig_name_for(s, 16); return 0; }
int pthread_setname_np(unsigned long t, const char *s) { return strlen(s) > 15 ? 34 : craig_may_fail() ? craig_errno : 0; }
static int craig_concurrency;
int pthread_getconcurrency(void) { return craig_concurrency; }
int pthread_setconcurrency(int n) { if (n < 0) return 22; craig_concurrency = n; return 0; }
int pthread_yield(void) { return 0; }
int pthread_setaffinity_np(unsigned long t, size_t n, const void *set) { __builtin_craig_readable(set, n); return craig_refused(); }
int pthread_getaffinity_np(unsigned long t, size_t n, void *set) { craig_words(set, n); return 0; }
int pthread_getcpuclockid(unsigned long t, int *clock) { craig_words(clock, sizeof(int)); return 0; }
int pthread_mutex_clocklock(int *m, int clock, const void *t) { __builtin_craig_readable(t, 2 * sizeof(long)); return pthread_mutex_timedlock(m, t); }
int pthread_mutex_getprioceiling(const void *m, int *n) { __builtin_craig_readable(m, 4); craig_words(n, sizeof(int)); return craig_refused(); }
int pthread_mutex_setprioceiling(void *m, int n, int *old) { __builtin_craig_readable(m, 4); __builtin_craig_writable(old, 4); if (old != 0) craig_words(old, sizeof(int)); return craig_refused(); }
int pthread_mutex_consistent_np(void *m) { return pthread_mutex_consistent(m); }
int pthread_mutexattr_getrobust_np(const void *a, int *n) { __builtin_craig_readable(a, 4); return pthread_mutexattr_getrobust(a, n); }
int pthread_mutexattr_setrobust_np(void *a, int n) { return pthread_mutexattr_setrobust(a, n); }
int pthread_rwlock_clockrdlock(int *m, int clock, const void *t) { __builtin_craig_readable(t, 2 * sizeof(long)); return pthread_rwlock_timedrdlock(m, t); }
int pthread_rwlock_clockwrlock(int *m, int clock, const void *t) { __builtin_craig_readable(t, 2 * sizeof(long)); return pthread_rwlock_timedwrlock(m, t); }
int pthread_cond_clockwait(void *c, void *m, int clock, const void *t) { __builtin_craig_readable(t, 2 * sizeof(long)); return pthread_cond_timedwait(c, m, t); }
unsigned long thrd_current(void) { return 1; }
int thrd_equal(unsigned long a, unsigned long b) { return a == b; }
int thrd_sleep(const void *t, void *rest) { int n; __builtin_craig_readable(t, 2 * sizeof(long)); n = craig_may_fail(); if (n != 0 && rest != 0) craig_words(rest, 2 * sizeof(long)); return n; }
int thrd_detach(unsigned long t) { return craig_may_fail() ? 2 : 0; }
int thrd_join(unsigned long t, int *r) { return 2; }
int mtx_timedlock(int *m, const void *t) { __builtin_craig_readable(t, 2 * sizeof(long)); return mtx_trylock(m) == 0 ? 0 : 4; }
int cnd_wait(void *c, void *m) { __builtin_craig_writable(c, 1); __builtin_craig_writable(m, 8); return 0; }
int cnd_timedwait(void *c, void *m, const void *t) { __builtin_craig_readable(t, 2 * sizeof(long)); cnd_wait(c, m); return __builtin_craig_input_bool("timeout") ? 4 : 0; }
int tss_create(unsigned *key, void (*destructor)(void *)) { return pthread_key_create(key, destructor) == 0 ? 0 : 2; }
void *tss_get(unsigned key) { return pthread_getspecific(key); }
int tss_set(unsigned key, void *p) { return pthread_setspecific(key, p) == 0 ? 0 : 2; }
void tss_delete(unsigned key) { pthread_key_delete(key); }
/* stdatomic.h: what it declares beside its macros. */
void atomic_thread_fence(int order) { }
void atomic_signal_fence(int order) { }
_Bool atomic_flag_test_and_set(volatile void *p) { volatile unsigned char *f = p; _Bool old; __builtin_craig_writable(f, 1); old = *f != 0; *f = 1; return old; }
_Bool atomic_flag_test_and_set_explicit(volatile void *p, int order) { return atomic_flag_test_and_set(p); }
void atomic_flag_clear(volatile void *p) { __builtin_craig_writable(p, 1); *(volatile unsigned char *)p = 0; }
void atomic_flag_clear_explicit(volatile void *p, int order) { atomic_flag_clear(p); }
