// last: safe, requires e points into p
int last(const unsigned char *p, const unsigned char *e) { return p == e || !p ? 0 : e[-1]; }
