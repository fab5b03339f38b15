int f(void) { return nothing + nothing + also; }
