//@ verdict: safe
//@ engines: portfolio
fn half(x: u32) -> Option<u32> {
    if x % 2 == 0 { Some(x / 2) } else { None }
}
fn main() {
    let x: u32 = craig::nondet();
    craig::assume(x < 1000);
    let h = half(x * 2).unwrap();
    assert!(h < 2000);
}
