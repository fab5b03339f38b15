//@ verdict: unsafe
//@ engines: impact
// A name with a quote is a variable of its own.
var x, x': int;
procedure main()
  modifies x, x';
{
  x' := 7;
  x := 1;
  while (x < 3) { x := x + 1; }
  assert x' == x;
}
