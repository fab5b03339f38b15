//@ verdict: safe
//@ engines: portfolio
fn check(x: i32) -> Result<i32, i32> {
    if x < 0 { Err(x) } else { Ok(x) }
}
fn twice(x: i32) -> Result<i64, i32> {
    let v = check(x)?;
    Ok(v as i64 * 2)
}
fn main() {
    let x: i32 = craig::nondet();
    match twice(x) {
        Ok(v) => assert!(v >= 0),
        Err(e) => assert!(e < 0),
    }
}
