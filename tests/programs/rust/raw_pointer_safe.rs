//@ verdict: safe
//@ engines: portfolio
fn main() {
    let mut a = [0u32; 4];
    let p = a.as_mut_ptr();
    unsafe {
        *p.add(2) = 7;
    }
    assert!(a[2] == 7);
}
