//@ verdict: unsafe
//@ engines: portfolio
fn each(n: u32, mut f: impl FnMut(u32)) {
    for i in 0..n {
        f(i);
    }
}
fn main() {
    let mut s = 0;
    each(4, |i| s += i);
    assert_eq!(s, 10);
}
