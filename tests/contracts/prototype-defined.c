// use: safe
/*@ ensures \result == x + 1; */
long next(int x);
/*@ ensures \result > x; */
long use(int x) { return next(x); }
long next(int x) { return (long)x + 1; }
