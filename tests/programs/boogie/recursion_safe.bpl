//@ verdict: safe
//@ engines: whale
procedure up(n: int) returns (r: int)
{
  if (n <= 0) { r := 0; return; }
  call r := up(n - 1);
  r := r + 1;
}
procedure main(k: int)
  requires k >= 0;
{
  var x: int;
  call x := up(k);
  assert x >= 0;
}
