/* Shifts that C11 leaves undefined but gcc takes in constants; elsewhere they stay in the tree. */
enum flags { TOP = 1 << 31, MASK = -1 << 4, BOTH = (1 << 31) | 1, CHOSEN = 1 ? -2 << 1 : 0 };
_Static_assert(TOP < 0 && MASK == -16 && CHOSEN == -4, "");
int table[(1 << 31) < 0 ? 2 : 3];
int f(int x) { switch (x) { case 1 << 31: return 1; case -1 << 3: return 2; } return 1 << 31; }
