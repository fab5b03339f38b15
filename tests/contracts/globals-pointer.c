// first: safe, requires name != NULL
const char *name = "x";
void forget(void) { name = 0; }
int first(void) { return *name; }
