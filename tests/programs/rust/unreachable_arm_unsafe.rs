//@ verdict: unsafe
//@ engines: portfolio
fn main() {
    let x: u8 = craig::nondet();
    match x % 3 {
        0 => {}
        1 => {}
        3 => {}
        _ => unreachable!(),
    }
}
