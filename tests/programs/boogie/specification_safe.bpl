//@ verdict: safe
//@ engines: impact
var g: int;
// No body: the specification stands for the call.
procedure any(n: int) returns (r: int);
  requires n > 0;
  modifies g;
  ensures r > n;
  free ensures g == old(g) + r;
procedure main()
  modifies g;
{
  var x: int;
  g := 1;
  call x := any(x * x + 1);
  assert g > 2;
}
