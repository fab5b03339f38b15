//@ verdict: safe
//@ engines: portfolio
fn main() {
    let a = [1, 2, 3, 4];
    let i: usize = craig::nondet();
    craig::assume(i < 4);
    assert!(a[i] >= 1);
}
