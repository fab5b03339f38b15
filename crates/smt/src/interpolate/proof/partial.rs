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
use super::fold::Fold;
use super::mixed::Mixed;
use super::mixed_lemma::{self, Place};
use crate::interpolate::proof::{equality, farkas};
use crate::interpolate::{FarkasSide, Labelling};
use crate::proof::check::{literal_term, negated_terms};
use crate::proof::{Certificate, ClauseId, Origin, ProofClause, Refutation};
use crate::{BoolVar, Lit, ticks};
use base::{Budget, FxHashMap, Id, IndexVec};
use logic::{Pool, Rational, TermId};
use std::collections::hash_map::Entry;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Label {
    A,
    B,
    Both,
}

/// Everything one extraction needs.
pub(crate) struct Extraction<'a> {
    pub(crate) refutation: &'a Refutation,
    /// The clauses the root depends on.
    pub(crate) clauses: &'a [ClauseId],
    cuts: &'a Cuts,
    colours: &'a mut Colours,
    labelling: Labelling,
    farkas: FarkasSide,
    budget: &'a Budget,
    /// The colours of each variable's term.
    var_rows: IndexVec<BoolVar, RowId>,
    /// Farkas lemmas met so far.
    sums: FxHashMap<ClauseId, farkas::Sum>,
    pub(crate) purity: Purity,
    /// For each cut the clauses whose derivation has both sides, in order, with their partial
    /// interpolants.
    pub(crate) mixed: Vec<Vec<(ClauseId, TermId)>>,
    /// The labels of rows at the cut `labels_at`; `None` if mixed.
    row_labels: Vec<Option<Label>>,
    labels_at: usize,
    /// The auxiliary variables of mixed literals at the cut in work.
    auxiliaries: Mixed,
}

/// What the walks of all cuts share, so that a cut costs as much as it visits.
struct Walk {
    /// The last cut that needed the clause.
    seen: Vec<u32>,
    partial: Vec<TermId>,
}

/// For each clause the cuts at which its derivation uses A only, and B only: rows of bits.
#[derive(Default)]
pub(crate) struct Purity {
    words: usize,
    a: Vec<u64>,
    b: Vec<u64>,
}

impl Purity {
    fn new(words: usize, clauses: usize) -> Purity {
        Purity {
            words,
            a: vec![0; words * clauses],
            b: vec![0; words * clauses],
        }
    }

    fn set(&mut self, id: ClauseId, a: &[u64], b: &[u64]) {
        let at = id.index() * self.words;
        self.a[at..at + self.words].copy_from_slice(a);
        self.b[at..at + self.words].copy_from_slice(b);
    }

    /// Whether the derivation uses A only, and whether it uses B only.
    pub(crate) fn at(&self, id: ClauseId, cut: usize) -> (bool, bool) {
        let word = id.index() * self.words + cut / 64;
        let bit = |rows: &[u64]| rows[word] >> (cut % 64) & 1 == 1;
        (bit(&self.a), bit(&self.b))
    }
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
            purity: Purity::default(),
            mixed: Vec::new(),
            row_labels: Vec::new(),
            labels_at: usize::MAX,
            auxiliaries: Mixed::new(budget),
        }
    }

    pub fn colours(&self) -> &Colours {
        self.colours
    }

    /// One interpolant a cut, in the extended vocabulary of the colours.
    pub fn run(&mut self, pool: &mut Pool) -> Result<Vec<TermId>, String> {
        let root = *self.clauses.last().ok_or("an empty proof")?;
        self.purity = self.pure_rows(root.index() + 1);
        let mut walk = Walk {
            seen: vec![u32::MAX; root.index() + 1],
            partial: vec![pool.tt(); root.index() + 1],
        };
        let mut results = Vec::with_capacity(self.cuts.len());
        for cut in 0..self.cuts.len() {
            if let Err(stop) = self.budget.check() {
                return Err(format!("the budget ran out: {stop:?}"));
            }
            results.push(self.interpolant(pool, cut, root, &mut walk)?);
        }
        Ok(results)
    }

    fn pure_rows(&mut self, clauses: usize) -> Purity {
        let words = self.colours.words();
        let mut purity = Purity::new(words, clauses);
        let inputs: Vec<(Vec<u64>, Vec<u64>)> = (0..self.cuts.partitions)
            .map(|p| self.input_rows(p))
            .collect();
        for &id in self.clauses {
            let clause = &self.refutation.clauses[id];
            match &clause.origin {
                Origin::Input(p) => {
                    let (a, b) = &inputs[p.index()];
                    purity.set(id, a, b);
                }
                Origin::Definition | Origin::Lemma(_) => {
                    let terms = clause.lits.iter().map(|l| self.refutation.terms[l.var()]);
                    let (a, b) = self.colours.pure_bits(terms);
                    purity.set(id, &a, &b);
                }
                Origin::Chain { start, steps } => {
                    let at = id.index() * words;
                    let antecedents = steps.iter().map(|s| s.antecedent);
                    for rows in [&mut purity.a, &mut purity.b] {
                        rows[at..at + words].fill(u64::MAX);
                        for from in antecedents.clone().chain([*start]) {
                            for w in 0..words {
                                rows[at + w] &= rows[from.index() * words + w];
                            }
                        }
                    }
                }
            }
        }
        purity
    }

    fn input_rows(&self, partition: usize) -> (Vec<u64>, Vec<u64>) {
        let mut a = vec![0; self.colours.words()];
        let mut b = a.clone();
        for (cut, inside) in self.cuts.inside.iter().enumerate() {
            let row = if inside[partition] { &mut a } else { &mut b };
            row[cut / 64] |= 1 << (cut % 64);
        }
        (a, b)
    }

    /// The clauses that matter at a cut, antecedents first: down from the root, not below one-sided
    /// derivations. Most of a proof is one-sided at most cuts.
    fn needed(&self, cut: usize, root: ClauseId, seen: &mut [u32]) -> Vec<ClauseId> {
        let mut list = vec![root];
        seen[root.index()] = cut as u32;
        let mut next = 0;
        while let Some(&id) = list.get(next) {
            next += 1;
            if self.purity.at(id, cut) != (false, false) {
                continue;
            }
            if let Origin::Chain { start, steps } = &self.refutation.clauses[id].origin {
                for from in steps.iter().map(|s| s.antecedent).chain([*start]) {
                    if seen[from.index()] != cut as u32 {
                        seen[from.index()] = cut as u32;
                        list.push(from);
                    }
                }
            }
        }
        list.sort_unstable();
        list
    }

    fn interpolant(
        &mut self,
        pool: &mut Pool,
        cut: usize,
        root: ClauseId,
        walk: &mut Walk,
    ) -> Result<TermId, String> {
        let refutation = self.refutation;
        self.label_rows(cut);
        self.auxiliaries = Mixed::new(self.budget);
        let mut mixed = Vec::new();
        for (k, id) in self
            .needed(cut, root, &mut walk.seen)
            .into_iter()
            .enumerate()
        {
            if k % 64 == 63
                && let Err(stop) = self.budget.spend(64 * ticks::CLAUSE)
            {
                return Err(format!("the budget ran out: {stop:?}"));
            }
            let clause = &refutation.clauses[id];
            let result = match self.of_pure_clause(pool, id, cut)? {
                Some(result) => result,
                None => {
                    let result = match &clause.origin {
                        Origin::Chain { start, steps } => {
                            let mut fold = Fold::new(walk.partial[start.index()]);
                            for s in steps {
                                let other = walk.partial[s.antecedent.index()];
                                let var = s.pivot.var();
                                if self.is_mixed(var) {
                                    let own = fold.finish(pool);
                                    let (holds, fails) = match s.pivot.is_positive() {
                                        true => (own, other),
                                        false => (other, own),
                                    };
                                    let aux = &mut self.auxiliaries;
                                    fold = Fold::new(aux.resolve(pool, var, holds, fails)?);
                                    continue;
                                }
                                let label = self.label(var, cut)?;
                                fold.step(pool, refutation, label, s.pivot, other);
                            }
                            fold.finish(pool)
                        }
                        _ => self.of_lemma(pool, cut, id, clause)?,
                    };
                    mixed.push((id, result));
                    result
                }
            };
            walk.partial[id.index()] = result;
        }
        self.mixed.push(mixed);
        self.auxiliaries.expand(pool, walk.partial[root.index()])
    }

    /// Whether the literal has symbols of both sides at the cut in work.
    fn is_mixed(&self, var: BoolVar) -> bool {
        self.row_labels[self.var_rows[var] as usize].is_none()
    }

    /// The partial interpolant of a clause whose derivation is on one side.
    pub(crate) fn of_pure_clause(
        &self,
        pool: &mut Pool,
        id: ClauseId,
        cut: usize,
    ) -> Result<Option<TermId>, String> {
        let lits = &self.refutation.clauses[id].lits;
        Ok(Some(match self.purity.at(id, cut) {
            (false, false) => return Ok(None),
            (true, true) if self.labelling == Labelling::McMillan => {
                self.of_b_clause(pool, cut, lits)?
            }
            (true, _) => self.of_a_clause(pool, cut, lits)?,
            (_, true) => self.of_b_clause(pool, cut, lits)?,
        }))
    }

    pub(crate) fn label(&self, var: BoolVar, cut: usize) -> Result<Label, String> {
        let row = self.var_rows[var];
        let label = match self.labels_at == cut {
            true => self.row_labels[row as usize],
            false => self.label_of_row(row, cut),
        };
        label.ok_or_else(|| "mixed literal".into())
    }

    fn label_of_row(&self, row: RowId, cut: usize) -> Option<Label> {
        Some(match self.colours.side_of_row(row, cut)? {
            Side::A => Label::A,
            Side::B => Label::B,
            Side::Shared => match self.labelling {
                Labelling::McMillan => Label::B,
                Labelling::Pudlak => Label::Both,
                Labelling::InverseMcMillan => Label::A,
            },
        })
    }

    /// Many variables have the same row: labels at a cut are looked up once for each.
    fn label_rows(&mut self, cut: usize) {
        let rows = 0..self.colours.row_count();
        self.row_labels = rows.map(|row| self.label_of_row(row, cut)).collect();
        self.labels_at = cut;
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
        if c.lits.iter().any(|l| self.is_mixed(l.var())) {
            return self.of_mixed_lemma(pool, cut, c);
        }
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

    /// A lemma with literals that have symbols of both sides themselves.
    fn of_mixed_lemma(
        &mut self,
        pool: &mut Pool,
        cut: usize,
        c: &ProofClause,
    ) -> Result<TermId, String> {
        let (colours, mixed) = (&*self.colours, &mut self.auxiliaries);
        let mut places = Vec::with_capacity(c.lits.len());
        for l in &c.lits {
            let row = self.var_rows[l.var()] as usize;
            places.push(match self.row_labels[row] {
                Some(Label::A) => Place::A,
                Some(Label::B | Label::Both) => Place::B,
                None => {
                    let atom = self.refutation.terms[l.var()];
                    let aux = mixed_lemma::variable(pool, colours, cut, mixed, l.var(), atom)?;
                    Place::Mixed(aux)
                }
            });
        }
        let literals = negated_terms(self.refutation, &c.lits);
        match &c.origin {
            Origin::Lemma(Certificate::Farkas(weights)) => {
                mixed_lemma::farkas(pool, mixed, &literals, &places, weights)
            }
            Origin::Lemma(Certificate::Trichotomy | Certificate::Branch) => {
                mixed_lemma::one_dimensional(pool, mixed, &literals, &places)
            }
            Origin::Lemma(Certificate::Equality) => {
                let in_a: Vec<bool> = places.iter().map(|p| matches!(p, Place::A)).collect();
                let auxiliaries: Vec<_> = places
                    .into_iter()
                    .map(|p| match p {
                        Place::Mixed(aux) => Some(aux),
                        _ => None,
                    })
                    .collect();
                let at = (colours, cut);
                equality::mixed_interpolant(pool, at, &literals, &in_a, &auxiliaries, mixed)
            }
            other => Err(format!("a lemma with mixed literals: {other:?}")),
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
