//@ verdict: safe
//@ engines: portfolio
fn main() {
    let mut sum = 0;
    for i in 0..5 {
        sum += i;
    }
    assert!(sum == 10);
}
