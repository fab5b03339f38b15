// clear: unsafe
int a[4];
/*@ ensures \forall integer i; 0 <= i < 4 ==> a[i] == 0; */
void clear(void) { a[0] = a[1] = a[3] = 0; }
