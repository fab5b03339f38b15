//@ verdict: safe
//@ engines: portfolio
use std::cell::Cell;
struct D<'a>(&'a Cell<i32>);
impl Drop for D<'_> {
    fn drop(&mut self) {
        self.0.set(self.0.get() + 1);
    }
}
fn main() {
    let c = Cell::new(0);
    {
        let _a = D(&c);
        let _b = D(&c);
    }
    assert_eq!(c.get(), 2);
}
