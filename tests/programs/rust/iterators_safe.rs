//@ verdict: safe
//@ engines: portfolio
trait Shape {
    fn area(&self) -> u32;
}
struct Square(u32);
struct Rect(u32, u32);
impl Shape for Square {
    fn area(&self) -> u32 {
        self.0 * self.0
    }
}
impl Shape for Rect {
    fn area(&self) -> u32 {
        self.0 * self.1
    }
}
fn main() {
    let v: Vec<Box<dyn Shape>> = vec![Box::new(Square(3)), Box::new(Rect(2, 5))];
    assert_eq!(v.iter().map(|s| s.area()).sum::<u32>(), 19);
    let s: u32 = (1..=6u32).filter(|x| x % 2 == 0).map(|x| x * x).sum();
    assert_eq!(s, 56);
    let n = [3, 1, 2].iter().zip([1, 2, 3].iter()).filter(|(a, b)| a > b).count();
    assert_eq!(n, 1);
}
