//@ verdict: safe
//@ engines: portfolio
fn largest<T: PartialOrd + Copy>(a: T, b: T) -> T {
    if a < b { b } else { a }
}
fn main() {
    let (x, y): (i64, i64) = (craig::nondet(), craig::nondet());
    let m = largest(x, y);
    assert!(m >= x && m >= y);
}
