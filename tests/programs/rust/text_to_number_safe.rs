//@ verdict: safe
//@ engines: portfolio
fn parse(s: &str) -> Option<u32> {
    let mut n = 0u32;
    for b in s.bytes() {
        if !b.is_ascii_digit() {
            return None;
        }
        n = n * 10 + (b - b'0') as u32;
    }
    Some(n)
}
fn main() {
    assert_eq!(parse("123"), Some(123));
    assert_eq!(parse("1x"), None);
}
