/* math.h for REAL: read three times, for double, float (…f) and long double (…l). Exact where it is easy, some
   value where not; a result that is no number keeps no promise. */
REAL sin_F(REAL x) { return ANY; }
REAL cos_F(REAL x) { return ANY; }
REAL tan_F(REAL x) { return ANY; }
REAL asin_F(REAL x) { return ANY; }
REAL acos_F(REAL x) { return ANY; }
REAL atan_F(REAL x) { return ANY; }
REAL sinh_F(REAL x) { return ANY; }
REAL cosh_F(REAL x) { return ANY; }
REAL tanh_F(REAL x) { return ANY; }
REAL asinh_F(REAL x) { return ANY; }
REAL acosh_F(REAL x) { return ANY; }
REAL atanh_F(REAL x) { return ANY; }
REAL exp_F(REAL x) { return ANY; }
REAL exp2_F(REAL x) { return ANY; }
REAL exp10_F(REAL x) { return ANY; }
REAL expm1_F(REAL x) { return ANY; }
REAL log_F(REAL x) { return ANY; }
REAL log2_F(REAL x) { return ANY; }
REAL log10_F(REAL x) { return ANY; }
REAL log1p_F(REAL x) { return ANY; }
REAL cbrt_F(REAL x) { return ANY; }
REAL erf_F(REAL x) { return ANY; }
REAL erfc_F(REAL x) { return ANY; }
REAL tgamma_F(REAL x) { return ANY; }
REAL lgamma_F(REAL x) { return ANY; }
REAL gamma_F(REAL x) { return ANY; }
REAL logb_F(REAL x) { return ANY; }
REAL significand_F(REAL x) { return ANY; }
REAL j0_F(REAL x) { return ANY; }
REAL j1_F(REAL x) { return ANY; }
REAL y0_F(REAL x) { return ANY; }
REAL y1_F(REAL x) { return ANY; }
REAL atan2_F(REAL x, REAL y) { return ANY; }
REAL pow_F(REAL x, REAL y) { return ANY; }
REAL hypot_F(REAL x, REAL y) { return ANY; }
REAL remainder_F(REAL x, REAL y) { return ANY; }
REAL nextafter_F(REAL x, REAL y) { return ANY; }
REAL drem_F(REAL x, REAL y) { return ANY; }
REAL scalb_F(REAL x, REAL y) { return ANY; }
REAL jn_F(int n, REAL x) { return ANY; }
REAL yn_F(int n, REAL x) { return ANY; }
REAL nexttoward_F(REAL x, long double y) { return ANY; }
REAL ldexp_F(REAL x, int n) { return ANY; }
REAL scalbn_F(REAL x, int n) { return ANY; }
REAL scalbln_F(REAL x, long n) { return ANY; }
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
int ilogb_F(REAL x) { return __builtin_craig_any_int(); }
REAL nan_F(const char *s) { craig_str_end(s); return __builtin_nan_F(""); }
REAL lgamma_r_F(REAL x, int *sign) { __builtin_craig_writable(sign, sizeof(int)); *sign = __builtin_craig_any_bool() ? -1 : 1; return ANY; }
REAL remquo_F(REAL x, REAL y, int *n) { __builtin_craig_writable(n, sizeof(int)); *n = __builtin_craig_any_int(); return ANY; }
REAL frexp_F(REAL x, int *n) {
  REAL r = ANY;
  __builtin_craig_writable(n, sizeof(int));
  *n = __builtin_craig_any_int();
  if (x == 0 || x - x != 0) { if (x == 0) *n = 0; return x; }
  __builtin_craig_assume(__builtin_fabs_F(r) >= (REAL)0.5 && __builtin_fabs_F(r) < (REAL)1);
  return r;
}
REAL modf_F(REAL x, REAL *n) {
  REAL t = __builtin_trunc_F(x);
  __builtin_craig_writable(n, sizeof *n);
  *n = t;
  return t == x ? __builtin_copysign_F((REAL)0, x) : __builtin_copysign_F(x - t, x);
}
