// inc: safe
void inc(int *p)
  __CPROVER_requires(__CPROVER_rw_ok(p, sizeof(int)) && *p < 100)
  __CPROVER_assigns(*p)
  __CPROVER_ensures(*p == __CPROVER_old(*p) + 1)
{
  *p += 1;
}
