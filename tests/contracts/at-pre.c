// twice: safe
/*@ requires \valid(p);
    requires -1000 < *p < 1000;
    ensures *p == 2 * \at(*p, Pre); */
void twice(int *p) { *p = *p + *p; }
