//@ verdict: safe
//@ engines: portfolio
fn main() {
    let n: u32 = craig::nondet();
    craig::assume(n <= 1000);
    let mut sum = 0u32;
    let mut i = 0u32;
    while i < n {
        sum += 2;
        i += 1;
    }
    assert!(sum == 2 * n);
}
