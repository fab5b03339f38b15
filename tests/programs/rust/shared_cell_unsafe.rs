//@ verdict: unsafe
//@ engines: portfolio
use std::cell::RefCell;
use std::rc::Rc;
struct Log(Rc<RefCell<u32>>);
impl Drop for Log {
    fn drop(&mut self) {
        *self.0.borrow_mut() += 10;
    }
}
fn main() {
    let a = Rc::new(RefCell::new(5));
    {
        let log = Log(Rc::clone(&a));
        *log.0.borrow_mut() += 1;
        assert_eq!(Rc::strong_count(&a), 2);
    }
    assert_eq!(*a.borrow(), 6);
    assert_eq!(Rc::strong_count(&a), 1);
}
