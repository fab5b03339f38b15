//@ verdict: safe
//@ engines: portfolio
fn main() {
    let x: i32 = craig::nondet();
    craig::assume(x >= 0);
    let y = x as u32;
    assert!(y <= 2147483647);
}
