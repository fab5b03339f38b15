var g: int;
procedure add(n: int) returns (r: int)
  requires n >= 0;
  modifies g;
  ensures g == old(g) + n;
  ensures r == old(g);
{
  r := g;
  g := g + n;
}
procedure main()
  modifies g;
{
  var x: int;
  g := 3;
  call x := add(4);
  assert g == 7 && x == 3;
}
