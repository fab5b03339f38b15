// get: safe
/*@ requires \valid_read(p); */
int get(const int *p) { return *p; }
