//@ verdict: unsafe
//@ engines: impact
procedure main()
{
  var i, j: int;
  i := 0;
  outer:
  while (true)
    invariant 0 <= i && i <= 3;
  {
    j := 0;
    while (j < 2) { if (i == 3) { break; } j := j + 1; }
    i := i + 1;
  }
  assert i == 3;
}
