// bump: unsafe
int counter;
/*@ requires counter < 1000;
    ensures counter == \old(counter) + 1; */
void bump(void) { if (counter != 7) counter++; }
