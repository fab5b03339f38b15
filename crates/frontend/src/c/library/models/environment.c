/* What the outside gives: command line, environment, random numbers; and how a program ends. */
static int craig_count(void) {
  int n = __builtin_craig_input_int("argc");
  __builtin_craig_assume(n >= 1);
  return n;
}
/* A text of the outside, of any length. New memory holds anything: nothing needs to be written but the end; a
   zero before it is the end of a shorter text. */
static char *craig_argument(void) {
  size_t j, n = __builtin_craig_input_size("argv.length");
  char *s;
  __builtin_craig_assume(n < 131072);
  s = __builtin_alloca(n + 1);
  if (__builtin_craig_runs())
    for (j = 0; j < n; j++) s[j] = __builtin_craig_input_char("argv.byte");
  s[n] = 0;
  __builtin_craig_ends(s + n);
  __builtin_craig_ask("argument", s);
  return s;
}
/* The command line: strings, then null. What is known of it stands in lower/arguments.rs: strings follow the array
   in their order, one object after the other. */
static char **craig_argv;
static int craig_argc;
static char **craig_arguments(int argc) {
  char **argv = __builtin_alloca(((size_t)argc + 1) * sizeof(char *));
  int i;
  craig_argv = argv;
  craig_argc = argc;
  for (i = 0; i < argc; i++) argv[i] = craig_argument();
  argv[argc] = 0;
  return argv;
}
/* The environment as an array: texts, then null. */
static char **craig_environment(void) {
  int n = __builtin_craig_input_int("environment.count");
  char **list;
  int i;
  __builtin_craig_assume(n >= 0 && n < 65536);
  list = __builtin_alloca(((size_t)n + 1) * sizeof(char *));
  for (i = 0; i < n; i++) list[i] = craig_value();
  list[n] = 0;
  return list;
}
static char *craig_value(void) {
  size_t i, n = __builtin_craig_input_size("environment.length");
  char *s;
  __builtin_craig_assume(n < 131072);
  s = __builtin_alloca(n + 1);
  if (__builtin_craig_runs())
    for (i = 0; i < n; i++) s[i] = __builtin_craig_input_char("environment.byte");
  s[n] = 0;
  __builtin_craig_ends(s + n);
  __builtin_craig_ask("value", s);
  return s;
}
/* A variable that was asked for: what it was, it stays until the program changes it. */
struct craig_variable { int known; const char *name; char *value; struct craig_variable *next; };
static struct craig_variable *craig_variables;
static int craig_no_environment;
static void craig_ask(struct craig_variable *v, const char *name) {
  if (v->known == 0) {
    __builtin_craig_ask("getenv", name);
    v->known = 1;
    v->value = 0;
    if (craig_no_environment == 0 && __builtin_craig_input_bool("environment.present")) v->value = craig_value();
  }
}
static char *craig_copy_of(const char *s) {
  size_t n = strlen(s);
  char *d = __builtin_alloca(n + 1);
  memcpy(d, s, n + 1);
  __builtin_craig_ends(d + n);
  return d;
}
static struct craig_variable *craig_variable(const char *name) {
  struct craig_variable *v;
  for (v = craig_variables; v != 0; v = v->next)
    if (strcmp(v->name, name) == 0) return v;
  v = __builtin_alloca(sizeof *v);
  v->known = 0;
  v->name = craig_copy_of(name);
  v->next = craig_variables;
  craig_variables = v;
  craig_ask(v, name);
  return v;
}
/* Where all names are literals, each has a variable of its own. */
static char *craig_getenv_of(struct craig_variable *v, const char *name) {
  craig_ask(v, name);
  return v->value;
}
static int craig_setenv_of(struct craig_variable *v, const char *name, const char *value, int over) {
  void *room;
  craig_str_end(value);
  if (!over) craig_ask(v, name);
  /* It fails where an allocation does. */
  room = malloc(1);
  if (room == 0) {
    craig_errno = 12;
    return -1;
  }
  free(room);
  if (over || v->value == 0) v->value = craig_copy_of(value);
  v->known = 1;
  return 0;
}
static int craig_unsetenv_of(struct craig_variable *v, const char *name) {
  v->known = 1;
  v->value = 0;
  return 0;
}
char *getenv(const char *name) { craig_str_end(name); return *name == 0 ? (char *)0 : craig_variable(name)->value; }
static int craig_secure;
char *secure_getenv(const char *name) {
  if (craig_secure == 0) craig_secure = __builtin_craig_input_bool("secure") ? 2 : 1;
  return craig_secure == 2 ? (char *)0 : getenv(name);
}
int setenv(const char *name, const char *value, int over) {
  craig_str_end(name);
  if (*name == 0 || strchr(name, '=') != 0) {
    craig_errno = 22;
    return -1;
  }
  return craig_setenv_of(craig_variable(name), name, value, over);
}
int unsetenv(const char *name) {
  craig_str_end(name);
  if (*name == 0 || strchr(name, '=') != 0) {
    craig_errno = 22;
    return -1;
  }
  return craig_unsetenv_of(craig_variable(name), name);
}
int putenv(char *text) {
  char *at = strchr(text, '='), *name;
  struct craig_variable *v;
  if (at == 0) return unsetenv(text);
  name = craig_copy_of(text);
  name[at - text] = 0;
  v = craig_variable(name);
  v->value = at + 1;
  return 0;
}
int clearenv(void) {
  struct craig_variable *v;
  for (v = craig_variables; v != 0; v = v->next) v->value = 0;
  craig_no_environment = 1;
  return 0;
}

/* Any number in the range is possible: the generator is the program's environment. After a second seed the
   numbers may be the same as before, so that they are not free any more. */
static int craig_seeds;
static int craig_some_number(void) {
  int r;
  if (craig_seeds > 1 && !__builtin_craig_runs()) r = __builtin_craig_any_int(); else r = __builtin_craig_input_int("rand");
  __builtin_craig_assume(r >= 0);
  return r;
}
static int craig_free_number(void) {
  int r = __builtin_craig_input_int("rand");
  __builtin_craig_assume(r >= 0);
  return r;
}
static void craig_seed(unsigned seed) {
  __builtin_craig_ask("srand", seed);
  if (craig_seeds < 2) craig_seeds++;
}
int rand(void) { return craig_some_number(); }
long random(void) { return craig_some_number(); }
void srand(unsigned seed) { craig_seed(seed); }
void srandom(unsigned seed) { craig_seed(seed); }
char *initstate(unsigned seed, char *state, size_t n) { __builtin_craig_writable(state, n); craig_seeds = 2; return state; }
char *setstate(char *state) { __builtin_craig_readable(state, 8); craig_seeds = 2; return state; }
/* The state is the program's: it may be set back to what it was. */
static int craig_own_states;
int rand_r(unsigned *seed) {
  int r;
  __builtin_craig_writable(seed, sizeof(unsigned));
  *seed = __builtin_craig_any_uint();
  if (craig_own_states) r = __builtin_craig_any_int(); else r = __builtin_craig_input_int("rand_r");
  craig_own_states = 1;
  __builtin_craig_assume(r >= 0);
  return r;
}
static int craig_long_seeds;
static int craig_long_number(void) { return craig_long_seeds > 1 ? __builtin_craig_any_int() : __builtin_craig_input_int("rand48"); }
long lrand48(void) { int r = craig_long_number(); __builtin_craig_assume(r >= 0); return r; }
long mrand48(void) { return craig_long_number(); }
double drand48(void) {
  double d = craig_long_seeds > 1 ? __builtin_craig_any_double() : __builtin_craig_input_double("rand48");
  __builtin_craig_assume(d >= 0.0 && d < 1.0);
  return d;
}
long nrand48(unsigned short *state) { int r = __builtin_craig_any_int(); __builtin_craig_writable(state, 6); __builtin_craig_assume(r >= 0); return r; }
long jrand48(unsigned short *state) { __builtin_craig_writable(state, 6); return __builtin_craig_any_int(); }
double erand48(unsigned short *state) {
  double d = __builtin_craig_any_double();
  __builtin_craig_writable(state, 6);
  __builtin_craig_assume(d >= 0.0 && d < 1.0);
  return d;
}
void srand48(long seed) { if (craig_long_seeds < 2) craig_long_seeds++; }
void lcong48(unsigned short *p) { __builtin_craig_readable(p, 14); craig_long_seeds = 2; }
unsigned short *seed48(unsigned short *p) {
  static unsigned short old[3];
  __builtin_craig_readable(p, 6);
  craig_long_seeds = 2;
  old[0] = __builtin_craig_any_int();
  old[1] = __builtin_craig_any_int();
  old[2] = __builtin_craig_any_int();
  return old;
}
unsigned arc4random(void) { return __builtin_craig_input_uint("random"); }
unsigned arc4random_uniform(unsigned n) {
  unsigned r = __builtin_craig_input_uint("random");
  __builtin_craig_assume(n == 0 ? r == 0 : r < n);
  return r;
}
void arc4random_buf(void *p, size_t n) {
  size_t i;
  __builtin_craig_writable(p, n);
  for (i = 0; i < n; i++) ((char *)p)[i] = __builtin_craig_input_char("random");
}
ssize_t getrandom(void *p, size_t n, unsigned flags) { arc4random_buf(p, n); return n; }
int getentropy(void *p, size_t n) { if (n > 256) { craig_errno = 5; return -1; } arc4random_buf(p, n); return 0; }
void __VERIFIER_nondet_memory(void *p, size_t n) {
  size_t i;
  __builtin_craig_writable(p, n);
  for (i = 0; i < n; i++) ((char *)p)[i] = __builtin_craig_input_char("nondet_memory");
}

/* What runs when the program ends, the last registered first. */
struct craig_handler { void (*plain)(void); void (*with)(int, void *); void *arg; struct craig_handler *next; };
static struct craig_handler *craig_handlers, *craig_quick_handlers;
int atexit(void (*f)(void)) {
  struct craig_handler *h = __builtin_alloca(sizeof *h);
  h->plain = f;
  h->with = 0;
  h->arg = 0;
  h->next = craig_handlers;
  craig_handlers = h;
  return 0;
}
int on_exit(void (*f)(int, void *), void *arg) {
  struct craig_handler *h = __builtin_alloca(sizeof *h);
  h->plain = 0;
  h->with = f;
  h->arg = arg;
  h->next = craig_handlers;
  craig_handlers = h;
  return 0;
}
int at_quick_exit(void (*f)(void)) {
  struct craig_handler *h = __builtin_alloca(sizeof *h);
  h->plain = f;
  h->next = craig_quick_handlers;
  craig_quick_handlers = h;
  return 0;
}
static void craig_run_handlers(int status) {
  while (craig_handlers != 0) {
    struct craig_handler *h = craig_handlers;
    craig_handlers = h->next;
    if (h->plain != 0) h->plain(); else h->with(status, h->arg);
  }
}
static void craig_after_exit(int status) {
  craig_run_handlers(status);
  exit(status);
}
static void craig_after_quick_exit(int status) {
  while (craig_quick_handlers != 0) {
    struct craig_handler *h = craig_quick_handlers;
    craig_quick_handlers = h->next;
    h->plain();
  }
  quick_exit(status);
}
int system(const char *command) {
  if (command != 0) craig_str_end(command);
  return __builtin_craig_input_int("system");
}
