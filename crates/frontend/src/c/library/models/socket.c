/* Sockets: the other side is the outside. */
ssize_t recv(int fd, void *p, size_t n, int flags) { return craig_receive(p, n); }
ssize_t send(int fd, const void *p, size_t n, int flags) { return write(fd, p, n); }
ssize_t sendto(int fd, const void *p, size_t n, int flags, const void *to, unsigned size) { return write(fd, p, n); }
static void craig_address(void *p, unsigned *size) {
  if (p != 0) {
    __builtin_craig_readable(size, sizeof(unsigned));
    __builtin_craig_writable(p, *size);
    craig_bytes(p, *size, 0);
    __builtin_craig_writable(size, sizeof(unsigned));
    *size = __builtin_craig_any_uint();
    __builtin_craig_assume(*size <= 128);
  }
}
ssize_t recvfrom(int fd, void *p, size_t n, int flags, void *from, unsigned *size) { craig_address(from, size); return craig_receive(p, n); }
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
int getsockname(int fd, void *p, unsigned *size) { craig_address(p, size); return craig_fails(); }
int getpeername(int fd, void *p, unsigned *size) { craig_address(p, size); return craig_fails(); }
int getsockopt(int fd, int level, int name, void *p, unsigned *size) {
  unsigned i;
  __builtin_craig_readable(size, sizeof(unsigned));
  __builtin_craig_writable(p, *size);
  if (craig_fails()) return -1;
  for (i = 0; i < *size; i++) ((char *)p)[i] = __builtin_craig_any_char();
  return 0;
}
int accept4(int fd, void *p, unsigned *size, int flags) { return accept(fd, p, size); }
int sockatmark(int fd) { return craig_fails() ? -1 : __builtin_craig_input_bool("sockatmark"); }
int isfdtype(int fd, int type) { return craig_fails() ? -1 : __builtin_craig_input_bool("isfdtype"); }
int socketpair(int a, int b, int c, int *fds) { return pipe(fds); }
int inet_aton(const char *s, void *p) {
  craig_str_end(s);
  __builtin_craig_writable(p, 4);
  *(unsigned *)p = __builtin_craig_any_uint();
  return __builtin_craig_any_bool();
}
int inet_pton(int family, const char *s, void *p) {
  size_t i, n = family == 10 ? 16 : 4;
  craig_str_end(s);
  if (family != 2 && family != 10) { craig_errno = 97; return -1; }
  __builtin_craig_writable(p, n);
  for (i = 0; i < n; i++) ((char *)p)[i] = __builtin_craig_any_char();
  return __builtin_craig_any_bool();
}
const char *inet_ntop(int family, const void *p, char *s, unsigned n) {
  if (family != 2 && family != 10) { craig_errno = 97; return 0; }
  __builtin_craig_readable(p, family == 10 ? 16 : 4);
  __builtin_craig_writable(s, n);
  if (n < 16 || __builtin_craig_any_bool()) { craig_errno = 28; return 0; }
  return craig_name_for(s, n < 46 ? n : 46);
}
unsigned inet_network(const char *s) { craig_str_end(s); return __builtin_craig_any_uint(); }
int poll(void *p, unsigned long n, int timeout) {
  int r = 0;
  unsigned long i;
  __builtin_craig_writable(p, n * 8);
  if (craig_fails()) return -1;
  /* What was asked for, or that something is wrong. */
  for (i = 0; i < n; i++) {
    short *one = (short *)p + 4 * i;
    one[3] = *(int *)one < 0 ? 0 : (short)__builtin_craig_input_int("poll") & (one[2] | 56);
    if (one[3] != 0) r++;
  }
  return r;
}
int select(int n, void *r, void *w, void *x, void *t) {
  int k = __builtin_craig_input_int("select"), i, s;
  int sets = 0;
  unsigned long left = 0;
  for (s = 0; s < 3; s++) {
    unsigned long *set = s == 0 ? r : s == 1 ? w : x;
    if (set != 0) {
      sets++;
      __builtin_craig_writable(set, 128);
      for (i = 0; i < 16; i++) {
        set[i] = set[i] & __builtin_craig_input_ulong("select");
        left |= set[i];
      }
    }
  }
  __builtin_craig_assume(k >= -1 && (k < 0 || (k == 0) == (left == 0)) && k <= (long)n * sets);
  return k;
}
void endhostent(void) { }
void herror(const char *s) { if (s != 0) craig_str_end(s); }
const char *hstrerror(int e) { return craig_some_text(); }
