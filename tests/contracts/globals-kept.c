// at: safe
static int limit = 4;
static int table[4];
int at(void) { return 4 < limit ? table[limit] : 0; }
