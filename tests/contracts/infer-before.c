// flags: safe, requires 3 <= elements before s
int flags(unsigned char *s) { return s ? s[-1] + s[-3] : 0; }
