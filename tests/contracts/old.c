// bump: safe
int counter;
/*@ requires counter < 1000;
    assigns counter;
    ensures counter == \old(counter) + 1; */
void bump(void) { counter++; }
