//@ verdict: safe
//@ engines: impact
var a: [int][int]int;
var b: [int, bool]int;
procedure main(i: int, j: int)
  modifies a, b;
{
  a[i][j] := 5;
  b := b[i, true := 6];
  b[i, false], a[i][j + 1] := a[i][j], b[i, true];
  assert b[i, false] == 5 && a[i][j + 1] == 6 && b[i, true] == 6;
}
