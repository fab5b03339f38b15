//@ verdict: unsafe
//@ engines: portfolio
#[derive(Clone, Copy, PartialEq)]
enum S {
    Idle,
    Run(u8),
    Done,
}
fn step(s: S) -> S {
    match s {
        S::Idle => S::Run(0),
        S::Run(n) if n >= 3 => S::Done,
        S::Run(n) => S::Run(n + 1),
        S::Done => S::Done,
    }
}
fn main() {
    let mut s = S::Idle;
    let mut k = 0;
    while s != S::Done {
        s = step(s);
        k += 1;
    }
    assert_eq!(k, 4);
}
