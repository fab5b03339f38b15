//! A tiny refutation producer for tests: DPLL with resolution logging, Fourier–Motzkin for Farkas
//! certificates, the checker's congruence closure for equality lemmas. Rationals only, no theory
//! combination; `None` when no refutation is found.

use crate::proof::check::congruence::Congruence;
use crate::proof::check::strip_not;
use crate::proof::{Certificate, ClauseId, Origin, PartitionId, ProofClause, Refutation, Step};
use crate::{BoolVar, Lit};
use base::{FxHashMap, Id};
use logic::{Comparison, Linear, Op, Pool, Rational, Relation, TermId};

pub struct Producer<'p> {
    pool: &'p mut Pool,
    refutation: Refutation,
    vars: FxHashMap<TermId, BoolVar>,
    values: Vec<Option<bool>>,
    effort: usize,
}

pub fn refute(pool: &mut Pool, partitions: &[TermId]) -> Option<Refutation> {
    let mut p = Producer {
        pool,
        refutation: Refutation::default(),
        vars: FxHashMap::default(),
        values: Vec::new(),
        effort: 4000,
    };
    for (i, &t) in partitions.iter().enumerate() {
        let l = p.literal(t);
        p.clause(vec![l], Origin::Input(PartitionId::from_index(i)));
    }
    p.values = vec![None; p.refutation.terms.len()];
    let root = p.solve()?;
    p.refutation.root = Some(root);
    Some(p.refutation)
}

impl Producer<'_> {
    fn clause(&mut self, mut lits: Vec<Lit>, origin: Origin) -> ClauseId {
        lits.sort_unstable();
        lits.dedup();
        self.refutation.clauses.push(ProofClause { lits, origin })
    }

    fn literal(&mut self, t: TermId) -> Lit {
        let (t, positive) = strip_not(self.pool, t, true);
        if let Some(&v) = self.vars.get(&t) {
            return Lit::new(v, positive);
        }
        let v = self.refutation.terms.push(t);
        self.vars.insert(t, v);
        let l = Lit::new(v, true);
        let args: Vec<TermId> = self.pool.args(t).to_vec();
        match self.pool.op(t) {
            Op::True => {
                self.clause(vec![l], Origin::Definition);
            }
            Op::False => {
                self.clause(vec![!l], Origin::Definition);
            }
            op @ (Op::And | Op::Or) => {
                // For `or` all signs are mirrored.
                let sign = |x: Lit| if op == Op::And { x } else { !x };
                let parts: Vec<Lit> = args.iter().map(|&a| self.literal(a)).collect();
                let mut long = vec![sign(l)];
                for &p in &parts {
                    self.clause(vec![sign(!l), sign(p)], Origin::Definition);
                    long.push(sign(!p));
                }
                self.clause(long, Origin::Definition);
            }
            Op::Eq if self.pool.sort_of(args[0]) == self.pool.bool_sort() => {
                let (a, b) = (self.literal(args[0]), self.literal(args[1]));
                for c in [
                    vec![!l, !a, b],
                    vec![!l, a, !b],
                    vec![l, a, b],
                    vec![l, !a, !b],
                ] {
                    self.clause(c, Origin::Definition);
                }
            }
            Op::Eq if self.pool.is_arith(self.pool.sort_of(args[0])) => {
                let (le, ge) = (
                    self.pool.le(args[0], args[1]),
                    self.pool.ge(args[0], args[1]),
                );
                let (le, ge) = (self.literal(le), self.literal(ge));
                for c in [vec![!l, le], vec![!l, ge], vec![l, !le, !ge]] {
                    self.clause(c, Origin::Lemma(Certificate::Trichotomy));
                }
            }
            _ => {}
        }
        Lit::new(v, positive)
    }

    fn value(&self, l: Lit) -> Option<bool> {
        self.values[l.var().index()].map(|v| v == l.is_positive())
    }

    /// A clause that is false under the values, deciding open variables.
    fn solve(&mut self) -> Option<ClauseId> {
        self.effort = self.effort.checked_sub(1)?;
        let mut choice = None;
        for (id, c) in self.refutation.clauses.iter_enumerated() {
            if c.lits.iter().any(|&l| self.value(l) == Some(true)) {
                continue;
            }
            let mut open = c.lits.iter().filter(|&&l| self.value(l).is_none());
            match (open.next(), open.next()) {
                (None, _) => return Some(id),
                (Some(&unit), None) => choice = Some(!unit),
                (Some(&l), _) => choice = choice.or(Some(l)),
            }
        }
        let choice = choice.or_else(|| {
            let open = self.values.iter().position(Option::is_none)?;
            Some(Lit::new(BoolVar::from_index(open), true))
        });
        let Some(choice) = choice else {
            return self.theory();
        };
        let var = choice.var().index();
        self.values[var] = Some(choice.is_positive());
        let first = self.solve();
        self.values[var] = Some(!choice.is_positive());
        let first = first?;
        if self.refutation.clauses[first]
            .lits
            .binary_search(&!choice)
            .is_err()
        {
            self.values[var] = None;
            return Some(first);
        }
        let second = self.solve();
        self.values[var] = None;
        let second = second?;
        if self.refutation.clauses[second]
            .lits
            .binary_search(&choice)
            .is_err()
        {
            return Some(second);
        }
        let mut lits: Vec<Lit> = self.refutation.clauses[first].lits.clone();
        lits.extend(&self.refutation.clauses[second].lits);
        lits.retain(|l| l.var() != choice.var());
        let steps = vec![Step {
            pivot: !choice,
            antecedent: second,
        }];
        Some(self.clause(
            lits,
            Origin::Chain {
                start: first,
                steps,
            },
        ))
    }

    fn theory(&mut self) -> Option<ClauseId> {
        let facts: Vec<(BoolVar, bool)> = self
            .refutation
            .terms
            .ids()
            .map(|v| (v, self.values[v.index()].unwrap()))
            .collect();
        let terms = &self.refutation.terms;
        let euf: Vec<(BoolVar, bool)> = facts
            .iter()
            .copied()
            .filter(|&(v, _)| matches!(self.pool.op(terms[v]), Op::Eq | Op::App(_)))
            .collect();
        if let Some(core) = self.equality_core(euf) {
            let lits = core.iter().map(|&(v, b)| Lit::new(v, !b)).collect();
            return Some(self.clause(lits, Origin::Lemma(Certificate::Equality)));
        }
        let arith: Vec<(BoolVar, bool, Comparison)> = facts
            .iter()
            .filter(|&&(v, _)| self.pool.op(terms[v]) == Op::Le)
            .map(|&(v, b)| (v, b, Comparison::of(self.pool, terms[v], b).unwrap()))
            .collect();
        let weights = fourier_motzkin(&arith.iter().map(|f| f.2.clone()).collect::<Vec<_>>())?;
        let mut pairs: Vec<(Lit, Rational)> = arith
            .iter()
            .zip(weights)
            .filter(|(_, w)| !w.is_zero())
            .map(|((v, b, _), w)| (Lit::new(*v, !b), w))
            .collect();
        pairs.sort_by_key(|p| p.0);
        let (lits, weights) = pairs.into_iter().unzip();
        Some(self.clause(lits, Origin::Lemma(Certificate::Farkas(weights))))
    }

    fn equality_core(&self, mut facts: Vec<(BoolVar, bool)>) -> Option<Vec<(BoolVar, bool)>> {
        let conflict = |facts: &[(BoolVar, bool)]| {
            let literals: Vec<(TermId, bool)> = facts
                .iter()
                .map(|&(v, b)| (self.refutation.terms[v], b))
                .collect();
            let c = Congruence::of_literals(self.pool, &literals);
            c.conflict().is_some()
        };
        if !conflict(&facts) {
            return None;
        }
        for i in (0..facts.len()).rev() {
            let mut fewer = facts.clone();
            fewer.remove(i);
            if conflict(&fewer) {
                facts = fewer;
            }
        }
        Some(facts)
    }
}

type Row = (Linear, bool, Vec<Rational>);

/// Weights that make the facts contradictory.
fn fourier_motzkin(facts: &[Comparison]) -> Option<Vec<Rational>> {
    let mut rows: Vec<Row> = Vec::new();
    for (i, f) in facts.iter().enumerate() {
        let mut weights = vec![Rational::ZERO; facts.len()];
        weights[i] = Rational::ONE;
        rows.push((f.linear.clone(), f.relation == Relation::Lt, weights));
    }
    loop {
        for (l, strict, weights) in &rows {
            if l.terms.is_empty() && (l.constant.is_positive() || *strict && l.constant.is_zero()) {
                return Some(weights.clone());
            }
        }
        rows.retain(|r| !r.0.terms.is_empty());
        let (x, _) = rows.first()?.0.terms[0];
        let coefficient = |r: &Row| {
            let found = r.0.terms.iter().find(|t| t.0 == x);
            found.map_or(Rational::ZERO, |t| t.1.clone())
        };
        let (with, mut next): (Vec<Row>, Vec<Row>) =
            rows.into_iter().partition(|r| !coefficient(r).is_zero());
        for up in with.iter().filter(|r| coefficient(r).is_positive()) {
            for low in with.iter().filter(|r| coefficient(r).is_negative()) {
                let (c, d) = (coefficient(up), -coefficient(low));
                let mut sum = up.0.clone();
                sum.scale(&d);
                let sum = sum.add_scaled(&c, &low.0);
                let weights = up.2.iter().zip(&low.2);
                let weights = weights.map(|(p, q)| &(p * &d) + &(q * &c)).collect();
                next.push((sum, up.1 || low.1, weights));
            }
        }
        if next.len() > 2000 {
            return None;
        }
        rows = next;
    }
}
