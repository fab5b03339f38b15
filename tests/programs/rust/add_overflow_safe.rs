//@ verdict: safe
//@ engines: portfolio
fn main() {
    let x: u8 = craig::nondet();
    craig::assume(x < 255);
    let y = x + 1;
    assert!(y > x);
}
