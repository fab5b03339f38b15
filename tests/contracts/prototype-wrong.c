// use: unsafe
/*@ ensures \result >= 0; */
int size(int kind);
/*@ ensures \result > 0; */
int use(int kind) { return size(kind); }
