/* never closed 
int main(void) { return 0; }
