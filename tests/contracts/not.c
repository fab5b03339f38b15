// no: safe
/*@ requires !(a == b);
    ensures \result != 0; */
long no(int a, int b) { return (long)a - b; }
