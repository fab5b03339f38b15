//@ verdict: safe
//@ engines: portfolio
enum List {
    Nil,
    Cons(i32, Box<List>),
}
fn sum(l: &List) -> i32 {
    match l {
        List::Nil => 0,
        List::Cons(x, r) => x + sum(r),
    }
}
fn main() {
    let l = List::Cons(1, Box::new(List::Cons(2, Box::new(List::Nil))));
    assert_eq!(sum(&l), 3);
}
