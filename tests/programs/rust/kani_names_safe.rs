//@ verdict: safe
//@ engines: portfolio
fn main() {
    let x: u16 = kani::any();
    kani::assume(x < 100);
    assert!(x != 100);
}
