//! The block graph unrolled layer by layer: layer d holds the cut points that d blocks lead to, and one
//! formula stands for all paths to them.
//!
//! *Idea.* Each arc (a block taken from a cut point of layer d) has a selector, each cut point of a layer a
//! reach constant:
//! ```text
//!   selector -> reach of where it comes from,  selector -> formula of the block
//!   reach    -> one of the selectors that lead here
//! ```
//! Where arcs meet, a variable whose versions differ gets a new one that equals the version of the arc
//! selected. So layers grow with the graph, not with the number of paths.
//!
//! Sound because implications go backwards only: a model in which a cut point is reached contains a path of
//! selected arcs to it, and every path is a model. Cut points that cannot be reached are left out of the
//! next layer.
//!
//! Source: Biere, Cimatti, Clarke, Zhu, "Symbolic model checking without BDDs" (TACAS 1999), on large blocks
//! as Beyer, Dangl, Wendler, "A unifying view on SMT-based software verification" (JAR 2018).

use crate::core::path::{Versions, transition};
use crate::prepare::Prepared;
use base::{Budget, FxHashMap, Stop};
use logic::{Pool, Substitution, TermId, Value, eval};
use program::{BlockId, LocId, VarId, primed};
use smt::{Answer, SmtSolver, Unknown};
use std::collections::{BTreeMap, BTreeSet};

/// A cut point of a layer.
#[derive(Clone)]
struct State {
    reach: TermId,
    /// The constant that holds each variable that changed on the way here.
    current: BTreeMap<VarId, TermId>,
}

/// A block taken from a layer to the next.
struct Arc {
    selector: TermId,
    block: BlockId,
}

/// What the newest layer has of errors.
pub enum ErrorLayer {
    None,
    /// A path to an error that the solver found feasible.
    Path(Vec<BlockId>),
    /// The solver did not say.
    Undecided,
}

/// The unrolling to some depth.
pub struct Unrolling<'a> {
    prepared: &'a Prepared,
    solver: Box<dyn SmtSolver>,
    /// The newest layer, errors left out.
    layer: BTreeMap<LocId, State>,
    /// The reach constants of the errors of the newest layer.
    errors: BTreeMap<LocId, TermId>,
    /// The arcs into each cut point, by layer.
    arcs: Vec<BTreeMap<LocId, Vec<Arc>>>,
    fresh: u32,
    pub solver_calls: u64,
}

impl<'a> Unrolling<'a> {
    /// Layer 0: these cut points, in any state.
    pub fn new(
        pool: &mut Pool,
        prepared: &'a Prepared,
        starts: impl IntoIterator<Item = LocId>,
    ) -> Self {
        let mut unrolling = Unrolling {
            prepared,
            solver: prepared.solvers.solver(),
            layer: BTreeMap::new(),
            errors: BTreeMap::new(),
            arcs: Vec::new(),
            fresh: 0,
            solver_calls: 0,
        };
        for loc in starts {
            let state = State {
                reach: unrolling.flag(pool, "start"),
                current: BTreeMap::new(),
            };
            unrolling.layer.insert(loc, state);
        }
        unrolling
    }

    /// How many blocks deep the newest layer is.
    pub fn depth(&self) -> usize {
        self.arcs.len()
    }

    /// Does nothing go on from the newest layer?
    pub fn is_exhausted(&self) -> bool {
        self.layer.is_empty()
    }

    /// Assumes facts over program variables at the cut points of the newest layer.
    pub fn assume(
        &mut self,
        pool: &mut Pool,
        versions: &mut Versions,
        facts: &dyn Fn(LocId) -> Vec<TermId>,
    ) {
        for (&loc, state) in &self.layer {
            for fact in facts(loc) {
                let pairs = self.at_state(pool, versions, state);
                let fact = pool.substitute(fact, &pairs);
                let guarded = pool.implies(state.reach, fact);
                self.solver.assert(pool, guarded);
            }
        }
    }

    /// The program's variables with the constants that hold them.
    fn at_state(
        &self,
        pool: &mut Pool,
        versions: &mut Versions,
        state: &State,
    ) -> Vec<(TermId, TermId)> {
        let vars = self.prepared.program.vars.iter_enumerated();
        let of = |(v, var): (VarId, &program::Var)| {
            let now = match state.current.get(&v) {
                Some(&t) => t,
                None => versions.constant(pool, var.term, 0),
            };
            (var.term, now)
        };
        vars.map(of).collect()
    }

    /// Adds a layer; only blocks to the cut points `wanted` are taken.
    pub fn extend(
        &mut self,
        pool: &mut Pool,
        versions: &mut Versions,
        wanted: &dyn Fn(LocId) -> bool,
    ) {
        let mut incoming: BTreeMap<LocId, Vec<(Arc, State)>> = BTreeMap::new();
        for (loc, state) in std::mem::take(&mut self.layer) {
            for &block in &self.prepared.graph.out[loc] {
                let to = self.prepared.graph.blocks[block].to;
                if wanted(to) {
                    let arc = self.take(pool, versions, &state, block);
                    incoming.entry(to).or_default().push(arc);
                }
            }
        }
        self.errors.clear();
        let mut arcs = BTreeMap::new();
        for (loc, ways) in incoming {
            let is_error = self.prepared.program.locations[loc].error.is_some();
            let state = match is_error {
                true => self.reached(pool, &ways),
                false => self.merge(pool, versions, &ways),
            };
            match is_error {
                true => drop(self.errors.insert(loc, state.reach)),
                false => drop(self.layer.insert(loc, state)),
            }
            arcs.insert(loc, ways.into_iter().map(|(arc, _)| arc).collect());
        }
        self.arcs.push(arcs);
    }

    /// Takes a block from a state: the arc and the state after it.
    fn take(
        &mut self,
        pool: &mut Pool,
        versions: &mut Versions,
        state: &State,
        block: BlockId,
    ) -> (Arc, State) {
        let program = &self.prepared.program;
        let t = transition(&self.prepared.graph, block);
        let mut after = state.clone();
        let mut pairs = Vec::new();
        for &v in &t.reads {
            let base = program.vars[v].term;
            let now = match state.current.get(&v) {
                Some(&now) => now,
                None => versions.constant(pool, base, 0),
            };
            pairs.push((base, now));
        }
        for &v in &t.modified {
            self.fresh += 1;
            let next = versions.constant(pool, program.vars[v].term, self.fresh);
            pairs.push((primed(pool, program, v), next));
            after.current.insert(v, next);
        }
        for &c in &t.internals {
            self.fresh += 1;
            pairs.push((c, versions.constant(pool, c, self.fresh)));
        }
        let formula = Substitution::new(pairs).apply(pool, t.formula);
        let selector = self.flag(pool, "arc");
        for part in [state.reach, formula] {
            let guarded = pool.implies(selector, part);
            self.solver.assert(pool, guarded);
        }
        (Arc { selector, block }, after)
    }

    /// A cut point that one of these arcs leads to; what its variables are is not asked.
    fn reached(&mut self, pool: &mut Pool, ways: &[(Arc, State)]) -> State {
        let reach = self.flag(pool, "reach");
        let selectors: Vec<TermId> = ways.iter().map(|(arc, _)| arc.selector).collect();
        let some = pool.or(&selectors);
        let guarded = pool.implies(reach, some);
        self.solver.assert(pool, guarded);
        State {
            reach,
            current: BTreeMap::new(),
        }
    }

    /// The state where these arcs meet.
    fn merge(&mut self, pool: &mut Pool, versions: &mut Versions, ways: &[(Arc, State)]) -> State {
        let mut state = self.reached(pool, ways);
        let changed: BTreeSet<VarId> = ways
            .iter()
            .flat_map(|(_, s)| s.current.keys().copied())
            .collect();
        for v in changed {
            let base = self.prepared.program.vars[v].term;
            let mut initial = || versions.constant(pool, base, 0);
            let now: Vec<TermId> = ways
                .iter()
                .map(|(_, s)| s.current.get(&v).copied().unwrap_or_else(&mut initial))
                .collect();
            if now.iter().all(|&t| t == now[0]) {
                state.current.insert(v, now[0]);
                continue;
            }
            self.fresh += 1;
            let met = versions.constant(pool, base, self.fresh);
            for ((arc, _), &value) in ways.iter().zip(&now) {
                let same = pool.eq(met, value);
                let guarded = pool.implies(arc.selector, same);
                self.solver.assert(pool, guarded);
            }
            state.current.insert(v, met);
        }
        state
    }

    /// Leaves out what cannot be reached from the newest layer.
    pub fn prune(&mut self, pool: &mut Pool, budget: &Budget) -> Result<(), Stop> {
        let reaches: Vec<(LocId, TermId)> = self.layer.iter().map(|(&l, s)| (l, s.reach)).collect();
        for (loc, reach) in reaches {
            if self.ask(pool, reach, budget)? == Answer::Unsat {
                self.layer.remove(&loc);
            }
        }
        Ok(())
    }

    /// Is an error of the newest layer reached?
    pub fn error(&mut self, pool: &mut Pool, budget: &Budget) -> Result<ErrorLayer, Stop> {
        let mut found = ErrorLayer::None;
        for (loc, reach) in self.errors.clone() {
            match self.ask(pool, reach, budget)? {
                Answer::Sat => return Ok(ErrorLayer::Path(self.path_to(pool, loc))),
                Answer::Unsat => {}
                Answer::Unknown(_) => found = ErrorLayer::Undecided,
            }
        }
        Ok(found)
    }

    fn ask(&mut self, pool: &mut Pool, reach: TermId, budget: &Budget) -> Result<Answer, Stop> {
        self.solver_calls += 1;
        match self.solver.check(pool, &[reach], budget) {
            Answer::Unknown(Unknown::Budget(stop)) => Err(stop),
            answer => Ok(answer),
        }
    }

    /// The selected path to a cut point of the newest layer, by the solver's model.
    fn path_to(&mut self, pool: &mut Pool, mut loc: LocId) -> Vec<BlockId> {
        let model = self.solver.model(pool);
        let mut path = Vec::new();
        for layer in self.arcs.iter().rev() {
            let arcs = layer.get(&loc).map_or(&[][..], Vec::as_slice);
            let selected = |a: &&Arc| eval(pool, &model, a.selector) == Value::Bool(true);
            let Some(arc) = arcs.iter().find(selected) else {
                break;
            };
            path.push(arc.block);
            loc = self.prepared.graph.blocks[arc.block].from;
        }
        path.reverse();
        path
    }

    /// A Boolean constant of the unrolling.
    fn flag(&mut self, pool: &mut Pool, what: &str) -> TermId {
        self.fresh += 1;
        let sort = pool.bool_sort();
        pool.constant(&format!("unrolling.{what}@{}", self.fresh), sort)
    }
}

/// In how many blocks, at most `limit`, errors can be reached from each cut point: the set of distances.
pub fn distances(prepared: &Prepared, limit: usize) -> Vec<BTreeSet<LocId>> {
    let mut layers: Vec<BTreeSet<LocId>> = Vec::with_capacity(limit + 1);
    let errors = prepared.error_blocks().into_iter();
    layers.push(errors.map(|b| prepared.graph.blocks[b].to).collect());
    let mut into: FxHashMap<LocId, Vec<LocId>> = FxHashMap::default();
    for block in prepared.graph.blocks.iter() {
        into.entry(block.to).or_default().push(block.from);
    }
    for _ in 0..limit {
        let last = &layers[layers.len() - 1];
        let before = last.iter().flat_map(|l| into.get(l).into_iter().flatten());
        layers.push(before.copied().collect());
    }
    layers
}
