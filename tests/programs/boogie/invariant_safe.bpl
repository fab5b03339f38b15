//@ verdict: safe
//@ engines: impact
procedure main()
{
  var x: int;
  x := 0;
  while (*)
    invariant x mod 2 == 0;
  {
    x := x + 2;
  }
  assert x != 7;
}
