//! Maps that copies share: a copy costs nothing, a change copies a few nodes, and what two copies differ in is found
//! without looking at the rest.
//!
//! ```text
//!   before: {1: a, 2: b, … 5000: z};   then = before.clone() with 17: x;   before.differences(&then) = [17]
//! ```
//! Keys are ids, so that their numbers are dense; a node has sixteen children by four bits of the number.
//!
//! Source: Okasaki, Gill, "Fast mergeable integer maps" (ML 1998), with a fixed height in place of compressed paths.

use crate::Id;
use std::marker::PhantomData;
use std::rc::Rc;

const BITS: u32 = 4;
const WIDTH: usize = 1 << BITS;

#[derive(Clone)]
enum Node<V> {
    Inner([Option<Rc<Node<V>>>; WIDTH]),
    Leaf([Option<V>; WIDTH]),
}

/// A map from ids to values; clones share what they have in common.
#[derive(Clone)]
pub struct Trie<K, V> {
    root: Option<Rc<Node<V>>>,
    /// Levels of inner nodes above the leaves.
    height: u32,
    keys: PhantomData<K>,
}

impl<K, V> Default for Trie<K, V> {
    fn default() -> Self {
        Trie {
            root: None,
            height: 0,
            keys: PhantomData,
        }
    }
}

/// Which child of a node so high a number belongs to.
fn child(number: usize, height: u32) -> usize {
    number >> (BITS * height) & (WIDTH - 1)
}

impl<K: Id, V: Clone + PartialEq> Trie<K, V> {
    fn holds(&self, number: usize) -> bool {
        number.checked_shr(BITS * (self.height + 1)).unwrap_or(0) == 0
    }

    pub fn get(&self, key: K) -> Option<&V> {
        let number = key.index();
        if !self.holds(number) {
            return None;
        }
        let mut node = self.root.as_deref()?;
        let mut height = self.height;
        loop {
            match node {
                Node::Leaf(values) => return values[child(number, 0)].as_ref(),
                Node::Inner(children) => node = children[child(number, height)].as_deref()?,
            }
            height -= 1;
        }
    }

    pub fn insert(&mut self, key: K, value: V) {
        let number = key.index();
        while !self.holds(number) {
            if let Some(root) = self.root.take() {
                let mut children = [const { None }; WIDTH];
                children[0] = Some(root);
                self.root = Some(Rc::new(Node::Inner(children)));
            }
            self.height += 1;
        }
        *self.place(number) = Some(value);
    }

    pub fn remove(&mut self, key: K) {
        if self.get(key).is_some() {
            *self.place(key.index()) = None;
        }
    }

    /// Where the value of a number is; nodes on the way are made, and copied if others have them.
    fn place(&mut self, number: usize) -> &mut Option<V> {
        let mut height = self.height;
        let mut at = &mut self.root;
        loop {
            let empty = || match height {
                0 => Node::Leaf([const { None }; WIDTH]),
                _ => Node::Inner([const { None }; WIDTH]),
            };
            let node = at.get_or_insert_with(|| Rc::new(empty()));
            match Rc::make_mut(node) {
                Node::Leaf(values) => return &mut values[child(number, 0)],
                Node::Inner(children) => at = &mut children[child(number, height)],
            }
            height = height.saturating_sub(1);
        }
    }

    /// The keys whose values differ, or that only one of the two has, in order.
    pub fn differences(&self, other: &Self) -> Vec<K> {
        let mut out = Vec::new();
        let height = self.height.max(other.height);
        differences(
            (self.root.as_ref(), self.height),
            (other.root.as_ref(), other.height),
            height,
            0,
            &mut |number| out.push(K::from_index(number)),
        );
        out
    }
}

/// Visits what differs below two nodes, of which one may be of a lower trie. The depth is at most eight or so.
fn differences<V: PartialEq>(
    (a, tall_a): (Option<&Rc<Node<V>>>, u32),
    (b, tall_b): (Option<&Rc<Node<V>>>, u32),
    height: u32,
    first: usize,
    visit: &mut impl FnMut(usize),
) {
    match (a, b) {
        (None, None) => return,
        (Some(a), Some(b)) if Rc::ptr_eq(a, b) => return,
        _ => {}
    }
    for n in 0..WIDTH {
        let first = first << BITS | n;
        if height == 0 {
            if leaf(a, n) != leaf(b, n) {
                visit(first);
            }
            continue;
        }
        let (a, b) = (below(a, tall_a, height, n), below(b, tall_b, height, n));
        differences(a, b, height - 1, first, visit);
    }
}

fn leaf<V>(node: Option<&Rc<Node<V>>>, n: usize) -> Option<&V> {
    match node.map(|n| &**n) {
        Some(Node::Leaf(values)) => values[n].as_ref(),
        _ => None,
    }
}

/// The child of a node that is so tall, seen from a height: a lower trie is the first child of what it lacks.
fn below<V>(
    node: Option<&Rc<Node<V>>>,
    tall: u32,
    height: u32,
    n: usize,
) -> (Option<&Rc<Node<V>>>, u32) {
    if tall < height {
        return (node.filter(|_| n == 0), tall);
    }
    match node.map(|n| &**n) {
        Some(Node::Inner(children)) => (children[n].as_ref(), height - 1),
        _ => (None, height - 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Random;
    use std::collections::BTreeMap;

    crate::new_id!(Key, "k");

    #[test]
    fn like_an_ordinary_map() {
        let mut random = Random::new(7);
        for most in [10u64, 300, 70_000] {
            let (mut trie, mut map) = (Trie::<Key, u64>::default(), BTreeMap::new());
            let mut before = (trie.clone(), map.clone());
            for step in 0..2000u64 {
                let number = random.below(most) as usize;
                let key = Key::from_index(number);
                match random.below(4) {
                    0 => {
                        trie.remove(key);
                        map.remove(&number);
                    }
                    1 if random.below(20) == 0 => before = (trie.clone(), map.clone()),
                    _ => {
                        trie.insert(key, step / 7);
                        map.insert(number, step / 7);
                    }
                }
                assert_eq!(trie.get(key), map.get(&number));
                assert_eq!(before.0.get(key), before.1.get(&number));
                if step % 50 == 0 {
                    let both = map.keys().chain(before.1.keys()).copied();
                    let mut wanted: Vec<usize> =
                        both.filter(|k| map.get(k) != before.1.get(k)).collect();
                    wanted.sort_unstable();
                    wanted.dedup();
                    let found = trie.differences(&before.0);
                    let found: Vec<usize> = found.into_iter().map(Id::index).collect();
                    assert_eq!(found, wanted);
                    assert_eq!(before.0.differences(&trie).len(), wanted.len());
                }
            }
        }
    }
}
