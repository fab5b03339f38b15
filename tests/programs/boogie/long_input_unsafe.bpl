//@ verdict: unsafe
//@ engines: portfolio
// The loop has to go as far as the number that stands in the program, which only the caller's limit says.
var a : [int]int;

procedure main(n : int)
modifies a;
{
  var i, x : int;
  a[70000] := 42;
  i := 0;
  while (i < n) {
    havoc x;
    a[i] := x;
    i := i + 1;
  }
  assert a[70000] == 42;
}
