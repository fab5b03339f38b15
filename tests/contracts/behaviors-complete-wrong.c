// sign: unsafe
/*@ behavior less:
      assumes n < 0;
      ensures \result == -1;
    behavior more:
      assumes n >  0;
      ensures \result == 1;
    complete behaviors;
    disjoint behaviors; */
int sign(int n) { return n < 0 ? -1 : 1; }
