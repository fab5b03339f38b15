//! Small inputs for an error: zero where a value does not matter, else the least that does; shorter runs
//! first. Each candidate is replayed by the checker as any counterexample is and counts only if it reaches
//! the same error in no more steps.

use base::{Budget, Work};
use evidence::{Checked, Counterexample, Verdict};
use logic::{Pool, Rational, Value};
use program::{Program, Stmt};

/// Longer executions are left as they are.
const LONGEST: usize = 20_000;
/// The work of all replays: about 50 milliseconds.
const WORK: Work = Work::thousand(50);
/// Ticks of one replay, and more a step: a smaller input may lead into a run without an end.
const ATTEMPT: u64 = 500;
const TICKS_A_STEP: u64 = 4;
/// Inputs that are left out for a try at most.
const MOST: usize = 200;
/// How often all inputs are tried again after one of them became smaller.
const ROUNDS: usize = 3;

/// An input in a counterexample: step and place in it.
type Position = (usize, usize);

struct Search<'a> {
    pool: &'a mut Pool,
    program: &'a Program,
    /// A slice for all replays: a smaller input may lead into a long run.
    budget: Budget,
    best: Checked<Verdict>,
}

/// The verdict, with smaller inputs if it is `unsafe`.
pub fn minimized(
    verdict: Checked<Verdict>,
    pool: &mut Pool,
    program: &Program,
    budget: &Budget,
) -> Checked<Verdict> {
    let steps = verdict.record().trace.as_ref().map_or(0, |t| t.steps.len());
    let Verdict::Unsafe(found) = verdict.get() else {
        return verdict;
    };
    let places = positions(program, found);
    if places.is_empty() || steps == 0 || steps > LONGEST {
        return verdict;
    }
    let mut search = Search {
        pool,
        program,
        budget: budget.clone().with_slice(WORK),
        best: verdict,
    };
    search.tails(&places);
    search.without(places.len());
    let places = positions(program, &search.current());
    for _ in 0..ROUNDS {
        // With other values the run may be shorter, and then others are too large.
        if !search.one_by_one(&places) {
            break;
        }
    }
    search.best
}

/// The integer inputs that the outside chooses; patterns of floats have no least value.
fn positions(program: &Program, found: &Counterexample) -> Vec<Position> {
    let mut out = Vec::new();
    for (i, step) in found.steps.iter().enumerate() {
        let edge = program.edges.get(step.edge).map(|e| &e.stmt);
        let Some(Stmt::Havoc(_, kind)) = edge else {
            continue;
        };
        let name = kind.source().unwrap_or("");
        if name.is_empty() || name.ends_with("float") || name.ends_with("double") {
            continue;
        }
        for (j, value) in step.havocs.iter().enumerate() {
            if matches!(value, Value::Num(n) if n.is_integer()) {
                out.push((i, j));
            }
        }
    }
    out
}

impl Search<'_> {
    fn current(&self) -> Counterexample {
        match self.best.get() {
            Verdict::Unsafe(found) => found.clone(),
            _ => unreachable!("only errors are made smaller"),
        }
    }

    /// Keeps the candidate if it reaches the same error in no more steps.
    fn attempt(&mut self, candidate: Counterexample) -> bool {
        if self.budget.check().is_err() {
            return false;
        }
        let claim = Verdict::Unsafe(candidate);
        let work = ATTEMPT.saturating_add(self.steps().saturating_mul(TICKS_A_STEP));
        let work = Work::ticks(work);
        let (program, budget) = (self.program, &self.budget.clone().with_slice(work));
        let pool = &mut *self.pool;
        let checked = super::judge::caught("the checker", || {
            evidence::check(pool, program, claim, budget)
        });
        let Ok(checked) = checked else { return false };
        let end = |v: &Checked<Verdict>| {
            let trace = v.record().trace.as_ref()?;
            Some((trace.error, trace.step_count))
        };
        let smaller = match (checked.get(), end(&checked), end(&self.best)) {
            (Verdict::Unsafe(_), Some(new), Some(old)) => new.0 == old.0 && new.1 <= old.1,
            _ => false,
        };
        if smaller {
            self.best = checked;
        }
        smaller
    }

    /// Zeros from some input on; a loop over inputs ends there.
    fn tails(&mut self, places: &[Position]) {
        let (mut low, mut high) = (0, places.len());
        while low < high {
            let middle = (low + high) / 2;
            let mut candidate = self.current();
            for &(i, j) in &places[middle..] {
                candidate.steps[i].havocs[j] = Value::Num(Rational::ZERO);
            }
            match self.attempt(candidate) {
                true => high = middle,
                false => low = middle + 1,
            }
        }
    }

    /// Leaves inputs out, the others move up: a run that does something twice does it once.
    fn without(&mut self, count: usize) {
        let mut at = 0;
        for _ in 0..count.min(MOST) {
            let mut candidate = self.current();
            let places = positions(self.program, &candidate);
            let Some(&(i, _)) = places.get(at) else {
                return;
            };
            candidate.steps.remove(i);
            let before = self.steps();
            if !(self.attempt(candidate) && self.steps() < before) {
                at += 1;
            }
        }
    }

    fn steps(&self) -> u64 {
        let trace = self.best.record().trace.as_ref();
        trace.map_or(0, |t| t.step_count as u64)
    }

    /// Each input for itself: zero, one, then the least between what is too small and what is enough. Says whether
    /// there was one.
    fn one_by_one(&mut self, places: &[Position]) -> bool {
        let mut any = false;
        for &(i, j) in places {
            let value = |found: &Counterexample| match found.steps.get(i)?.havocs.get(j)? {
                Value::Num(n) => n.to_i64(),
                _ => None,
            };
            let try_value = |search: &mut Self, n: i64| {
                let mut candidate = search.current();
                candidate.steps[i].havocs[j] = Value::Num(Rational::from(n));
                search.attempt(candidate)
            };
            let Some(mut n) = value(&self.current()).filter(|n| *n != 0) else {
                continue;
            };
            if try_value(self, 0) || (n != 1 && try_value(self, 1)) {
                any = true;
                continue;
            }
            // The same without its sign, where that is enough.
            if n < -1 && n != i64::MIN && try_value(self, -n) {
                (any, n) = (true, -n);
            }
            let mut small = n.signum();
            while n.abs_diff(small) > 1 {
                let middle = small + (n - small) / 2;
                match try_value(self, middle) {
                    true => (any, n) = (true, middle),
                    false => small = middle,
                }
            }
        }
        any
    }
}
