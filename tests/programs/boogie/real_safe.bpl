//@ verdict: safe
//@ engines: impact
procedure main(x: real)
  requires 0.5 <= x;
{
  var y: real;
  y := 2.0 * x;
  assert y >= 1.0 && 1.5e1 == 15.0 && real(int(2.5)) == 2.0;
}
