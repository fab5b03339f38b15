//@ verdict: safe
//@ engines: portfolio
fn sorted(v: &[i32]) -> bool {
    v.windows(2).all(|w| w[0] <= w[1])
}
fn main() {
    let mut a = [3, 1, 2];
    a.sort();
    assert!(sorted(&a));
}
