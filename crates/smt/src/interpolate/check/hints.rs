//! Lemmas that lead the check of a large interpolant along the proof it was read off.
//!
//! *Idea.* The step from one cut to the next, `I_below and part implies I_own`, is the last of a row of
//! such steps, one for each clause C of the proof: with the partial interpolants p and q of C at the
//! two cuts, `p and part implies q or C'`, where C' are the literals of C that are b below and a above.
//! Each follows from those of its antecedents by unit propagation, while a solver that sees only the
//! last one has to find the whole row again.
//!
//! Nothing here is trusted: the check proves every lemma from the part alone before it uses it.

use crate::interpolate::proof::partial::{Extraction, Label};
use crate::proof::check::literal_term;
use crate::proof::{ClauseId, Origin};
use base::FxHashSet;
use logic::{Pool, TermId};

impl Extraction<'_> {
    /// The row of lemmas, as clauses, antecedents first. No cut below: nothing is inside. No cut
    /// above: everything is.
    pub fn hints(
        &self,
        pool: &mut Pool,
        below: Option<usize>,
        own: Option<usize>,
    ) -> Vec<Vec<TermId>> {
        let mixed = |cut: Option<usize>| match cut.and_then(|c| self.mixed.get(c)) {
            Some(list) => &list[..],
            None => &[],
        };
        let (lower, upper) = (mixed(below), mixed(own));
        let (tt, ff) = (pool.tt(), pool.ff());
        let mut lemmas = Vec::new();
        for &id in self.clauses {
            if !matches!(self.refutation.clauses[id].origin, Origin::Chain { .. }) {
                continue;
            }
            // Where the clause is on one side its partial interpolant is made again.
            let mut at = |list: &[(ClauseId, TermId)], cut: Option<usize>, none: TermId| match (
                list.binary_search_by_key(&id, |m| m.0),
                cut,
            ) {
                (Ok(k), _) => Some(list[k].1),
                (Err(_), Some(cut)) => self.of_pure_clause(pool, id, cut).ok().flatten(),
                (Err(_), None) => Some(none),
            };
            let (Some(p), Some(q)) = (at(lower, below, tt), at(upper, own, ff)) else {
                continue;
            };
            let inside = below.is_some_and(|cut| self.purity.at(id, cut).0);
            let outside = own.is_some_and(|cut| self.purity.at(id, cut).1);
            if p == q || p == ff || q == tt || inside || outside {
                continue; // nothing of the part is in it
            }
            let mut lemma = vec![pool.not(p), q];
            for &l in &self.refutation.clauses[id].lits {
                let label = |cut: Option<usize>, none: Label| match cut {
                    Some(cut) => self.label(l.var(), cut).unwrap_or(Label::Both),
                    None => none,
                };
                if label(below, Label::B) != Label::A && label(own, Label::A) != Label::B {
                    lemma.push(literal_term(pool, self.refutation, l));
                }
            }
            lemmas.push(lemma);
        }
        lemmas
    }

    /// The conjuncts of partitions on which the refutation rests.
    pub fn used(&self, pool: &mut Pool) -> FxHashSet<TermId> {
        let mut used = FxHashSet::default();
        for &id in self.clauses {
            let clause = &self.refutation.clauses[id];
            if let Origin::Input(_) = clause.origin {
                let terms = clause.lits.iter();
                used.extend(terms.map(|&l| literal_term(pool, self.refutation, l)));
            }
        }
        used
    }
}
