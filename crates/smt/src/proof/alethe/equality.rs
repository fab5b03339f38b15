//! Lemmas of equality with uninterpreted functions: the explanation of a small congruence closure, step by step.
//!
//! Each merge of the closure becomes a clause `(= l r)` or a negated given literal; chains of merges are joined by
//! `eq_transitive`, congruences come by `eq_congruent` from chains between the arguments.

use super::terms::{AletheId, Literal};
use super::{StepId, Trouble, Writer};
use crate::proof::check::congruence::{Congruence, Reason};
use base::FxHashMap;
use logic::{Op, TermId};

/// Derivations for one lemma.
struct Explanation<'l> {
    closure: Congruence,
    /// The clause; its negated literals are what the closure was given.
    clause: &'l [Literal],
    /// Clauses of merges that were derived; none where the equality is itself what was given.
    merges: FxHashMap<usize, Option<StepId>>,
}

impl Writer<'_> {
    /// A clause whose negated literals contradict each other by equality.
    pub(super) fn equality_lemma(
        &mut self,
        negated: &[(TermId, bool)],
        clause: &[Literal],
    ) -> Result<StepId, Trouble> {
        let closure = Congruence::of_literals(self.pool, negated);
        let conflict = closure
            .conflict()
            .ok_or_else(|| Trouble::gap("equality reasoning finds no contradiction"))?;
        let mut e = Explanation {
            closure,
            clause,
            merges: FxHashMap::default(),
        };
        let (left, right) = (conflict.left, conflict.right);
        let mut premises = Vec::new();
        self.merges_between(&mut e, left, right)?;
        let (l, r) = (self.node(&e, left)?, self.node(&e, right)?);
        let given = conflict.literal.map(|i| clause[i].0);
        let target = match given {
            // The disequality says the same in its own order.
            Some(atom) if self.joins(atom, l, r) => atom,
            _ => self.steps.terms.formula("=", &[l, r]),
        };
        premises.extend(self.chain(&e, left, right, target)?);
        match given {
            Some(atom) if atom == target => {}
            Some(atom) => {
                let (x, y) = self.sides(atom)?;
                premises.push(self.equality(x, y, &[(target, false)])?);
            }
            None => premises.push(self.different(target, l)?),
        }
        self.steps.combine(clause, &premises)
    }

    fn node(&mut self, e: &Explanation, n: usize) -> Result<AletheId, Trouble> {
        self.term(e.closure.terms[n])
    }

    fn joins(&self, atom: AletheId, l: AletheId, r: AletheId) -> bool {
        let sides = self.steps.terms.binary(atom, &["="]);
        sides == Some((l, r)) || sides == Some((r, l))
    }

    fn sides(&self, atom: AletheId) -> Result<(AletheId, AletheId), Trouble> {
        let sides = self.steps.terms.binary(atom, &["="]);
        sides.ok_or_else(|| Trouble::gap("an equality is needed"))
    }

    /// Not `l = r`: both are values, or they differ by a number.
    fn different(&mut self, equal: AletheId, l: AletheId) -> Result<StepId, Trouble> {
        if self.steps.terms[l].kind.is_number() {
            return self.linear(&[(equal, false)]);
        }
        let structure = self.steps.structure_below(&[equal], 1);
        self.steps.combine(&[(equal, false)], &structure)
    }

    /// The derivations of all merges that the path between two nodes rests on.
    fn merges_between(
        &mut self,
        e: &mut Explanation,
        left: usize,
        right: usize,
    ) -> Result<(), Trouble> {
        // Arguments of a congruence are joined by older merges: the largest number comes last.
        let mut needed: Vec<usize> = e.closure.path(left, right).iter().map(|p| p.0).collect();
        let mut next = 0;
        while next < needed.len() {
            let m = e.closure.merges[needed[next]];
            if m.reason == Reason::Congruent {
                let (a, b) = (
                    e.closure.arguments(m.left).to_vec(),
                    e.closure.arguments(m.right),
                );
                for (&x, &y) in a.iter().zip(b) {
                    for (merge, ..) in e.closure.path(x, y) {
                        if !needed.contains(&merge) {
                            needed.push(merge);
                        }
                    }
                }
            }
            next += 1;
        }
        needed.sort_unstable();
        needed.dedup();
        for m in needed {
            let step = self.merge(e, m)?;
            e.merges.insert(m, step);
        }
        Ok(())
    }

    /// `(= l r)` of a merge, or the negation of what it was given by.
    fn merge(&mut self, e: &Explanation, m: usize) -> Result<Option<StepId>, Trouble> {
        let merge = e.closure.merges[m];
        let (l, r) = (self.node(e, merge.left)?, self.node(e, merge.right)?);
        let equal = self.steps.terms.formula("=", &[l, r]);
        match merge.reason {
            Reason::Given(i) => {
                let (atom, positive) = e.clause[i];
                if !positive && atom == equal {
                    return Ok(None);
                }
                if !positive && self.joins(atom, l, r) {
                    return self.turned(atom, equal).map(Some);
                }
                if self.steps.terms[l].kind.is_number() {
                    return self.equality(l, r, &[(atom, false)]).map(Some);
                }
                // A formula is true or false.
                let target = [(equal, true), (atom, positive)];
                let structure = self.steps.structure_below(&[equal], 1);
                self.steps.combine(&target, &structure).map(Some)
            }
            Reason::Congruent => {
                let t = e.closure.terms[merge.left];
                if matches!(self.pool.op(t), Op::And | Op::Or | Op::Not) {
                    return Err(Trouble::gap("congruence of formulas inside of terms"));
                }
                let a = e.closure.arguments(merge.left).to_vec();
                let b = e.closure.arguments(merge.right).to_vec();
                let mut conclusion = Vec::new();
                let mut premises = Vec::new();
                for (&x, &y) in a.iter().zip(&b) {
                    let (p, q) = (self.node(e, x)?, self.node(e, y)?);
                    let same = self.steps.terms.formula("=", &[p, q]);
                    conclusion.push(self.steps.terms.not(same));
                    premises.extend(self.chain(e, x, y, same)?);
                }
                conclusion.push(equal);
                premises.push(
                    self.steps
                        .add("eq_congruent", conclusion, Vec::new(), Vec::new()),
                );
                let mut target = vec![(equal, true)];
                target.extend_from_slice(e.clause);
                self.steps.combine(&target, &premises).map(Some)
            }
        }
    }

    /// From an equality to the same with its sides exchanged.
    pub(super) fn turned(&mut self, atom: AletheId, equal: AletheId) -> Result<StepId, Trouble> {
        let (l, _) = self.sides(equal)?;
        let same = self.steps.terms.formula("=", &[l, l]);
        let reflexive = self
            .steps
            .add("eq_reflexive", vec![same], Vec::new(), Vec::new());
        let not_same = self.steps.terms.not(same);
        let not_atom = self.steps.terms.not(atom);
        let conclusion = vec![not_same, not_atom, equal];
        let transitive = self
            .steps
            .add("eq_transitive", conclusion, Vec::new(), Vec::new());
        let target = [(atom, false), (equal, true)];
        self.steps.combine(&target, &[reflexive, transitive])
    }

    /// An equality between the ends of a path of merges, or one of the given literals; none if it is a given one.
    fn chain(
        &mut self,
        e: &Explanation,
        from: usize,
        to: usize,
        equal: AletheId,
    ) -> Result<Option<StepId>, Trouble> {
        let path = e.closure.path(from, to);
        if path.is_empty() {
            let reflexive = self
                .steps
                .add("eq_reflexive", vec![equal], Vec::new(), Vec::new());
            return Ok(Some(reflexive));
        }
        let mut premises: Vec<StepId> = path.iter().filter_map(|p| e.merges[&p.0]).collect();
        let mut conclusion = Vec::new();
        for &(m, ..) in &path {
            let merge = e.closure.merges[m];
            let (l, r) = (self.node(e, merge.left)?, self.node(e, merge.right)?);
            let link = self.steps.terms.formula("=", &[l, r]);
            conclusion.push((link, self.steps.terms.not(link)));
        }
        match conclusion[..] {
            [(link, _)] if link == equal => return Ok(e.merges[&path[0].0]),
            [(link, _)] => premises.push(self.turned(link, equal)?),
            _ => {
                let mut clause: Vec<AletheId> = conclusion.iter().map(|c| c.1).collect();
                clause.push(equal);
                premises.push(
                    self.steps
                        .add("eq_transitive", clause, Vec::new(), Vec::new()),
                );
            }
        }
        let mut target = vec![(equal, true)];
        target.extend_from_slice(e.clause);
        self.steps.combine(&target, &premises).map(Some)
    }
}
