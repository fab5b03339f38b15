//@ verdict: unsafe
//@ engines: portfolio
fn main() {
    let a: usize = craig::nondet();
    let b: usize = craig::nondet();
    if a <= b {
        let d = a - b;
        assert!(d <= a);
    }
}
