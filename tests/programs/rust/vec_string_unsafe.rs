//@ verdict: unsafe
//@ engines: portfolio
// Growth of a vector and of a text: code of the standard library compiled for the program.
fn main() {
    let mut v = Vec::new();
    for i in 0..6 {
        v.push(i * i);
    }
    assert_eq!(v.iter().sum::<i32>(), 55);
    let mut s = String::from("abc");
    s.push('d');
    s.push_str("efghi");
    assert_eq!(s.len(), 8);
    assert!(s.ends_with("ghi"));
}
