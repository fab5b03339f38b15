// get: unsafe
/*@ requires p == \null || \valid_read(p);
    ensures \result == 0; */
int get(const int *p) { return p ? *p : 0; }
