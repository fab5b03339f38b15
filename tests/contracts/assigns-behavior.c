// set: safe
/*@ requires \valid(p);
    assigns *p \from x;
    behavior none: assumes x < 0; assigns \nothing;
    behavior some: assumes x >= 0; ensures *p == x; */
void set(int *p, int x) { if (x >= 0) *p = x; }
