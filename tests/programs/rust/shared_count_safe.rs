//@ verdict: safe
//@ engines: portfolio
use std::cell::RefCell;
use std::rc::Rc;
fn main() {
    let a = Rc::new(RefCell::new(1));
    let b = Rc::clone(&a);
    *b.borrow_mut() += 4;
    assert_eq!(*a.borrow(), 5);
    assert_eq!(Rc::strong_count(&a), 2);
}
