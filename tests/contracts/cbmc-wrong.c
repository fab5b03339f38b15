// inc: unsafe
int inc(int x)
  __CPROVER_requires(x < 100)
  __CPROVER_ensures(__CPROVER_return_value > x + 1)
{
  return x + 1;
}
