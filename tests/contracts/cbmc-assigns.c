// fill: safe
void fill(unsigned char *p, int deep, int *out)
  __CPROVER_requires(__CPROVER_rw_ok(p, 4) && __CPROVER_rw_ok(out, sizeof(*out)))
  __CPROVER_assigns(__CPROVER_object_upto(p, 2); deep > 0: *out)
{
  p[0] = 1;
  p[1] = 2;
  if (deep > 5)
    *out = 3;
}
