//@ verdict: unsafe
//@ engines: portfolio
use std::collections::VecDeque;
fn main() {
    let mut q = VecDeque::new();
    q.push_back(1);
    q.push_back(2);
    q.push_front(0);
    assert_eq!(q.pop_front(), Some(1));
    assert_eq!(q.len(), 2);
}
