//! Forgetting: learnt clauses that did not help, and compaction of the arena.

use super::{ClauseRef, DELETED, FLAG_BITS, HEAD, LEARNT, Reason, Sat, USED};
use crate::Lit;
use base::Id;

/// Learnt clauses of at most this LBD stay.
const GLUE: u32 = 2;

impl Sat {
    pub(crate) fn should_reduce(&self) -> bool {
        self.stats.learnt >= self.reduce_at || self.temps.len() > 20_000
    }

    fn locked(&self, c: ClauseRef) -> bool {
        // An implied literal is first in its clause, except in explanations.
        self.clause(c)
            .any(|l| self.is_true(l) && self.reason[l.var().index()] == Reason::Clause(c))
    }

    fn delete(&mut self, c: ClauseRef) {
        self.arena[c as usize] |= DELETED;
        self.wasted += HEAD + self.len(c);
    }

    /// Deletes the worse half of the learnt clauses, all unused explanations, and what level 0
    /// satisfies.
    pub(crate) fn reduce(&mut self) {
        self.reduce_at = self.stats.learnt + 2000 + 300 * (self.stats.learnt / 2000).min(100);
        let mut ranked: Vec<(u32, u32, ClauseRef)> = Vec::new();
        for i in 0..self.learnts.len() {
            let c = self.learnts[i];
            let lbd = self.arena[c as usize + 1];
            let used = self.arena[c as usize] & USED != 0;
            self.arena[c as usize] &= !USED;
            if lbd > GLUE && self.len(c) > 2 && !self.locked(c) && !(used && lbd <= 6) {
                ranked.push((lbd, self.len(c) as u32, c));
            }
        }
        ranked.sort_unstable();
        let half = ranked.len() / 2;
        for &(_, _, c) in &ranked[half..] {
            self.delete(c);
            self.stats.removed += 1;
        }
        for i in 0..self.clauses.len() + self.learnts.len() {
            let c = match self.clauses.get(i) {
                Some(&c) => c,
                None => self.learnts[i - self.clauses.len()],
            };
            let satisfied = |l: Lit| self.is_true(l) && self.level[l.var().index()] == 0;
            if self.arena[c as usize] & DELETED == 0
                && self.clause(c).any(satisfied)
                && !self.locked(c)
            {
                self.delete(c);
            }
        }
        for i in 0..self.temps.len() {
            let c = self.temps[i];
            if !self.locked(c) {
                self.delete(c);
            }
        }
        self.compact();
    }

    /// Moves the live clauses together and attaches them anew.
    fn compact(&mut self) {
        let old = std::mem::take(&mut self.arena);
        let mut arena = Vec::with_capacity(old.len() - self.wasted.min(old.len()));
        self.wasted = 0;
        let mut forward = base::FxHashMap::default();
        let mut lists = [
            std::mem::take(&mut self.clauses),
            std::mem::take(&mut self.learnts),
            std::mem::take(&mut self.temps),
            // Unit clauses: reasons only.
            self.trail
                .iter()
                .filter_map(|l| match self.reason[l.var().index()] {
                    Reason::Clause(c) if old[c as usize] >> FLAG_BITS == 1 => Some(c),
                    _ => None,
                })
                .chain(self.units.iter().map(|u| u.1))
                .collect(),
        ];
        let strip = self.log.is_none();
        let fixed = |w: u32| {
            let l = Lit::from_index(w as usize);
            strip && self.is_false(l) && self.level[l.var().index()] == 0
        };
        for list in &mut lists {
            list.retain(|&c| old[c as usize] & DELETED == 0);
            for c in list.iter_mut() {
                let from = *c as usize;
                let to = *forward.entry(*c).or_insert_with(|| {
                    let to = arena.len() as ClauseRef;
                    let len = (old[from] >> FLAG_BITS) as usize;
                    arena.extend_from_slice(&old[from..from + HEAD + len]);
                    let lits = to as usize + HEAD;
                    // Sound because level 0 stays; the watched literals keep their places.
                    if len > 2 && !fixed(arena[lits]) && !fixed(arena[lits + 1]) {
                        let mut kept = lits + 2;
                        for i in lits + 2..lits + len {
                            if !fixed(arena[i]) {
                                arena[kept] = arena[i];
                                kept += 1;
                            }
                        }
                        arena.truncate(kept);
                        let flags = old[from] & ((1 << FLAG_BITS) - 1);
                        arena[to as usize] = ((kept - lits) as u32) << FLAG_BITS | flags;
                    }
                    to
                });
                *c = to;
            }
        }
        self.arena = arena;
        for l in &self.trail {
            if let Reason::Clause(c) = &mut self.reason[l.var().index()] {
                *c = forward[c];
            }
        }
        for u in &mut self.units {
            u.1 = forward[&u.1];
        }
        for w in &mut self.watches {
            w.clear();
        }
        let [clauses, learnts, temps, _] = lists;
        for &c in clauses.iter().chain(&learnts) {
            debug_assert!(self.arena[c as usize] & LEARNT == 0 || self.len(c) > 1);
            self.attach(c);
        }
        (self.clauses, self.learnts, self.temps) = (clauses, learnts, temps);
    }
}
