//@ verdict: unsafe
//@ engines: portfolio
fn main() {
    let x: i32 = craig::nondet();
    craig::assume(x >= -1);
    let y = x as u32;
    assert!(y <= 2147483647);
}
