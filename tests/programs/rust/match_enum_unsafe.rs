//@ verdict: unsafe
//@ engines: portfolio
enum Shape { Square(u32), Rectangle(u32, u32) }
fn area(s: &Shape) -> u32 {
    match s {
        Shape::Square(a) => a * a,
        Shape::Rectangle(a, b) => a * b,
    }
}
fn main() {
    let s = if craig::nondet::<bool>() { Shape::Square(3) } else { Shape::Rectangle(3, 4) };
    assert!(area(&s) == 9);
}
