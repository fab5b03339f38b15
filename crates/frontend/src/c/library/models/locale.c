/* locale.h: the program begins in the C locale; another one may be asked for and refused. What is different in another
   one is not modelled: what depends on it has any value from then on (`craig_other_locale`). */
static char craig_c_locale[] = "C";
static void craig_leave_c(void) {
  craig_other_locale = 1;
  /* The tables are made again. */
  craig_b = 0; craig_lower_t = craig_upper_t = 0;
}
char *setlocale(int category, const char *name) {
  if (name == 0) return category < 0 || category > 12 ? (char *)0 : craig_other_locale ? craig_value() : craig_c_locale;
  craig_str_end(name);
  if (category < 0 || category > 12) return 0;
  if (*name == 0 && !__builtin_craig_runs()) {
    if (__builtin_craig_input_bool("setlocale.fails")) return 0;
    if (!__builtin_craig_input_bool("setlocale.other")) return craig_c_locale;
    craig_leave_c();
    return craig_value();
  }
  if (*name == 0 || strcmp(name, "C") == 0 || strcmp(name, "POSIX") == 0) {
    if (category == 6) craig_other_locale = 0;
    return craig_c_locale;
  }
  if (__builtin_craig_input_bool("setlocale.fails")) return 0;
  craig_leave_c();
  return craig_copy_of(name);
}
struct craig_lconv {
  char *decimal_point, *thousands_sep, *grouping, *int_curr_symbol, *currency_symbol, *mon_decimal_point;
  char *mon_thousands_sep, *mon_grouping, *positive_sign, *negative_sign;
  char rest[14];
};
static struct craig_lconv craig_conventions;
static char craig_point[] = ".", craig_nothing[] = "";
struct craig_lconv *localeconv(void) {
  struct craig_lconv *c = &craig_conventions;
  int i;
  if (craig_other_locale) __builtin_craig_unmodelled("the conventions of another locale are not modelled");
  c->decimal_point = craig_point;
  c->thousands_sep = c->grouping = c->int_curr_symbol = c->currency_symbol = c->mon_decimal_point = craig_nothing;
  c->mon_thousands_sep = c->mon_grouping = c->positive_sign = c->negative_sign = craig_nothing;
  for (i = 0; i < 14; i++) c->rest[i] = 127;
  return c;
}
/* What glibc's macros look at: the tables of classes. */
struct craig_locale { void *parts[13]; const unsigned short *classes; const int *lower, *upper; const char *names[13]; };
static struct craig_locale craig_some_locale;
static void *craig_the_locale(void) {
  craig_some_locale.classes = *__ctype_b_loc();
  craig_some_locale.lower = *__ctype_tolower_loc();
  craig_some_locale.upper = *__ctype_toupper_loc();
  return &craig_some_locale;
}
void *newlocale(int mask, const char *name, void *base) {
  craig_str_end(name);
  if (*name != 0 && strcmp(name, "C") != 0 && strcmp(name, "POSIX") != 0) {
    if (__builtin_craig_input_bool("setlocale.fails")) return 0;
    __builtin_craig_unmodelled("another locale than C is not modelled");
  }
  return craig_the_locale();
}
void *duplocale(void *l) { return craig_the_locale(); }
void freelocale(void *l) { }
void *uselocale(void *l) { return craig_the_locale(); }
char *nl_langinfo(int item) { return craig_some_text(); }
