var g: int
procedure main()
{
  g := ;
  assert true && false || true;
  while (g < 3 { g := g + 1; }
  g := 2;
  call forall main(*);
}
const : int;
procedure later() { yield; }
