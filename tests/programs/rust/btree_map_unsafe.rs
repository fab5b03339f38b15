//@ verdict: unsafe
//@ engines: portfolio
// Parts of values that only copies touch must not be lost.
use std::collections::BTreeMap;
fn main() {
    let mut m = BTreeMap::new();
    for i in 0..4 {
        *m.entry(i % 2).or_insert(0) += i;
    }
    assert_eq!(m.len(), 2);
    assert_eq!(m[&1], 3);
}
