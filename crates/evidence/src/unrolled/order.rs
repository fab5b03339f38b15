//! The order in which a program is executed symbolically: loops hang together.
//!
//! ```text
//!   l0 -> l1 <-> l2 (<-> l3), l1 -> l4:    l0 l1 l2 l3 l4, never l0 l1 l4 l2 l3
//! ```
//! Whoever always takes the first location that is waiting goes round a loop until nothing waits inside, and only
//! then on to what follows it.
//!
//! Source: Bourdoncle, "Efficient chaotic iteration strategies with widenings" (1993): the weak topological order.

use base::FxHashMap;
use program::analysis::shape::Shape;
use program::{EdgeId, LocId, Program};

type Successors = base::IndexVec<LocId, Vec<EdgeId>>;

/// All reachable locations, the body of each loop in one piece after its head; and how long these pieces are.
pub(super) fn order(
    program: &Program,
    successors: &Successors,
    shape: &Shape,
) -> (Vec<LocId>, FxHashMap<LocId, usize>) {
    let mut out = Vec::with_capacity(shape.order.len());
    let mut lengths = FxHashMap::default();
    // Parts still to be ordered, the first one last: a location, or the body of a loop without its head.
    let mut parts = vec![shape.order.clone()];
    while let Some(part) = parts.pop() {
        let [single] = part.as_slice() else {
            // Components are found in the opposite order, as the stack wants them.
            for mut component in components(program, successors, &part) {
                component.sort_unstable_by_key(|l| shape.position[l]);
                lengths.insert(component[0], component.len());
                if component.len() > 1 {
                    parts.push(component.split_off(1));
                }
                parts.push(component);
            }
            continue;
        };
        lengths.entry(*single).or_insert(1);
        out.push(*single);
    }
    (out, lengths)
}

/// The strongly connected components of the part of the program that these locations are, successors first.
fn components(program: &Program, successors: &Successors, part: &[LocId]) -> Vec<Vec<LocId>> {
    let mut search = Search {
        inside: part.iter().map(|&l| (l, None)).collect(),
        ..Search::default()
    };
    for &root in part {
        if search.inside[&root].is_none() {
            search.from(program, successors, root);
        }
    }
    search.found
}

/// Tarjan's algorithm.
#[derive(Default)]
struct Search {
    /// When a location of the part was met.
    inside: FxHashMap<LocId, Option<u32>>,
    /// Those of the component being searched, and of the ones around it.
    open: Vec<LocId>,
    closed: base::FxHashSet<LocId>,
    met: u32,
    found: Vec<Vec<LocId>>,
}

impl Search {
    fn meet(&mut self, loc: LocId) -> u32 {
        let number = self.met;
        self.met += 1;
        self.inside.insert(loc, Some(number));
        self.open.push(loc);
        number
    }

    fn from(&mut self, program: &Program, successors: &Successors, root: LocId) {
        let number = self.meet(root);
        // Location, next successor, and the earliest location that can be come back to.
        let mut stack = vec![(root, 0usize, number)];
        while let Some(&(loc, next, low)) = stack.last() {
            let top = stack.len() - 1;
            if let Some(&edge) = successors[loc].get(next) {
                stack[top].1 += 1;
                let to = program.edges[edge].to;
                match self.inside.get(&to) {
                    None => {}
                    Some(Some(_)) if self.closed.contains(&to) => {}
                    Some(&Some(number)) => stack[top].2 = low.min(number),
                    Some(None) => {
                        let number = self.meet(to);
                        stack.push((to, 0, number));
                    }
                }
                continue;
            }
            stack.pop();
            if let Some(below) = stack.last_mut() {
                below.2 = below.2.min(low);
            }
            if self.inside[&loc] == Some(low) {
                let at = self.open.iter().rposition(|l| *l == loc).unwrap_or(0);
                let component = self.open.split_off(at);
                self.closed.extend(component.iter().copied());
                self.found.push(component);
            }
        }
    }
}
