/* math.h: exact where it is easy, some value where not. */
double sin(double x) { return __builtin_craig_any_double(); }
double cos(double x) { return __builtin_craig_any_double(); }
double tan(double x) { return __builtin_craig_any_double(); }
double asin(double x) { return __builtin_craig_any_double(); }
double acos(double x) { return __builtin_craig_any_double(); }
double atan(double x) { return __builtin_craig_any_double(); }
double sinh(double x) { return __builtin_craig_any_double(); }
double cosh(double x) { return __builtin_craig_any_double(); }
double tanh(double x) { return __builtin_craig_any_double(); }
double asinh(double x) { return __builtin_craig_any_double(); }
double acosh(double x) { return __builtin_craig_any_double(); }
double atanh(double x) { return __builtin_craig_any_double(); }
double exp(double x) { return __builtin_craig_any_double(); }
double exp2(double x) { return __builtin_craig_any_double(); }
double expm1(double x) { return __builtin_craig_any_double(); }
double log(double x) { return __builtin_craig_any_double(); }
double log2(double x) { return __builtin_craig_any_double(); }
double log10(double x) { return __builtin_craig_any_double(); }
double log1p(double x) { return __builtin_craig_any_double(); }
double sqrt(double x) { return __builtin_craig_any_double(); }
double cbrt(double x) { return __builtin_craig_any_double(); }
double erf(double x) { return __builtin_craig_any_double(); }
double erfc(double x) { return __builtin_craig_any_double(); }
double tgamma(double x) { return __builtin_craig_any_double(); }
double lgamma(double x) { return __builtin_craig_any_double(); }
double rint(double x) { return __builtin_craig_any_double(); }
double nearbyint(double x) { return __builtin_craig_any_double(); }
double logb(double x) { return __builtin_craig_any_double(); }
double significand(double x) { return __builtin_craig_any_double(); }
double j0(double x) { return __builtin_craig_any_double(); }
double y0(double x) { return __builtin_craig_any_double(); }
double atan2(double x, double y) { return __builtin_craig_any_double(); }
double pow(double x, double y) { return __builtin_craig_any_double(); }
double hypot(double x, double y) { return __builtin_craig_any_double(); }
double fmod(double x, double y) { return __builtin_craig_any_double(); }
double remainder(double x, double y) { return __builtin_craig_any_double(); }
double fdim(double x, double y) { return __builtin_craig_any_double(); }
double nextafter(double x, double y) { return __builtin_craig_any_double(); }
double drem(double x, double y) { return __builtin_craig_any_double(); }
double scalb(double x, double y) { return __builtin_craig_any_double(); }
double trunc(double x) { return x > -4503599627370496.0 && x < 4503599627370496.0 ? __builtin_copysign((double)(long long)x, x) : x; }
double floor(double x) {
  double r;
  if (!(x > -4503599627370496.0 && x < 4503599627370496.0)) return x;
  r = (double)(long long)x;
  if (r > x) r = r - 1;
  return __builtin_copysign(r, x);
}
double ceil(double x) {
  double r;
  if (!(x > -4503599627370496.0 && x < 4503599627370496.0)) return x;
  r = (double)(long long)x;
  if (r < x) r = r + 1;
  return __builtin_copysign(r, x);
}
double round(double x) {
  double r, d;
  if (!(x > -4503599627370496.0 && x < 4503599627370496.0)) return x;
  r = (double)(long long)x;
  d = x - r;
  if (d >= (double)0.5) r = r + 1;
  if (d <= -(double)0.5) r = r - 1;
  return __builtin_copysign(r, x);
}
double fmax(double x, double y) { return x != x ? y : y != y ? x : x < y ? y : x; }
double fmin(double x, double y) { return x != x ? y : y != y ? x : x < y ? x : y; }
long lround(double x) { return (long)round(x); }
long long llround(double x) { return (long long)round(x); }
double ldexp(double x, int n) { return __builtin_craig_any_double(); }
double frexp(double x, int *n) { __builtin_craig_writable(n, sizeof(int)); *n = __builtin_craig_any_int(); return __builtin_craig_any_double(); }
double modf(double x, double *n) { __builtin_craig_writable(n, sizeof *n); *n = __builtin_craig_any_double(); return __builtin_craig_any_double(); }
float sinf(float x) { return __builtin_craig_any_float(); }
float cosf(float x) { return __builtin_craig_any_float(); }
float tanf(float x) { return __builtin_craig_any_float(); }
float asinf(float x) { return __builtin_craig_any_float(); }
float acosf(float x) { return __builtin_craig_any_float(); }
float atanf(float x) { return __builtin_craig_any_float(); }
float sinhf(float x) { return __builtin_craig_any_float(); }
float coshf(float x) { return __builtin_craig_any_float(); }
float tanhf(float x) { return __builtin_craig_any_float(); }
float asinhf(float x) { return __builtin_craig_any_float(); }
float acoshf(float x) { return __builtin_craig_any_float(); }
float atanhf(float x) { return __builtin_craig_any_float(); }
float expf(float x) { return __builtin_craig_any_float(); }
float exp2f(float x) { return __builtin_craig_any_float(); }
float expm1f(float x) { return __builtin_craig_any_float(); }
float logf(float x) { return __builtin_craig_any_float(); }
float log2f(float x) { return __builtin_craig_any_float(); }
float log10f(float x) { return __builtin_craig_any_float(); }
float log1pf(float x) { return __builtin_craig_any_float(); }
float sqrtf(float x) { return __builtin_craig_any_float(); }
float cbrtf(float x) { return __builtin_craig_any_float(); }
float erff(float x) { return __builtin_craig_any_float(); }
float erfcf(float x) { return __builtin_craig_any_float(); }
float tgammaf(float x) { return __builtin_craig_any_float(); }
float lgammaf(float x) { return __builtin_craig_any_float(); }
float rintf(float x) { return __builtin_craig_any_float(); }
float nearbyintf(float x) { return __builtin_craig_any_float(); }
float logbf(float x) { return __builtin_craig_any_float(); }
float significandf(float x) { return __builtin_craig_any_float(); }
float j0f(float x) { return __builtin_craig_any_float(); }
float y0f(float x) { return __builtin_craig_any_float(); }
float atan2f(float x, float y) { return __builtin_craig_any_float(); }
float powf(float x, float y) { return __builtin_craig_any_float(); }
float hypotf(float x, float y) { return __builtin_craig_any_float(); }
float fmodf(float x, float y) { return __builtin_craig_any_float(); }
float remainderf(float x, float y) { return __builtin_craig_any_float(); }
float fdimf(float x, float y) { return __builtin_craig_any_float(); }
float nextafterf(float x, float y) { return __builtin_craig_any_float(); }
float dremf(float x, float y) { return __builtin_craig_any_float(); }
float scalbf(float x, float y) { return __builtin_craig_any_float(); }
float truncf(float x) { return x > -8388608.0f && x < 8388608.0f ? __builtin_copysignf((float)(long long)x, x) : x; }
float floorf(float x) {
  float r;
  if (!(x > -8388608.0f && x < 8388608.0f)) return x;
  r = (float)(long long)x;
  if (r > x) r = r - 1;
  return __builtin_copysignf(r, x);
}
float ceilf(float x) {
  float r;
  if (!(x > -8388608.0f && x < 8388608.0f)) return x;
  r = (float)(long long)x;
  if (r < x) r = r + 1;
  return __builtin_copysignf(r, x);
}
float roundf(float x) {
  float r, d;
  if (!(x > -8388608.0f && x < 8388608.0f)) return x;
  r = (float)(long long)x;
  d = x - r;
  if (d >= (float)0.5) r = r + 1;
  if (d <= -(float)0.5) r = r - 1;
  return __builtin_copysignf(r, x);
}
float fmaxf(float x, float y) { return x != x ? y : y != y ? x : x < y ? y : x; }
float fminf(float x, float y) { return x != x ? y : y != y ? x : x < y ? x : y; }
long lroundf(float x) { return (long)roundf(x); }
long long llroundf(float x) { return (long long)roundf(x); }
float ldexpf(float x, int n) { return __builtin_craig_any_float(); }
float frexpf(float x, int *n) { __builtin_craig_writable(n, sizeof(int)); *n = __builtin_craig_any_int(); return __builtin_craig_any_float(); }
float modff(float x, float *n) { __builtin_craig_writable(n, sizeof *n); *n = __builtin_craig_any_float(); return __builtin_craig_any_float(); }
long double sinl(long double x) { return __builtin_craig_any_double(); }
long double cosl(long double x) { return __builtin_craig_any_double(); }
long double tanl(long double x) { return __builtin_craig_any_double(); }
long double asinl(long double x) { return __builtin_craig_any_double(); }
long double acosl(long double x) { return __builtin_craig_any_double(); }
long double atanl(long double x) { return __builtin_craig_any_double(); }
long double sinhl(long double x) { return __builtin_craig_any_double(); }
long double coshl(long double x) { return __builtin_craig_any_double(); }
long double tanhl(long double x) { return __builtin_craig_any_double(); }
long double asinhl(long double x) { return __builtin_craig_any_double(); }
long double acoshl(long double x) { return __builtin_craig_any_double(); }
long double atanhl(long double x) { return __builtin_craig_any_double(); }
long double expl(long double x) { return __builtin_craig_any_double(); }
long double exp2l(long double x) { return __builtin_craig_any_double(); }
long double expm1l(long double x) { return __builtin_craig_any_double(); }
long double logl(long double x) { return __builtin_craig_any_double(); }
long double log2l(long double x) { return __builtin_craig_any_double(); }
long double log10l(long double x) { return __builtin_craig_any_double(); }
long double log1pl(long double x) { return __builtin_craig_any_double(); }
long double sqrtl(long double x) { return __builtin_craig_any_double(); }
long double cbrtl(long double x) { return __builtin_craig_any_double(); }
long double erfl(long double x) { return __builtin_craig_any_double(); }
long double erfcl(long double x) { return __builtin_craig_any_double(); }
long double tgammal(long double x) { return __builtin_craig_any_double(); }
long double lgammal(long double x) { return __builtin_craig_any_double(); }
long double rintl(long double x) { return __builtin_craig_any_double(); }
long double nearbyintl(long double x) { return __builtin_craig_any_double(); }
long double logbl(long double x) { return __builtin_craig_any_double(); }
long double significandl(long double x) { return __builtin_craig_any_double(); }
long double j0l(long double x) { return __builtin_craig_any_double(); }
long double y0l(long double x) { return __builtin_craig_any_double(); }
long double atan2l(long double x, long double y) { return __builtin_craig_any_double(); }
long double powl(long double x, long double y) { return __builtin_craig_any_double(); }
long double hypotl(long double x, long double y) { return __builtin_craig_any_double(); }
long double fmodl(long double x, long double y) { return __builtin_craig_any_double(); }
long double remainderl(long double x, long double y) { return __builtin_craig_any_double(); }
long double fdiml(long double x, long double y) { return __builtin_craig_any_double(); }
long double nextafterl(long double x, long double y) { return __builtin_craig_any_double(); }
long double dreml(long double x, long double y) { return __builtin_craig_any_double(); }
long double scalbl(long double x, long double y) { return __builtin_craig_any_double(); }
long double truncl(long double x) { return __builtin_craig_any_double(); }
long double floorl(long double x) { return __builtin_craig_any_double(); }
long double ceill(long double x) { return __builtin_craig_any_double(); }
long double roundl(long double x) { return __builtin_craig_any_double(); }
long double ldexpl(long double x, int n) { return __builtin_craig_any_double(); }
long double frexpl(long double x, int *n) { __builtin_craig_writable(n, sizeof(int)); *n = __builtin_craig_any_int(); return __builtin_craig_any_double(); }
long double modfl(long double x, long double *n) { __builtin_craig_writable(n, sizeof *n); *n = __builtin_craig_any_double(); return __builtin_craig_any_double(); }
