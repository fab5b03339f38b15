// read: safe, requires get() != NULL
struct s { int x; struct s *next; };
struct s *get(int n);
int read(int n) { struct s *p = get(n); return p->x; }
