//! The driver on small graphs, against all subsets of the candidates.
#![allow(clippy::unwrap_used)]

use super::{Facts, Houdini, Obligations};
use crate::limits::HoudiniLimits;
use base::{Budget, Stop};
use logic::{Pool, TermId};
use proptest::prelude::*;
use std::collections::BTreeMap;

/// States of a place, as bits.
type States = u8;
const STATES: usize = 4;

/// A graph whose steps are relations between four states; a fact is a set of states.
#[derive(Clone, Debug)]
struct Toy {
    places: usize,
    steps: Vec<Step>,
    /// Place and states of each fact.
    facts: Vec<(usize, States)>,
}

#[derive(Clone, Debug)]
struct Step {
    /// Nothing is assumed of the entry.
    from: Option<usize>,
    to: usize,
    /// The states after each state before.
    relation: [States; STATES],
}

impl Step {
    fn after(&self, before: States) -> States {
        let states = (0..STATES).filter(|s| before & (1 << s) != 0);
        states.fold(0, |all, s| all | self.relation[s])
    }
}

impl Toy {
    /// Is the set of facts (by index) inductive? The states that it allows at a place are those that all
    /// its facts there allow.
    fn is_inductive(&self, set: u32) -> bool {
        let allowed = |place: usize| {
            let facts = self.facts.iter().enumerate();
            let own = facts.filter(|(i, f)| f.0 == place && set & (1 << i) != 0);
            own.fold(States::MAX, |all, (_, f)| all & f.1)
        };
        self.steps.iter().all(|step| {
            let before = step.from.map_or(States::MAX, allowed);
            step.after(before) & !allowed(step.to) == 0
        })
    }
}

/// The toy as obligations; facts are constants of the pool.
struct Checks<'a> {
    toy: &'a Toy,
    terms: &'a BTreeMap<TermId, States>,
    made: usize,
    /// Checks after which there is no more time.
    most: usize,
}

impl Obligations for Checks<'_> {
    type Place = usize;
    type Id = usize;

    fn places(&self) -> Vec<usize> {
        (0..self.toy.places).collect()
    }

    fn all(&self) -> Vec<usize> {
        (0..self.toy.steps.len()).collect()
    }

    fn assumes(&self, step: usize) -> Vec<usize> {
        self.toy.steps[step].from.into_iter().collect()
    }

    fn refuted(
        &mut self,
        _: &mut Pool,
        step: usize,
        facts: &Facts<'_, usize>,
        _: &Budget,
    ) -> Result<Vec<(usize, TermId)>, Stop> {
        self.made += 1;
        if self.made > self.most {
            return Err(Stop::Time);
        }
        let step = &self.toy.steps[step];
        let assumed = step.from.map(|p| facts.assumed(p)).unwrap_or_default();
        let before = assumed.iter().fold(States::MAX, |s, f| s & self.terms[f]);
        let after = step.after(before);
        let goals = facts.goals(step.to).iter();
        let refuted = goals.filter(|g| after & !self.terms[g] != 0);
        Ok(refuted.map(|&g| (step.to, g)).collect())
    }

    fn sample_refutes(&mut self, _: &Pool, _: usize, fact: TermId) -> bool {
        self.terms[&fact] == 0
    }
}

fn toys() -> impl Strategy<Value = Toy> {
    (1usize..4).prop_flat_map(|places| {
        let step = (
            proptest::option::weighted(0.8, 0..places),
            0..places,
            proptest::array::uniform4(0u8..16),
        );
        let step = step.prop_map(|(from, to, relation)| Step { from, to, relation });
        let fact = (0..places, prop_oneof![1u8..15, Just(7), Just(11)]);
        (
            proptest::collection::vec(step, 0..6),
            proptest::collection::vec(fact, 0..8),
        )
            .prop_map(move |(steps, facts)| Toy {
                places,
                steps,
                facts,
            })
    })
}

/// A pool with one constant a fact, in order.
fn terms(toy: &Toy) -> (Pool, Vec<TermId>) {
    let mut pool = Pool::new();
    let sort = pool.bool_sort();
    let names = (0..toy.facts.len()).map(|i| format!("fact{i}"));
    let terms = names.map(|n| pool.constant(&n, sort)).collect();
    (pool, terms)
}

/// Offers the facts in groups of `group`, with an attempt after each; the facts proven, as bits.
fn proven(toy: &Toy, group: usize, most: usize) -> (u32, Result<(), Stop>) {
    let (mut pool, terms) = terms(toy);
    let states = terms.iter().copied().zip(toy.facts.iter().map(|f| f.1));
    let states: BTreeMap<TermId, States> = states.collect();
    let mut checks = Checks {
        toy,
        terms: &states,
        made: 0,
        most,
    };
    let mut houdini = Houdini::default();
    let budget = Budget::unlimited();
    let mut end = Ok(());
    let all: Vec<(usize, TermId)> = toy.facts.iter().map(|f| f.0).zip(terms.clone()).collect();
    for some in all.chunks(group) {
        for &(place, fact) in some {
            houdini.offer(&pool, place, fact);
        }
        end = end.and(houdini.prove(&mut pool, &mut checks, &budget).map(|_| ()));
    }
    let is_proven = |i: &usize| houdini.at(toy.facts[*i].0).contains(&terms[*i]);
    let set = (0..terms.len()).filter(is_proven);
    (set.fold(0, |all, i| all | 1 << i), end)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn the_result_is_the_largest_inductive_subset(toy in toys(), group in 1usize..9) {
        let sets = 0u32..1 << toy.facts.len();
        let largest = sets.filter(|&s| toy.is_inductive(s)).fold(0, |all, s| all | s);
        // The union of inductive sets is one: each is preserved under more assumptions.
        prop_assert!(toy.is_inductive(largest));
        let (all_at_once, end) = proven(&toy, toy.facts.len().max(1), usize::MAX);
        prop_assert!(end.is_ok());
        prop_assert_eq!(all_at_once, largest);
        // Facts that come later may support the ones that failed.
        let (in_groups, _) = proven(&toy, group, usize::MAX);
        prop_assert_eq!(in_groups, largest);
    }

    #[test]
    fn running_out_leaves_an_inductive_set(toy in toys(), most in 0usize..6) {
        let (set, _) = proven(&toy, 3, most);
        prop_assert!(toy.is_inductive(set));
    }
}

/// A line `entry -> 0 -> 1 -> … -> n` whose steps change nothing, offered from the far end.
fn line(places: usize) -> Toy {
    let same = [1, 2, 4, 8];
    let steps = (0..places).rev().map(|to| Step {
        from: to.checked_sub(1),
        to,
        relation: same,
    });
    Toy {
        places,
        steps: steps.collect(),
        facts: (0..places).map(|p| (p, 3)).collect(),
    }
}

#[test]
fn only_checks_that_assume_lost_facts_are_made_again() {
    let toy = line(6);
    let (pool, terms) = terms(&toy);
    let mut pool = pool;
    let states: BTreeMap<TermId, States> = terms.iter().map(|&t| (t, 3)).collect();
    let mut checks = Checks {
        toy: &toy,
        terms: &states,
        made: 0,
        most: usize::MAX,
    };
    let mut houdini = Houdini::default();
    for (place, &fact) in terms.iter().enumerate() {
        assert!(houdini.offer(&pool, place, fact));
        assert!(!houdini.offer(&pool, place, fact), "it is known");
    }
    let new = houdini.prove(&mut pool, &mut checks, &Budget::unlimited());
    assert!(!new.unwrap(), "the entry allows every state");
    assert_eq!(houdini.count(), 0);
    // One sweep in which only the step from the entry loses its fact, then one check a place.
    assert_eq!(checks.made, 6 + 5);
}

#[test]
fn samples_and_trivial_facts_never_become_candidates() {
    let toy = line(1);
    let (mut pool, terms) = terms(&toy);
    let none: BTreeMap<TermId, States> = terms.iter().map(|&t| (t, 0)).collect();
    let mut checks = Checks {
        toy: &toy,
        terms: &none,
        made: 0,
        most: usize::MAX,
    };
    let mut houdini = Houdini::default();
    assert!(!houdini.offer_sampled(&pool, &mut checks, 0, terms[0]));
    let tt = pool.tt();
    assert!(!houdini.offer(&pool, 0, tt));
    // The oldest of too many candidates go.
    let sort = pool.bool_sort();
    for i in 0..HoudiniLimits::default().candidates + 3 {
        let fact = pool.constant(&format!("c{i}"), sort);
        assert!(houdini.offer(&pool, 0, fact));
    }
    assert_eq!(houdini.open[&0].len(), HoudiniLimits::default().candidates);
    let oldest = pool.constant("c0", sort);
    assert!(houdini.offer(&pool, 0, oldest), "it was forgotten");
}
