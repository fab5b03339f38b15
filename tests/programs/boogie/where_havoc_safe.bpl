//@ verdict: safe
//@ engines: impact
var g: int where g >= 0;
procedure main(p: int where p > 5)
  modifies g;
{
  var x: int where x > g;
  assert x > 0 && p > 5;
  havoc g;
  assert g >= 0;
  havoc x;
  assert x > g;
}
