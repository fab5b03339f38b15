// last: unsafe
int last(const unsigned char *p, const unsigned char *e) { return !p ? 0 : e[-1]; }
