//@ verdict: safe
//@ engines: portfolio
fn main() {
    let n: usize = craig::nondet();
    let v = [0u8; 8];
    craig::assume(n <= 8);
    assert!(v[..n].len() == n);
}
