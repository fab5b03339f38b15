// put: safe, requires i < elements of table
void put(void *table, unsigned i, unsigned v) { unsigned *t = (unsigned *)table; t[i] = v; }
