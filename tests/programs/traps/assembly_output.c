//@ verdict: unknown FIXME what inline assembly computes is not known
//@ engines: portfolio
void reach_error(void){} extern int printf(const char*,...);
int main(){ int x = 0; asm volatile("movl $1,%0":"=r"(x)::"memory"); if (x == 7) reach_error(); return 0; }
