//@ verdict: unsafe
//@ engines: portfolio
fn main() {
    let v = [1i32, 2, 3, 4, 5, 6];
    let s: i32 = v.iter().filter(|x| *x % 2 == 0).map(|x| x * x).sum();
    assert_eq!(s, 55);
    let z = v.iter().zip(v.iter().skip(1)).all(|(a, b)| a < b);
    assert!(z);
}
