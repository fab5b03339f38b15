/* Tables of the system: users and groups (pwd.h, grp.h, shadow.h), mounted file systems (mntent.h, fstab.h), terminals
   (ttyent.h), who is logged in (utmp.h, utmpx.h). What stands in them the outside says. */
struct craig_passwd { char *name, *password; unsigned uid, gid; char *gecos, *dir, *shell; };
struct craig_group { char *name, *password; unsigned gid; char **members; };
static struct craig_passwd craig_user;
static struct craig_group craig_users;
static struct craig_passwd *craig_some_user(struct craig_passwd *u) {
  if (!__builtin_craig_input_bool("user.known")) return 0;
  u->name = craig_value(); u->password = craig_value(); u->gecos = craig_value(); u->dir = craig_value(); u->shell = craig_value();
  u->uid = __builtin_craig_input_uint("user"); u->gid = __builtin_craig_input_uint("user");
  return u;
}
static struct craig_group *craig_some_group(struct craig_group *g) {
  if (!__builtin_craig_input_bool("group.known")) return 0;
  g->name = craig_value(); g->password = craig_value();
  g->gid = __builtin_craig_input_uint("group"); g->members = craig_environment();
  return g;
}
struct craig_passwd *getpwnam(const char *name) { craig_str_end(name); return craig_some_user(&craig_user); }
static struct craig_passwd *craig_user_of(struct craig_passwd *u, unsigned id) {
  struct craig_passwd *known = craig_some_user(u);
  if (known != 0) known->uid = id;
  return known;
}
struct craig_passwd *getpwuid(unsigned id) { return craig_user_of(&craig_user, id); }
struct craig_passwd *getpwent(void) { return craig_some_user(&craig_user); }
void setpwent(void) { }
void endpwent(void) { }
struct craig_group *getgrnam(const char *name) { craig_str_end(name); return craig_some_group(&craig_users); }
struct craig_group *getgrgid(unsigned id) {
  struct craig_group *known = craig_some_group(&craig_users);
  if (known != 0) known->gid = id;
  return known;
}
struct craig_group *getgrent(void) { return craig_some_group(&craig_users); }
void setgrent(void) { }
void endgrent(void) { }
/* The buffer holds the texts. */
static int craig_user_into(struct craig_passwd *u, char *s, size_t n, struct craig_passwd **result) {
  craig_scratch(s, n);
  *result = 0;
  if (craig_too_small(n)) return 34;
  if (u != 0) { u->name = craig_piece(s, n); u->password = craig_piece(s, n); u->gecos = craig_piece(s, n); u->dir = craig_piece(s, n); u->shell = craig_piece(s, n); }
  *result = u;
  return 0;
}
int getpwnam_r(const char *name, struct craig_passwd *u, char *s, size_t n, struct craig_passwd **result) {
  craig_str_end(name);
  __builtin_craig_writable(u, sizeof *u); __builtin_craig_writable(s, n); __builtin_craig_writable(result, sizeof *result);
  return craig_user_into(craig_some_user(u), s, n, result);
}
int getpwuid_r(unsigned id, struct craig_passwd *u, char *s, size_t n, struct craig_passwd **result) {
  __builtin_craig_writable(u, sizeof *u); __builtin_craig_writable(s, n); __builtin_craig_writable(result, sizeof *result);
  return craig_user_into(craig_user_of(u, id), s, n, result);
}
int setgroups(size_t n, const unsigned *list) { __builtin_craig_readable(list, n * sizeof(unsigned)); return craig_fails(); }
int initgroups(const char *name, unsigned id) { craig_str_end(name); return craig_fails(); }
int getpwent_r(struct craig_passwd *u, char *s, size_t n, struct craig_passwd **result) {
  __builtin_craig_writable(u, sizeof *u); __builtin_craig_writable(result, sizeof *result);
  return craig_user_into(craig_some_user(u), s, n, result) != 0 ? 34 : *result != 0 ? 0 : 2;
}
struct craig_passwd *fgetpwent(FILE *f) { craig_file(f); return craig_some_user(&craig_user); }
int fgetpwent_r(FILE *f, struct craig_passwd *u, char *s, size_t n, struct craig_passwd **result) { craig_file(f); return getpwent_r(u, s, n, result); }
int putpwent(const struct craig_passwd *u, FILE *f) { craig_file(f); __builtin_craig_readable(u, sizeof *u); return craig_fails(); }
int getpw(unsigned id, char *s) { if (craig_fails()) return -1; craig_name_for(s, 1024); return 0; }
static int craig_group_into(struct craig_group *g, char *s, size_t n, struct craig_group **result) {
  __builtin_craig_writable(g, sizeof *g); __builtin_craig_writable(result, sizeof *result);
  craig_scratch(s, n);
  *result = 0;
  if (craig_too_small(n)) return 34;
  *result = craig_some_group(g);
  if (*result != 0) { g->name = craig_piece(s, n); g->password = craig_piece(s, n); }
  return 0;
}
int getgrnam_r(const char *name, struct craig_group *g, char *s, size_t n, struct craig_group **result) { craig_str_end(name); return craig_group_into(g, s, n, result); }
int getgrgid_r(unsigned id, struct craig_group *g, char *s, size_t n, struct craig_group **result) { int k = craig_group_into(g, s, n, result); if (k == 0 && *result != 0) g->gid = id; return k; }
int getgrent_r(struct craig_group *g, char *s, size_t n, struct craig_group **result) { return craig_group_into(g, s, n, result) != 0 ? 34 : *result != 0 ? 0 : 2; }
struct craig_group *fgetgrent(FILE *f) { craig_file(f); return craig_some_group(&craig_users); }
int fgetgrent_r(FILE *f, struct craig_group *g, char *s, size_t n, struct craig_group **result) { craig_file(f); return getgrent_r(g, s, n, result); }
int putgrent(const struct craig_group *g, FILE *f) { craig_file(f); __builtin_craig_readable(g, sizeof *g); return craig_fails(); }
int getgrouplist(const char *user, unsigned id, unsigned *list, int *n) {
  int i, k = __builtin_craig_input_int("groups");
  craig_str_end(user);
  __builtin_craig_writable(n, sizeof(int));
  __builtin_craig_assume(k >= 1 && k <= 65536);
  if (*n > 0) __builtin_craig_writable(list, *n * sizeof(unsigned));
  for (i = 0; i < k && i < *n; i++) list[i] = __builtin_craig_input_uint("groups");
  i = *n;
  *n = k;
  return k <= i ? k : -1;
}
/* Passwords. */
struct craig_shadow { char *name, *password; long changed, min, max, warn, inactive, expires; unsigned long flag; };
static struct craig_shadow craig_shadow;
static struct craig_shadow *craig_some_shadow(struct craig_shadow *r) {
  if (!__builtin_craig_input_bool("user.known")) return 0;
  r->name = craig_value(); r->password = craig_value();
  craig_words(&r->changed, 7 * sizeof(long));
  return r;
}
static int craig_shadow_into(struct craig_shadow *r, char *s, size_t n, struct craig_shadow **result) {
  __builtin_craig_writable(r, sizeof *r); __builtin_craig_writable(result, sizeof *result);
  craig_scratch(s, n);
  *result = 0;
  if (craig_too_small(n)) return 34;
  *result = craig_some_shadow(r);
  if (*result == 0) return 2;
  r->name = craig_piece(s, n); r->password = craig_piece(s, n);
  return 0;
}
void setspent(void) { }
void endspent(void) { }
struct craig_shadow *getspent(void) { return craig_some_shadow(&craig_shadow); }
struct craig_shadow *getspnam(const char *name) { craig_str_end(name); return craig_some_shadow(&craig_shadow); }
struct craig_shadow *sgetspent(const char *s) { craig_str_end(s); return craig_some_shadow(&craig_shadow); }
struct craig_shadow *fgetspent(FILE *f) { craig_file(f); return craig_some_shadow(&craig_shadow); }
int putspent(const struct craig_shadow *r, FILE *f) { craig_file(f); __builtin_craig_readable(r, sizeof *r); return craig_fails(); }
int getspent_r(struct craig_shadow *r, char *s, size_t n, struct craig_shadow **result) { return craig_shadow_into(r, s, n, result); }
int getspnam_r(const char *name, struct craig_shadow *r, char *s, size_t n, struct craig_shadow **result) { craig_str_end(name); return craig_shadow_into(r, s, n, result); }
int sgetspent_r(const char *text, struct craig_shadow *r, char *s, size_t n, struct craig_shadow **result) { craig_str_end(text); return craig_shadow_into(r, s, n, result); }
int fgetspent_r(FILE *f, struct craig_shadow *r, char *s, size_t n, struct craig_shadow **result) { craig_file(f); return craig_shadow_into(r, s, n, result); }
int lckpwdf(void) { return craig_fails(); }
int ulckpwdf(void) { return craig_fails(); }
/* File systems. */
struct craig_mount { char *name, *dir, *type, *options; int freq, pass; };
static struct craig_mount craig_mount;
static struct craig_mount *craig_some_mount(struct craig_mount *r) {
  if (!__builtin_craig_input_bool("mount.known")) return 0;
  r->name = craig_value(); r->dir = craig_value(); r->type = craig_value(); r->options = craig_value();
  r->freq = __builtin_craig_input_int("mount"); r->pass = __builtin_craig_input_int("mount");
  return r;
}
FILE *setmntent(const char *name, const char *mode) { return fopen(name, mode); }
struct craig_mount *getmntent(FILE *f) { craig_file(f); return craig_some_mount(&craig_mount); }
struct craig_mount *getmntent_r(FILE *f, struct craig_mount *r, char *s, int n) {
  craig_file(f);
  __builtin_craig_writable(r, sizeof *r);
  if (n <= 0) return 0;
  craig_scratch(s, n);
  if (craig_some_mount(r) == 0) return 0;
  r->name = craig_piece(s, n); r->dir = craig_piece(s, n); r->type = craig_piece(s, n); r->options = craig_piece(s, n);
  return r;
}
int addmntent(FILE *f, const struct craig_mount *r) { craig_file(f); __builtin_craig_readable(r, sizeof *r); return craig_fails() ? 1 : 0; }
int endmntent(FILE *f) { fclose(f); return 1; }
/* An option of a list is a whole word between commas. */
char *hasmntopt(const struct craig_mount *r, const char *option) {
  size_t n = strlen(option);
  char *s;
  __builtin_craig_readable(r, sizeof *r);
  for (s = r->options; (s = strstr(s, option)) != 0; s++)
    if ((s == r->options || s[-1] == ',') && (s[n] == 0 || s[n] == '=' || s[n] == ',')) return s;
  return 0;
}
struct craig_fstab { char *spec, *file, *type, *options; const char *kind; int freq, pass; };
static struct craig_fstab craig_fstab;
struct craig_fstab *getfsent(void) {
  struct craig_fstab *r = &craig_fstab;
  if (!__builtin_craig_input_bool("mount.known")) return 0;
  r->spec = craig_value(); r->file = craig_value(); r->type = craig_value(); r->options = craig_value(); r->kind = craig_value();
  r->freq = __builtin_craig_input_int("mount"); r->pass = __builtin_craig_input_int("mount");
  return r;
}
struct craig_fstab *getfsspec(const char *name) { craig_str_end(name); return getfsent(); }
struct craig_fstab *getfsfile(const char *name) { craig_str_end(name); return getfsent(); }
int setfsent(void) { return __builtin_craig_input_bool("mount.known"); }
void endfsent(void) { }
/* Terminals and who uses them. */
struct craig_terminal { char *name, *getty, *type; int status; char *window, *comment; };
static struct craig_terminal craig_terminal;
struct craig_terminal *getttyent(void) {
  struct craig_terminal *r = &craig_terminal;
  if (!__builtin_craig_input_bool("terminal.known")) return 0;
  r->name = craig_value(); r->getty = craig_value(); r->type = craig_value(); r->window = craig_value(); r->comment = craig_value();
  r->status = __builtin_craig_any_int();
  return r;
}
struct craig_terminal *getttynam(const char *name) { craig_str_end(name); return getttyent(); }
int setttyent(void) { return __builtin_craig_input_bool("terminal.known"); }
int endttyent(void) { return 1; }
char *getusershell(void) { return __builtin_craig_input_bool("shell.more") ? craig_value() : (char *)0; }
void setusershell(void) { }
void endusershell(void) { }
struct craig_login { short type; int words[95]; };
static struct craig_login craig_login;
static struct craig_login *craig_some_login(struct craig_login *r) {
  if (!__builtin_craig_input_bool("login.known")) return 0;
  craig_words(r, sizeof *r);
  return r;
}
static int craig_login_into(struct craig_login *r, struct craig_login **result) {
  __builtin_craig_writable(r, sizeof *r); __builtin_craig_writable(result, sizeof *result);
  *result = craig_some_login(r);
  return *result == 0 ? -1 : 0;
}
void setutent(void) { }
void endutent(void) { }
void setutxent(void) { }
void endutxent(void) { }
struct craig_login *getutent(void) { return craig_some_login(&craig_login); }
struct craig_login *getutid(const struct craig_login *key) { __builtin_craig_readable(key, sizeof *key); return craig_some_login(&craig_login); }
struct craig_login *getutline(const struct craig_login *key) { return getutid(key); }
struct craig_login *pututline(const struct craig_login *r) { return getutid(r); }
struct craig_login *getutxent(void) { return getutent(); }
struct craig_login *getutxid(const struct craig_login *key) { return getutid(key); }
struct craig_login *getutxline(const struct craig_login *key) { return getutid(key); }
struct craig_login *pututxline(const struct craig_login *r) { return getutid(r); }
int getutent_r(struct craig_login *r, struct craig_login **result) { return craig_login_into(r, result); }
int getutid_r(const struct craig_login *key, struct craig_login *r, struct craig_login **result) { __builtin_craig_readable(key, sizeof *key); return craig_login_into(r, result); }
int getutline_r(const struct craig_login *key, struct craig_login *r, struct craig_login **result) { return getutid_r(key, r, result); }
int utmpname(const char *name) { craig_str_end(name); return 0; }
int utmpxname(const char *name) { craig_str_end(name); return 0; }
void updwtmp(const char *name, const struct craig_login *r) { craig_str_end(name); __builtin_craig_readable(r, sizeof *r); }
void updwtmpx(const char *name, const struct craig_login *r) { updwtmp(name, r); }
void getutmp(const struct craig_login *x, struct craig_login *r) { __builtin_craig_readable(x, sizeof *x); craig_words(r, sizeof *r); }
void getutmpx(const struct craig_login *r, struct craig_login *x) { getutmp(r, x); }
