//! Bounded data by plain execution: all states at loop heads, as far as they are numbers.
//!
//! Idea: a program over three list nodes or a ten by ten matrix needs no invariant; every address in it is a
//! number. So run it with what is known: variables and array cells hold numbers or nothing is known of
//! them, a branch that is not decided goes both ways. If that ends without an error, the states met at a loop
//! head, one or the other, are an invariant:
//!
//! ```text
//!   (p = 4096 && next[4104] = 8192) || (p = 8192 && next[8200] = 0) || p = 0
//! ```
//! Of the cells only those are named that some step reads. States are kept by what is live.
//!
//! Source: explicit-value analysis (Beyer and Löwe), without refinement. The states are candidates like
//! any others: Houdini and the checker decide.

use crate::guess::affine::Region;
use crate::guess::generator::{Candidates, Generator, Scene, Stage};
use crate::guess::heap::live_variables;
use crate::limits::ValueLimits;
use base::{Budget, FxHashMap, FxHashSet, Stop};
use logic::{Op, Pool, Rational, Sort, TermId};
use program::analysis::liveness::Liveness;
use program::{EdgeId, LocId, Program, Stmt, VarId};
use std::collections::BTreeMap;
use std::rc::Rc;

/// A fact for each loop head: one of its states holds. Nothing if the states are too many or an error
/// cannot be excluded.
pub struct ValueAnalysis;

impl Generator for ValueAnalysis {
    fn name(&self) -> &'static str {
        "candidates: states"
    }

    fn stage(&self) -> Stage {
        Stage::States
    }

    fn candidates(&self, scene: &mut Scene<'_, '_>) -> Result<Candidates, Stop> {
        if scene.region.heads.is_empty() {
            return Ok(Candidates::new());
        }
        let mut run = Run::new(scene.pool, scene.region, &scene.limits.values);
        let ended = run.explore(scene.pool, scene.budget)?;
        let facts = ended.and_then(|()| run.facts(scene.pool));
        Ok(facts.unwrap_or_default())
    }
}

/// An array of which some cells are known.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct ArrayValue {
    /// What the other cells hold, if it is known.
    rest: Option<TermId>,
    /// `None`: not known.
    entries: BTreeMap<Rational, Option<TermId>>,
}

/// What is known of a term: a number or truth value, or the cells of an array.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Known {
    Term(TermId),
    Array(Rc<ArrayValue>),
}

/// What is known of variables; the others hold anything.
type State = BTreeMap<VarId, Known>;

struct Run<'a> {
    limits: &'a ValueLimits,
    program: &'a Program,
    successors: base::IndexVec<LocId, Vec<EdgeId>>,
    heads: FxHashSet<LocId>,
    /// Locations where ways meet.
    joins: FxHashSet<LocId>,
    live: Liveness,
    var_of: FxHashMap<TermId, VarId>,
    seen: FxHashMap<LocId, Vec<Rc<State>>>,
    /// The same, to look up.
    met: FxHashSet<(LocId, Rc<State>)>,
    work: Vec<(LocId, State)>,
    /// Cells that were read.
    read: FxHashSet<(VarId, Rational)>,
    entry: LocId,
    steps: usize,
}

impl<'a> Run<'a> {
    fn new(pool: &Pool, region: &'a Region<'a>, limits: &'a ValueLimits) -> Self {
        let program = region.program;
        let mut ways: FxHashMap<LocId, usize> = FxHashMap::default();
        for edge in program.edges.iter() {
            *ways.entry(edge.to).or_default() += 1;
        }
        let joins = ways.into_iter().filter(|(_, n)| *n > 1).map(|(l, _)| l);
        let vars = program.vars.iter_enumerated();
        let known = vars.filter(|(_, v)| pool.as_constant(v.term).is_some());
        Run {
            limits,
            program,
            successors: program.successors(),
            heads: region.heads.iter().copied().collect(),
            joins: joins.collect(),
            live: live_variables(pool, region),
            var_of: known.map(|(id, v)| (v.term, id)).collect(),
            seen: FxHashMap::default(),
            met: FxHashSet::default(),
            work: vec![(region.entry, State::new())],
            read: FxHashSet::default(),
            entry: region.entry,
            steps: 0,
        }
    }

    /// Follows all ways; `None` if an error may be reached or the states are too many.
    fn explore(&mut self, pool: &mut Pool, budget: &Budget) -> Result<Option<()>, Stop> {
        while let Some((loc, mut state)) = self.work.pop() {
            budget.spend(1)?;
            if self.program.locations[loc].error.is_some() {
                return Ok(None);
            }
            if self.heads.contains(&loc) || self.joins.contains(&loc) {
                state.retain(|&v, _| self.live.is_live(loc, v));
                let kept = Rc::new(state.clone());
                if !self.met.insert((loc, Rc::clone(&kept))) {
                    continue;
                }
                let known = self.seen.entry(loc).or_default();
                if known.len() >= self.limits.states {
                    return Ok(None);
                }
                known.push(kept);
            }
            for edge in self.successors[loc].clone() {
                // A step copies the state.
                self.steps += 1 + state.len() / 256;
                let Some(next) = self.step(pool, edge, &state) else {
                    return Ok(None);
                };
                if self.steps > self.limits.steps {
                    return Ok(None);
                }
                if let Some(next) = next {
                    self.work.push((self.program.edges[edge].to, next));
                }
            }
        }
        Ok(Some(()))
    }

    /// The state after an edge; `Some(None)` if it cannot be taken, `None` if nobody can go on.
    fn step(&mut self, pool: &mut Pool, edge: EdgeId, state: &State) -> Option<Option<State>> {
        let program = self.program;
        let mut next = state.clone();
        match &program.edges[edge].stmt {
            Stmt::Skip => {}
            Stmt::Call { .. } => return None,
            Stmt::Havoc(vars, _) => {
                for v in vars {
                    next.remove(v);
                }
            }
            Stmt::Assume(condition) => {
                match self.value(pool, state, *condition) {
                    Some(Known::Term(t)) if t == pool.ff() => return Some(None),
                    _ => {}
                }
                self.learn(pool, &mut next, *condition);
            }
            Stmt::Assign(pairs) => {
                for &(var, value) in pairs {
                    let value = self.value(pool, state, value);
                    let number = match &value {
                        Some(Known::Term(t)) => pool.as_number(*t),
                        _ => None,
                    };
                    // An assignment that would leave the range cannot be taken.
                    if let (Some((low, high)), Some(n)) = (&program.vars[var].range, number)
                        && (n < low || n > high)
                    {
                        return Some(None);
                    }
                    match value {
                        Some(Known::Array(cells)) if cells.entries.len() > self.limits.cells => {
                            return None;
                        }
                        Some(value) => next.insert(var, value),
                        None => next.remove(&var),
                    };
                }
            }
        }
        Some(Some(next))
    }

    /// Equations of a condition with a variable on one side.
    fn learn(&self, pool: &Pool, state: &mut State, condition: TermId) {
        for part in pool.conjuncts(condition) {
            if pool.op(part) != Op::Eq {
                continue;
            }
            let [a, b] = *pool.args(part) else { continue };
            for (variable, number) in [(a, b), (b, a)] {
                if let Some(&var) = self.var_of.get(&variable)
                    && pool.as_number(number).is_some()
                {
                    state.insert(var, Known::Term(number));
                }
            }
        }
    }

    /// What is known of a term in a state.
    fn value(&mut self, pool: &mut Pool, state: &State, term: TermId) -> Option<Known> {
        if let Some(var) = self.var_of.get(&term) {
            return state.get(var).cloned();
        }
        let mut known: FxHashMap<TermId, Option<Known>> = FxHashMap::default();
        for t in pool.post_order(&[term]) {
            let value = match self.var_of.get(&t) {
                Some(var) => state.get(var).cloned(),
                None => self.operation(pool, &known, t),
            };
            known.insert(t, value);
        }
        known.remove(&term).flatten()
    }

    fn operation(
        &mut self,
        pool: &mut Pool,
        known: &FxHashMap<TermId, Option<Known>>,
        t: TermId,
    ) -> Option<Known> {
        let args: Vec<TermId> = pool.args(t).to_vec();
        let plain = |a: TermId| match known.get(&a) {
            Some(Some(Known::Term(v))) => Some(*v),
            _ => None,
        };
        let array = |a: TermId| match known.get(&a) {
            Some(Some(Known::Array(cells))) => Some(Rc::clone(cells)),
            _ => None,
        };
        match pool.op(t) {
            Op::ConstArray => Some(Known::Array(Rc::new(ArrayValue {
                rest: plain(args[0]),
                entries: BTreeMap::new(),
            }))),
            Op::Select => {
                let index = pool.as_number(plain(args[1])?)?.clone();
                if let Some(var) = self.root(pool, args[0]) {
                    self.read.insert((var, index.clone()));
                }
                let cells = array(args[0])?;
                let entry = cells.entries.get(&index).copied();
                Some(Known::Term(entry.unwrap_or(cells.rest)?))
            }
            Op::Store => {
                let index = pool.as_number(plain(args[1])?)?.clone();
                let mut cells = match array(args[0]) {
                    Some(cells) => (*cells).clone(),
                    None => ArrayValue {
                        rest: None,
                        entries: BTreeMap::new(),
                    },
                };
                cells.entries.insert(index, plain(args[2]));
                Some(Known::Array(Rc::new(cells)))
            }
            Op::And => junction(pool, &args, &plain, pool.ff()),
            Op::Or => junction(pool, &args, &plain, pool.tt()),
            Op::Ite => {
                let condition = plain(args[0]);
                let taken = |a: TermId| known.get(&a).cloned().flatten();
                match condition {
                    Some(c) if c == pool.tt() => taken(args[1]),
                    Some(_) => taken(args[2]),
                    None if taken(args[1]) == taken(args[2]) => taken(args[1]),
                    None => None,
                }
            }
            Op::Eq if matches!(pool.sort_kind(pool.sort_of(args[0])), Sort::Array(..)) => None,
            _ => {
                let values: Vec<TermId> = args.iter().map(|&a| plain(a)).collect::<Option<_>>()?;
                let result = match values == args {
                    true => t,
                    false => pool.rebuild(t, &values),
                };
                let number = pool.as_number(result).is_some();
                let truth = result == pool.tt() || result == pool.ff();
                (number || truth).then_some(Known::Term(result))
            }
        }
    }

    /// The array variable below stores.
    fn root(&self, pool: &Pool, mut array: TermId) -> Option<VarId> {
        while pool.op(array) == Op::Store {
            array = pool.args(array)[0];
        }
        self.var_of.get(&array).copied()
    }

    /// One of the states, at each loop head.
    fn facts(&self, pool: &mut Pool) -> Option<Candidates> {
        let mut cells: BTreeMap<VarId, Vec<&Rational>> = BTreeMap::new();
        for (var, index) in &self.read {
            cells.entry(*var).or_default().push(index);
        }
        cells.values_mut().for_each(|list| list.sort());
        let mut out = Candidates::new();
        let mut equations = 0;
        let mut heads: Vec<LocId> = self.heads.iter().copied().collect();
        heads.sort_unstable();
        for head in heads {
            if head == self.entry {
                continue;
            }
            let mut states = Vec::new();
            for state in self.seen.get(&head).into_iter().flatten() {
                let parts = self.equations(pool, state, &cells);
                equations += parts.len();
                if equations > self.limits.equations {
                    return None;
                }
                let state = pool.and(&parts);
                states.push(state);
            }
            out.insert(head, vec![pool.or(&states)]);
        }
        Some(out)
    }

    fn equations(
        &self,
        pool: &mut Pool,
        state: &State,
        cells: &BTreeMap<VarId, Vec<&Rational>>,
    ) -> Vec<TermId> {
        let mut parts = Vec::new();
        for (&var, value) in state {
            let term = self.program.vars[var].term;
            match value {
                Known::Term(t) => parts.push(pool.eq(term, *t)),
                Known::Array(array) => {
                    for &index in cells.get(&var).into_iter().flatten() {
                        let entry = array.entries.get(index).copied();
                        let Some(value) = entry.unwrap_or(array.rest) else {
                            continue;
                        };
                        let index = pool.num(index.clone(), pool.int_sort());
                        let read = pool.select(term, index);
                        parts.push(pool.eq(read, value));
                    }
                }
            }
        }
        parts
    }
}

/// `absorbing` as soon as one argument is; its opposite if all are known.
fn junction(
    pool: &Pool,
    args: &[TermId],
    plain: &dyn Fn(TermId) -> Option<TermId>,
    absorbing: TermId,
) -> Option<Known> {
    let values: Vec<Option<TermId>> = args.iter().map(|&a| plain(a)).collect();
    if values.contains(&Some(absorbing)) {
        return Some(Known::Term(absorbing));
    }
    let other = match absorbing == pool.tt() {
        true => pool.ff(),
        false => pool.tt(),
    };
    values
        .iter()
        .all(Option::is_some)
        .then_some(Known::Term(other))
}
