//@ verdict: safe
//@ engines: portfolio
struct Stack<T, const N: usize> {
    d: [Option<T>; N],
    n: usize,
}
impl<T: Copy, const N: usize> Stack<T, N> {
    fn new() -> Self {
        Stack { d: [None; N], n: 0 }
    }
    fn push(&mut self, x: T) -> Result<(), T> {
        if self.n >= N {
            return Err(x);
        }
        self.d[self.n] = Some(x);
        self.n += 1;
        Ok(())
    }
}
fn main() {
    let mut s: Stack<i32, 2> = Stack::new();
    assert!(s.push(1).is_ok());
    assert!(s.push(2).is_ok());
    assert!(s.push(3).is_err());
}
