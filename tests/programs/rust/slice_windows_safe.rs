//@ verdict: safe
//@ engines: portfolio
fn main() {
    let n: u32 = craig::nondet();
    craig::assume(n < 100);
    let a = [n, n + 1, n + 3, n + 4];
    let mut most = 0;
    for w in a.windows(2) { most = most.max(w[1] - w[0]); }
    assert!(most == 2);
}
