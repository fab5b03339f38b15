struct s { int a : 40; int b : -1; float c : 3; int d : 0; _Bool e : 2; struct { int x; } f : 1; } v;
int *p = &v.a;
