// use: safe
/*@ ensures \result >= 0; */
int size(int kind);
/*@ ensures \result > 0; */
int use(int kind) { int n = size(kind); return n > 100 ? 100 : n + 1; }
