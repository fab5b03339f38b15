//! Lemmas between the engines of a portfolio: what one has shown to be inductive is a candidate for the others.
//!
//! ```text
//!   impact: guesses, Houdini proves i <= n and 2*s = i*(i-1) ──teach──> "main l7: (<= i n)" …
//!   predabs, later:                    ──learn──> one round of Houdini, and the guesses that are left
//! ```
//! See [`crate::prepare::shared`] for what is kept.

use crate::api::Task;
use crate::core::houdini::Invariants;
use crate::guess::generator::Candidates;
use crate::prepare::Prepared;
use base::FxHashMap;
use logic::TermId;
use logic::smtlib::{parse_term, print_term};
use program::{MOST_ANY, any_name, any_term};

/// What other engines left.
#[derive(Default)]
pub struct Lessons {
    pub facts: Candidates,
    /// How many there are by now, for the next time.
    pub taken: usize,
    /// How many stages of guesses one of them has come to the end of.
    pub guessed: usize,
}

/// The lemmas that others have found after the first so many, as candidates at cut points.
pub fn learn(task: &mut Task<'_>, prepared: &Prepared, after: usize) -> Lessons {
    let Some(shared) = task.options.shared.as_ref().filter(|s| s.has_lemmas()) else {
        return Lessons::default();
    };
    let (texts, taken, guessed) = shared.learn(&prepared.form, after);
    let mut out = Lessons {
        facts: Candidates::new(),
        taken,
        guessed,
    };
    if texts.is_empty() {
        return out;
    }
    let vars = prepared.program.vars.iter();
    let mut by_name: FxHashMap<String, TermId> = vars.map(|v| (v.name.clone(), v.term)).collect();
    by_name.extend((0..MOST_ANY).map(|n| (any_name(n), any_term(task.pool, n))));
    for &loc in &prepared.graph.nodes {
        for text in texts.get(&loc).into_iter().flatten() {
            let lookup = |name: &str| by_name.get(name).copied();
            // Lenient: what cannot be read is no candidate.
            if let Ok(fact) = parse_term(task.pool, text, &lookup)
                && task.pool.sort_of(fact) == task.pool.bool_sort()
            {
                out.facts.entry(loc).or_default().push(fact);
            }
        }
    }
    let count: usize = out.facts.values().map(Vec::len).sum();
    task.stats.add("lemmas of other engines", count as u64);
    out
}

/// Leaves all that is proven for others, after so many stages of guesses.
pub fn teach(task: &Task<'_>, prepared: &Prepared, invariants: &Invariants, guessed: usize) {
    let Some(shared) = task.options.shared.as_ref().filter(|s| s.has_lemmas()) else {
        return;
    };
    let nodes = prepared.graph.nodes.iter();
    let lemmas = nodes.flat_map(|&loc| {
        let facts = invariants.at(loc).iter();
        facts.map(move |&fact| (loc, fact))
    });
    let lemmas = lemmas
        .map(|(loc, fact)| (loc, print_term(task.pool, fact)))
        .collect();
    shared.teach(&prepared.form, lemmas, guessed);
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::api::EngineOptions;
    use crate::core::block_solver::BlockSolver;
    use crate::core::tests::with_program;
    use crate::prepare::shared::Shared;
    use crate::presolve::offer;
    use base::Budget;
    use logic::Pool;
    use program::LocId;

    const COUNTER: &str = "entry main
global x: Int
fn main() {
  error bad
  entry start
  start -> head: x := 0
  head -> body: assume (< x 10)
  body -> head: x := (+ x 2)
  head -> after: assume (>= x 10)
  after -> bad: assume (< x 0)
  after -> exit: skip
}
";

    fn head(prepared: &Prepared) -> LocId {
        *prepared.graph.loop_heads.first().unwrap()
    }

    /// What a second engine has proven, with nothing but what the first one left.
    fn passed_on(lemmas: bool, fact: &str) -> (usize, usize) {
        let options = EngineOptions {
            shared: Some(Shared::new(&Pool::new(), 0, lemmas)),
            ..EngineOptions::default()
        };
        let budget = Budget::unlimited();
        with_program(COUNTER, &options, &budget, |task, prepared| {
            let mut solver = BlockSolver::new(&prepared.program, &prepared.graph);
            let mut invariants = Invariants::new(&task.options.limits);
            let x = prepared.program.vars.iter().next().unwrap().term;
            let term = parse_term(task.pool, fact, &|_| Some(x)).unwrap();
            let facts = Candidates::from([(head(prepared), vec![term])]);
            offer(task, prepared, &mut solver, &mut invariants, facts).unwrap();
            teach(task, prepared, &invariants, 3);
        });
        let mut end = (0, 0);
        with_program(COUNTER, &options, &budget, |task, prepared| {
            // Another engine has made other terms by now.
            task.pool.fresh_constant("other", task.pool.int_sort());
            let mut solver = BlockSolver::new(&prepared.program, &prepared.graph);
            let mut invariants = Invariants::new(&task.options.limits);
            let lessons = learn(task, prepared, 0);
            assert!(learn(task, prepared, lessons.taken).facts.is_empty());
            offer(task, prepared, &mut solver, &mut invariants, lessons.facts).unwrap();
            end = (lessons.guessed, invariants.at(head(prepared)).len());
        });
        end
    }

    #[test]
    fn what_one_engine_has_proven_another_proves_at_once() {
        assert_eq!(passed_on(true, "(>= x 0)"), (3, 1));
        assert_eq!(passed_on(true, "(>= x 5)"), (3, 0), "not proven");
        assert_eq!(passed_on(false, "(>= x 0)"), (0, 0), "switched off");
    }
}
