// find: unsafe
int a[3];
/*@ requires \exists integer i; 0 <= i < 3 && a[i] == 7;
    ensures 0 <= \result < 3; */
int find(void) { if (a[0] == 7) return 0; if (a[1] == 7) return 1; return -1; }
