//! Lemmas between the engines of a portfolio: what one has shown to be inductive is a candidate for the others.
//!
//! ```text
//!   impact: guesses, Houdini proves i <= n and 2*s = i*(i-1) ──teach──> "main l7: (<= i n)" …
//!   predabs, later:                    ──learn──> one round of Houdini, and no guesses
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
    /// Has one of them asked all generators of candidates?
    pub guessed: bool,
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

/// Leaves all that is proven for others. `guessed`: all generators were asked.
pub fn teach(task: &Task<'_>, prepared: &Prepared, invariants: &Invariants, guessed: bool) {
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
