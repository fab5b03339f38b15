//@ verdict: unsafe
//@ engines: portfolio
fn main() {
    let n: usize = craig::nondet();
    let v = [0u8; 8];
    craig::assume(n <= 9);
    assert!(v[..n].len() == n);
}
