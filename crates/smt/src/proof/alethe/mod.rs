//! Refutations as Alethe proofs, which other people's checkers read (carcara).
//!
//! The proof begins with the assertions as the user wrote them (`assume`), relates them to the solver's own formulas
//! (`source`), and replays the refutation: definitions of connectives by their tautologies (`steps`), lemmas of
//! equality (`equality`) and of linear arithmetic (`arithmetic`, `lemma`) by Alethe's rules, chains by `resolution` with
//! their pivots. Nothing is left to a `hole`: what Alethe has no rule for is named, and there is no proof then.
//!
//! Source: the Alethe specification (Barbosa, Fleury, Fontaine, Schurr); what checkers accept beyond it is used in one
//! place only: `resolution` without pivots may be by unit propagation.

mod arithmetic;
mod equality;
mod lemma;
mod print;
mod source;
mod steps;
mod terms;

use super::check::{negated_terms, reachable};
use super::{ClauseId, Origin, Refutation};
use crate::Lit;
use base::{Budget, FxHashMap, Id, Stop};
use logic::smtlib::{SourceId, Sources};
use logic::{Op, Pool, TermId};
use std::fmt;
use steps::{StepId, Steps};
use terms::{AletheId, Literal};

/// Why there is no Alethe proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// Something that Alethe has no rule for.
    Unsupported(String),
    /// A step was not found; should not happen.
    Gap(&'static str),
    Stopped(Stop),
}

impl Trouble {
    fn gap(what: &'static str) -> Self {
        Trouble::Gap(what)
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trouble::Unsupported(what) => write!(f, "no rule of Alethe for {what}"),
            Trouble::Gap(what) => f.write_str(what),
            Trouble::Stopped(stop) => write!(f, "stopped: {stop:?}"),
        }
    }
}

/// The text of an Alethe proof for a refutation whose partition `i` is the assertion `assertions[i]`.
///
/// # Contract
/// The refutation was checked. The text has no holes.
pub fn write(
    pool: &mut Pool,
    refutation: &Refutation,
    sources: &Sources,
    assertions: &[SourceId],
    budget: &Budget,
) -> Result<String, Trouble> {
    let mut writer = Writer {
        pool,
        refutation,
        steps: Steps::default(),
        written: FxHashMap::default(),
        images: FxHashMap::default(),
        terms_of: FxHashMap::default(),
        equations: FxHashMap::default(),
        equivalences: FxHashMap::default(),
        derived: FxHashMap::default(),
        assumed: FxHashMap::default(),
    };
    let root = writer.replay(sources, assertions, budget)?;
    Ok(print::print(&writer.steps, root))
}

/// A proof being written.
struct Writer<'p> {
    pool: &'p mut Pool,
    refutation: &'p Refutation,
    steps: Steps,
    /// Terms as the user wrote them.
    written: FxHashMap<SourceId, AletheId>,
    /// The solver's term for each of these, in Alethe and in the pool.
    images: FxHashMap<AletheId, AletheId>,
    terms_of: FxHashMap<AletheId, TermId>,
    /// For terms that differ from their image: that they are equal.
    equations: FxHashMap<AletheId, (StepId, AletheId)>,
    /// For formulas that differ from their image: both directions of the equivalence.
    equivalences: FxHashMap<AletheId, Vec<StepId>>,
    /// Clauses of the refutation; each may be stronger than there.
    derived: FxHashMap<ClauseId, StepId>,
    /// Assertions by partition.
    assumed: FxHashMap<usize, StepId>,
}

impl Writer<'_> {
    fn term(&mut self, term: TermId) -> Result<AletheId, Trouble> {
        let found = self.steps.terms.of_pool(self.pool, term);
        found.ok_or_else(|| {
            Trouble::Unsupported("bit-vectors, floats, machine operators or constant arrays".into())
        })
    }

    fn literal(&mut self, lit: Lit) -> Result<Literal, Trouble> {
        let a = self.term(self.refutation.terms[lit.var()])?;
        let (atom, positive) = self.steps.terms.literal(a);
        Ok((atom, positive == lit.is_positive()))
    }

    fn clause(&mut self, lits: &[Lit]) -> Result<Vec<Literal>, Trouble> {
        lits.iter().map(|&l| self.literal(l)).collect()
    }

    /// The step of the empty clause.
    fn replay(
        &mut self,
        sources: &Sources,
        assertions: &[SourceId],
        budget: &Budget,
    ) -> Result<StepId, Trouble> {
        let refutation = self.refutation;
        let order = reachable(refutation).ok_or(Trouble::Gap("there is no empty clause"))?;
        for id in order {
            budget.check().map_err(Trouble::Stopped)?;
            let clause = &refutation.clauses[id];
            let lits = self.clause(&clause.lits)?;
            let step = match &clause.origin {
                Origin::Input(p) => {
                    let source = *assertions
                        .get(p.index())
                        .ok_or(Trouble::Gap("an assertion is not known"))?;
                    self.input(sources, p.index(), source, &lits)?
                }
                Origin::Definition => {
                    let atoms: Vec<AletheId> = lits.iter().map(|l| l.0).collect();
                    self.tautology(&lits, &atoms)?
                }
                Origin::Lemma(certificate) => {
                    let negated = negated_terms(refutation, &clause.lits);
                    self.lemma(certificate, &negated, &lits)?
                }
                Origin::Chain { start, steps } => self.chain_of(*start, steps)?,
            };
            self.derived.insert(id, step);
        }
        let root = refutation.root.and_then(|r| self.derived.get(&r).copied());
        root.ok_or(Trouble::Gap("there is no empty clause"))
    }

    /// A conjunct of an assertion.
    fn input(
        &mut self,
        sources: &Sources,
        partition: usize,
        source: SourceId,
        target: &[Literal],
    ) -> Result<StepId, Trouble> {
        let formula = self.relate(sources, source)?;
        let assumed = match self.assumed.get(&partition) {
            Some(&step) => step,
            None => {
                let step = self
                    .steps
                    .add("assume", vec![formula], Vec::new(), Vec::new());
                self.assumed.insert(partition, step);
                step
            }
        };
        let mut premises = vec![assumed];
        premises.extend(self.equivalences.get(&formula).into_iter().flatten());
        // Conjunctions in conjunctions, down to the literal.
        let image = self.images[&formula];
        let mut open = vec![self.steps.terms.literal(image).0];
        while let Some(a) = open.pop() {
            premises.extend(self.steps.structure(a));
            if &*self.steps.terms[a].head == "and" {
                let args = self.steps.terms[a].args.clone();
                open.extend(
                    args.iter()
                        .filter(|&&x| &*self.steps.terms[x].head == "and"),
                );
            }
        }
        self.steps.combine(target, &premises)
    }

    /// A clause that holds by the Boolean structure of these formulas.
    fn tautology(&mut self, target: &[Literal], atoms: &[AletheId]) -> Result<StepId, Trouble> {
        for depth in [0, 1, 2, 4] {
            let premises = self.steps.structure_below(atoms, depth);
            if let Ok(step) = self.steps.combine(target, &premises) {
                return Ok(step);
            }
        }
        Err(Trouble::Gap(
            "a definition is no tautology of its structure",
        ))
    }

    /// Resolutions with their pivots. Clauses may be stronger here, so steps may have nothing to do.
    fn chain_of(&mut self, start: ClauseId, chain: &[super::Step]) -> Result<StepId, Trouble> {
        let mut first = self.derived[&start];
        let mut current: Vec<Literal> = self.steps.clause(first).to_vec();
        let (mut premises, mut args) = (vec![first], Vec::new());
        for step in chain {
            let (atom, positive) = self.literal(step.pivot)?;
            let other = self.derived[&step.antecedent];
            if !current.contains(&(atom, positive)) {
                continue;
            }
            if !self.steps.clause(other).contains(&(atom, !positive)) {
                // The antecedent needs nothing of what was resolved so far.
                first = other;
                current = self.steps.clause(other).to_vec();
                (premises, args) = (vec![first], Vec::new());
                continue;
            }
            current.retain(|&l| l != (atom, positive));
            for &l in self.steps.clause(other) {
                if l != (atom, !positive) && !current.contains(&l) {
                    current.push(l);
                }
            }
            premises.push(other);
            let sign = if positive { "true" } else { "false" };
            let sign = self.steps.terms.formula(sign, &[]);
            args.extend([atom, sign]);
        }
        if premises.len() == 1 {
            return Ok(first);
        }
        current.sort_unstable();
        let conclusion = current
            .iter()
            .map(|&l| self.steps.terms.written(l))
            .collect();
        Ok(self.steps.add("resolution", conclusion, premises, args))
    }

    /// The operator of a term of the solver, for messages.
    fn operator_name(&self, term: TermId) -> String {
        match self.pool.op(term) {
            Op::Ite => "ite".into(),
            op => format!("{op:?}").to_lowercase(),
        }
    }
}
