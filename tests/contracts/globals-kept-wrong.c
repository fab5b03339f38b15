// at: unsafe
static int limit = 4;
static int table[4];
void raise(int n) { limit = n; }
int at(void) { return 4 < limit ? table[limit] : 0; }
