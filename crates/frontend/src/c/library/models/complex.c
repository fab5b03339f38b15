/* Products and quotients of complex numbers as gcc's own library computes them: infinities are kept
   where the plain formula gives two NaNs (C11, annex G). Words in capitals stand for a float type. */
static int craig_infinite_MODE(REAL x) { return x == x && x - x != x - x; }
static REAL craig_boxed_MODE(REAL x) { return COPYSIGN(craig_infinite_MODE(x) ? 1 : 0, x); }
static REAL craig_number_MODE(REAL x) { return x == x ? x : COPYSIGN(0, x); }
_Complex REAL __mulMODEc3(REAL a, REAL b, REAL c, REAL d) {
  REAL ac = a * c, bd = b * d, ad = a * d, bc = b * c;
  REAL infinity = INFINITE;
  _Complex REAL r;
  int again = 0;
  __real__ r = ac - bd;
  __imag__ r = ad + bc;
  if (__real__ r == __real__ r || __imag__ r == __imag__ r) return r;
  if (craig_infinite_MODE(a) || craig_infinite_MODE(b)) {
    a = craig_boxed_MODE(a);
    b = craig_boxed_MODE(b);
    c = craig_number_MODE(c);
    d = craig_number_MODE(d);
    again = 1;
  }
  if (craig_infinite_MODE(c) || craig_infinite_MODE(d)) {
    c = craig_boxed_MODE(c);
    d = craig_boxed_MODE(d);
    a = craig_number_MODE(a);
    b = craig_number_MODE(b);
    again = 1;
  }
  if (!again && (craig_infinite_MODE(ac) || craig_infinite_MODE(bd) || craig_infinite_MODE(ad) ||
                 craig_infinite_MODE(bc))) {
    a = craig_number_MODE(a);
    b = craig_number_MODE(b);
    c = craig_number_MODE(c);
    d = craig_number_MODE(d);
    again = 1;
  }
  if (again) {
    __real__ r = infinity * (a * c - b * d);
    __imag__ r = infinity * (a * d + b * c);
  }
  return r;
}
_Complex REAL __divMODEc3(REAL a, REAL b, REAL c, REAL d) {
  WIDER x, y, p = a, q = b, s = c, t = d, ratio, denominator;
  REAL infinity = INFINITE;
  _Complex REAL r;
  if (sizeof(WIDER) > sizeof(REAL)) {
    denominator = s * s + t * t;
    x = (p * s + q * t) / denominator;
    y = (q * s - p * t) / denominator;
  } else {
    WIDER large = MOST / 2, small = LEAST, epsilon = EPSILON, above = large * epsilon;
    WIDER m = s < 0 ? -s : s, n = t < 0 ? -t : t, u = p < 0 ? -p : p, v = q < 0 ? -q : q;
    int swapped = m < n;
    WIDER greater = swapped ? n : m;
    if (greater >= large) { p = p / 2; q = q / 2; s = s / 2; t = t / 2; u = u / 2; v = v / 2; }
    if (greater < epsilon ||
        greater < above && (u < small && v < above || v < small && u < above)) {
      p = p / epsilon;
      q = q / epsilon;
      s = s / epsilon;
      t = t / epsilon;
    }
    if (swapped) {
      ratio = s / t;
      denominator = s * ratio + t;
      if (ratio > small || -ratio > small) {
        x = (p * ratio + q) / denominator;
        y = (q * ratio - p) / denominator;
      } else {
        x = (s * (p / t) + q) / denominator;
        y = (s * (q / t) - p) / denominator;
      }
    } else {
      ratio = t / s;
      denominator = t * ratio + s;
      if (ratio > small || -ratio > small) {
        x = (q * ratio + p) / denominator;
        y = (q - p * ratio) / denominator;
      } else {
        x = (t * (q / s) + p) / denominator;
        y = (q - t * (p / s)) / denominator;
      }
    }
  }
  if (x != x && y != y) {
    if (c == 0 && d == 0 && (a == a || b == b)) {
      x = COPYSIGN(infinity, c) * a;
      y = COPYSIGN(infinity, c) * b;
    } else if ((craig_infinite_MODE(a) || craig_infinite_MODE(b)) && c - c == 0 && d - d == 0) {
      a = craig_boxed_MODE(a);
      b = craig_boxed_MODE(b);
      x = infinity * (a * c + b * d);
      y = infinity * (b * c - a * d);
    } else if ((craig_infinite_MODE(c) || craig_infinite_MODE(d)) && a - a == 0 && b - b == 0) {
      c = craig_boxed_MODE(c);
      d = craig_boxed_MODE(d);
      x = 0 * (a * c + b * d);
      y = 0 * (b * c - a * d);
    }
  }
  __real__ r = x;
  __imag__ r = y;
  return r;
}
_Complex REAL conjSUFFIX(_Complex REAL z) { return ~z; }
REAL crealSUFFIX(_Complex REAL z) { return __real__ z; }
REAL cimagSUFFIX(_Complex REAL z) { return __imag__ z; }
REAL cabsSUFFIX(_Complex REAL z) { return __builtin_hypotSUFFIX(__real__ z, __imag__ z); }
REAL cargSUFFIX(_Complex REAL z) { return __builtin_atan2SUFFIX(__imag__ z, __real__ z); }
_Complex REAL cprojSUFFIX(_Complex REAL z) {
  _Complex REAL r = z;
  if (craig_infinite_MODE(__real__ z) || craig_infinite_MODE(__imag__ z)) { __real__ r = INFINITE; __imag__ r = COPYSIGN(0, __imag__ z); }
  return r;
}
static _Complex REAL craig_complex_MODE(void) { _Complex REAL r; __real__ r = ANYVALUE; __imag__ r = ANYVALUE; return r; }
_Complex REAL cacosSUFFIX(_Complex REAL z) { return craig_complex_MODE(); }
_Complex REAL casinSUFFIX(_Complex REAL z) { return craig_complex_MODE(); }
_Complex REAL catanSUFFIX(_Complex REAL z) { return craig_complex_MODE(); }
_Complex REAL ccosSUFFIX(_Complex REAL z) { return craig_complex_MODE(); }
_Complex REAL csinSUFFIX(_Complex REAL z) { return craig_complex_MODE(); }
_Complex REAL ctanSUFFIX(_Complex REAL z) { return craig_complex_MODE(); }
_Complex REAL cacoshSUFFIX(_Complex REAL z) { return craig_complex_MODE(); }
_Complex REAL casinhSUFFIX(_Complex REAL z) { return craig_complex_MODE(); }
_Complex REAL catanhSUFFIX(_Complex REAL z) { return craig_complex_MODE(); }
_Complex REAL ccoshSUFFIX(_Complex REAL z) { return craig_complex_MODE(); }
_Complex REAL csinhSUFFIX(_Complex REAL z) { return craig_complex_MODE(); }
_Complex REAL ctanhSUFFIX(_Complex REAL z) { return craig_complex_MODE(); }
_Complex REAL cexpSUFFIX(_Complex REAL z) { return craig_complex_MODE(); }
_Complex REAL clogSUFFIX(_Complex REAL z) { return craig_complex_MODE(); }
_Complex REAL clog10SUFFIX(_Complex REAL z) { return craig_complex_MODE(); }
_Complex REAL csqrtSUFFIX(_Complex REAL z) { return craig_complex_MODE(); }
_Complex REAL cpowSUFFIX(_Complex REAL z, _Complex REAL w) { return craig_complex_MODE(); }
