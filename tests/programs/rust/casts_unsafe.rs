//@ verdict: unsafe
//@ engines: portfolio
fn main() {
    let x: i32 = craig::nondet();
    let y = x as u8;
    assert!(y as i32 == x & 0x7f);
    let z: Result<u8, _> = u8::try_from(x);
    assert_eq!(z.is_ok(), (0..=255).contains(&x));
}
