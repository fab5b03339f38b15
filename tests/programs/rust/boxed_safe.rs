//@ verdict: safe
//@ engines: portfolio
fn main() {
    let b = Box::new(20);
    let c = *b + 22;
    assert!(c == 42);
}
