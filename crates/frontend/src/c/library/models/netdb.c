/* netdb.h: hosts, services, protocols, networks and remote procedures as the system's tables name them. Records of the
   plain functions are static, those of `…_r` the caller's; their texts are the outside's. */
struct craig_host { char *name; char **aliases; int type, length; char **addresses; };
struct craig_service { char *name; char **aliases; int port; char *protocol; };
static struct craig_host craig_host;
static struct craig_service craig_service;
/* Some addresses, at least one, as an array of pointers that ends with null. */
static struct craig_host *craig_some_host_in(struct craig_host *h, int family) {
  char **list, *addresses;
  size_t i, n = __builtin_craig_input_size("host.count"), size = family == 10 ? 16 : 4;
  if (!__builtin_craig_input_bool("host.known")) return 0;
  __builtin_craig_assume(n > 0 && n < 64);
  list = __builtin_alloca((n + 1) * sizeof(char *));
  addresses = __builtin_alloca(n * size);
  for (i = 0; i < n * size; i++) addresses[i] = __builtin_craig_input_char("host.address");
  for (i = 0; i < n; i++) list[i] = addresses + i * size;
  list[n] = 0;
  h->name = craig_value();
  h->aliases = craig_environment();
  h->type = family;
  h->length = (int)size;
  h->addresses = list;
  return h;
}
static struct craig_host *craig_some_host(int family) { return craig_some_host_in(&craig_host, family); }
struct craig_host *gethostbyname(const char *name) { craig_str_end(name); return craig_some_host(2); }
struct craig_host *gethostbyname2(const char *name, int family) { craig_str_end(name); return craig_some_host(family); }
struct craig_host *gethostbyaddr(const void *p, unsigned n, int family) { __builtin_craig_readable(p, n); return craig_some_host(family); }
struct craig_host *gethostent(void) { return craig_some_host(2); }
void sethostent(int stay) { }
void endhostent(void) { }
/* The caller's buffer holds the texts: anything may stand there, up to a zero at its end. */
static char *craig_scratch(char *s, size_t n) {
  size_t i;
  __builtin_craig_writable(s, n);
  for (i = 0; i < n; i++) s[i] = __builtin_craig_any_char();
  if (n > 0) s[n - 1] = 0;
  return s;
}
static char *craig_piece(char *s, size_t n) {
  size_t k = __builtin_craig_any_size();
  __builtin_craig_assume(k < n);
  return s + k;
}
/* Too small, or nobody has it: 34 and no record; else 0. */
static int craig_too_small(size_t n) { return n == 0 || __builtin_craig_input_bool("buffer.small"); }
static int craig_host_into(int family, struct craig_host *h, char *s, size_t n, struct craig_host **result, int *error) {
  __builtin_craig_writable(h, sizeof *h); __builtin_craig_writable(result, sizeof *result); __builtin_craig_writable(error, sizeof(int));
  craig_scratch(s, n);
  *result = 0;
  *error = 1;
  if (craig_too_small(n)) { *error = -1; return 34; }
  if (craig_some_host_in(h, family) == 0) return 0;
  h->name = craig_piece(s, n);
  *result = h;
  return 0;
}
int gethostbyname_r(const char *name, struct craig_host *h, char *s, size_t n, struct craig_host **result, int *error) { craig_str_end(name); return craig_host_into(2, h, s, n, result, error); }
int gethostbyname2_r(const char *name, int family, struct craig_host *h, char *s, size_t n, struct craig_host **result, int *error) { craig_str_end(name); return craig_host_into(family, h, s, n, result, error); }
int gethostbyaddr_r(const void *p, unsigned size, int family, struct craig_host *h, char *s, size_t n, struct craig_host **result, int *error) { __builtin_craig_readable(p, size); return craig_host_into(family, h, s, n, result, error); }
int gethostent_r(struct craig_host *h, char *s, size_t n, struct craig_host **result, int *error) { return craig_host_into(2, h, s, n, result, error); }
static int craig_host_error;
int *__h_errno_location(void) { craig_host_error = __builtin_craig_any_int(); return &craig_host_error; }
/* Services. */
static struct craig_service *craig_some_service(struct craig_service *r) {
  if (!__builtin_craig_input_bool("service.known")) return 0;
  r->name = craig_value();
  r->aliases = craig_environment();
  r->port = __builtin_craig_input_int("service");
  __builtin_craig_assume(r->port >= 0 && r->port < 65536);
  r->protocol = craig_value();
  return r;
}
static int craig_service_into(struct craig_service *r, char *s, size_t n, struct craig_service **result) {
  __builtin_craig_writable(r, sizeof *r); __builtin_craig_writable(result, sizeof *result);
  craig_scratch(s, n);
  *result = 0;
  if (craig_too_small(n)) return 34;
  *result = craig_some_service(r);
  if (*result == 0) return 2;
  r->name = craig_piece(s, n);
  r->protocol = craig_piece(s, n);
  return 0;
}
static void craig_maybe_text(const char *s) { if (s != 0) craig_str_end(s); }
struct craig_service *getservbyname(const char *name, const char *protocol) { craig_str_end(name); craig_maybe_text(protocol); return craig_some_service(&craig_service); }
struct craig_service *getservbyport(int port, const char *protocol) { craig_maybe_text(protocol); return craig_some_service(&craig_service); }
struct craig_service *getservent(void) { return craig_some_service(&craig_service); }
void setservent(int stay) { }
void endservent(void) { }
int getservbyname_r(const char *name, const char *protocol, struct craig_service *r, char *s, size_t n, struct craig_service **result) { craig_str_end(name); craig_maybe_text(protocol); return craig_service_into(r, s, n, result); }
int getservbyport_r(int port, const char *protocol, struct craig_service *r, char *s, size_t n, struct craig_service **result) { craig_maybe_text(protocol); return craig_service_into(r, s, n, result); }
int getservent_r(struct craig_service *r, char *s, size_t n, struct craig_service **result) { return craig_service_into(r, s, n, result); }
/* Protocols and remote procedures: a name, other names, a number. */
struct craig_numbered { char *name; char **aliases; int number; };
static struct craig_numbered craig_protocol, craig_procedure;
static struct craig_numbered *craig_some_numbered(struct craig_numbered *r) {
  if (!__builtin_craig_input_bool("protocol.known")) return 0;
  r->name = craig_value();
  r->aliases = craig_environment();
  r->number = __builtin_craig_input_int("protocol");
  __builtin_craig_assume(r->number >= 0);
  return r;
}
static int craig_numbered_into(struct craig_numbered *r, char *s, size_t n, struct craig_numbered **result) {
  __builtin_craig_writable(r, sizeof *r); __builtin_craig_writable(result, sizeof *result);
  craig_scratch(s, n);
  *result = 0;
  if (craig_too_small(n)) return 34;
  *result = craig_some_numbered(r);
  if (*result == 0) return 2;
  r->name = craig_piece(s, n);
  return 0;
}
struct craig_numbered *getprotobyname(const char *name) { craig_str_end(name); return craig_some_numbered(&craig_protocol); }
struct craig_numbered *getprotobynumber(int number) { struct craig_numbered *r = craig_some_numbered(&craig_protocol); if (r != 0) r->number = number; return r; }
struct craig_numbered *getprotoent(void) { return craig_some_numbered(&craig_protocol); }
void setprotoent(int stay) { }
void endprotoent(void) { }
int getprotobyname_r(const char *name, struct craig_numbered *r, char *s, size_t n, struct craig_numbered **result) { craig_str_end(name); return craig_numbered_into(r, s, n, result); }
int getprotobynumber_r(int number, struct craig_numbered *r, char *s, size_t n, struct craig_numbered **result) { int k = craig_numbered_into(r, s, n, result); if (k == 0) r->number = number; return k; }
int getprotoent_r(struct craig_numbered *r, char *s, size_t n, struct craig_numbered **result) { return craig_numbered_into(r, s, n, result); }
struct craig_numbered *getrpcbyname(const char *name) { craig_str_end(name); return craig_some_numbered(&craig_procedure); }
struct craig_numbered *getrpcbynumber(int number) { struct craig_numbered *r = craig_some_numbered(&craig_procedure); if (r != 0) r->number = number; return r; }
struct craig_numbered *getrpcent(void) { return craig_some_numbered(&craig_procedure); }
void setrpcent(int stay) { }
void endrpcent(void) { }
int getrpcbyname_r(const char *name, struct craig_numbered *r, char *s, size_t n, struct craig_numbered **result) { craig_str_end(name); return craig_numbered_into(r, s, n, result); }
int getrpcbynumber_r(int number, struct craig_numbered *r, char *s, size_t n, struct craig_numbered **result) { int k = craig_numbered_into(r, s, n, result); if (k == 0) r->number = number; return k; }
int getrpcent_r(struct craig_numbered *r, char *s, size_t n, struct craig_numbered **result) { return craig_numbered_into(r, s, n, result); }
/* Networks and netgroups. */
struct craig_network { char *name; char **aliases; int type; unsigned number; };
static struct craig_network craig_network;
static struct craig_network *craig_some_network(struct craig_network *r) {
  if (!__builtin_craig_input_bool("network.known")) return 0;
  r->name = craig_value();
  r->aliases = craig_environment();
  r->type = 2;
  r->number = __builtin_craig_input_uint("network");
  return r;
}
static int craig_network_into(struct craig_network *r, char *s, size_t n, struct craig_network **result, int *error) {
  __builtin_craig_writable(r, sizeof *r); __builtin_craig_writable(result, sizeof *result); __builtin_craig_writable(error, sizeof(int));
  craig_scratch(s, n);
  *result = 0;
  *error = 1;
  if (craig_too_small(n)) { *error = -1; return 34; }
  *result = craig_some_network(r);
  if (*result != 0) r->name = craig_piece(s, n);
  return 0;
}
struct craig_network *getnetbyname(const char *name) { craig_str_end(name); return craig_some_network(&craig_network); }
struct craig_network *getnetbyaddr(unsigned number, int type) { return craig_some_network(&craig_network); }
struct craig_network *getnetent(void) { return craig_some_network(&craig_network); }
void setnetent(int stay) { }
void endnetent(void) { }
int getnetbyname_r(const char *name, struct craig_network *r, char *s, size_t n, struct craig_network **result, int *error) { craig_str_end(name); return craig_network_into(r, s, n, result, error); }
int getnetbyaddr_r(unsigned number, int type, struct craig_network *r, char *s, size_t n, struct craig_network **result, int *error) { return craig_network_into(r, s, n, result, error); }
int getnetent_r(struct craig_network *r, char *s, size_t n, struct craig_network **result, int *error) { return craig_network_into(r, s, n, result, error); }
int setnetgrent(const char *name) { craig_str_end(name); return __builtin_craig_input_bool("netgroup.known"); }
void endnetgrent(void) { }
static char *craig_maybe_value(void) { return __builtin_craig_input_bool("netgroup.any") ? (char *)0 : craig_value(); }
int getnetgrent(char **host, char **user, char **domain) {
  __builtin_craig_writable(host, sizeof(char *)); __builtin_craig_writable(user, sizeof(char *)); __builtin_craig_writable(domain, sizeof(char *));
  if (!__builtin_craig_input_bool("netgroup.known")) return 0;
  *host = craig_maybe_value(); *user = craig_maybe_value(); *domain = craig_maybe_value();
  return 1;
}
int getnetgrent_r(char **host, char **user, char **domain, char *s, size_t n) { craig_scratch(s, n); return getnetgrent(host, user, domain); }
int innetgr(const char *name, const char *host, const char *user, const char *domain) { craig_str_end(name); craig_maybe_text(host); craig_maybe_text(user); craig_maybe_text(domain); return __builtin_craig_input_bool("netgroup.known"); }
/* Other machines. */
int ruserok(const char *host, int root, const char *user, const char *local) { craig_str_end(host); craig_str_end(user); craig_str_end(local); return craig_fails(); }
int ruserok_af(const char *host, int root, const char *user, const char *local, unsigned short family) { return ruserok(host, root, user, local); }
int iruserok(unsigned address, int root, const char *user, const char *local) { craig_str_end(user); craig_str_end(local); return craig_fails(); }
int iruserok_af(const void *address, int root, const char *user, const char *local, unsigned short family) { return iruserok(0, root, user, local); }
int rresvport(int *port) { __builtin_craig_writable(port, sizeof(int)); *port = __builtin_craig_any_int(); return craig_descriptor(); }
int rresvport_af(int *port, unsigned short family) { return rresvport(port); }
int rcmd(char **host, unsigned short port, const char *local, const char *user, const char *command, int *second) {
  __builtin_craig_writable(host, sizeof(char *));
  craig_str_end(*host); craig_str_end(local); craig_str_end(user); craig_str_end(command);
  *host = craig_value();
  if (second != 0) { __builtin_craig_writable(second, sizeof(int)); *second = craig_next_descriptor(); }
  return craig_descriptor();
}
int rcmd_af(char **host, unsigned short port, const char *local, const char *user, const char *command, int *second, unsigned short family) { return rcmd(host, port, local, user, command, second); }
int rexec(char **host, int port, const char *user, const char *password, const char *command, int *second) { craig_str_end(password); return rcmd(host, 0, user, user, command, second); }
int rexec_af(char **host, int port, const char *user, const char *password, const char *command, int *second, unsigned short family) { return rexec(host, port, user, password, command, second); }
int bindresvport(int fd, void *p) { if (p != 0) __builtin_craig_writable(p, 16); return craig_fails(); }
int bindresvport6(int fd, void *p) { if (p != 0) __builtin_craig_writable(p, 28); return craig_fails(); }
/* Interfaces of the network. */
unsigned if_nametoindex(const char *name) { craig_str_end(name); return __builtin_craig_input_uint("interface"); }
char *if_indextoname(unsigned n, char *s) { if (craig_fails()) return 0; return craig_name_for(s, 16); }
struct craig_interface { unsigned index; char *name; };
struct craig_interface *if_nameindex(void) {
  struct craig_interface *list;
  size_t i, n = __builtin_craig_input_size("interface.count");
  if (craig_fails()) return 0;
  __builtin_craig_assume(n < 4096);
  list = malloc((n + 1) * sizeof *list);
  if (list == 0) return 0;
  for (i = 0; i < n; i++) {
    list[i].index = __builtin_craig_input_uint("interface");
    __builtin_craig_assume(list[i].index != 0);
    list[i].name = craig_value();
  }
  list[n].index = 0;
  list[n].name = 0;
  return list;
}
void if_freenameindex(struct craig_interface *list) { free(list); }
struct craig_ifaddrs { struct craig_ifaddrs *next; char *name; unsigned flags; void *address, *mask, *other, *data; };
int getifaddrs(struct craig_ifaddrs **result) {
  struct craig_ifaddrs *r;
  __builtin_craig_writable(result, sizeof *result);
  if (craig_fails()) return -1;
  *result = 0;
  while (__builtin_craig_input_bool("interface.more")) {
    r = malloc(sizeof *r);
    if (r == 0) { craig_errno = 12; return -1; }
    r->next = *result;
    r->name = craig_value();
    r->flags = __builtin_craig_any_uint();
    r->address = 0;
    if (__builtin_craig_input_bool("interface.address")) { r->address = __builtin_alloca(28); craig_words(r->address, 28); }
    r->mask = r->other = r->data = 0;
    *result = r;
  }
  return 0;
}
void freeifaddrs(struct craig_ifaddrs *r) {
  while (r != 0) { struct craig_ifaddrs *next = r->next; free(r); r = next; }
}
/* Addresses of a name: a list of at least one. */
struct craig_info { int flags, family, type, protocol; unsigned length; void *address; char *name; struct craig_info *next; };
int getaddrinfo(const char *node, const char *service, const struct craig_info *hints, struct craig_info **result) {
  struct craig_info *info;
  int family = 0, flags = 0;
  if (node != 0) craig_str_end(node);
  if (service != 0) craig_str_end(service);
  if (hints != 0) { __builtin_craig_readable(hints, sizeof *hints); family = hints->family; flags = hints->flags; }
  __builtin_craig_writable(result, sizeof *result);
  if (__builtin_craig_input_bool("getaddrinfo.fails")) {
    int e = __builtin_craig_input_int("getaddrinfo.error");
    __builtin_craig_assume(e >= -12 && e <= -1);
    return e;
  }
  *result = 0;
  do {
    info = malloc(sizeof *info + 28);
    if (info == 0) return -10;
    info->address = info + 1;
    craig_words(info->address, 28);
    info->flags = flags;
    info->family = family == 2 || family != 10 && __builtin_craig_input_bool("getaddrinfo.inet") ? 2 : 10;
    *(unsigned short *)info->address = (unsigned short)info->family;
    info->type = __builtin_craig_input_int("getaddrinfo");
    info->protocol = __builtin_craig_input_int("getaddrinfo");
    info->length = info->family == 2 ? 16 : 28;
    info->name = flags & 2 ? craig_value() : (char *)0;
    info->next = *result;
    *result = info;
  } while (__builtin_craig_input_bool("getaddrinfo.more"));
  return 0;
}
void freeaddrinfo(struct craig_info *info) {
  while (info != 0) { struct craig_info *next = info->next; free(info); info = next; }
}
int getnameinfo(const void *p, unsigned n, char *host, unsigned size, char *service, unsigned length, int flags) {
  __builtin_craig_readable(p, n);
  if (__builtin_craig_input_bool("getnameinfo.fails")) return -2;
  if (host != 0 && size > 0) craig_text_of(host, size);
  if (service != 0 && length > 0) craig_text_of(service, length);
  return 0;
}
