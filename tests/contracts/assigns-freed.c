// drop: safe
extern void free(void *);
/*@ requires \valid(p);
    assigns \nothing; */
void drop(int *p) { free(p); }
