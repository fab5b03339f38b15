//! Which iteration of which loop an execution is in. A loop is entered when its head is reached from
//! outside its body: the nodes from which a back edge is reached without passing the head.

use base::{Id, IndexVec};
use program::{LocId, Program};
use std::collections::{BTreeMap, BTreeSet};

/// The bodies of the loops of a program, by head.
pub struct Loops {
    bodies: BTreeMap<LocId, BTreeSet<LocId>>,
}

impl Loops {
    /// Finds back edges by a depth-first search from each entry.
    pub fn of(program: &Program) -> Loops {
        let mut next: IndexVec<LocId, Vec<LocId>> =
            IndexVec::filled(Vec::new(), program.locations.len());
        let mut before = next.clone();
        for edge in program.edges.iter() {
            next[edge.from].push(edge.to);
            before[edge.to].push(edge.from);
        }
        let mut bodies: BTreeMap<LocId, BTreeSet<LocId>> = BTreeMap::new();
        let mut state = vec![0u8; program.locations.len()];
        for function in program.functions.iter() {
            let mut stack = vec![(function.entry, 0usize)];
            state[function.entry.index()] = 1;
            while let Some((at, tried)) = stack.last_mut() {
                let (here, i) = (*at, *tried);
                *tried += 1;
                match next[here].get(i) {
                    None => {
                        state[here.index()] = 2;
                        stack.pop();
                    }
                    Some(&to) if state[to.index()] == 0 => {
                        state[to.index()] = 1;
                        stack.push((to, 0));
                    }
                    Some(&to) if state[to.index()] == 1 => {
                        extend(bodies.entry(to).or_default(), to, here, &before);
                    }
                    Some(_) => {}
                }
            }
        }
        Loops { bodies }
    }

    /// Is going from `from` to `head` a further iteration?
    pub fn again(&self, from: LocId, head: LocId) -> bool {
        self.bodies.get(&head).is_some_and(|b| b.contains(&from))
    }
}

/// Adds what reaches `source` without passing `head`.
fn extend(
    body: &mut BTreeSet<LocId>,
    head: LocId,
    source: LocId,
    before: &IndexVec<LocId, Vec<LocId>>,
) {
    let mut work = vec![source];
    while let Some(at) = work.pop() {
        if at != head && body.insert(at) {
            work.extend(before[at].iter().copied());
        }
    }
    body.insert(source);
}
