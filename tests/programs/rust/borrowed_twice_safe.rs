//@ verdict: safe
//@ engines: portfolio
use std::cell::RefCell;
fn main() {
    let c = RefCell::new(3);
    {
        let mut a = c.borrow_mut();
        *a = 4;
    }
    let b = c.borrow();
    assert!(*b > 0);
}
