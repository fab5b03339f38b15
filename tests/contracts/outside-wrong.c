// read: unsafe
struct s { int x; struct s *next; };
struct s *get(int n);
int read(int n) { struct s *p = get(n); if (!p) return 0; return p[1].x; }
