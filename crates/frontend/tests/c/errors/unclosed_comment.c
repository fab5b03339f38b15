int x; /* never
int y;
