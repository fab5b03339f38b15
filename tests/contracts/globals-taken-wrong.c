// at: unsafe
static int limit = 4;
static int table[4];
void raise(int *n) { *n = 9; }
void grow(void) { raise(&limit); }
int at(unsigned n) { return n < (unsigned)limit ? table[n] : 0; }
