/* Sockets: the other side is the outside. */
ssize_t recv(int fd, void *p, size_t n, int flags) { return craig_receive(p, n); }
ssize_t send(int fd, const void *p, size_t n, int flags) { return write(fd, p, n); }
ssize_t sendto(int fd, const void *p, size_t n, int flags, const void *to, unsigned size) { if (to != 0) __builtin_craig_readable(to, size); return write(fd, p, n); }
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
int socket(int a, int b, int c) { __builtin_craig_ask("socket", a); return craig_descriptor(); }
int accept(int fd, void *p, unsigned *size) { craig_address(p, size); return craig_descriptor(); }
int bind(int fd, const void *p, unsigned n) { __builtin_craig_readable(p, n); return craig_fails(); }
int connect(int fd, const void *p, unsigned n) { __builtin_craig_readable(p, n); return craig_fails(); }
int listen(int fd, int n) { return craig_fails(); }
int shutdown(int fd, int how) { return craig_fails(); }
int setsockopt(int fd, int level, int name, const void *p, unsigned n) { __builtin_craig_readable(p, n); return craig_fails(); }
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
int select(int n, void *r, void *w, void *x, void *t) { if (t != 0) __builtin_craig_readable(t, 2 * sizeof(long));
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
void herror(const char *s) { if (s != 0) craig_str_end(s); }
const char *hstrerror(int e) { return craig_some_text(); }
/* Messages of several buffers; what comes beside the bytes is not modelled. */
struct craig_message { void *name; unsigned size; struct craig_vector *parts; size_t count; void *control; size_t length; int flags; };
ssize_t sendmsg(int fd, const struct craig_message *m, int flags) {
  __builtin_craig_readable(m, sizeof *m);
  if (m->name != 0) __builtin_craig_readable(m->name, m->size);
  if (m->length != 0) __builtin_craig_readable(m->control, m->length);
  return writev(fd, m->parts, (int)m->count);
}
ssize_t recvmsg(int fd, struct craig_message *m, int flags) {
  ssize_t sum = 0;
  size_t i;
  __builtin_craig_writable(m, sizeof *m);
  __builtin_craig_readable(m->parts, m->count * sizeof *m->parts);
  for (i = 0; i < m->count; i++) __builtin_craig_writable(m->parts[i].base, m->parts[i].length);
  if (m->length != 0) __builtin_craig_writable(m->control, m->length);
  if (craig_fails()) return -1;
  for (i = 0; i < m->count; i++) {
    size_t k = craig_bytes(m->parts[i].base, m->parts[i].length, 0);
    sum += k;
    if (k < m->parts[i].length) break;
  }
  if (m->name != 0) { craig_words(m->name, m->size); m->size = __builtin_craig_any_uint(); }
  m->flags = __builtin_craig_any_int();
  if (m->length != 0) {
    size_t k = __builtin_craig_any_size();
    __builtin_craig_assume(k <= m->length);
    if (k != 0) __builtin_craig_unmodelled("what comes beside a message is not modelled");
    m->length = k;
  }
  return sum;
}
struct craig_many { struct craig_message message; unsigned length; };
int sendmmsg(int fd, struct craig_many *list, unsigned n, int flags) {
  unsigned i;
  __builtin_craig_writable(list, n * sizeof *list);
  for (i = 0; i < n; i++) {
    ssize_t k = sendmsg(fd, &list[i].message, flags);
    if (k < 0) return i > 0 ? (int)i : -1;
    list[i].length = (unsigned)k;
  }
  return (int)n;
}
int recvmmsg(int fd, struct craig_many *list, unsigned n, int flags, void *timeout) { if (timeout != 0) __builtin_craig_readable(timeout, 2 * sizeof(long));
  unsigned i;
  __builtin_craig_writable(list, n * sizeof *list);
  for (i = 0; i < n; i++) {
    ssize_t k = recvmsg(fd, &list[i].message, flags);
    if (k < 0) return i > 0 ? (int)i : -1;
    list[i].length = (unsigned)k;
    if (__builtin_craig_input_bool("recvmmsg.ends")) return (int)i + 1;
  }
  return (int)n;
}
/* arpa/inet.h: addresses as texts, by value; bytes stand in the order of the network. */
static char craig_dotted[16];
/* The value of a hexadecimal digit; 16 of another character. */
static unsigned craig_hex(char c) {
  return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : 16;
}
static int craig_put_byte(char *s, unsigned b) {
  int n = 0;
  if (b > 99) { s[n] = '0' + b / 100; n++; }
  if (b > 9) { s[n] = '0' + b / 10 % 10; n++; }
  s[n] = '0' + b % 10;
  return n + 1;
}
static int craig_put_dotted(char *s, const unsigned char *a) {
  int n = 0, i;
  for (i = 0; i < 4; i++) {
    n += craig_put_byte(s + n, a[i]);
    s[n] = i < 3 ? '.' : 0;
    if (i < 3) n++;
  }
  return n;
}
static char *craig_of_inet_ntoa(const unsigned char *a) {
  __builtin_craig_ends(craig_dotted + craig_put_dotted(craig_dotted, a));
  return craig_dotted;
}
static unsigned craig_of_inet_lnaof(const unsigned *p) {
  unsigned a = craig_swap32(*p);
  return a >> 31 == 0 ? a & 0xffffff : a >> 30 == 2 ? a & 0xffff : a & 0xff;
}
static unsigned craig_of_inet_netof(const unsigned *p) {
  unsigned a = craig_swap32(*p);
  return a >> 31 == 0 ? a >> 24 & 0xff : a >> 30 == 2 ? a >> 16 : a >> 8;
}
static void craig_into_inet_makeaddr(unsigned *r, unsigned net, unsigned host) {
  unsigned a = net < 128 ? net << 24 | host & 0xffffff : net < 65536 ? net << 16 | host & 0xffff : net < 16777216 ? net << 8 | host & 0xff : net | host;
  *r = craig_swap32(a);
}
/* One number of an address as C writes it (0x1f, 017, 10), as `strtoul` reads it: its end, or null if it has more than 32 bits. */
static const char *craig_address_part(const char *s, unsigned *value) {
  unsigned long long v = 0;
  unsigned base = 10, d;
  if (*s == '0') {
    base = 8;
    if ((s[1] == 'x' || s[1] == 'X') && craig_hex(s[2]) < 16) { base = 16; s += 2; }
  }
  for (; (d = craig_hex(*s)) < base; s++) {
    v = v * base + d;
    if (v > 0xffffffffu) return 0;
  }
  *value = (unsigned)v;
  return s;
}
/* a.b.c.d, a.b.c, a.b or a, of which the last number fills what is left; a space ends it. */
static int craig_read_address(const char *s, unsigned *p) {
  unsigned value = 0, sum = 0;
  int dots = 0;
  craig_str_end(s);
  for (;;) {
    if (*s < '0' || *s > '9') return 0;
    s = craig_address_part(s, &value);
    if (s == 0) return 0;
    if (*s != '.') break;
    if (dots == 3 || value > 255) return 0;
    sum |= value << 24 - 8 * dots;
    dots++;
    s++;
  }
  if (*s != 0 && *s != ' ' && (*s < 9 || *s > 13)) return 0;
  if (value > 0xffffffffu >> 8 * dots) return 0;
  *p = craig_swap32(sum | value);
  return 1;
}
int inet_aton(const char *s, void *p) {
  unsigned a;
  if (!craig_read_address(s, &a)) return 0;
  if (p != 0) {
    __builtin_craig_writable(p, 4);
    *(unsigned *)p = a;
  }
  return 1;
}
unsigned inet_addr(const char *s) {
  unsigned a;
  return craig_read_address(s, &a) ? a : 0xffffffffu;
}
unsigned inet_network(const char *s) {
  unsigned sum = 0, value, base, d;
  int parts = 0, digit;
  craig_str_end(s);
  for (;;) {
    value = 0;
    base = 10;
    digit = 0;
    if (*s == '0') { digit = 1; base = 8; s++; }
    if (*s == 'x' || *s == 'X') { digit = 0; base = 16; s++; }
    for (; (d = craig_hex(*s)) < (base == 16 ? 16 : 10); s++) {
      if (d >= base) return 0xffffffffu;
      value = value * base + d;
      digit = 1;
    }
    if (!digit || parts == 4 || value > 255) return 0xffffffffu;
    sum = sum << 8 | value;
    parts++;
    if (*s != '.') break;
    s++;
  }
  while (*s == ' ' || *s >= 9 && *s <= 13) s++;
  return *s == 0 ? sum : 0xffffffffu;
}
/* Four numbers below 256, without zeros before them. */
static int craig_read_dotted(const char *s, unsigned char *p) {
  int dots = 0, digits = 0;
  unsigned value = 0;
  for (;; s++) {
    if (*s >= '0' && *s <= '9') {
      if (digits > 0 && value == 0) return 0;
      value = value * 10 + (*s - '0');
      if (value > 255) return 0;
      digits++;
    } else {
      if (digits == 0) return 0;
      p[dots] = (unsigned char)value;
      if (*s == 0) return dots == 3;
      if (*s != '.' || dots == 3) return 0;
      dots++;
      digits = 0;
      value = 0;
    }
  }
}
static int craig_read_colons(const char *s, unsigned char *p) {
  const char *word;
  int n = 0, gap = -1, digits = 0, i;
  unsigned value = 0, d;
  if (*s == ':') { s++; if (*s != ':') return 0; }
  word = s;
  while (*s != 0) {
    d = craig_hex(*s);
    if (d < 16) {
      if (digits == 4) return 0;
      value = value << 4 | d;
      digits++;
      s++;
    } else if (*s == ':') {
      s++;
      word = s;
      if (digits == 0) {
        if (gap >= 0) return 0;
        gap = n;
      } else {
        if (*s == 0 || n == 16) return 0;
        p[n] = (unsigned char)(value >> 8);
        p[n + 1] = (unsigned char)value;
        n += 2;
        digits = 0;
        value = 0;
      }
    } else {
      if (*s != '.' || n > 12 || !craig_read_dotted(word, p + n)) return 0;
      n += 4;
      digits = 0;
      break;
    }
  }
  if (digits > 0) {
    if (n == 16) return 0;
    p[n] = (unsigned char)(value >> 8);
    p[n + 1] = (unsigned char)value;
    n += 2;
  }
  if (gap < 0) return n == 16;
  if (n == 16) return 0;
  for (i = 0; i < n - gap; i++) p[15 - i] = p[n - 1 - i];
  for (i = gap; i < 16 - (n - gap); i++) p[i] = 0;
  return 1;
}
int inet_pton(int family, const char *s, void *p) {
  unsigned char bytes[16];
  int i, n = family == 10 ? 16 : 4;
  if (family != 2 && family != 10) { craig_errno = 97; return -1; }
  craig_str_end(s);
  if (!(n == 16 ? craig_read_colons(s, bytes) : craig_read_dotted(s, bytes))) return 0;
  __builtin_craig_writable(p, n);
  for (i = 0; i < n; i++) ((unsigned char *)p)[i] = bytes[i];
  return 1;
}
static char craig_put_digit(unsigned d) { return (char)(d < 10 ? '0' + d : 'a' + d - 10); }
/* The first of the longest runs of zeros, if it has two words or more, is `::`. */
static int craig_put_colons(char *s, const unsigned char *a) {
  unsigned words[8];
  int n = 0, i, best = -1, most = 1, run = 0;
  for (i = 0; i < 8; i++) {
    words[i] = (unsigned)a[2 * i] << 8 | a[2 * i + 1];
    run = words[i] == 0 ? run + 1 : 0;
    if (run > most) { most = run; best = i - run + 1; }
  }
  for (i = 0; i < 8; i++) {
    if (best >= 0 && i >= best && i < best + most) {
      if (i == best) { s[n] = ':'; n++; }
    } else {
      if (i != 0) { s[n] = ':'; n++; }
      if (i == 6 && best == 0 && (most == 6 || most == 5 && words[5] == 0xffff)) return n + craig_put_dotted(s + n, a + 12);
      if (words[i] > 0xfff) { s[n] = craig_put_digit(words[i] >> 12); n++; }
      if (words[i] > 0xff) { s[n] = craig_put_digit(words[i] >> 8 & 15); n++; }
      if (words[i] > 0xf) { s[n] = craig_put_digit(words[i] >> 4 & 15); n++; }
      s[n] = craig_put_digit(words[i] & 15);
      n++;
    }
  }
  if (best >= 0 && best + most == 8) { s[n] = ':'; n++; }
  s[n] = 0;
  return n;
}
const char *inet_ntop(int family, const void *p, char *s, unsigned n) {
  char text[46];
  int i, k;
  if (family != 2 && family != 10) { craig_errno = 97; return 0; }
  __builtin_craig_readable(p, family == 10 ? 16 : 4);
  k = family == 10 ? craig_put_colons(text, p) : craig_put_dotted(text, p);
  if ((unsigned)k >= n) { craig_errno = 28; return 0; }
  __builtin_craig_writable(s, k + 1);
  for (i = 0; i <= k; i++) s[i] = text[i];
  __builtin_craig_ends(s + k);
  return s;
}
char *inet_neta(unsigned n, char *s, size_t size) { __builtin_craig_writable(s, size); return size < 2 || __builtin_craig_any_bool() ? (char *)0 : craig_name_for(s, size < 16 ? size : 16); }
char *inet_net_ntop(int family, const void *p, int bits, char *s, size_t size) { __builtin_craig_readable(p, (bits + 7) / 8); return inet_neta(0, s, size); }
int inet_net_pton(int family, const char *s, void *p, size_t size) { craig_str_end(s); craig_words(p, size); return __builtin_craig_any_int(); }
unsigned inet_nsap_addr(const char *s, unsigned char *p, int n) { unsigned k = __builtin_craig_any_uint(); craig_str_end(s); if (n > 0) craig_words(p, n); __builtin_craig_assume(n > 0 ? k <= (unsigned)n : k == 0); return k; }
char *inet_nsap_ntoa(int n, const unsigned char *p, char *s) { __builtin_craig_readable(p, n); if (s == 0) return craig_some_text(); return craig_name_for(s, 3 * n + 3); }
void *__cmsg_nxthdr(struct craig_message *m, void *c) { __builtin_craig_unmodelled("what comes beside a message is not modelled"); return 0; }
unsigned short __bswap_16(unsigned short x) { return craig_swap16(x); }
unsigned __bswap_32(unsigned x) { return craig_swap32(x); }
