//! Partial interpolants over a resolution proof, for every cut, by labelled interpolation.
//!
//! *Terms.* Each variable has a label at a cut: `a` if its term has an A-only symbol, `b` if a
//! B-only one; for shared ones the system decides (McMillan: b, Pudlák: ab, inverse McMillan: a).
//! The partial interpolant I of a clause C satisfies
//!   A and not C restricted to a, ab  implies  I;   B and not C restricted to b, ab  implies  not I;
//! and I has shared symbols only. At the empty clause it is the interpolant.
//!
//! *Rules.* Clause implied by A alone: the disjunction of its b-literals. By B alone: the conjunction
//! of its negated a-literals. These hold for derived clauses too, so a subproof that uses one side
//! only is never walked. Theory lemma: the theory interpolant of its negated literals. Resolution on a
//! pivot labelled a: or; b: and; ab: `(p or I1) and (not p or I2)`.
//!
//! *Source.* D'Silva, Kroening, Purandare, Weissenbacher: Interpolant strength (VMCAI 2010).
//! *Where we differ.* Variables denote terms, so Tseitin clauses and lemmas are valid and have no
//! partition: they are on whichever side has their symbols.

use super::colour::{Colours, Cuts, RowId, Side};
use super::{FarkasSide, Labelling, equality, farkas};
use crate::proof::{Certificate, ClauseId, Origin, ProofClause, Refutation};
use crate::proof_check::{literal_term, negated_terms};
use crate::{BoolVar, Lit};
use logic::{Budget, FxHashMap, Id, IndexVec, Pool, Rational, TermId};
use std::collections::hash_map::Entry;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Label {
    A,
    B,
    Both,
}

/// Everything one extraction needs.
pub(crate) struct Extraction<'a> {
    refutation: &'a Refutation,
    /// The clauses the root depends on.
    clauses: &'a [ClauseId],
    cuts: &'a Cuts,
    colours: &'a mut Colours,
    labelling: Labelling,
    farkas: FarkasSide,
    budget: &'a Budget,
    /// The colours of each variable's term.
    var_rows: IndexVec<BoolVar, RowId>,
    /// Farkas lemmas met so far.
    sums: FxHashMap<ClauseId, farkas::Sum>,
}

/// Bits per cut.
type Row = Vec<u64>;

fn bit(row: &Row, cut: usize) -> bool {
    row[cut / 64] >> (cut % 64) & 1 == 1
}

impl<'a> Extraction<'a> {
    pub fn new(
        refutation: &'a Refutation,
        clauses: &'a [ClauseId],
        cuts: &'a Cuts,
        colours: &'a mut Colours,
        (labelling, farkas): (Labelling, FarkasSide),
        budget: &'a Budget,
    ) -> Self {
        Extraction {
            refutation,
            clauses,
            cuts,
            var_rows: refutation.terms.iter().map(|t| colours.row(*t)).collect(),
            colours,
            labelling,
            farkas,
            budget,
            sums: FxHashMap::default(),
        }
    }

    /// One interpolant a cut, in the extended vocabulary of the colours.
    pub fn run(&mut self, pool: &mut Pool) -> Result<Vec<TermId>, String> {
        let pure = self.pure_rows();
        let mut results = Vec::with_capacity(self.cuts.len());
        for cut in 0..self.cuts.len() {
            if let Err(stop) = self.budget.check() {
                return Err(format!("the budget ran out: {stop:?}"));
            }
            results.push(self.interpolant(pool, cut, &pure)?);
        }
        Ok(results)
    }

    /// For each clause the cuts at which its derivation uses A only, and B only.
    fn pure_rows(&mut self) -> FxHashMap<ClauseId, (Row, Row)> {
        let mut rows: FxHashMap<ClauseId, (Row, Row)> = FxHashMap::default();
        for &id in self.clauses {
            let clause = &self.refutation.clauses[id];
            let row = match &clause.origin {
                Origin::Input(p) => self.input_rows(p.index()),
                Origin::Definition | Origin::Lemma(_) => {
                    let terms = clause.lits.iter().map(|l| self.refutation.terms[l.var()]);
                    self.colours.pure_bits(terms)
                }
                Origin::Chain { start, steps } => {
                    let (mut a, mut b) = rows[start].clone();
                    for s in steps {
                        let (x, y) = &rows[&s.antecedent];
                        a.iter_mut().zip(x).for_each(|(p, q)| *p &= q);
                        b.iter_mut().zip(y).for_each(|(p, q)| *p &= q);
                    }
                    (a, b)
                }
            };
            rows.insert(id, row);
        }
        rows
    }

    fn input_rows(&self, partition: usize) -> (Row, Row) {
        let mut a = vec![0; self.colours.words()];
        let mut b = a.clone();
        for (cut, inside) in self.cuts.inside.iter().enumerate() {
            let row = if inside[partition] { &mut a } else { &mut b };
            row[cut / 64] |= 1 << (cut % 64);
        }
        (a, b)
    }

    fn interpolant(
        &mut self,
        pool: &mut Pool,
        cut: usize,
        pure: &FxHashMap<ClauseId, (Row, Row)>,
    ) -> Result<TermId, String> {
        let root = *self.clauses.last().ok_or("an empty proof")?;
        // Which clauses matter at this cut: walk down, stop at one-sided derivations.
        let mut needed = vec![false; root.index() + 1];
        needed[root.index()] = true;
        for &id in self.clauses.iter().rev() {
            let (a, b) = &pure[&id];
            if !needed[id.index()] || bit(a, cut) || bit(b, cut) {
                continue;
            }
            if let Origin::Chain { start, steps } = &self.refutation.clauses[id].origin {
                needed[start.index()] = true;
                for s in steps {
                    needed[s.antecedent.index()] = true;
                }
            }
        }
        let mut partial: Vec<Option<TermId>> = vec![None; root.index() + 1];
        let refutation = self.refutation;
        for &id in self.clauses {
            if !needed[id.index()] {
                continue;
            }
            if id.index().is_multiple_of(64)
                && let Err(stop) = self.budget.check()
            {
                return Err(format!("the budget ran out: {stop:?}"));
            }
            let clause = &refutation.clauses[id];
            let (a, b) = &pure[&id];
            let result = match (bit(a, cut), bit(b, cut)) {
                (true, true) if self.labelling == Labelling::McMillan => {
                    self.of_b_clause(pool, cut, &clause.lits)?
                }
                (true, _) => self.of_a_clause(pool, cut, &clause.lits)?,
                (_, true) => self.of_b_clause(pool, cut, &clause.lits)?,
                (false, false) => match &clause.origin {
                    Origin::Chain { start, steps } => {
                        let mut fold = Fold::new(self.known(&partial, *start));
                        for s in steps {
                            let other = self.known(&partial, s.antecedent);
                            let label = self.label(s.pivot.var(), cut)?;
                            fold.step(pool, self.refutation, label, s.pivot, other);
                        }
                        fold.finish(pool)
                    }
                    _ => self.of_lemma(pool, cut, id, clause)?,
                },
            };
            partial[id.index()] = Some(result);
        }
        Ok(self.known(&partial, root))
    }

    fn known(&self, partial: &[Option<TermId>], id: ClauseId) -> TermId {
        partial[id.index()].expect("antecedents come first and are marked as needed")
    }

    fn label(&self, var: BoolVar, cut: usize) -> Result<Label, String> {
        match self.colours.side_of_row(self.var_rows[var], cut) {
            Some(Side::A) => Ok(Label::A),
            Some(Side::B) => Ok(Label::B),
            Some(Side::Shared) => Ok(match self.labelling {
                Labelling::McMillan => Label::B,
                Labelling::Pudlak => Label::Both,
                Labelling::InverseMcMillan => Label::A,
            }),
            None => Err("mixed literal".into()),
        }
    }

    /// The clause follows from A: the disjunction of its b-literals.
    fn of_a_clause(&self, pool: &mut Pool, cut: usize, lits: &[Lit]) -> Result<TermId, String> {
        let mut parts = Vec::new();
        for &l in lits {
            if self.label(l.var(), cut)? == Label::B {
                parts.push(literal_term(pool, self.refutation, l));
            }
        }
        Ok(pool.or(&parts))
    }

    /// The clause follows from B: the conjunction of its negated a-literals.
    fn of_b_clause(&self, pool: &mut Pool, cut: usize, lits: &[Lit]) -> Result<TermId, String> {
        let mut parts = Vec::new();
        for &l in lits {
            if self.label(l.var(), cut)? == Label::A {
                parts.push(literal_term(pool, self.refutation, !l));
            }
        }
        Ok(pool.and(&parts))
    }

    /// A lemma with literals of both sides: the theory interpolant of its negation. A literal
    /// labelled ab may stand on either side.
    fn of_lemma(
        &mut self,
        pool: &mut Pool,
        cut: usize,
        id: ClauseId,
        c: &ProofClause,
    ) -> Result<TermId, String> {
        let mut in_a = Vec::with_capacity(c.lits.len());
        for l in &c.lits {
            in_a.push(match self.label(l.var(), cut)? {
                Label::A => true,
                Label::B => false,
                Label::Both => self.farkas == FarkasSide::Primal,
            });
        }
        match &c.origin {
            Origin::Lemma(Certificate::Farkas(coefficients)) => {
                let sum = sum_of(&mut self.sums, self.refutation, pool, id, coefficients)?;
                Ok(sum.interpolant(pool, &in_a, self.farkas))
            }
            Origin::Lemma(Certificate::Divisibility(coefficients)) => {
                let colours = &*self.colours;
                let shared = |t| colours.side(t, cut) == Some(Side::Shared);
                let sum = sum_of(&mut self.sums, self.refutation, pool, id, coefficients)?;
                sum.divisibility(pool, &in_a, self.farkas, shared)
            }
            Origin::Lemma(Certificate::Residue(weights)) => {
                let literals = negated_terms(self.refutation, &c.lits);
                let shared = |t| self.colours.side(t, cut) == Some(Side::Shared);
                farkas::residue(pool, &literals, weights, &in_a, shared)
            }
            Origin::Lemma(Certificate::Equality) => {
                let literals = negated_terms(self.refutation, &c.lits);
                equality::interpolant(pool, self.colours, cut, &literals, &in_a, self.farkas)
            }
            other => Err(format!("a lemma with both sides' symbols: {other:?}")),
        }
    }
}

/// The running sum of a lemma.
fn sum_of<'s>(
    sums: &'s mut FxHashMap<ClauseId, farkas::Sum>,
    refutation: &Refutation,
    pool: &Pool,
    id: ClauseId,
    coefficients: &[Rational],
) -> Result<&'s mut farkas::Sum, String> {
    Ok(match sums.entry(id) {
        Entry::Occupied(known) => known.into_mut(),
        Entry::Vacant(slot) => {
            let literals = negated_terms(refutation, &refutation.clauses[id].lits);
            slot.insert(farkas::Sum::new(pool, &literals, coefficients)?)
        }
    })
}

/// Resolution steps folded into one junction as long as the connective stays the same.
struct Fold {
    conjunction: bool,
    parts: Vec<TermId>,
}

impl Fold {
    fn new(start: TermId) -> Fold {
        Fold {
            conjunction: true,
            parts: vec![start],
        }
    }

    fn step(
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

    fn finish(&mut self, pool: &mut Pool) -> TermId {
        match self.conjunction {
            true => pool.and(&self.parts),
            false => pool.or(&self.parts),
        }
    }
}
