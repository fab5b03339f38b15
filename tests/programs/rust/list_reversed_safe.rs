//@ verdict: safe
//@ engines: portfolio
struct Node {
    v: i32,
    next: Option<Box<Node>>,
}
fn rev(mut l: Option<Box<Node>>) -> Option<Box<Node>> {
    let mut r = None;
    while let Some(mut n) = l {
        l = n.next.take();
        n.next = r;
        r = Some(n);
    }
    r
}
fn main() {
    let mut l = None;
    for i in 0..3 {
        l = Some(Box::new(Node { v: i, next: l }));
    }
    let r = rev(l);
    assert_eq!(r.as_ref().unwrap().v, 0);
}
