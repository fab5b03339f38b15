//@ verdict: unsafe
//@ engines: portfolio
fn main() {
    let v = [1, 2, 3, 4, 5];
    let (a, b) = v.split_at(2);
    assert_eq!(a.len() + b.len(), 5);
    assert_eq!(b[0], 2);
    let c = &v[1..3];
    assert_eq!(c, [2, 3]);
}
