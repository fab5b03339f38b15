//! Steps of an Alethe proof, and how clauses are put together by propositional reasoning.
//!
//! `combine` derives a clause from others by unit propagation, with a case split where that does not suffice, and
//! writes down only the premises it used: checkers accept such a step as `resolution`, whatever the order. The
//! Boolean structure of a term enters as the tautologies of its connective (`structure`), which are made once.

use super::Trouble;
use super::terms::{AletheId, Kind, Literal, Terms};
use base::{FxHashMap, IndexVec, new_id};

new_id!(
    /// A step of an Alethe proof.
    pub(super) StepId, "t");

pub(super) struct Step {
    /// The clause as the rule wants it written.
    pub conclusion: Vec<AletheId>,
    /// The same as literals: sorted, without duplicates.
    pub clause: Vec<Literal>,
    pub rule: &'static str,
    pub premises: Vec<StepId>,
    pub args: Vec<AletheId>,
}

#[derive(Default)]
pub(super) struct Steps {
    pub terms: Terms,
    pub steps: IndexVec<StepId, Step>,
    structures: FxHashMap<AletheId, Vec<StepId>>,
}

/// Nested case splits of one combination.
const SPLITS: usize = 12;

impl Steps {
    pub fn add(
        &mut self,
        rule: &'static str,
        conclusion: Vec<AletheId>,
        premises: Vec<StepId>,
        args: Vec<AletheId>,
    ) -> StepId {
        let mut clause: Vec<Literal> = conclusion.iter().map(|&a| self.terms.literal(a)).collect();
        clause.sort_unstable();
        clause.dedup();
        self.steps.push(Step {
            conclusion,
            clause,
            rule,
            premises,
            args,
        })
    }

    pub fn clause(&self, id: StepId) -> &[Literal] {
        &self.steps[id].clause
    }

    /// A step whose clause is written as literals, without double negations.
    fn add_clause(
        &mut self,
        rule: &'static str,
        clause: &[Literal],
        mut premises: Vec<StepId>,
    ) -> StepId {
        if premises.len() == 1 {
            // Checkers want two premises at least; this one does no harm.
            premises.push(self.truth());
        }
        let conclusion = clause.iter().map(|&l| self.terms.written(l)).collect();
        self.add(rule, conclusion, premises, Vec::new())
    }

    fn truth(&mut self) -> StepId {
        let yes = self.terms.formula("true", &[]);
        self.structure(yes)[0]
    }

    /// A clause that follows from the premises; it may be stronger than the target.
    pub fn combine(&mut self, target: &[Literal], premises: &[StepId]) -> Result<StepId, Trouble> {
        self.combine_within(target, premises, SPLITS)
            .ok_or_else(|| Trouble::gap("a step of propositional reasoning was not found"))
    }

    fn combine_within(
        &mut self,
        target: &[Literal],
        premises: &[StepId],
        splits: usize,
    ) -> Option<StepId> {
        match self.propagate(target, premises) {
            Ok(used) => {
                if let [one] = used[..]
                    && self.is_plain(one)
                {
                    return Some(one);
                }
                let mut clause = target.to_vec();
                clause.sort_unstable();
                clause.dedup();
                Some(self.add_clause("resolution", &clause, used))
            }
            Err(_) if splits == 0 => None,
            Err(open) => {
                let choice = open?;
                let mut halves = Vec::new();
                for positive in [true, false] {
                    let mut with = target.to_vec();
                    with.push((choice, positive));
                    let half = self.combine_within(&with, premises, splits - 1)?;
                    if !self.clause(half).contains(&(choice, positive)) {
                        return Some(half);
                    }
                    halves.push(half);
                }
                Some(self.add_clause("resolution", target, halves))
            }
        }
    }

    /// Is its clause written without double negations?
    fn is_plain(&self, id: StepId) -> bool {
        let single = |&a: &AletheId| {
            let node = &self.terms[a];
            &*node.head != "not" || &*self.terms[node.args[0]].head != "not"
        };
        self.steps[id].conclusion.iter().all(single)
    }

    /// The premises that unit propagation from the negated target uses to a conflict; else an atom to split on.
    fn propagate(
        &self,
        target: &[Literal],
        premises: &[StepId],
    ) -> Result<Vec<StepId>, Option<AletheId>> {
        // The value of an atom and the premise it comes from.
        let mut values: FxHashMap<AletheId, (bool, Option<StepId>)> = FxHashMap::default();
        for &(atom, positive) in target {
            values.insert(atom, (!positive, None));
        }
        loop {
            let mut changed = false;
            let mut open = None;
            for &p in premises {
                let mut undecided = None;
                let mut count = 0;
                let mut satisfied = false;
                for &(atom, positive) in self.clause(p) {
                    match values.get(&atom) {
                        Some(&(v, _)) if v == positive => satisfied = true,
                        Some(_) => {}
                        None => {
                            count += 1;
                            undecided = Some((atom, positive));
                        }
                    }
                }
                match (satisfied, count, undecided) {
                    (true, ..) => {}
                    (_, 0, _) => return Ok(self.used(&values, p)),
                    (_, 1, Some((atom, positive))) => {
                        values.insert(atom, (positive, Some(p)));
                        changed = true;
                    }
                    (_, _, undecided) => open = open.or(undecided.map(|(atom, _)| atom)),
                }
            }
            if !changed {
                return Err(open);
            }
        }
    }

    /// The premises behind a conflict.
    fn used(
        &self,
        values: &FxHashMap<AletheId, (bool, Option<StepId>)>,
        conflict: StepId,
    ) -> Vec<StepId> {
        let mut used = vec![conflict];
        let mut next = 0;
        while next < used.len() {
            for (atom, _) in self.clause(used[next]) {
                if let Some(&(_, Some(p))) = values.get(atom)
                    && !used.contains(&p)
                {
                    used.push(p);
                }
            }
            next += 1;
        }
        used
    }

    /// The tautologies that define a formula by its arguments; none for atoms.
    pub fn structure(&mut self, a: AletheId) -> Vec<StepId> {
        if let Some(known) = self.structures.get(&a) {
            return known.clone();
        }
        let node = self.terms[a].clone();
        let boolean = node.args.iter().all(|&x| self.terms[x].kind == Kind::Bool);
        let rules = match (&*node.head, &*node.args) {
            _ if !boolean || node.kind != Kind::Bool => Vec::new(),
            ("true", []) => vec![self.add("true", vec![a], Vec::new(), Vec::new())],
            ("false", []) => {
                let no = self.terms.not(a);
                vec![self.add("false", vec![no], Vec::new(), Vec::new())]
            }
            ("and", args) => self.junction(a, args, ["and_pos", "and_neg"], true),
            ("or", args) => self.junction(a, args, ["or_neg", "or_pos"], false),
            ("=>", &[x, y]) => self.table(
                a,
                &[
                    ("implies_pos", false, vec![(x, false), (y, true)]),
                    ("implies_neg1", true, vec![(x, true)]),
                    ("implies_neg2", true, vec![(y, false)]),
                ],
            ),
            ("=", &[x, y]) => self.table(
                a,
                &[
                    ("equiv_pos1", false, vec![(x, true), (y, false)]),
                    ("equiv_pos2", false, vec![(x, false), (y, true)]),
                    ("equiv_neg1", true, vec![(x, false), (y, false)]),
                    ("equiv_neg2", true, vec![(x, true), (y, true)]),
                ],
            ),
            ("xor", &[x, y]) => self.table(
                a,
                &[
                    ("xor_pos1", false, vec![(x, true), (y, true)]),
                    ("xor_pos2", false, vec![(x, false), (y, false)]),
                    ("xor_neg1", true, vec![(x, true), (y, false)]),
                    ("xor_neg2", true, vec![(x, false), (y, true)]),
                ],
            ),
            ("ite", &[c, x, y]) => self.table(
                a,
                &[
                    ("ite_pos1", false, vec![(c, true), (y, true)]),
                    ("ite_pos2", false, vec![(c, false), (x, true)]),
                    ("ite_neg1", true, vec![(c, true), (y, false)]),
                    ("ite_neg2", true, vec![(c, false), (x, false)]),
                ],
            ),
            _ => Vec::new(),
        };
        self.structures.insert(a, rules.clone());
        rules
    }

    /// The structure of a formula and of everything below it to a depth.
    pub fn structure_below(&mut self, roots: &[AletheId], depth: usize) -> Vec<StepId> {
        let mut out = Vec::new();
        let mut level: Vec<AletheId> = roots.to_vec();
        let mut seen: base::FxHashSet<AletheId> = base::FxHashSet::default();
        for _ in 0..=depth {
            let mut next = Vec::new();
            for a in level {
                let (a, _) = self.terms.literal(a);
                if seen.insert(a) {
                    let rules = self.structure(a);
                    if !rules.is_empty() {
                        next.extend_from_slice(&self.terms[a].args);
                    }
                    out.extend(rules);
                }
            }
            level = next;
        }
        out
    }

    fn table(&mut self, a: AletheId, rows: &[(&'static str, bool, Vec<Literal>)]) -> Vec<StepId> {
        let mut out = Vec::new();
        for (rule, own, rest) in rows {
            let mut conclusion = vec![self.terms.written((a, *own))];
            for &l in rest {
                conclusion.push(self.terms.written(l));
            }
            out.push(self.add(rule, conclusion, Vec::new(), Vec::new()));
        }
        out
    }

    /// `and` (one argument each, then all of them negated) or `or` (its mirror image).
    fn junction(
        &mut self,
        a: AletheId,
        args: &[AletheId],
        rules: [&'static str; 2],
        and: bool,
    ) -> Vec<StepId> {
        let mut out = Vec::new();
        let [own, other] = [self.terms.written((a, !and)), self.terms.written((a, and))];
        for (i, &x) in args.iter().enumerate() {
            let index = self.terms.node(&i.to_string(), &[], Kind::Int);
            let argument = self.terms.written((x, and));
            out.push(self.add(rules[0], vec![own, argument], Vec::new(), vec![index]));
        }
        let mut all = vec![other];
        for &x in args {
            all.push(self.terms.written((x, !and)));
        }
        out.push(self.add(rules[1], all, Vec::new(), Vec::new()));
        out
    }
}
