//@ verdict: unsafe
//@ engines: impact
type Color;
const unique red, green: Color;
const limit: int;
axiom limit == 10;
function twice(x: int) returns (int) { x + x }
function f(x: int) returns (int);
procedure main(c: Color, d: Color)
{
  assert red != green;
  assert c != red || c != green;
  if (f(limit) == 3) { assert twice(f(11)) == 6; }
}
