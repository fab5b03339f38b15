//@ verdict: unsafe
//@ engines: portfolio
trait Animal { fn legs(&self) -> u32; }
struct Dog;
struct Bird;
impl Animal for Dog { fn legs(&self) -> u32 { 4 } }
impl Animal for Bird { fn legs(&self) -> u32 { 3 } }
fn main() {
    let (d, b) = (Dog, Bird);
    let a: &dyn Animal = if craig::nondet::<bool>() { &d } else { &b };
    assert!(a.legs() % 2 == 0);
}
