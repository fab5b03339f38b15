// absolute: unsafe
/*@ requires x > -2147483647;
    behavior negative:
      assumes x < 0;
      ensures \result == -x;
    behavior other:
      assumes x >= 0;
      ensures \result == -x; */
int absolute(int x) { return x < 0 ? -x : x; }
