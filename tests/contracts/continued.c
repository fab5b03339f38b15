// f: safe
/*@ requires x > 0;
  @ ensures \result > 0;
  @*/
int f(int x) { return x; }
