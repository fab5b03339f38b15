//@ verdict: unsafe
//@ engines: impact
procedure main()
{
  var x: int;
  x := 0;
  while (*)
    invariant x mod 2 == 0;
  {
    x := x + 3;
  }
  assert x != 7;
}
