// at: safe, requires h < elements of table
const char *at(const void *table, unsigned h) { return ((const char *const *)table)[h]; }
