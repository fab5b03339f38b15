var a: [int]int;
procedure main(n: int)
  modifies a;
{
  a[n] := 1;
  assume (exists i: int :: i > n && a[i] == 2);
  assert (forall i: int :: i == n ==> a[i] == 1);
}
