//@ verdict: unsafe
//@ engines: impact
var g: int where g >= 0;
procedure main(p: int where p > 5)
  modifies g;
{
  var x: int where x > g;
  assert x > 0 && p > 5;
  havoc g;
  assert g >= 0;
  g := g + 1;
  assert x > g;
}
