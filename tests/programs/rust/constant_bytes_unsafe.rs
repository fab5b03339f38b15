//@ verdict: unsafe
//@ engines: portfolio
// `assert_eq!` takes the address of constants, which are bytes in the module and numbers where they are read.
fn name(n: i64) -> &'static str {
    match n {
        i64::MIN..=-1 => "negative",
        0 => "zero",
        x if x % 2 == 0 => "even",
        _ => "odd",
    }
}
fn main() {
    let n: i64 = craig::nondet();
    if n > 0 && n % 2 == 1 {
        assert_eq!(name(n).len(), 4);
        assert_eq!(name(n).as_bytes()[0], b'o');
    }
}
