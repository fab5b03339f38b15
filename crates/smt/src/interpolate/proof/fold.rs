//! Partial interpolants of a chain of resolutions, folded into as few junctions as the labels allow.

use super::partial::Label;
use crate::Lit;
use crate::proof::Refutation;
use crate::proof::check::literal_term;
use base::FxHashSet;
use logic::{Op, Pool, TermId};

/// Resolution steps folded into one junction as long as the connective stays the same.
pub(crate) struct Fold {
    conjunction: bool,
    parts: Vec<TermId>,
}

impl Fold {
    pub fn new(start: TermId) -> Fold {
        Fold {
            conjunction: true,
            parts: vec![start],
        }
    }

    pub fn step(
        &mut self,
        pool: &mut Pool,
        refutation: &Refutation,
        label: Label,
        pivot: Lit,
        other: TermId,
    ) {
        match label {
            Label::A | Label::B => {
                let conjunction = label == Label::B;
                let neutral = match conjunction {
                    true => pool.tt(),
                    false => pool.ff(),
                };
                if other == neutral {
                    return;
                }
                if self.conjunction != conjunction && self.parts.len() > 1 {
                    let so_far = self.finish(pool);
                    self.parts = vec![so_far];
                }
                self.conjunction = conjunction;
                self.parts.push(other);
            }
            Label::Both => {
                let so_far = self.finish(pool);
                let positive = literal_term(pool, refutation, pivot);
                let negative = literal_term(pool, refutation, !pivot);
                // Equal partial interpolants need no selector.
                self.parts = match so_far == other {
                    true => vec![so_far],
                    false => vec![pool.or(&[positive, so_far]), pool.or(&[negative, other])],
                };
                self.conjunction = true;
            }
        }
    }

    pub fn finish(&mut self, pool: &mut Pool) -> TermId {
        absorb(pool, self.conjunction, &mut self.parts);
        match self.conjunction {
            true => pool.and(&self.parts),
            false => pool.or(&self.parts),
        }
    }
}

/// Larger junctions are left as they are.
const ABSORB: usize = 100;

/// Drops what the other parts of a junction absorb: beside `a` and `b`, `c and (a or b)` adds nothing
/// to a disjunction. Proofs use a clause again and again, which gives such parts.
///
/// Sound because what a dropped part is absorbed by are strict subterms of it, so by induction over
/// their size each is absorbed by parts that stay.
fn absorb(pool: &Pool, conjunction: bool, parts: &mut Vec<TermId>) {
    let (own, other) = match conjunction {
        true => (Op::And, Op::Or),
        false => (Op::Or, Op::And),
    };
    if parts.len() < 2 || parts.len() > ABSORB || parts.iter().all(|&p| pool.op(p) != other) {
        return;
    }
    let mut known: FxHashSet<TermId> = FxHashSet::default();
    for &p in parts.iter() {
        if pool.op(p) == own {
            known.extend(pool.args(p));
        } else {
            known.insert(p);
        }
    }
    let absorbs = |e: &TermId| {
        known.contains(e) || pool.op(*e) == own && pool.args(*e).iter().all(|a| known.contains(a))
    };
    parts.retain(|&p| pool.op(p) != other || !pool.args(p).iter().any(absorbs));
}
