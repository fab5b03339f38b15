//! The proof checker: replays a refutation clause by clause, without a solver.
//!
//! Each clause is checked on its own, so an error names the first clause that does not hold and
//! why. Input: the unit clause asserts the formula of its partition or a conjunct of it. Chain:
//! the resolutions are replayed and must give the clause as it stands. Definition: the clause is a
//! tautology of the Boolean structure of its terms. Lemma: the certificate is re-verified by
//! exact arithmetic, by a small congruence closure, or against the axioms of the operator.
//!
//! Invariant: nothing here trusts the solver that wrote the proof; the only shared code is the
//! term pool and the table of axioms.

pub(crate) mod arithmetic;
mod axioms;
pub(crate) mod congruence;
mod propositional;

use crate::proof::{Certificate, ClauseId, Origin, ProofClause, Refutation};
use crate::{BoolVar, Lit};
use base::Id;
use logic::{Op, Pool, TermId};
use std::fmt;

pub use propositional::contradictory;

/// A clause of a refutation that does not hold, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProofError {
    pub clause: Option<ClauseId>,
    pub reason: String,
}

impl fmt::Display for ProofError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.clause {
            Some(c) => write!(f, "clause {c}: {}", self.reason),
            None => f.write_str(&self.reason),
        }
    }
}

impl std::error::Error for ProofError {}

/// Checks that `refutation` derives the empty clause from `partitions` (indexed by partition).
///
/// # Contract
/// `Ok` means: the conjunction of `partitions` is unsatisfiable.
pub fn check(
    pool: &mut Pool,
    refutation: &Refutation,
    partitions: &[TermId],
) -> Result<(), ProofError> {
    let conjuncts: Vec<Vec<TermId>> = partitions
        .iter()
        .map(|&p| {
            let mut list = pool.conjuncts(p);
            list.push(p);
            list.sort_unstable();
            list
        })
        .collect();
    for (id, clause) in refutation.clauses.iter_enumerated() {
        check_clause(pool, refutation, &conjuncts, id, clause).map_err(|reason| ProofError {
            clause: Some(id),
            reason,
        })?;
    }
    match refutation.root {
        None => Err(whole("there is no empty clause".into())),
        Some(root) => match refutation.clauses.get(root) {
            None => Err(whole(format!("the root {root} does not exist"))),
            Some(c) if c.lits.is_empty() => Ok(()),
            Some(_) => Err(whole(format!("the root {root} is not empty"))),
        },
    }
}

fn whole(reason: String) -> ProofError {
    ProofError {
        clause: None,
        reason,
    }
}

fn check_clause(
    pool: &mut Pool,
    refutation: &Refutation,
    conjuncts: &[Vec<TermId>],
    id: ClauseId,
    clause: &ProofClause,
) -> Result<(), String> {
    if !clause.lits.windows(2).all(|w| w[0] < w[1]) {
        return Err("literals are not sorted and distinct".into());
    }
    for l in &clause.lits {
        let term = refutation
            .terms
            .get(l.var())
            .ok_or_else(|| format!("{l:?} denotes no term"))?;
        if pool.sort_of(*term) != pool.bool_sort() {
            return Err(format!("{l:?} denotes a term that is not Bool"));
        }
    }
    match &clause.origin {
        Origin::Input(p) => {
            let [lit] = clause.lits[..] else {
                return Err("an input clause has one literal".into());
            };
            let formula = literal_term(pool, refutation, lit);
            let known = conjuncts
                .get(p.index())
                .ok_or_else(|| format!("partition {p} does not exist"))?;
            match known.binary_search(&formula) {
                Ok(_) => Ok(()),
                Err(_) => Err(format!("the formula is not asserted in partition {p}")),
            }
        }
        Origin::Definition => {
            let negated = negated_terms(refutation, &clause.lits);
            match contradictory(pool, &negated) {
                true => Ok(()),
                false => Err("the definition is not a tautology".into()),
            }
        }
        Origin::Lemma(certificate) => check_lemma(pool, refutation, &clause.lits, certificate),
        Origin::Chain { start, steps } => {
            let mut set = LitSet::default();
            set.start(&antecedent(refutation, id, *start)?.lits);
            for step in steps {
                let other = antecedent(refutation, id, step.antecedent)?;
                set.resolve(step.pivot, &other.lits).map_err(|side| {
                    format!(
                        "{:?} is not in the {side} at {}",
                        step.pivot, step.antecedent
                    )
                })?;
            }
            let result = set.finish();
            match result == clause.lits {
                true => Ok(()),
                false => Err(format!("the chain gives {result:?}, not {:?}", clause.lits)),
            }
        }
    }
}

fn antecedent(
    refutation: &Refutation,
    user: ClauseId,
    id: ClauseId,
) -> Result<&ProofClause, String> {
    if id >= user {
        return Err(format!("refers to {id}, which does not come earlier"));
    }
    Ok(&refutation.clauses[id])
}

fn check_lemma(
    pool: &mut Pool,
    refutation: &Refutation,
    lits: &[Lit],
    certificate: &Certificate,
) -> Result<(), String> {
    let negated = negated_terms(refutation, lits);
    match certificate {
        Certificate::Farkas(coefficients) => arithmetic::check_farkas(pool, &negated, coefficients),
        Certificate::Divisibility(coefficients) => {
            arithmetic::check_divisibility(pool, &negated, coefficients)
        }
        Certificate::Residue(weights) => arithmetic::check_residue(pool, &negated, weights),
        Certificate::Equality => {
            let closure = congruence::Congruence::of_literals(pool, &negated);
            match closure.conflict() {
                Some(_) => Ok(()),
                None => Err("equality reasoning finds no contradiction".into()),
            }
        }
        Certificate::Trichotomy | Certificate::Branch => {
            arithmetic::check_one_dimensional(pool, &negated)
        }
        Certificate::Axiom { term, formula } => check_axiom(pool, *term, *formula, negated),
    }
}

/// The formula must be an instance of the operator's axioms, and imply the clause.
fn check_axiom(
    pool: &mut Pool,
    term: TermId,
    formula: TermId,
    mut negated: Vec<(TermId, bool)>,
) -> Result<(), String> {
    if !axioms::is_axiom(pool, term, formula) {
        return Err(format!("{formula} is not an axiom of {term}"));
    }
    negated.push((formula, true));
    match contradictory(pool, &negated) {
        true => Ok(()),
        false => Err(format!(
            "the clause does not follow from the axiom {formula}"
        )),
    }
}

/// The negations of the literals as (term without `not`, value) pairs.
pub(crate) fn negated_terms(refutation: &Refutation, lits: &[Lit]) -> Vec<(TermId, bool)> {
    lits.iter()
        .map(|l| (refutation.terms[l.var()], !l.is_positive()))
        .collect()
}

/// The formula a literal stands for.
pub(crate) fn literal_term(pool: &mut Pool, refutation: &Refutation, lit: Lit) -> TermId {
    let term = refutation.terms[lit.var()];
    match lit.is_positive() {
        true => term,
        false => pool.not(term),
    }
}

/// Strips negations: the same fact as (term that is no `not`, value).
pub(crate) fn strip_not(pool: &Pool, mut term: TermId, mut value: bool) -> (TermId, bool) {
    while pool.op(term) == Op::Not {
        term = pool.args(term)[0];
        value = !value;
    }
    (term, value)
}

/// The running clause of a resolution chain.
#[derive(Default)]
struct LitSet {
    present: Vec<bool>,
    lits: Vec<Lit>,
}

impl LitSet {
    fn add(&mut self, lit: Lit) {
        if self.present.len() <= lit.index() {
            self.present.resize(lit.index() + 1, false);
        }
        if !self.present[lit.index()] {
            self.present[lit.index()] = true;
            self.lits.push(lit);
        }
    }

    fn start(&mut self, lits: &[Lit]) {
        for &l in lits {
            self.add(l);
        }
    }

    /// Resolves with a clause that contains `!pivot`.
    fn resolve(&mut self, pivot: Lit, other: &[Lit]) -> Result<(), &'static str> {
        if !self.present.get(pivot.index()).copied().unwrap_or(false) {
            return Err("running clause");
        }
        if other.binary_search(&!pivot).is_err() {
            return Err("negated antecedent");
        }
        self.present[pivot.index()] = false;
        for &l in other {
            if l != !pivot {
                self.add(l);
            }
        }
        Ok(())
    }

    fn finish(mut self) -> Vec<Lit> {
        // A literal resolved away and brought back is listed twice.
        self.lits.retain(|l| self.present[l.index()]);
        self.lits.sort_unstable();
        self.lits.dedup();
        self.lits
    }
}

/// The clauses the root depends on, in order; `None` without a root.
pub fn reachable(refutation: &Refutation) -> Option<Vec<ClauseId>> {
    let root = refutation.root?;
    let mut needed = vec![false; root.index() + 1];
    needed[root.index()] = true;
    for i in (0..=root.index()).rev() {
        if !needed[i] {
            continue;
        }
        if let Origin::Chain { start, steps } = &refutation.clauses[ClauseId::from_index(i)].origin
        {
            needed[start.index()] = true;
            for s in steps {
                needed[s.antecedent.index()] = true;
            }
        }
    }
    let ids = needed.iter().enumerate().filter(|&(_, &n)| n);
    Some(ids.map(|(i, _)| ClauseId::from_index(i)).collect())
}

/// The Boolean variables of the given clauses, sorted.
pub(crate) fn variables_of(refutation: &Refutation, clauses: &[ClauseId]) -> Vec<BoolVar> {
    let mut seen = vec![false; refutation.terms.len()];
    for &c in clauses {
        for l in &refutation.clauses[c].lits {
            seen[l.var().index()] = true;
        }
    }
    let vars = seen.iter().enumerate().filter(|&(_, &s)| s);
    vars.map(|(i, _)| BoolVar::from_index(i)).collect()
}
