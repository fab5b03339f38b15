//! The decision order: a binary max-heap of variables by activity.

use crate::BoolVar;
use base::Id;

const ABSENT: u32 = u32::MAX;

#[derive(Clone, Debug, Default)]
pub(crate) struct Heap {
    heap: Vec<BoolVar>,
    position: Vec<u32>,
}

impl Heap {
    pub(crate) fn add_var(&mut self) {
        self.position.push(ABSENT);
    }

    pub(crate) fn insert(&mut self, v: BoolVar, activity: &[f64]) {
        if self.position[v.index()] == ABSENT {
            self.position[v.index()] = self.heap.len() as u32;
            self.heap.push(v);
            self.up(self.heap.len() - 1, activity);
        }
    }

    /// The activity of `v` grew.
    pub(crate) fn bumped(&mut self, v: BoolVar, activity: &[f64]) {
        let p = self.position[v.index()];
        if p != ABSENT {
            self.up(p as usize, activity);
        }
    }

    pub(crate) fn pop(&mut self, activity: &[f64]) -> Option<BoolVar> {
        let top = *self.heap.first()?;
        self.position[top.index()] = ABSENT;
        let last = self.heap.pop()?;
        if last != top {
            self.heap[0] = last;
            self.position[last.index()] = 0;
            self.down(0, activity);
        }
        Some(top)
    }

    /// Ties go to the smaller variable, so runs repeat exactly.
    fn before(a: BoolVar, b: BoolVar, activity: &[f64]) -> bool {
        let (x, y) = (activity[a.index()], activity[b.index()]);
        x > y || (x == y && a < b)
    }

    fn up(&mut self, mut i: usize, activity: &[f64]) {
        let v = self.heap[i];
        while i > 0 {
            let parent = (i - 1) / 2;
            if !Self::before(v, self.heap[parent], activity) {
                break;
            }
            self.heap[i] = self.heap[parent];
            self.position[self.heap[i].index()] = i as u32;
            i = parent;
        }
        self.heap[i] = v;
        self.position[v.index()] = i as u32;
    }

    fn down(&mut self, mut i: usize, activity: &[f64]) {
        let v = self.heap[i];
        loop {
            let mut child = 2 * i + 1;
            if child >= self.heap.len() {
                break;
            }
            if child + 1 < self.heap.len()
                && Self::before(self.heap[child + 1], self.heap[child], activity)
            {
                child += 1;
            }
            if !Self::before(self.heap[child], v, activity) {
                break;
            }
            self.heap[i] = self.heap[child];
            self.position[self.heap[i].index()] = i as u32;
            i = child;
        }
        self.heap[i] = v;
        self.position[v.index()] = i as u32;
    }
}
