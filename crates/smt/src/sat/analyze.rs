//! Conflict analysis: first unique implication point, minimisation, and the resolution chain.
//!
//! With a proof, every literal that disappears is resolved away explicitly: literals of the conflict
//! level by their reasons in trail order, literals dropped by minimisation likewise, and literals
//! of level 0 by the unit clauses derived for them.

use super::{ClauseRef, Explain, HEAD, Reason, Sat, USED};
use crate::proof::{ClauseId, Step};
use crate::{BoolVar, Lit};
use base::Id;

const SEEN: u8 = 1;
const REMOVABLE: u8 = 2;
const FAILED: u8 = 3;

/// What analysis found; the clause itself is kept in the core.
pub(crate) struct Learnt {
    /// The level to go back to: there the clause implies its first literal.
    pub(crate) back: u32,
    pub(crate) lbd: u32,
    id: Option<ClauseId>,
}

impl Sat {
    /// The clause that implied `l`, asking its theory if need be.
    fn reason_clause(&mut self, l: Lit, ex: &mut dyn Explain) -> Option<ClauseRef> {
        let v = l.var().index();
        match self.reason[v] {
            Reason::Decision => None,
            Reason::Clause(c) => Some(c),
            Reason::Theory(source) => {
                let conflict = ex.explain(l, source);
                debug_assert!(
                    conflict.lits.contains(&l),
                    "an explanation implies its literal"
                );
                debug_assert!(
                    conflict.lits.iter().all(|&m| m == l
                        || self.is_false(m) && self.position[m.var().index()] < self.position[v]),
                    "an explanation uses earlier literals"
                );
                let c = self.temporary(conflict);
                self.reason[v] = Reason::Clause(c);
                Some(c)
            }
        }
    }

    /// Derives unit clauses for the level-0 literals not done yet.
    pub(crate) fn log_units(&mut self, ex: &mut dyn Explain) {
        if self.log.is_none() {
            return;
        }
        let end = self.trail_lim.first().copied().unwrap_or(self.trail.len());
        while self.unit_done < end {
            let l = self.trail[self.unit_done];
            self.unit_done += 1;
            if self.unit_id[l.var().index()].is_some() {
                continue;
            }
            let Some(c) = self.reason_clause(l, ex) else {
                continue;
            };
            let start = self.proof_id(c).expect("every clause is in the proof");
            let mut steps = Vec::new();
            for m in self.clause(c) {
                if m != l {
                    let antecedent =
                        self.unit_id[m.var().index()].expect("level-0 literals have a unit clause");
                    steps.push(Step {
                        pivot: m,
                        antecedent,
                    });
                }
            }
            let log = self.log.as_mut().expect("checked above");
            self.unit_id[l.var().index()] = Some(log.chain(start, steps, &[l]));
        }
    }

    fn bump_var(&mut self, v: BoolVar) {
        let a = &mut self.activity[v.index()];
        *a += self.bump;
        if *a > 1e100 {
            for a in &mut self.activity {
                *a *= 1e-100;
            }
            self.bump *= 1e-100;
        }
        self.heap.bumped(v, &self.activity);
    }

    fn bump_clause(&mut self, c: ClauseRef) {
        self.arena[c as usize] |= USED;
    }

    /// Analyses a clause that is false at the current level, above 0. The learnt clause waits for
    /// [`Sat::assert_learnt`], after backtracking to the level in the result.
    pub(crate) fn analyze(&mut self, conflict: ClauseRef, ex: &mut dyn Explain) -> Learnt {
        self.log_units(ex);
        let logging = self.log.is_some();
        let mut steps: Vec<Step> = Vec::new();
        let mut zero: Vec<Lit> = Vec::new();
        let mut learnt = std::mem::take(&mut self.learnt);
        learnt.clear();
        learnt.push(Lit::from_index(0));
        let mut open = 0;
        let mut index = self.trail.len();
        let mut clause = conflict;
        let mut pivot: Option<Lit> = None;
        loop {
            self.bump_clause(clause);
            for k in 0..self.len(clause) {
                let q = self.lit(clause, k);
                if Some(q) == pivot {
                    continue;
                }
                let v = q.var().index();
                if self.seen[v] != 0 {
                    continue;
                }
                if self.level[v] == 0 {
                    if logging {
                        self.seen[v] = SEEN;
                        self.to_clear.push(q.var());
                        zero.push(q);
                    }
                    continue;
                }
                self.seen[v] = SEEN;
                self.to_clear.push(q.var());
                self.bump_var(q.var());
                if self.level[v] == self.level() {
                    open += 1;
                } else {
                    learnt.push(q);
                }
            }
            loop {
                index -= 1;
                let v = self.trail[index].var().index();
                if self.seen[v] != 0 && self.level[v] == self.level() {
                    break;
                }
            }
            let p = self.trail[index];
            open -= 1;
            if open == 0 {
                learnt[0] = !p;
                break;
            }
            clause = self
                .reason_clause(p, ex)
                .expect("only the first literal of a level above the assumptions is a decision");
            if logging {
                let antecedent = self.proof_id(clause).expect("every clause is in the proof");
                steps.push(Step {
                    pivot: !p,
                    antecedent,
                });
            }
            pivot = Some(p);
        }
        self.minimise(&mut learnt, &mut steps, &mut zero, ex);
        let id = if logging {
            let start = self
                .proof_id(conflict)
                .expect("every clause is in the proof");
            self.resolve_zero(&mut steps, &zero);
            let log = self.log.as_mut().expect("logging");
            Some(log.chain(start, steps, &learnt))
        } else {
            None
        };
        for v in self.to_clear.drain(..) {
            self.seen[v.index()] = 0;
        }
        let lbd = self.lbd(&learnt);
        self.bump /= 0.95;
        self.stats.learnt += 1;
        let mut back = 0;
        for i in 1..learnt.len() {
            let l = self.level[learnt[i].var().index()];
            if l > back {
                back = l;
                learnt.swap(1, i);
            }
        }
        self.learnt = learnt;
        Learnt { back, lbd, id }
    }

    /// Adds the clause of the last `analyze` and the literal it implies. Returns it if it is false
    /// even so (a unit clause came back in between).
    pub(crate) fn assert_learnt(&mut self, learnt: &Learnt) -> Option<ClauseRef> {
        let lits = std::mem::take(&mut self.learnt);
        let c = self.alloc(&lits, true, learnt.id);
        self.arena[c as usize + 1] = learnt.lbd;
        if lits.len() > 1 {
            self.learnts.push(c);
            self.attach(c);
        }
        let first = lits[0];
        self.learnt = lits;
        match self.value(first) {
            None => self.enqueue(first, Reason::Clause(c)),
            Some(false) => return Some(c),
            Some(true) => {}
        }
        None
    }

    /// Appends the steps that resolve level-0 literals away.
    fn resolve_zero(&self, steps: &mut Vec<Step>, zero: &[Lit]) {
        for &q in zero {
            let antecedent =
                self.unit_id[q.var().index()].expect("level-0 literals have a unit clause");
            steps.push(Step {
                pivot: q,
                antecedent,
            });
        }
    }

    fn lbd(&mut self, lits: &[Lit]) -> u32 {
        self.stamp += 1;
        // Scopes may have levels without a variable, so there can be more levels than variables.
        let levels = self.level() as usize + 1;
        if self.level_stamp.len() < levels {
            self.level_stamp.resize(levels, 0);
        }
        let mut count = 0;
        for l in lits {
            let level = self.level[l.var().index()] as usize;
            if self.level_stamp[level] != self.stamp {
                self.level_stamp[level] = self.stamp;
                count += 1;
            }
        }
        count
    }

    /// Drops literals implied by the others (recursive minimisation).
    fn minimise(
        &mut self,
        learnt: &mut Vec<Lit>,
        steps: &mut Vec<Step>,
        zero: &mut Vec<Lit>,
        ex: &mut dyn Explain,
    ) {
        let mut removed: Vec<Lit> = Vec::new();
        let mut keep = 1;
        for i in 1..learnt.len() {
            let l = learnt[i];
            if self.reason[l.var().index()] != Reason::Decision && self.redundant(l, ex) {
                removed.push(l);
            } else {
                learnt[keep] = l;
                keep += 1;
            }
        }
        learnt.truncate(keep);
        if self.log.is_none() || removed.is_empty() {
            return;
        }
        // Resolve the dropped literals, latest first; what their reasons bring in and the clause does
        // not keep is dropped too.
        let kept: base::FxHashSet<Lit> = learnt.iter().copied().collect();
        let mut heap: std::collections::BinaryHeap<(u32, Lit)> = removed
            .iter()
            .map(|&l| (self.position[l.var().index()], l))
            .collect();
        let mut last = None;
        while let Some((_, l)) = heap.pop() {
            if last == Some(l) {
                continue;
            }
            last = Some(l);
            let c = self
                .reason_clause(!l, ex)
                .expect("a redundant literal is implied");
            let antecedent = self.proof_id(c).expect("every clause is in the proof");
            steps.push(Step {
                pivot: l,
                antecedent,
            });
            for k in 0..self.len(c) {
                let q = self.lit(c, k);
                let v = q.var().index();
                if q == !l || kept.contains(&q) {
                    continue;
                }
                if self.level[v] == 0 {
                    if !zero.contains(&q) {
                        zero.push(q);
                    }
                } else {
                    heap.push((self.position[v], q));
                }
            }
        }
    }

    /// Whether the false literal `l` follows from the marked ones through reasons.
    fn redundant(&mut self, l: Lit, ex: &mut dyn Explain) -> bool {
        let mut stack = std::mem::take(&mut self.stack);
        stack.clear();
        stack.push((l, 0));
        let mut result = true;
        while let Some(&mut (q, ref mut next)) = stack.last_mut() {
            let k = *next as usize;
            *next += 1;
            let Some(c) = self.reason_clause(!q, ex) else {
                unreachable!("only implied literals are pushed")
            };
            if k >= self.len(c) {
                let v = q.var().index();
                if self.seen[v] == 0 {
                    self.seen[v] = REMOVABLE;
                    self.to_clear.push(q.var());
                }
                stack.pop();
                continue;
            }
            let m = self.lit(c, k);
            let v = m.var().index();
            if m == !q || self.level[v] == 0 || matches!(self.seen[v], SEEN | REMOVABLE) {
                continue;
            }
            if self.reason[v] == Reason::Decision || self.seen[v] == FAILED || stack.len() > 1000 {
                for &(q, _) in &stack {
                    let v = q.var().index();
                    if self.seen[v] == 0 {
                        self.seen[v] = FAILED;
                        self.to_clear.push(q.var());
                    }
                }
                result = false;
                break;
            }
            stack.push((m, 0));
        }
        self.stack = stack;
        result
    }

    /// Traces false literals back to decisions (assumptions and asserted formulas): the true
    /// decision literals they rest on. With a proof also the chain that derives, from `start`, the clause of
    /// their negations.
    pub(crate) fn trace(
        &mut self,
        false_lits: &[Lit],
        start: Option<ClauseId>,
        ex: &mut dyn Explain,
    ) -> (Vec<Lit>, Option<(ClauseId, Vec<Step>)>) {
        self.log_units(ex);
        let logging = self.log.is_some() && start.is_some();
        let mut steps = Vec::new();
        let mut zero = Vec::new();
        let mut roots = Vec::new();
        let mut top = 0;
        let mark = |sat: &mut Sat, q: Lit, zero: &mut Vec<Lit>, top: &mut usize| {
            let v = q.var().index();
            if sat.seen[v] != 0 {
                return;
            }
            sat.seen[v] = SEEN;
            sat.to_clear.push(q.var());
            if sat.level[v] == 0 {
                zero.push(q);
            } else {
                *top = (*top).max(sat.position[v] as usize + 1);
            }
        };
        for &q in false_lits {
            mark(self, q, &mut zero, &mut top);
        }
        let mut index = top;
        while index > 0 {
            index -= 1;
            let p = self.trail[index];
            if self.level[p.var().index()] == 0 {
                break;
            }
            if self.seen[p.var().index()] == 0 {
                continue;
            }
            let Some(c) = self.reason_clause(p, ex) else {
                roots.push(p);
                continue;
            };
            if logging {
                let antecedent = self.proof_id(c).expect("every clause is in the proof");
                steps.push(Step {
                    pivot: !p,
                    antecedent,
                });
            }
            for k in 0..self.arena[c as usize] as usize >> super::FLAG_BITS {
                let q = Lit::from_index(self.arena[c as usize + HEAD + k] as usize);
                if q != p {
                    mark(self, q, &mut zero, &mut top);
                }
            }
        }
        if logging {
            self.resolve_zero(&mut steps, &zero);
        }
        for v in self.to_clear.drain(..) {
            self.seen[v.index()] = 0;
        }
        (roots, start.filter(|_| logging).map(|s| (s, steps)))
    }
}
