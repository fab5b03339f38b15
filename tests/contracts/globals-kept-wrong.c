// at: unsafe
static int limit = 4;
static int table[4];
void raise(int n) { limit = n; }
int at(unsigned n) { return n < (unsigned)limit ? table[n] : 0; }
