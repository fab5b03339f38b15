//@ verdict: unsafe
//@ engines: portfolio
use std::cell::RefCell;
fn main() {
    let c = RefCell::new(3);
    let _a = c.borrow_mut();
    let b = c.borrow();
    assert!(*b > 0);
}
