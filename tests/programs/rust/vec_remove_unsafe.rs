//@ verdict: unsafe
//@ engines: portfolio
fn main() {
    let mut v = vec![1, 2, 3];
    v.remove(1);
    v.insert(0, 9);
    assert_eq!(v, [9, 1, 2]);
    v.truncate(1);
    assert!(v.pop() == Some(9) && v.is_empty());
}
