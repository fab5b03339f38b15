//@ verdict: safe
//@ engines: portfolio
fn abs(x: i32) -> i32 {
    if x < 0 {
        -x
    } else {
        x
    }
}
fn main() {
    let x: i32 = craig::nondet();
    craig::assume(x != i32::MIN);
    assert!(abs(x) >= 0);
}
