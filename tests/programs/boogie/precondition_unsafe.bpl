//@ verdict: unsafe
//@ engines: impact
procedure half(n: int) returns (r: int)
  requires n mod 2 == 0;
{
  r := n div 2;
}
procedure main(k: int)
{
  var x: int;
  call x := half(3 * k);
  assert 2 * x == 2 * k;
}
