// all: safe
int a[4];
/*@ requires \forall integer i; 0 <= i < 4 ==> a[i] > 0;
    ensures \result > 0; */
int all(void) { return a[2]; }
