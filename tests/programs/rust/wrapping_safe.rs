//@ verdict: safe
//@ engines: portfolio
fn main() {
    let x: u8 = craig::nondet();
    let y = x.wrapping_add(1);
    assert!(y == 0 || y > x);
}
