//@ verdict: unsafe
//@ engines: portfolio
fn main() {
    let x: i32 = craig::nondet();
    craig::assume(x >= 0);
    let q = 100 / x;
    assert!(q <= 100);
}
