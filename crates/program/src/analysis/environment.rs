//! Variables with a term each, cheap to copy and to compare: what passes know at a location.
//!
//! A pass keeps such a map for every location, and most neighbours differ in a variable or two while all have
//! thousands. So the map is in pieces of 64 variables, which copies share: a change copies one piece, and
//! whatever compares two maps passes over the pieces they share.

use crate::VarId;
use base::Id;
use logic::TermId;
use std::sync::Arc;

/// The variables `64 k .. 64 k + 63` that have a term.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Piece {
    present: u64,
    /// Of those present, in order.
    terms: Vec<TermId>,
}

/// A map from variables to terms.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Environment {
    /// By number of the piece; none is empty.
    pieces: Vec<(u32, Arc<Piece>)>,
}

fn place(var: VarId) -> (u32, u32) {
    let index = var.index() as u32;
    (index / 64, index % 64)
}

impl Piece {
    fn rank(&self, bit: u32) -> usize {
        (self.present & ((1 << bit) - 1)).count_ones() as usize
    }

    fn get(&self, bit: u32) -> Option<TermId> {
        let has = self.present >> bit & 1 == 1;
        has.then(|| self.terms[self.rank(bit)])
    }

    fn insert(&mut self, bit: u32, term: TermId) {
        let rank = self.rank(bit);
        match self.present >> bit & 1 == 1 {
            true => self.terms[rank] = term,
            false => {
                self.terms.insert(rank, term);
                self.present |= 1 << bit;
            }
        }
    }

    /// Only these.
    fn masked(&self, mask: u64) -> Piece {
        let mut out = Piece::default();
        for (bit, term) in self.iter().filter(|(bit, _)| mask >> bit & 1 == 1) {
            out.present |= 1 << bit;
            out.terms.push(term);
        }
        out
    }

    fn iter(&self) -> impl Iterator<Item = (u32, TermId)> + '_ {
        let bits = (0..64).filter(|bit| self.present >> bit & 1 == 1);
        bits.zip(self.terms.iter().copied())
    }
}

impl Environment {
    /// The term of a variable.
    pub fn get(&self, var: VarId) -> Option<TermId> {
        let (number, bit) = place(var);
        let at = self.pieces.binary_search_by_key(&number, |p| p.0).ok()?;
        self.pieces[at].1.get(bit)
    }

    /// Sets the term of a variable.
    pub fn insert(&mut self, var: VarId, term: TermId) {
        let (number, bit) = place(var);
        match self.pieces.binary_search_by_key(&number, |p| p.0) {
            Ok(at) => {
                if self.pieces[at].1.get(bit) != Some(term) {
                    Arc::make_mut(&mut self.pieces[at].1).insert(bit, term);
                }
            }
            Err(at) => {
                let mut piece = Piece::default();
                piece.insert(bit, term);
                self.pieces.insert(at, (number, Arc::new(piece)));
            }
        }
    }

    /// Forgets a variable.
    pub fn remove(&mut self, var: VarId) {
        let (number, bit) = place(var);
        let Ok(at) = self.pieces.binary_search_by_key(&number, |p| p.0) else {
            return;
        };
        if self.pieces[at].1.get(bit).is_some() {
            self.restrict(at, !(1 << bit));
            self.pieces.retain(|p| p.1.present != 0);
        }
    }

    fn restrict(&mut self, at: usize, mask: u64) {
        let piece = &mut self.pieces[at].1;
        if piece.present & !mask != 0 {
            *piece = Arc::new(piece.masked(mask));
        }
    }

    /// Forgets all variables but those of a set: words of bits that are not zero, by position.
    pub fn retain(&mut self, words: &[(u32, u64)]) {
        if self.within(words) {
            return;
        }
        for at in 0..self.pieces.len() {
            self.restrict(at, word(words, self.pieces[at].0));
        }
        self.pieces.retain(|p| p.1.present != 0);
    }

    /// Are all variables in the set?
    pub fn within(&self, words: &[(u32, u64)]) -> bool {
        let mut pieces = self.pieces.iter();
        pieces.all(|(number, piece)| piece.present & !word(words, *number) == 0)
    }

    /// Variables and terms, by variable.
    pub fn iter(&self) -> impl Iterator<Item = (VarId, TermId)> + '_ {
        self.pieces.iter().flat_map(|(number, piece)| {
            let var = move |bit: u32| VarId::from_index((number * 64 + bit) as usize);
            piece.iter().map(move |(bit, term)| (var(bit), term))
        })
    }

    /// What two maps agree on; `None` if that is all of `self`.
    pub fn meet(&self, other: &Environment) -> Option<Environment> {
        let mut out = Vec::new();
        let mut less = false;
        for (number, piece) in &self.pieces {
            let Ok(at) = other.pieces.binary_search_by_key(number, |p| p.0) else {
                less = true;
                continue;
            };
            let theirs = &other.pieces[at].1;
            if Arc::ptr_eq(piece, theirs) {
                out.push((*number, Arc::clone(piece)));
                continue;
            }
            let same = piece.iter().filter(|(bit, t)| theirs.get(*bit) == Some(*t));
            let mask = same.fold(0u64, |mask, (bit, _)| mask | 1 << bit);
            if mask == piece.present {
                out.push((*number, Arc::clone(piece)));
                continue;
            }
            less = true;
            if mask != 0 {
                out.push((*number, Arc::new(piece.masked(mask))));
            }
        }
        less.then_some(Environment { pieces: out })
    }

    /// The variables that several maps do not agree on: some have another term than others, or none. Sorted.
    pub fn differing<'e>(maps: impl Iterator<Item = &'e Environment> + Clone) -> Vec<VarId> {
        let mut numbers: Vec<u32> = maps
            .clone()
            .flat_map(|m| m.pieces.iter().map(|p| p.0))
            .collect();
        numbers.sort_unstable();
        numbers.dedup();
        let mut out = Vec::new();
        for number in numbers {
            let piece = |m: &'e Environment| {
                let at = m.pieces.binary_search_by_key(&number, |p| p.0).ok();
                at.map(|at| &m.pieces[at].1)
            };
            let mut pieces = maps.clone().map(piece);
            let Some(first) = pieces.next() else { continue };
            let shared = |p: Option<&Arc<Piece>>| match (first, p) {
                (Some(a), Some(b)) => Arc::ptr_eq(a, b),
                (None, None) => true,
                _ => false,
            };
            if pieces.clone().all(shared) {
                continue;
            }
            let get = |p: Option<&Arc<Piece>>, bit: u32| p.and_then(|p| p.get(bit));
            let all = maps.clone().filter_map(piece).fold(0, |m, p| m | p.present);
            for bit in (0..64).filter(|bit| all >> bit & 1 == 1) {
                if pieces.clone().any(|p| get(p, bit) != get(first, bit)) {
                    out.push(VarId::from_index((number * 64 + bit) as usize));
                }
            }
        }
        out
    }
}

fn word(words: &[(u32, u64)], number: u32) -> u64 {
    let at = words.binary_search_by_key(&number, |w| w.0);
    at.map_or(0, |at| words[at].1)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use base::Random;
    use std::collections::BTreeMap;

    /// Random operations on the map and on a plain one.
    #[test]
    fn behaves_as_a_plain_map() {
        let mut random = Random::new(7);
        let var = |n: u64| VarId::from_index(n as usize);
        let term = |n: u64| TermId::from_index(n as usize);
        let mut maps = vec![(Environment::default(), BTreeMap::new())];
        for _ in 0..3000 {
            let n = random.below(maps.len() as u64) as usize;
            let (mut map, mut plain) = maps[n].clone();
            let v = var(random.below(200));
            match random.below(5) {
                0 | 1 => {
                    let t = term(random.below(3));
                    map.insert(v, t);
                    plain.insert(v, t);
                }
                2 => {
                    map.remove(v);
                    plain.remove(&v);
                }
                3 => {
                    let words: Vec<(u32, u64)> = (0..4)
                        .map(|k| (k, random.below(u64::MAX) | random.below(u64::MAX)))
                        .collect();
                    map.retain(&words);
                    plain.retain(|v, _| words[v.index() / 64].1 >> (v.index() % 64) & 1 == 1);
                }
                _ => {
                    let (other, their) = &maps[random.below(maps.len() as u64) as usize];
                    let mut both = plain.clone();
                    both.retain(|v, t| their.get(v) == Some(t));
                    let all: Vec<VarId> = plain.keys().chain(their.keys()).copied().collect();
                    let mut apart: Vec<VarId> = all
                        .into_iter()
                        .filter(|v| plain.get(v) != their.get(v))
                        .collect();
                    apart.sort_unstable();
                    apart.dedup();
                    assert_eq!(Environment::differing([&map, other].into_iter()), apart);
                    let met = map.meet(other);
                    assert_eq!(met.is_none(), both == plain);
                    map = met.unwrap_or(map);
                    plain = both;
                }
            }
            assert_eq!(map.iter().collect::<BTreeMap<_, _>>(), plain);
            assert!((0..200).all(|n| map.get(var(n)) == plain.get(&var(n)).copied()));
            match maps.len() < 12 {
                true => maps.push((map, plain)),
                false => maps[n] = (map, plain),
            }
        }
    }
}
