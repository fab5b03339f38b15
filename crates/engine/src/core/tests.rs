//! The shared parts of refinement on small programs: block solver, refutation of paths, unwinding, driver.
#![allow(clippy::unwrap_used)]

use crate::api::{EngineOptions, Progress, Stats, Task};
use crate::core::block_solver::BlockSolver;
use crate::core::cegar::{self, Cegar, Refinement};
use crate::core::exploration::Exploration;
use crate::core::refute::{Interpolation, Refutation};
use crate::core::tree::NodeId;
use crate::core::unwinding::Unwinding;
use crate::prepare::modular::{self, Constants};
use crate::prepare::{Base, Prepared, prepare, resolve_memory};
use base::{Budget, Id, Stop, Work};
use evidence::{Proof, Reason, Verdict};
use logic::{Pool, TermId};
use program::{BlockId, LocId};
use std::collections::BTreeMap;
use std::sync::atomic::Ordering;

/// `x = input(); while (x < 10) x = x + 2; assert(!LIMIT)`
const LOOP: &str = "entry main
global x: Int
fn main() {
  error bad
  entry start
  start -> head: havoc x
  head -> body: assume (< x 10)
  body -> head: x := (+ x 2)
  head -> after: assume (>= x 10)
  after -> bad: assume LIMIT
  after -> exit: skip
}
";

/// Hands a prepared program to `look`, with the options given.
pub(crate) fn with_program(
    text: &str,
    options: &EngineOptions,
    budget: &Budget,
    look: impl FnOnce(&mut Task<'_>, &Prepared),
) -> Stats {
    let mut pool = Pool::new();
    let program = program::text::parse(&mut pool, text).unwrap();
    let mut stats = Stats::default();
    let mut task = Task {
        pool: &mut pool,
        program: &program,
        options,
        budget: &Budget::unlimited(),
        stats: &mut stats,
        progress: &mut |_| {},
    };
    let prepared = prepare(&mut task).unwrap();
    look(&mut Task { budget, ..task }, &prepared);
    stats
}

/// Long passes look at the budget, each time they are asked for.
#[test]
fn preparation_ends_with_the_budget() {
    let text = LOOP.replace("LIMIT", "(< x 0)");
    let mut pool = Pool::new();
    let program = program::text::parse(&mut pool, &text).unwrap();
    let budget = Budget::unlimited();
    let cancel = budget.cancel_flag();
    let options = EngineOptions::default();
    let mut stats = Stats::default();
    let mut task = Task {
        pool: &mut pool,
        program: &program,
        options: &options,
        budget: &budget,
        stats: &mut stats,
        progress: &mut |_| {},
    };
    let base = Base::of(&mut task).unwrap();
    assert!(base.prepared(&mut task, true).is_ok());
    cancel.store(true, Ordering::Relaxed);
    let stopped = |r: Option<Reason>| matches!(r, Some(Reason::OutOfBudget(Stop::Cancelled)));
    assert!(stopped(base.prepared(&mut task, true).err()));
    assert!(stopped(Base::of(&mut task).err()));
    assert!(stopped(
        modular::prepare(&mut task, Constants::Folded).err()
    ));
    let resolved = resolve_memory(task.pool, &program, 2, &budget);
    assert_eq!(resolved.err(), Some(Stop::Cancelled));
}

fn alone() -> EngineOptions {
    EngineOptions {
        aids: false,
        ..EngineOptions::default()
    }
}

/// The loop's block, and the blocks from the entry to the error without an iteration.
fn blocks(prepared: &Prepared) -> (BlockId, Vec<BlockId>) {
    let graph = &prepared.graph;
    let is_iteration = |b: &BlockId| graph.blocks[*b].from == graph.blocks[*b].to;
    let iteration = graph.blocks.ids().find(is_iteration).unwrap();
    let enter = graph.out[prepared.entry()][0];
    (iteration, vec![enter, prepared.error_blocks()[0]])
}

#[test]
fn the_block_solver_decides_triples() {
    let text = LOOP.replace("LIMIT", "(< x 0)");
    let budget = Budget::unlimited();
    with_program(&text, &alone(), &budget, |task, prepared| {
        let (iteration, path) = blocks(prepared);
        let mut solver = BlockSolver::new(&prepared.program, &prepared.graph);
        let int = task.pool.int_sort();
        let x = task.pool.constant("x", int);
        let zero = task.pool.int(0);
        let (positive, negative) = (task.pool.le(zero, x), task.pool.lt(x, zero));
        let mut holds = |pool: &mut Pool, pre: &[TermId], post| {
            let triple = solver.triple(pool, pre, iteration, post, &budget);
            triple.unwrap().holds()
        };
        assert!(holds(task.pool, &[positive], positive));
        assert!(!holds(task.pool, &[negative], negative), "-1 becomes 1");
        assert!(!holds(task.pool, &[], positive));
        assert_eq!(
            solver.failing(
                task.pool,
                &[positive],
                iteration,
                &[positive, negative],
                &budget
            ),
            Ok(vec![negative])
        );
        // The error needs a negative number that is at least ten.
        assert_eq!(solver.feasible(task.pool, &[], path[1], &budget), Ok(false));
    });
}

#[test]
fn a_path_is_refuted_by_facts_along_it_or_feasible() {
    for (limit, refuted) in [("(< x 0)", true), ("(= x 10)", false)] {
        let text = LOOP.replace("LIMIT", limit);
        let (options, budget) = (alone(), Budget::unlimited());
        with_program(&text, &options, &budget, |task, prepared| {
            let (_, path) = blocks(prepared);
            let mut run = Cegar::new(task, prepared);
            let known = run.known_before(&path);
            let found = run.refute_path(&path, &known, &Interpolation::default());
            match found.unwrap() {
                Refutation::Facts(facts) => {
                    assert!(refuted, "{limit}");
                    assert_eq!(facts.len(), path.len() + 1);
                    let pool = &mut *run.task.pool;
                    assert_eq!((facts[0], facts[2]), (pool.tt(), pool.ff()));
                    let triple =
                        run.block_solver
                            .triple(pool, &facts[1..2], path[1], facts[2], &budget);
                    assert!(
                        triple.unwrap().holds(),
                        "facts are inductive along the path"
                    );
                }
                Refutation::Feasible(_) => assert!(!refuted, "{limit}"),
                Refutation::Unexplained(why) => panic!("{why}"),
            }
        });
    }
}

#[test]
fn a_stronger_coverer_loses_what_it_covers() {
    let mut pool = Pool::new();
    let int = pool.int_sort();
    let (x, zero) = (pool.constant("x", int), pool.int(0));
    let positive = pool.le(zero, x);
    let (head, block) = (LocId::from_index(1), BlockId::from_index(0));
    let mut tree = Unwinding::from_root(2, LocId::from_index(0));
    let old = tree.add_child(tree.root(), block, head);
    let new = tree.add_child(old, block, head);
    assert!(
        tree.may_cover(new, old) && !tree.may_cover(old, new),
        "the coverer is older"
    );
    let root = tree.root();
    tree.nodes[root].expanded = true;
    tree.nodes[old].expanded = true;
    assert_eq!(tree.cover(new, old), Vec::<NodeId>::new());
    assert!(tree.open_leaves().is_empty());
    let changed = tree.strengthen(&pool, old, positive);
    assert_eq!(changed.uncovered, [new]);
    assert_eq!(tree.open_leaves(), [new]);
}

/// An abstraction that needs some steps, each a refinement.
struct Countdown<'a, 't> {
    run: Cegar<'a, 't>,
    left: u64,
}

impl<'a, 't> Refinement<'a, 't> for Countdown<'a, 't> {
    fn cegar(&mut self) -> &mut Cegar<'a, 't> {
        &mut self.run
    }

    fn advance(&mut self) -> Result<Option<Exploration>, Stop> {
        self.run.refinements += 1;
        self.left -= 1;
        Ok((self.left == 0).then_some(Exploration::Stuck("the end".into())))
    }

    fn proof(&mut self) -> Proof {
        self.run.prepared.proof(self.run.task.pool, BTreeMap::new())
    }

    fn progress(&mut self) -> Progress {
        Progress::default()
    }
}

#[test]
fn the_driver_refines_to_the_end_or_the_budget() {
    let text = LOOP.replace("LIMIT", "(< x 0)");
    let (options, budget) = (alone(), Budget::unlimited());
    with_program(&text, &options, &budget, |task, prepared| {
        let run = Cegar::new(task, prepared);
        let mut search = Countdown { run, left: 5 };
        let verdict = cegar::run(&mut search);
        assert!(matches!(
            verdict,
            Verdict::Unknown(Reason::NoProgress { .. })
        ));
        assert_eq!(search.run.refinements, 5);
    });
    let little = Budget::unlimited().with_slice(Work::ticks(3));
    with_program(&text, &options, &little, |task, prepared| {
        let run = Cegar::new(task, prepared);
        let verdict = cegar::run(&mut Countdown { run, left: 50 });
        assert!(matches!(
            verdict,
            Verdict::Unknown(Reason::OutOfBudget(Stop::Work))
        ));
    });
}

/// The error is a few iterations away: only a deeper search between refinements finds it.
#[test]
fn limits_say_when_errors_are_searched_again() {
    let text = LOOP.replace("LIMIT", "(= x 11)");
    let mut options = EngineOptions {
        random_runs: false,
        ..EngineOptions::default()
    };
    options.limits.presolve.bmc_calls = 0;
    options.limits.guess.text_facts = 0;
    for (first_bmc, found) in [(2, true), (1_000, false)] {
        options.limits.cegar.first_bmc = first_bmc;
        with_program(&text, &options, &Budget::unlimited(), |task, prepared| {
            let run = Cegar::new(task, prepared);
            let end = cegar::refine(&mut Countdown { run, left: 8 });
            assert_eq!(matches!(end, Ok(Exploration::Error(_))), found);
        });
    }
}
