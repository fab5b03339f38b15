//! The hash table of the pool: which term has a hash. The terms themselves stay where they are, so that looking
//! one up neither allocates nor follows pointers of entries, and a copy of a pool copies two arrays.
//!
//! Open addressing with linear steps, at most three quarters full, nothing is ever taken out. A slot has the
//! number of a term and 32 bits of its hash; who looks up compares the terms whose bits agree.

/// Empty slots have this number.
const EMPTY: u32 = u32::MAX;

#[derive(Clone)]
pub(crate) struct Table {
    /// A power of two of them.
    slots: Vec<(u32, u32)>,
    count: usize,
}

impl Table {
    pub(crate) fn new() -> Self {
        Table {
            slots: vec![(EMPTY, 0); 1 << 10],
            count: 0,
        }
    }

    /// The number that is entered under this hash and for which `same` holds.
    pub(crate) fn find(&self, hash: u64, mut same: impl FnMut(u32) -> bool) -> Option<u32> {
        let mask = self.slots.len() - 1;
        let tag = (hash >> 32) as u32;
        let mut at = place(tag) & mask;
        loop {
            let (number, bits) = self.slots[at];
            if number == EMPTY {
                return None;
            }
            if bits == tag && same(number) {
                return Some(number);
            }
            at = (at + 1) & mask;
        }
    }

    /// Enters a number that is not there yet.
    pub(crate) fn insert(&mut self, hash: u64, number: u32) {
        if (self.count + 1) * 4 > self.slots.len() * 3 {
            self.grow();
        }
        self.count += 1;
        put(&mut self.slots, number, (hash >> 32) as u32);
    }

    fn grow(&mut self) {
        let mut larger = vec![(EMPTY, 0); self.slots.len() * 2];
        for &(number, tag) in self.slots.iter().filter(|s| s.0 != EMPTY) {
            put(&mut larger, number, tag);
        }
        self.slots = larger;
    }
}

fn place(tag: u32) -> usize {
    tag as usize
}

fn put(slots: &mut [(u32, u32)], number: u32, tag: u32) {
    let mask = slots.len() - 1;
    let mut at = place(tag) & mask;
    while slots[at].0 != EMPTY {
        at = (at + 1) & mask;
    }
    slots[at] = (number, tag);
}

#[cfg(test)]
mod tests {
    use super::Table;

    #[test]
    fn finds_what_was_entered() {
        let hash = |n: u32| (u64::from(n % 500) << 32) | 7;
        let mut table = Table::new();
        for n in 0..5000 {
            assert_eq!(table.find(hash(n), |m| m == n), None);
            table.insert(hash(n), n);
        }
        for n in 0..5000 {
            assert_eq!(table.find(hash(n), |m| m == n), Some(n));
        }
    }
}
