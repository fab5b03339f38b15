//@ verdict: unknown
//@ engines: impact
// The axiom is not used, so the error found may be none.
function f(x: int) returns (int);
axiom (forall x: int :: f(x) >= 0);
procedure main(x: int)
{
  assert f(x) >= 0;
}
