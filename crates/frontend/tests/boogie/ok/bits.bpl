function {:bvbuiltin "bvadd"} add(x: bv8, y: bv8) returns (bv8);
function {:bvbuiltin "bvslt"} less(x: bv8, y: bv8) returns (bool);
var m: [bv8]bv8;
procedure main(x: bv8)
  modifies m;
{
  assert add(x, 255bv8) != x;
  assert less(200bv8, 100bv8);
  m[x] := add(255bv8, 2bv8);
  assert m[x] == 1bv8;
  assert m[add(x, 1bv8)] != 255bv8 || m[add(x, 1bv8)][8:4] == 15bv4;
}
