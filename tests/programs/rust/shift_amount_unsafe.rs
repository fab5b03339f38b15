//@ verdict: unsafe
//@ engines: portfolio
fn main() {
    let k: u32 = craig::nondet();
    if k <= 32 {
        assert!(1u32 << k != 0);
    }
}
