void f(void) { break; continue; switch (1) { case 1: continue; } }
