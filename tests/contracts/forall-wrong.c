// all: unsafe
int a[4];
/*@ requires \forall integer i; 0 <= i < 3 ==> a[i] > 0;
    ensures \result > 0; */
int all(void) { return a[3]; }
