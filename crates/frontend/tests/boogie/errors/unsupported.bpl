type Rec = { n: int };
var r: Rec;
var p: <a>[a]int;
var w: bv300;
procedure id<a>(x: a) returns (y: a);
