// inc: unsafe
void inc(int *p)
  __CPROVER_requires(__CPROVER_rw_ok(p, sizeof(int)) && *p < 100)
  __CPROVER_ensures(*p == __CPROVER_old(*p))
{
  *p += 1;
}
