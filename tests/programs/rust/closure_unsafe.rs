//@ verdict: unsafe
//@ engines: portfolio
fn main() {
    let k: i32 = craig::nondet();
    craig::assume(k > 0 && k < 100);
    let add = |x: i32| x + k;
    assert!(add(1) > 2);
}
