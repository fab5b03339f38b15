//@ verdict: unsafe
//@ engines: portfolio
fn main() {
    let mut sum = 0;
    for i in 0..6 {
        sum += i;
    }
    assert!(sum == 10);
}
