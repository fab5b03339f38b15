//! Operators that other solvers take for uninterpreted functions, and the lemmas that give them their
//! meaning: those of the native solver, on demand.
//!
//! Defined in SMT-LIB, bit operations go through bit-vectors and shifts through a case for each
//! distance; solvers that do well on either half of such a formula are lost in the mixture. Here they see
//! linear arithmetic with functions. Each loose term comes with its axioms; where a model gives one a value
//! that its arguments do not have, lemmas follow which that model violates.

use crate::lemmas::{Refiner, axioms};
use base::{FxHashMap, FxHashSet};
use logic::{Model, Op, Pool, Rational, TermId, eval};

/// Is this operator a mere function to other solvers?
pub(super) fn is_loose(op: Op) -> bool {
    matches!(op, Op::BitAnd | Op::BitOr | Op::BitXor | Op::Shl | Op::Shr)
}

/// What one solver has been taught.
#[derive(Default)]
pub(super) struct Teacher {
    refiner: Refiner,
    axioms: FxHashMap<TermId, Vec<TermId>>,
    /// Formulas without a loose term.
    plain: FxHashSet<TermId>,
}

impl Teacher {
    /// The axioms of all loose terms in `formulas`, and of those that the axioms bring in.
    pub(super) fn axioms(&mut self, pool: &mut Pool, formulas: &[TermId]) -> Vec<TermId> {
        let mut out = Vec::new();
        let mut seen: FxHashSet<TermId> = FxHashSet::default();
        let mut queue = Vec::new();
        for &f in formulas.iter().filter(|f| !self.plain.contains(f)) {
            let mut terms = pool.post_order(&[f]).into_iter();
            if terms.any(|t| is_loose(pool.op(t))) {
                queue.push(f);
            }
        }
        let loose: FxHashSet<TermId> = queue.iter().copied().collect();
        let plain = formulas.iter().filter(|f| !loose.contains(f));
        self.plain.extend(plain);
        while !queue.is_empty() {
            let terms = pool.post_order(&queue);
            queue.clear();
            for t in terms {
                if !is_loose(pool.op(t)) || !seen.insert(t) {
                    continue;
                }
                let list = self.axioms.entry(t).or_insert_with(|| axioms(pool, t));
                out.extend(list.iter().copied());
                queue.extend(list.iter().copied());
            }
        }
        out.sort_unstable();
        out.dedup();
        out
    }

    /// Lemmas about the loose terms of `formulas` that have other values than their arguments demand.
    pub(super) fn lemmas(
        &mut self,
        pool: &mut Pool,
        formulas: &[TermId],
        model: &Model,
        given: &FxHashMap<TermId, Rational>,
    ) -> Vec<TermId> {
        let terms = pool.post_order(formulas);
        let mut values: FxHashMap<TermId, Rational> = FxHashMap::default();
        let mut loose = Vec::new();
        for &t in &terms {
            if is_loose(pool.op(t)) {
                loose.push(t);
                if let Some(v) = given.get(&t) {
                    values.insert(t, v.clone());
                }
                for &a in pool.args(t) {
                    // Inner loose terms that are wrong are refined first; with them right this
                    // is the value that the solver has in mind.
                    if !is_loose(pool.op(a))
                        && let Some(v) = eval(pool, model, a).as_num()
                    {
                        values.insert(a, v.clone());
                    }
                }
            }
        }
        self.refiner
            .refine(pool, &loose, &|t| values.get(&t).cloned(), &|_| Vec::new())
    }
}
