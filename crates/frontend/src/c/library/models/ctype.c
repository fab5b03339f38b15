/* ctype.h and wctype.h in the C locale; in another one characters beyond ASCII are of any class. */
static int craig_high(int c) { return craig_other_locale && (c < -1 || c > 127) && __builtin_craig_any_bool(); }
static int craig_class(int c, int mask) {
  if (craig_other_locale && (c < -1 || c > 127)) return __builtin_craig_any_int() & mask;
  int upper = c >= 'A' && c <= 'Z', lower = c >= 'a' && c <= 'z', digit = c >= '0' && c <= '9';
  int hex = digit || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F';
  int space = c == ' ' || c >= 9 && c <= 13, blank = c == ' ' || c == 9;
  int cntrl = c >= 0 && c < 32 || c == 127, graph = c > 32 && c < 127;
  int bits = (upper ? 0x100 : 0) | (lower ? 0x200 : 0) | (upper || lower ? 0x400 : 0) | (digit ? 0x800 : 0) |
             (hex ? 0x1000 : 0) | (space ? 0x2000 : 0) | (graph || c == 32 ? 0x4000 : 0) | (graph ? 0x8000 : 0) |
             (blank ? 1 : 0) | (cntrl ? 2 : 0) | (graph && !upper && !lower && !digit ? 4 : 0) |
             (upper || lower || digit ? 8 : 0);
  return bits & mask;
}
/* What the macros of glibc look up. */
static int craig_ctype(int c, int mask) {
  __builtin_craig_require(c >= -128 && c <= 255, "the character is no unsigned char");
  if (craig_other_locale && (c < -1 || c > 127)) return __builtin_craig_any_int() & mask;
  switch (mask) {
  case 0x100: return c >= 'A' && c <= 'Z' ? 0x100 : 0;
  case 0x200: return c >= 'a' && c <= 'z' ? 0x200 : 0;
  case 0x400: return c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' ? 0x400 : 0;
  case 0x800: return c >= '0' && c <= '9' ? 0x800 : 0;
  case 0x2000: return c == ' ' || c >= 9 && c <= 13 ? 0x2000 : 0;
  default: return craig_class(c, mask);
  }
}
static void craig_char(int c) {
  __builtin_craig_require(c >= -1 && c <= 255, "the character is neither EOF nor an unsigned char");
}
int isalpha(int c) { craig_char(c); return c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || craig_high(c); }
int isupper(int c) { craig_char(c); return c >= 'A' && c <= 'Z' || craig_high(c); }
int islower(int c) { craig_char(c); return c >= 'a' && c <= 'z' || craig_high(c); }
int isdigit(int c) { craig_char(c); return c >= '0' && c <= '9'; }
int isalnum(int c) { craig_char(c); return craig_class(c, 8) != 0; }
int isxdigit(int c) { craig_char(c); return craig_class(c, 0x1000) != 0; }
int isspace(int c) { craig_char(c); return c == ' ' || c >= 9 && c <= 13 || craig_high(c); }
int isblank(int c) { craig_char(c); return c == ' ' || c == 9 || craig_high(c); }
int iscntrl(int c) { craig_char(c); return c >= 0 && c < 32 || c == 127 || craig_high(c); }
int isprint(int c) { craig_char(c); return c >= 32 && c < 127 || craig_high(c); }
int isgraph(int c) { craig_char(c); return c > 32 && c < 127 || craig_high(c); }
int ispunct(int c) { craig_char(c); return craig_class(c, 4) != 0; }
int isascii(int c) { return c >= 0 && c < 128; }
int toascii(int c) { return c & 127; }
static int craig_other_case(int c, int most) {
  int r;
  if (!craig_other_locale || c <= 127 && c >= 0 || c == -1) return c;
  r = __builtin_craig_any_int();
  __builtin_craig_assume(r >= 0 && r <= most);
  return r;
}
int tolower(int c) { craig_char(c); return c >= 'A' && c <= 'Z' ? c + 32 : craig_other_case(c, 255); }
int toupper(int c) { craig_char(c); return c >= 'a' && c <= 'z' ? c - 32 : craig_other_case(c, 255); }
int _tolower(int c) { return c + 32; }
int _toupper(int c) { return c - 32; }
int iswalpha(wint_t c) { return craig_class(c, 0x400) != 0; }
int iswupper(wint_t c) { return craig_class(c, 0x100) != 0; }
int iswlower(wint_t c) { return craig_class(c, 0x200) != 0; }
int iswdigit(wint_t c) { return craig_class(c, 0x800) != 0; }
int iswalnum(wint_t c) { return craig_class(c, 8) != 0; }
int iswxdigit(wint_t c) { return craig_class(c, 0x1000) != 0; }
int iswspace(wint_t c) { return craig_class(c, 0x2000) != 0; }
int iswblank(wint_t c) { return craig_class(c, 1) != 0; }
int iswcntrl(wint_t c) { return craig_class(c, 2) != 0; }
int iswprint(wint_t c) { return craig_class(c, 0x4000) != 0; }
int iswgraph(wint_t c) { return craig_class(c, 0x8000) != 0; }
int iswpunct(wint_t c) { return craig_class(c, 4) != 0; }
wint_t towlower(wint_t c) { return c >= 'A' && c <= 'Z' ? c + 32 : (wint_t)craig_other_case(c, 0x10ffff); }
wint_t towupper(wint_t c) { return c >= 'a' && c <= 'z' ? c - 32 : (wint_t)craig_other_case(c, 0x10ffff); }

/* The tables that glibc's headers look into, from -128 to 255. */
static unsigned short craig_b_table[384];
static int craig_lower_table[384], craig_upper_table[384];
static const unsigned short *craig_b;
static const int *craig_lower_t, *craig_upper_t;
const unsigned short **__ctype_b_loc(void) {
  int c;
  if (craig_b == 0)
    for (c = -128; c < 256; c++) craig_b_table[c + 128] = c == -1 ? 0 : craig_class(c, 0xffff);
  craig_b = craig_b_table + 128;
  return &craig_b;
}
const int **__ctype_tolower_loc(void) {
  int c;
  if (craig_lower_t == 0)
    for (c = -128; c < 256; c++) craig_lower_table[c + 128] = c >= 'A' && c <= 'Z' ? c + 32 : craig_other_case(c, 255);
  craig_lower_t = craig_lower_table + 128;
  return &craig_lower_t;
}
const int **__ctype_toupper_loc(void) {
  int c;
  if (craig_upper_t == 0)
    for (c = -128; c < 256; c++) craig_upper_table[c + 128] = c >= 'a' && c <= 'z' ? c - 32 : craig_other_case(c, 255);
  craig_upper_t = craig_upper_table + 128;
  return &craig_upper_t;
}
size_t __ctype_get_mb_cur_max(void) {
  size_t n;
  if (!craig_other_locale) return 1;
  n = __builtin_craig_any_size();
  __builtin_craig_assume(n >= 1 && n <= 16);
  return n;
}
int isalnum_l(int c, void *l) { return isalnum(c); }
int iswalnum_l(wint_t c, void *l) { return iswalnum(c); }
int isalpha_l(int c, void *l) { return isalpha(c); }
int iswalpha_l(wint_t c, void *l) { return iswalpha(c); }
int isblank_l(int c, void *l) { return isblank(c); }
int iswblank_l(wint_t c, void *l) { return iswblank(c); }
int iscntrl_l(int c, void *l) { return iscntrl(c); }
int iswcntrl_l(wint_t c, void *l) { return iswcntrl(c); }
int isdigit_l(int c, void *l) { return isdigit(c); }
int iswdigit_l(wint_t c, void *l) { return iswdigit(c); }
int isgraph_l(int c, void *l) { return isgraph(c); }
int iswgraph_l(wint_t c, void *l) { return iswgraph(c); }
int islower_l(int c, void *l) { return islower(c); }
int iswlower_l(wint_t c, void *l) { return iswlower(c); }
int isprint_l(int c, void *l) { return isprint(c); }
int iswprint_l(wint_t c, void *l) { return iswprint(c); }
int ispunct_l(int c, void *l) { return ispunct(c); }
int iswpunct_l(wint_t c, void *l) { return iswpunct(c); }
int isspace_l(int c, void *l) { return isspace(c); }
int iswspace_l(wint_t c, void *l) { return iswspace(c); }
int isupper_l(int c, void *l) { return isupper(c); }
int iswupper_l(wint_t c, void *l) { return iswupper(c); }
int isxdigit_l(int c, void *l) { return isxdigit(c); }
int iswxdigit_l(wint_t c, void *l) { return iswxdigit(c); }
int tolower_l(int c, void *l) { return tolower(c); }
int toupper_l(int c, void *l) { return toupper(c); }
wint_t towlower_l(wint_t c, void *l) { return towlower(c); }
wint_t towupper_l(wint_t c, void *l) { return towupper(c); }
/* A class by name is the bits that it has in the tables. */
unsigned long wctype(const char *name) {
  craig_str_end(name);
  if (strcmp(name, "alnum") == 0) return 8;
  if (strcmp(name, "alpha") == 0) return 0x400;
  if (strcmp(name, "blank") == 0) return 1;
  if (strcmp(name, "cntrl") == 0) return 2;
  if (strcmp(name, "digit") == 0) return 0x800;
  if (strcmp(name, "graph") == 0) return 0x8000;
  if (strcmp(name, "lower") == 0) return 0x200;
  if (strcmp(name, "print") == 0) return 0x4000;
  if (strcmp(name, "punct") == 0) return 4;
  if (strcmp(name, "space") == 0) return 0x2000;
  if (strcmp(name, "upper") == 0) return 0x100;
  if (strcmp(name, "xdigit") == 0) return 0x1000;
  return 0;
}
int iswctype(wint_t c, unsigned long type) { return craig_class(c, (int)type) != 0; }
/* glibc's `wctrans_t` is an address. */
static const int craig_to_lower, craig_to_upper;
const int *wctrans(const char *name) {
  craig_str_end(name);
  return strcmp(name, "tolower") == 0 ? &craig_to_lower : strcmp(name, "toupper") == 0 ? &craig_to_upper : (const int *)0;
}
wint_t towctrans(wint_t c, const int *what) { return what == &craig_to_lower ? towlower(c) : what == &craig_to_upper ? towupper(c) : c; }
