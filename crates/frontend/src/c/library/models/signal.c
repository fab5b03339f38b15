/* signal.h: handlers run when the program raises a signal itself; that one from outside may arrive at any time
   is a doubt, so that nothing is proved of such a program. */
typedef void (*craig_signal_handler)(int);
static craig_signal_handler craig_signals[65];
/* Bit s - 1 of a set stands for signal s: those that wait until they are wanted, those that came meanwhile, and those that
   handlers which run keep away. */
static unsigned long long craig_blocked, craig_waiting, craig_handled;
/* What a handler keeps away beside its own signal, and its flags. */
static unsigned long long craig_signal_masks[65];
static int craig_signal_flags[65];
static unsigned long long craig_signal_bits(const unsigned long *set) {
  return sizeof(long) == 8 ? set[0] : set[0] | (unsigned long long)set[1] << 32;
}
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
  craig_signal_masks[s] = 0;
  craig_signal_flags[s] = 0;
  craig_installed(h);
  return old;
}
/* The handler serves once, and its signal is not kept away (SA_RESETHAND, SA_NODEFER). */
craig_signal_handler __sysv_signal(int s, craig_signal_handler h) {
  craig_signal_handler old = signal(s, h);
  if (old != (craig_signal_handler)-1) craig_signal_flags[s] = (int)0xc0000000;
  return old;
}
craig_signal_handler ssignal(int s, craig_signal_handler h) { return signal(s, h); }
static int craig_deliver(int s) {
  craig_signal_handler h;
  if (s < 0 || s > 64) {
    craig_errno = 22;
    return -1;
  }
  if (s == 0) return 0;
  if (craig_blocked != 0 && (craig_blocked >> s - 1 & 1) != 0) {
    craig_waiting |= 1ULL << s - 1;
    return 0;
  }
  /* It may also be that the handler was left by a jump, and with it what it kept away. */
  if (craig_handled != 0 && (craig_handled >> s - 1 & 1) != 0) __builtin_craig_unmodelled("a signal that is raised while its handler runs is not modelled");
  h = craig_signals[s];
  if ( (unsigned long)h == 1) return 0;
  if (h == 0) {
    /* Ignored by default: SIGCHLD, SIGURG, SIGWINCH; SIGCONT continues. */
    if (s == 17 || s == 23 || s == 28 || s == 18) return 0;
    abort();
  }
  {
    unsigned long long before = craig_handled;
    craig_handled |= craig_signal_masks[s];
    if ((craig_signal_flags[s] & 0x40000000) == 0) craig_handled |= 1ULL << s - 1;
    if (craig_signal_flags[s] < 0) craig_signals[s] = 0;
    if ((craig_signal_flags[s] & 4) != 0) {
      char information[128], context[1024];
      craig_words(information, 128);
      *(int *)information = s;
      craig_words(context, 1024);
      ((void (*)(int, void *, void *))h)(s, information, context);
    } else h(s);
    craig_handled = before;
  }
  return 0;
}
/* What waits and is wanted now arrives; of several it is open which comes first. */
static void craig_unblocked(void) {
  unsigned long long wanted = craig_waiting & ~craig_blocked;
  int s = 1;
  if (wanted == 0) return;
  if ((wanted & wanted - 1) != 0) __builtin_craig_unmodelled("the order of signals that arrive at once is not modelled");
  while ((wanted >> s - 1 & 1) == 0) s++;
  craig_waiting &= craig_blocked;
  craig_deliver(s);
}
static void craig_block(unsigned long long set) {
  craig_blocked = set & ~(1ULL << 8 | 1ULL << 18);
  if (craig_waiting != 0) craig_unblocked();
}
int raise(int s) { return craig_deliver(s); }
int gsignal(int s) { return craig_deliver(s); }
int kill(int pid, int s) {
  if (pid == getpid() || pid == 0) return craig_deliver(s);
  return craig_fails();
}
int killpg(int group, int s) { if (group < 0) { craig_errno = 22; return -1; } return craig_fails(); }
int pthread_kill(unsigned long thread, int s) { return craig_deliver(s) ? craig_errno : 0; }
struct craig_sigaction { craig_signal_handler handler; unsigned long mask[128 / sizeof(long)]; int flags; void (*restorer)(void); };
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
    craig_signal_masks[s] = craig_signal_bits(new->mask);
    craig_signal_flags[s] = new->flags;
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
static void craig_put_signals(unsigned long *set, unsigned long long bits) {
  craig_all_signals(set, 0);
  set[0] = (unsigned long)bits;
  if (sizeof(long) == 4) set[1] = (unsigned long)(bits >> 32);
}
int sigprocmask(int how, const void *new, void *old) {
  unsigned long long now = craig_blocked, set;
  if (new != 0) {
    __builtin_craig_readable(new, 128);
    if (how < 0 || how > 2) { craig_errno = 22; return -1; }
    set = craig_signal_bits(new);
    if (old != 0) craig_put_signals(old, now);
    craig_block(how == 0 ? now | set : how == 1 ? now & ~set : set);
  } else if (old != 0) craig_put_signals(old, now);
  return 0;
}
int pthread_sigmask(int how, const void *new, void *old) { int before = craig_errno, r = sigprocmask(how, new, old); craig_errno = before; return r == 0 ? 0 : 22; }
/* What came from outside may wait too. */
int sigpending(void *set) { craig_put_signals(set, craig_waiting | craig_blocked & __builtin_craig_any_ullong()); return 0; }
int sigsuspend(const void *set) {
  unsigned long long before = craig_blocked;
  __builtin_craig_readable(set, 128);
  craig_block(craig_signal_bits(set));
  craig_blocked = before;
  craig_errno = 4;
  return -1;
}
int sigwait(const void *set, int *s) {
  __builtin_craig_readable(set, 128);
  __builtin_craig_writable(s, sizeof(int));
  if (craig_waiting != 0)
    for (*s = 1; *s <= 64; *s = *s + 1)
      if ((craig_waiting & craig_signal_bits(set)) >> *s - 1 & 1) {
        craig_waiting &= ~(1ULL << *s - 1);
        return 0;
      }
  *s = __builtin_craig_input_int("signal");
  __builtin_craig_assume(*s >= 1 && *s <= 64);
  return 0;
}
int siginterrupt(int s, int flag) { return craig_signal_number(s) ? 0 : -1; }
int sigblock(int mask) { unsigned long long old = craig_blocked; craig_block(old | (unsigned)mask); return (int)old; }
int sigsetmask(int mask) { unsigned long long old = craig_blocked; craig_block((unsigned)mask); return (int)old; }
int siggetmask(void) { return (int)craig_blocked; }
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
int sigtimedwait(const void *set, void *info, const void *t) { if (t != 0) __builtin_craig_readable(t, 2 * sizeof(long));
  int s = __builtin_craig_input_int("signal");
  __builtin_craig_readable(set, 128);
  if (craig_fails()) return -1;
  if (info != 0) craig_words(info, 128);
  __builtin_craig_assume(s >= 1 && s <= 64);
  return s;
}
int sigwaitinfo(const void *set, void *info) { return sigtimedwait(set, info, 0); }
int sigpause(int mask) { craig_errno = 4; return -1; }
int sighold(int s) { if (!craig_signal_number(s)) return -1; craig_block(craig_blocked | 1ULL << s - 1); return 0; }
int sigrelse(int s) { if (!craig_signal_number(s)) return -1; craig_block(craig_blocked & ~(1ULL << s - 1)); return 0; }
int sigignore(int s) { if (!craig_signal_number(s)) return -1; signal(s, (void (*)(int))1); return 0; }
void psiginfo(const void *info, const char *text) { __builtin_craig_readable(info, 128); if (text != 0) craig_str_end(text); }
int sigstack(void *new, void *old) { if (old != 0) craig_words(old, 2 * sizeof(long)); return craig_may_fail(); }
int __libc_current_sigrtmin(void) { return 34; }
int __libc_current_sigrtmax(void) { return 64; }
craig_signal_handler sysv_signal(int s, craig_signal_handler h) { return __sysv_signal(s, h); }
craig_signal_handler sigset(int s, craig_signal_handler h) { return signal(s, h); }
int tgkill(int group, int thread, int s) { return craig_signal_number(s) ? craig_deliver(s) : -1; }
