//@ verdict: unsafe
//@ engines: portfolio
fn main() {
    let b = Box::new(21);
    let c = *b + 22;
    assert!(c == 42);
}
