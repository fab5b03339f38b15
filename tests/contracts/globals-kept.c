// at: safe
static int limit = 4;
static int table[4];
int at(unsigned n) { return n < (unsigned)limit ? table[n] : 0; }
