// at: unsafe
static int limit = 4;
static int table[4];
void raise(int *n) { *n = 9; }
void grow(void) { raise(&limit); }
int at(void) { return 4 < limit ? table[limit] : 0; }
