/* signal.h: handlers run when the program raises a signal itself; that one from outside may arrive at any time
   is a doubt, so that nothing is proved of such a program. */
typedef void (*craig_signal_handler)(int);
static craig_signal_handler craig_signals[65];
static void craig_installed(craig_signal_handler h) {
  if ((unsigned long)h > 1) __builtin_craig_doubt("a signal may arrive at any time");
}
craig_signal_handler signal(int s, craig_signal_handler h) {
  craig_signal_handler old;
  if (s < 1 || s > 64 || s == 9 || s == 19) {
    craig_errno = 22;
    return (craig_signal_handler)-1;
  }
  old = craig_signals[s];
  craig_signals[s] = h;
  craig_installed(h);
  return old;
}
craig_signal_handler __sysv_signal(int s, craig_signal_handler h) { return signal(s, h); }
craig_signal_handler ssignal(int s, craig_signal_handler h) { return signal(s, h); }
static int craig_deliver(int s) {
  craig_signal_handler h;
  if (s < 0 || s > 64) {
    craig_errno = 22;
    return -1;
  }
  h = craig_signals[s];
  if (s == 0 || (unsigned long)h == 1) return 0;
  if (h == 0) {
    /* Ignored by default: SIGCHLD, SIGURG, SIGWINCH; SIGCONT continues. */
    if (s == 17 || s == 23 || s == 28 || s == 18) return 0;
    abort();
  }
  h(s);
  return 0;
}
int raise(int s) { return craig_deliver(s); }
int gsignal(int s) { return craig_deliver(s); }
int kill(int pid, int s) {
  if (pid == getpid() || pid == 0) return craig_deliver(s);
  return craig_fails();
}
int killpg(int group, int s) { return craig_fails(); }
int pthread_kill(unsigned long thread, int s) { return craig_deliver(s) ? craig_errno : 0; }
struct craig_sigaction { craig_signal_handler handler; unsigned long mask[16]; int flags; void (*restorer)(void); };
int sigaction(int s, const struct craig_sigaction *new, struct craig_sigaction *old) {
  if (s < 1 || s > 64 || s == 9 || s == 19) {
    craig_errno = 22;
    return -1;
  }
  if (old != 0) {
    __builtin_craig_writable(old, sizeof *old);
    old->handler = craig_signals[s];
    old->flags = __builtin_craig_any_int();
    craig_some_signals(old->mask);
  }
  if (new != 0) {
    __builtin_craig_readable(new, sizeof *new);
    craig_signals[s] = new->handler;
    craig_installed(new->handler);
  }
  return 0;
}
static void craig_all_signals(unsigned long *set, unsigned long bits) {
  int i;
  __builtin_craig_writable(set, 128);
  for (i = 0; i < (int)(128 / sizeof(long)); i++) set[i] = bits;
}
int sigemptyset(void *set) { craig_all_signals(set, 0); return 0; }
int sigfillset(void *set) { craig_all_signals(set, ~0UL); return 0; }
static int craig_signal_number(int s) {
  if (s >= 1 && s <= 64) return 1;
  craig_errno = 22;
  return 0;
}
int sigaddset(void *set, int s) {
  unsigned long *words = set;
  unsigned bits = 8 * sizeof(long);
  if (!craig_signal_number(s)) return -1;
  __builtin_craig_writable(set, 128);
  words[(s - 1) / bits] |= 1UL << (s - 1) % bits;
  return 0;
}
int sigdelset(void *set, int s) {
  unsigned long *words = set;
  unsigned bits = 8 * sizeof(long);
  if (!craig_signal_number(s)) return -1;
  __builtin_craig_writable(set, 128);
  words[(s - 1) / bits] &= ~(1UL << (s - 1) % bits);
  return 0;
}
int sigismember(const void *set, int s) {
  const unsigned long *words = set;
  unsigned bits = 8 * sizeof(long);
  if (!craig_signal_number(s)) return -1;
  __builtin_craig_readable(set, 128);
  return (words[(s - 1) / bits] >> (s - 1) % bits & 1) != 0;
}
static void craig_some_signals(unsigned long *set) {
  int i;
  if (set == 0) return;
  __builtin_craig_writable(set, 128);
  for (i = 0; i < (int)(128 / sizeof(long)); i++) set[i] = __builtin_craig_any_ulong();
}
int sigprocmask(int how, const void *new, void *old) { if (new != 0) __builtin_craig_readable(new, 128); craig_some_signals(old); return 0; }
int pthread_sigmask(int how, const void *new, void *old) { return sigprocmask(how, new, old); }
int sigpending(void *set) { craig_some_signals(set); return 0; }
int sigsuspend(const void *set) { __builtin_craig_readable(set, 128); craig_errno = 4; return -1; }
int sigwait(const void *set, int *s) {
  __builtin_craig_readable(set, 128);
  __builtin_craig_writable(s, sizeof(int));
  *s = __builtin_craig_input_int("signal");
  __builtin_craig_assume(*s >= 1 && *s <= 64);
  return 0;
}
int siginterrupt(int s, int flag) { return craig_signal_number(s) ? 0 : -1; }
int sigblock(int mask) { return __builtin_craig_any_int(); }
int sigsetmask(int mask) { return __builtin_craig_any_int(); }
int siggetmask(void) { return __builtin_craig_any_int(); }
void psignal(int s, const char *text) { if (text != 0) craig_str_end(text); }
/* The rest: sets as a whole, waiting, other names. */
int sigandset(void *to, const void *a, const void *b) {
  int i;
  __builtin_craig_writable(to, 128); __builtin_craig_readable(a, 128); __builtin_craig_readable(b, 128);
  for (i = 0; i < (int)(128 / sizeof(long)); i++) ((unsigned long *)to)[i] = ((const unsigned long *)a)[i] & ((const unsigned long *)b)[i];
  return 0;
}
int sigorset(void *to, const void *a, const void *b) {
  int i;
  __builtin_craig_writable(to, 128); __builtin_craig_readable(a, 128); __builtin_craig_readable(b, 128);
  for (i = 0; i < (int)(128 / sizeof(long)); i++) ((unsigned long *)to)[i] = ((const unsigned long *)a)[i] | ((const unsigned long *)b)[i];
  return 0;
}
int sigtimedwait(const void *set, void *info, const void *t) {
  int s = __builtin_craig_input_int("signal");
  __builtin_craig_readable(set, 128);
  if (craig_fails()) return -1;
  if (info != 0) craig_words(info, 128);
  __builtin_craig_assume(s >= 1 && s <= 64);
  return s;
}
int sigwaitinfo(const void *set, void *info) { return sigtimedwait(set, info, 0); }
int sigpause(int mask) { craig_errno = 4; return -1; }
int sighold(int s) { return craig_signal_number(s) ? 0 : -1; }
int sigrelse(int s) { return craig_signal_number(s) ? 0 : -1; }
int sigignore(int s) { if (!craig_signal_number(s)) return -1; signal(s, (void (*)(int))1); return 0; }
void psiginfo(const void *info, const char *text) { __builtin_craig_readable(info, 128); if (text != 0) craig_str_end(text); }
int sigstack(void *new, void *old) { if (old != 0) craig_words(old, 2 * sizeof(long)); return craig_may_fail(); }
int __libc_current_sigrtmin(void) { return 34; }
int __libc_current_sigrtmax(void) { return 64; }
craig_signal_handler sysv_signal(int s, craig_signal_handler h) { return signal(s, h); }
craig_signal_handler sigset(int s, craig_signal_handler h) { return signal(s, h); }
int tgkill(int group, int thread, int s) { return craig_signal_number(s) ? craig_deliver(s) : -1; }
