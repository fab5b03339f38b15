type T;
var g: int;
var m: [int]bool;
const c: T;
function f(x: int) returns (bool);
procedure main(x: int) returns (r: bool)
{
  g := true;
  r := x;
  assert g;
  m[true] := false;
  m[1, 2] := false;
  assert f(m[0]);
  assert f(1, 2);
  c := c;
  assert c < c;
  x, x := 1, 2;
  g := missing + 1;
  call g := main(1);
  call r := main();
  call r := nobody(1);
  assert h(1);
}
