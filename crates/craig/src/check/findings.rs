//! Every check of a program in one run.
//!
//! All checks are asked about at once first: they share their invariants. A check that is violated keeps
//! its execution and is assumed from there on, and the rest is asked again. What gets no answer in its
//! share of the time is asked again in smaller groups, by property first, then by halves, the other
//! checks assumed.
//!
//! The verdict is the worst of all: the first violation; else `unknown` if a check is undecided; else the
//! proof. Proofs of several groups are joined, and the checker judges what they are joined to: a group's
//! invariants hold wherever no check was violated before, so that all of them hold together. Proofs about different
//! forms of the program become parts of one.

use super::judge::judge;
use super::minimize::minimized;
use super::{Engine, without_inexact_errors};
use crate::load::Loaded;
use base::Budget;
use engine::{EngineOptions, Progress, Stats, Task};
use evidence::{Checked, Counterexample, Findings, Proof, Reason, Rest, Verdict};
use logic::Pool;
use program::Property;
use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

/// The whole program gets this part of the time left, while there are smaller groups to fall back to.
const WHOLE: f64 = 0.6;
/// Without a time limit, a group with others after it gets this long.
const UNLIMITED: Duration = Duration::from_secs(60);
/// A group is not worth less.
const LEAST: Duration = Duration::from_millis(100);

/// What a run of several questions needs.
pub(super) struct Questions<'a> {
    /// Claims of others that the checker accepted.
    pub(super) accepted: Vec<Checked<Verdict>>,
    /// Where the executions of checks that are violated go.
    pub(super) violations: &'a mut Vec<Counterexample>,
    pub(super) engine: &'a Engine,
    pub(super) options: &'a EngineOptions,
    pub(super) budget: &'a Budget,
    pub(super) memory: Option<u64>,
    pub(super) stats: &'a mut Stats,
    pub(super) progress: &'a mut dyn FnMut(&Progress),
}

impl Questions<'_> {
    /// The verdict about these checks of the program.
    fn ask(
        &mut self,
        input: &mut Loaded,
        findings: &Findings,
        asked: &[usize],
        budget: &Budget,
    ) -> Checked<Verdict> {
        let program = findings.program_for(&input.program, asked);
        let verdict = self.engine.solve(
            &mut Task {
                pool: &mut input.pool,
                program: &program,
                options: self.options,
                budget,
                stats: self.stats,
                progress: self.progress,
            },
            self.memory,
        );
        let verdict = minimized(verdict, &mut input.pool, &program, budget);
        without_inexact_errors(verdict, input.inexact.as_ref())
    }

    /// Decides every check.
    pub(super) fn decide(&mut self, input: &mut Loaded) -> (Checked<Verdict>, Findings) {
        let mut findings = Findings::of(&input.program);
        let (mut violation, mut proofs) = (None, Vec::new());
        for verdict in std::mem::take(&mut self.accepted) {
            let open = findings.open();
            match (findings.absorb(&open, &verdict), verdict.get()) {
                (Some(_), claim) => {
                    self.note(claim);
                    violation = violation.or(Some(verdict));
                }
                (None, Verdict::Safe(_)) => proofs.push((open, verdict)),
                (None, _) => {}
            }
        }
        // A program without checks is asked about too: it is safe.
        let done = !proofs.is_empty() || violation.is_some() && findings.open().is_empty();
        let mut groups = VecDeque::new();
        if !done {
            groups.push_back(findings.open());
        }
        let mut last = None;
        while let Some(mut asked) = groups.pop_front() {
            let whole = groups.is_empty();
            let (budget, shared) = self.share(&asked, groups.len());
            let verdict = self.ask(input, &findings, &asked, &budget);
            match (findings.absorb(&asked, &verdict), verdict.get()) {
                (Some(hit), claim) => {
                    self.stats.add("violations", 1);
                    self.note(claim);
                    asked.retain(|i| *i != hit);
                    violation = violation.or(Some(verdict));
                    if !asked.is_empty() {
                        groups.push_front(asked);
                    }
                }
                (None, Verdict::Safe(_)) => proofs.push((asked, verdict)),
                (None, _) => {
                    let (open, shown): (Vec<usize>, Vec<usize>) =
                        asked.iter().partition(|i| findings.open().contains(i));
                    if let Some((_, part)) = verdict.shown_aside().filter(|_| !shown.is_empty()) {
                        proofs.push((shown, part.clone()));
                    }
                    last = Some(verdict);
                    if shared && self.budget.check().is_ok() {
                        groups.extend(parts(&findings, &open, whole));
                    }
                }
            }
        }
        let (_, violated, undecided) = findings.counts();
        let verdict = match (violation, last) {
            (Some(unsafe_verdict), _) if violated > 0 => unsafe_verdict,
            (_, Some(unknown)) if undecided > 0 => unknown,
            _ => self.joined(input, &findings, proofs),
        };
        (verdict, findings)
    }

    fn note(&mut self, claim: &Verdict) {
        if let Verdict::Unsafe(execution) = claim {
            self.violations.push(execution.clone());
        }
    }

    /// The budget of a group with `others` after it, and whether it is less than all there is.
    fn share(&self, asked: &[usize], others: usize) -> (Budget, bool) {
        if others == 0 && asked.len() <= 1 {
            return (self.budget.clone(), false);
        }
        let limit = match self.budget.remaining() {
            Some(left) if others == 0 => left.mul_f64(WHOLE),
            Some(left) => left / (others as u32 + 1),
            None => UNLIMITED,
        };
        (
            self.budget.clone().with_time(limit.max(LEAST)),
            asked.len() > 1,
        )
    }

    /// One proof of all checks: the assertions together, or part by part where these are about different forms of the
    /// program.
    fn joined(
        &mut self,
        input: &mut Loaded,
        findings: &Findings,
        mut proofs: Vec<(Vec<usize>, Checked<Verdict>)>,
    ) -> Checked<Verdict> {
        let Some((asked, last)) = proofs.pop() else {
            let what = "there is no check".into();
            return Checked::unknown(Reason::NoProgress { what });
        };
        if proofs.is_empty() {
            return last;
        }
        let parts = proofs.into_iter().chain([(asked, last)]);
        let parts = parts.filter_map(|(asked, p)| match p.into_inner() {
            Verdict::Safe(proof) => Some((asked, proof)),
            _ => None,
        });
        let parts: Vec<(Vec<usize>, Proof)> = parts.collect();
        let together = join(&mut input.pool, parts.iter().map(|(_, p)| p.clone()));
        let Some(proof) = together.or_else(|| beside(findings, parts)) else {
            let what = "there is no proof".into();
            return Checked::unknown(Reason::NoProgress { what });
        };
        let claim = Verdict::Safe(proof);
        judge(
            &mut input.pool,
            &input.program,
            claim,
            self.budget,
            self.stats,
        )
    }
}

/// The proofs of groups of checks as parts of one.
fn beside(findings: &Findings, parts: Vec<(Vec<usize>, Proof)>) -> Option<Proof> {
    let mut parts = parts.into_iter();
    let (_, mut first) = parts.next()?;
    for (asked, proof) in parts {
        let checks = asked.iter().map(|i| &findings.list()[*i].check);
        let errors = checks.flat_map(|c| &c.locations).copied().collect();
        first.rest.push(Rest { errors, proof });
    }
    Some(first)
}

/// The group in smaller ones: by property, then by halves.
fn parts(findings: &Findings, asked: &[usize], whole: bool) -> Vec<Vec<usize>> {
    let mut by_property: BTreeMap<(Property, String), Vec<usize>> = BTreeMap::new();
    for &i in asked {
        let check = &findings.list()[i].check;
        // Checks that only an approximation can violate are a question of their own.
        let key = (check.property, check.message.clone());
        by_property.entry(key).or_default().push(i);
    }
    if whole && by_property.len() > 1 {
        return by_property.into_values().collect();
    }
    let (left, right) = asked.split_at(asked.len() / 2);
    let halves = [left.to_vec(), right.to_vec()].into_iter();
    halves.filter(|half| !half.is_empty()).collect()
}

/// All assertions of proofs about one form of the program.
fn join(pool: &mut Pool, mut proofs: impl Iterator<Item = Proof>) -> Option<Proof> {
    let mut out = proofs.next()?;
    for proof in proofs {
        // Each question has a cone of its own.
        let plain = |p: &Proof| p.cone.is_none() && p.rest.is_empty() && !p.scope.is_executed();
        if proof.scope != out.scope || !plain(&proof) || !plain(&out) {
            return None;
        }
        for (loc, term) in proof.invariants {
            let old = out.invariants.get(&loc).copied();
            let all = old.map_or(term, |o| pool.and2(o, term));
            out.invariants.insert(loc, all);
        }
        for (f, contract) in proof.contracts {
            let joined = match out.contracts.remove(&f) {
                Some(mut old) => {
                    old.requires = pool.and2(old.requires, contract.requires);
                    old.ensures = pool.and2(old.ensures, contract.ensures);
                    old
                }
                None => contract,
            };
            out.contracts.insert(f, joined);
        }
    }
    Some(out)
}

/// What a single verdict says of the checks.
pub(crate) fn of_verdict(input: &Loaded, verdict: &Checked<Verdict>) -> Findings {
    let mut findings = Findings::of(&input.program);
    let all = findings.open();
    if findings.absorb(&all, verdict).is_some() {
        let what = "the run ended with the first violation".to_string();
        let rest = findings.open();
        findings.absorb(&rest, &Checked::unknown(Reason::NoProgress { what }));
    }
    findings
}
