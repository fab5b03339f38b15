//@ verdict: unsafe
//@ engines: impact
procedure main(n: int)
  requires n >= 0;
{
  var x, y: int;
  x, y := 0, n;
  head:
    goto body, done;
  body:
    assume y > 0;
    x, y := x + 1, y - 1;
    goto head;
  done:
    assume y <= 1;
    assert x == n;
}
