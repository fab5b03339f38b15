/* math.h for REAL: read three times, for double, float (…f) and long double (…l). Exact where it is easy, some
   value where not; a result that is no number keeps no promise. */
REAL sin_F(REAL x) { REAL r = ANY; if (x == 0) return x; if (x - x == 0) __builtin_craig_assume(r >= -1 && r <= 1); return r; }
REAL cos_F(REAL x) { REAL r = ANY; if (x == 0) return 1; if (x - x == 0) __builtin_craig_assume(r >= -1 && r <= 1); return r; }
REAL tan_F(REAL x) { return x == 0 ? x : ANY; }
REAL asin_F(REAL x) { REAL r = ANY; if (x == 0) return x; if (x >= -1 && x <= 1) __builtin_craig_assume(r > -1.6 && r < 1.6); return r; }
REAL acos_F(REAL x) { REAL r = ANY; if (x == 1) return 0; if (x >= -1 && x < 1) __builtin_craig_assume(r >= 0 && r < 3.2); return r; }
REAL atan_F(REAL x) { REAL r = ANY; if (x == 0) return x; if (x - x == 0) __builtin_craig_assume(r > -1.6 && r < 1.6); return r; }
REAL sinh_F(REAL x) { return x == 0 ? x : ANY; }
REAL cosh_F(REAL x) { REAL r = ANY; if (x == 0) return 1; if (x - x == 0) __builtin_craig_assume(r >= 1); return r; }
REAL tanh_F(REAL x) { REAL r = ANY; if (x == 0) return x; if (x - x == 0) __builtin_craig_assume(r >= -1 && r <= 1); return r; }
REAL asinh_F(REAL x) { return x == 0 ? x : ANY; }
REAL acosh_F(REAL x) { return ANY; }
REAL atanh_F(REAL x) { return x == 0 ? x : ANY; }
REAL exp_F(REAL x) { REAL r = ANY; if (x == 0) return 1; if (x > 0) __builtin_craig_assume(r >= 1); if (x < 0) __builtin_craig_assume(r >= 0 && r <= 1); return r; }
REAL exp2_F(REAL x) { REAL r = ANY; if (x == 0) return 1; if (x > 0) __builtin_craig_assume(r >= 1); if (x < 0) __builtin_craig_assume(r >= 0 && r <= 1); return r; }
REAL exp10_F(REAL x) { REAL r = ANY; if (x == 0) return 1; if (x > 0) __builtin_craig_assume(r >= 1); if (x < 0) __builtin_craig_assume(r >= 0 && r <= 1); return r; }
REAL expm1_F(REAL x) { return x == 0 ? x : ANY; }
REAL log_F(REAL x) { REAL r = ANY; if (x == 1) return 0; if (x > 1) __builtin_craig_assume(r >= 0); if (x >= 0 && x < 1) __builtin_craig_assume(r <= 0); return r; }
REAL log2_F(REAL x) { REAL r = ANY; if (x == 1) return 0; if (x > 1) __builtin_craig_assume(r >= 0); if (x >= 0 && x < 1) __builtin_craig_assume(r <= 0); return r; }
REAL log10_F(REAL x) { REAL r = ANY; if (x == 1) return 0; if (x > 1) __builtin_craig_assume(r >= 0); if (x >= 0 && x < 1) __builtin_craig_assume(r <= 0); return r; }
REAL log1p_F(REAL x) { return x == 0 ? x : ANY; }
REAL cbrt_F(REAL x) { REAL r = ANY; if (x == 0) return x; if (x > 0) __builtin_craig_assume(r >= 0); if (x < 0) __builtin_craig_assume(r <= 0); return r; }
REAL erf_F(REAL x) { REAL r = ANY; if (x == 0) return x; if (x - x == 0) __builtin_craig_assume(r >= -1 && r <= 1); return r; }
REAL erfc_F(REAL x) { REAL r = ANY; if (x == x) __builtin_craig_assume(r >= 0 && r <= 2); return r; }
REAL tgamma_F(REAL x) { return ANY; }
REAL lgamma_F(REAL x) { return ANY; }
REAL gamma_F(REAL x) { return ANY; }
REAL significand_F(REAL x) { return ANY; }
REAL j0_F(REAL x) { return ANY; }
REAL j1_F(REAL x) { return ANY; }
REAL y0_F(REAL x) { return ANY; }
REAL y1_F(REAL x) { return ANY; }
REAL atan2_F(REAL x, REAL y) { REAL r = ANY; if (x == x && y == y) __builtin_craig_assume(r > -3.2 && r < 3.2); return r; }
/* Whole numbers whose power is small enough to be exact. */
REAL pow_F(REAL x, REAL y) {
  REAL r = 1;
  int i;
  if (y == 0 || x == 1) return r;
  if (!(y > 0 && y < 64 && __builtin_trunc_F(y) == y && __builtin_trunc_F(x) == x)) {
    r = ANY;
    /* The power of a negative zero may be a negative infinity. */
    if (x > 0 && y == y) __builtin_craig_assume(r >= 0);
    return r;
  }
  for (i = 0; i < (int)y; i++) {
    r = r * x;
    if (!(__builtin_fabs_F(r) < POINT)) return ANY;
  }
  return r;
}
/* Exact where squares and root are. */
REAL hypot_F(REAL x, REAL y) {
  REAL r = ANY, s = x * x + y * y, h = __builtin_sqrt_F(s);
  if (s > 0 && s < POINT && __builtin_trunc_F(x) == x && __builtin_trunc_F(y) == y && h * h == s && __builtin_trunc_F(h) == h) return h;
  if (x == x && y == y) __builtin_craig_assume(r >= 0);
  return r;
}
/* Every step is exact. */
REAL remainder_F(REAL x, REAL y) {
  REAL a, b = __builtin_fabs_F(y);
  if (!(b > 0) || x - x != 0) return (x * y) / (x * y);
  a = __builtin_fabs_F(b + b - (b + b) != 0 ? __builtin_fmod_F(x, y) : __builtin_fmod_F(x, b + b));
  if (a + a > b) {
    a = a - b;
    if (a + a >= b) a = a - b;
  }
  return __builtin_signbit_F(x) ? -a : a;
}
REAL nextafter_F(REAL x, REAL y) { return ANY; }
REAL drem_F(REAL x, REAL y) { return remainder_F(x, y); }
REAL scalb_F(REAL x, REAL y) { return ANY; }
REAL jn_F(int n, REAL x) { return ANY; }
REAL yn_F(int n, REAL x) { return ANY; }
REAL nexttoward_F(REAL x, long double y) { return ANY; }
/* One multiplication by a power of two that is a number itself rounds once. */
REAL ldexp_F(REAL x, int n) {
  REAL p = 1;
  int i;
  if (x == 0 || x - x != 0) return x;
  if (n < -LOW || n > LOW) return ANY;
  for (i = 0; i < n; i++) p = p * 2;
  for (i = 0; i > n; i--) p = p / 2;
  return x * p;
}
REAL scalbn_F(REAL x, int n) { return ldexp_F(x, n); }
REAL scalbln_F(REAL x, long n) { return n < -LOW || n > LOW ? ANY : ldexp_F(x, (int)n); }
REAL fma_F(REAL x, REAL y, REAL z) { return ANY; }
REAL fdim_F(REAL x, REAL y) { return x != x ? x : y != y ? y : x > y ? x - y : (REAL)0; }
REAL fmax_F(REAL x, REAL y) { return x != x ? y : y != y ? x : x < y ? y : x; }
REAL fmin_F(REAL x, REAL y) { return x != x ? y : y != y ? x : x < y ? x : y; }
/* To the nearest, ties to even: what does not fit behind the point is rounded off by an addition. */
REAL rint_F(REAL x) {
  REAL a = __builtin_fabs_F(x);
  if (!(a < POINT)) return x;
  a = a + POINT;
  a = a - POINT;
  return __builtin_copysign_F(a, x);
}
REAL nearbyint_F(REAL x) { return rint_F(x); }
long lround_F(REAL x) { return (long)__builtin_round_F(x); }
long long llround_F(REAL x) { return (long long)__builtin_round_F(x); }
long lrint_F(REAL x) { return (long)rint_F(x); }
long long llrint_F(REAL x) { return (long long)rint_F(x); }
REAL nan_F(const char *s) { craig_str_end(s); return __builtin_nan_F(""); }
REAL lgamma_r_F(REAL x, int *sign) { __builtin_craig_writable(sign, sizeof(int)); *sign = __builtin_craig_any_bool() ? -1 : 1; return ANY; }
REAL remquo_F(REAL x, REAL y, int *n) { __builtin_craig_writable(n, sizeof(int)); *n = __builtin_craig_any_int(); return ANY; }
REAL frexp_F(REAL x, int *n) {
  REAL a = __builtin_fabs_F(x);
  int e = 0;
  __builtin_craig_writable(n, sizeof(int));
  if (x == 0 || x - x != 0) { *n = 0; return x; }
  while (a >= 1) { a = a / 2; e++; }
  while (a < (REAL)0.5) { a = a * 2; e--; }
  *n = e;
  return __builtin_copysign_F(a, x);
}
int ilogb_F(REAL x) {
  int e;
  if (x - x != 0) return __builtin_craig_any_int();
  if (x == 0) return -2147483647 - 1;
  frexp_F(x, &e);
  return e - 1;
}
REAL logb_F(REAL x) { return x == 0 || x - x != 0 ? ANY : (REAL)ilogb_F(x); }
REAL modf_F(REAL x, REAL *n) {
  REAL t = __builtin_trunc_F(x);
  __builtin_craig_writable(n, sizeof *n);
  *n = t;
  return t == x ? __builtin_copysign_F((REAL)0, x) : __builtin_copysign_F(x - t, x);
}
REAL roundeven_F(REAL x) { return rint_F(x); }
void sincos_F(REAL x, REAL *s, REAL *c) { __builtin_craig_writable(s, sizeof(REAL)); __builtin_craig_writable(c, sizeof(REAL)); *s = sin_F(x); *c = cos_F(x); }
/* C23: neighbours, whole numbers of a width, maxima that keep NaNs, the total order. Rounding modes of `fromfp` are not followed. */
REAL nextup_F(REAL x) { REAL r = ANY; if (x == x) __builtin_craig_assume(r > x || x - x != 0); return r; }
REAL nextdown_F(REAL x) { REAL r = ANY; if (x == x) __builtin_craig_assume(r < x || x - x != 0); return r; }
long llogb_F(REAL x) { return x != x ? __builtin_craig_any_long() : x == 0 ? -(~0UL >> 1) - 1 : x - x != 0 ? ~0UL >> 1 : ilogb_F(x); }
REAL fromfp_F(REAL x, int mode, unsigned width) { return ANY; }
REAL ufromfp_F(REAL x, int mode, unsigned width) { return ANY; }
REAL fromfpx_F(REAL x, int mode, unsigned width) { return ANY; }
REAL ufromfpx_F(REAL x, int mode, unsigned width) { return ANY; }
int canonicalize_F(REAL *r, const REAL *x) { __builtin_craig_readable(x, sizeof *x); __builtin_craig_writable(r, sizeof *r); *r = *x; return 0; }
REAL fmaximum_F(REAL x, REAL y) { return x != x ? x : y != y ? y : x > y || x == y && !__builtin_signbit_F(x) ? x : y; }
REAL fminimum_F(REAL x, REAL y) { return x != x ? x : y != y ? y : x < y || x == y && __builtin_signbit_F(x) ? x : y; }
REAL fmaximum_num_F(REAL x, REAL y) { return x != x ? y : y != y ? x : fmaximum_F(x, y); }
REAL fminimum_num_F(REAL x, REAL y) { return x != x ? y : y != y ? x : fminimum_F(x, y); }
REAL fmaximum_mag_F(REAL x, REAL y) { REAL a = __builtin_fabs_F(x), b = __builtin_fabs_F(y); return a > b ? x : b > a ? y : fmaximum_F(x, y); }
REAL fminimum_mag_F(REAL x, REAL y) { REAL a = __builtin_fabs_F(x), b = __builtin_fabs_F(y); return a < b ? x : b < a ? y : fminimum_F(x, y); }
REAL fmaximum_mag_num_F(REAL x, REAL y) { return x != x ? y : y != y ? x : fmaximum_mag_F(x, y); }
REAL fminimum_mag_num_F(REAL x, REAL y) { return x != x ? y : y != y ? x : fminimum_mag_F(x, y); }
REAL fmaxmag_F(REAL x, REAL y) { REAL a = __builtin_fabs_F(x), b = __builtin_fabs_F(y); return a > b ? x : b > a ? y : fmax_F(x, y); }
REAL fminmag_F(REAL x, REAL y) { REAL a = __builtin_fabs_F(x), b = __builtin_fabs_F(y); return a < b ? x : b < a ? y : fmin_F(x, y); }
int totalorder_F(const REAL *x, const REAL *y) {
  __builtin_craig_readable(x, sizeof *x); __builtin_craig_readable(y, sizeof *y);
  if (*x != *x || *y != *y) return __builtin_craig_any_bool();
  return *x < *y || *x == *y && (!__builtin_signbit_F(*y) || __builtin_signbit_F(*x));
}
int totalordermag_F(const REAL *x, const REAL *y) {
  __builtin_craig_readable(x, sizeof *x); __builtin_craig_readable(y, sizeof *y);
  if (*x != *x || *y != *y) return __builtin_craig_any_bool();
  return __builtin_fabs_F(*x) <= __builtin_fabs_F(*y);
}
REAL getpayload_F(const REAL *x) { __builtin_craig_readable(x, sizeof *x); return ANY; }
int setpayload_F(REAL *r, REAL x) { __builtin_craig_writable(r, sizeof *r); *r = ANY; return __builtin_craig_any_bool(); }
int setpayloadsig_F(REAL *r, REAL x) { return setpayload_F(r, x); }
