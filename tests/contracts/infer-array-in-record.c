// get: safe, requires r != NULL, requires (*r).at < 8, requires 0 <= (*r).at
struct ring { int at; int slots[8]; };
int get(struct ring *r) { return r->slots[r->at]; }
