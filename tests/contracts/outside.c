// read: safe
struct s { int x; struct s *next; };
struct s *get(int n);
int read(int n) { struct s *p = get(n); if (!p) return 0; p->x++; return p->x; }
