char *s = "open;
int x;
