//@ verdict: safe
//@ engines: portfolio
fn main() {
    let x: u8 = craig::nondet();
    match x % 3 {
        0 => {}
        1 => {}
        2 => {}
        _ => unreachable!(),
    }
}
