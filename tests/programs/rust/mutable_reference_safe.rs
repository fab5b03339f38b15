//@ verdict: safe
//@ engines: portfolio
fn bump(x: &mut i32) { *x += 1; }
fn main() {
    let mut v = 41;
    bump(&mut v);
    assert!(v == 42);
}
