//! Copies that behave alike become one: the coarsest partition of the copies of each location such
//! that members of a class have the same statements to the same classes.
//!
//! What a copy knows is only worth a copy of its own where it decides something. A value that is
//! overwritten before anybody asks, in the part of the program that this copy leads to, is not.
//!
//! Partition refinement: a class is split by where its members lead; only what leads to copies that
//! changed their class is looked at again, and the larger part keeps the name of the class.

use super::copies::NewEdge;
use base::FxHashMap;

/// Where a copy leads: edge of the original, statement, class.
type Signature = Vec<(usize, usize, usize)>;

/// The class of each copy, numbered by first members. `kinds`: what can never be one class;
/// `edges`: by copy.
pub(crate) fn classes(kinds: &[usize], edges: &[Vec<&NewEdge>]) -> Vec<usize> {
    let mut names: FxHashMap<usize, usize> = FxHashMap::default();
    let mut class: Vec<usize> = Vec::with_capacity(kinds.len());
    let mut sizes: Vec<usize> = Vec::new();
    for kind in kinds {
        let next = names.len();
        let c = *names.entry(*kind).or_insert(next);
        sizes.resize(names.len(), 0);
        sizes[c] += 1;
        class.push(c);
    }
    let mut into: Vec<Vec<usize>> = vec![Vec::new(); kinds.len()];
    for edge in edges.iter().flatten() {
        into[edge.to].push(edge.from);
    }
    let mut dirty: Vec<usize> = (0..kinds.len()).collect();
    while !dirty.is_empty() {
        let signature = |&copy: &usize| -> (usize, Signature, usize) {
            let leads = edges[copy].iter();
            let mut leads: Signature = leads
                .map(|e| (base::Id::index(e.origin), e.stmt, class[e.to]))
                .collect();
            leads.sort_unstable();
            (class[copy], leads, copy)
        };
        let mut found: Vec<(usize, Signature, usize)> = dirty.iter().map(signature).collect();
        found.sort_unstable();
        let mut moved: Vec<usize> = Vec::new();
        for old in found.chunk_by(|a, b| a.0 == b.0) {
            let groups: Vec<_> = old.chunk_by(|a, b| a.1 == b.1).collect();
            // Members that nothing happened to differ from all that something happened to.
            let rest = sizes[old[0].0] > old.len();
            let largest = (0..groups.len()).max_by_key(|&g| groups[g].len());
            for (at, group) in groups.iter().enumerate() {
                if !rest && Some(at) == largest {
                    continue;
                }
                let new = sizes.len();
                sizes.push(group.len());
                sizes[old[0].0] -= group.len();
                for (_, _, copy) in group.iter() {
                    class[*copy] = new;
                    moved.push(*copy);
                }
            }
        }
        dirty = moved
            .iter()
            .flat_map(|&c| into[c].iter().copied())
            .collect();
        dirty.sort_unstable();
        dirty.dedup();
    }
    let mut order: FxHashMap<usize, usize> = FxHashMap::default();
    class
        .iter()
        .map(|c| {
            let next = order.len();
            *order.entry(*c).or_insert(next)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Id;

    fn partition(kinds: &[usize], edges: &[(usize, usize, usize)]) -> Vec<usize> {
        let all: Vec<NewEdge> = edges
            .iter()
            .map(|&(from, stmt, to)| NewEdge {
                from,
                to,
                stmt,
                origin: crate::EdgeId::from_index(0),
            })
            .collect();
        let mut by: Vec<Vec<&NewEdge>> = vec![Vec::new(); kinds.len()];
        for edge in &all {
            by[edge.from].push(edge);
        }
        classes(kinds, &by)
    }

    #[test]
    fn what_leads_alike_is_one_class() {
        // Two rings 0 → 1 → 0 and 2 → 3 → 2 of the same kinds, and a ring 4 → 5 → 4 that differs in
        // one statement.
        let kinds = [0, 1, 0, 1, 0, 1];
        let ring = |a, b, s| [(a, 7, b), (b, s, a)];
        let edges = [ring(0, 1, 8), ring(2, 3, 8), ring(4, 5, 9)].concat();
        assert_eq!(partition(&kinds, &edges), [0, 1, 0, 1, 2, 3]);
        // A chain: each step away from the end is another class, found one after the other.
        let chain: Vec<_> = (0..5).map(|i| (i, 0, i + 1)).collect();
        assert_eq!(partition(&[0; 6], &chain), [0, 1, 2, 3, 4, 5]);
    }
}
