// use: unsafe
/*@ requires 0 <= kind < 3; */
int size(int kind);
int use(int kind) { return size(kind); }
