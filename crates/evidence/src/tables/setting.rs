//! What a search on bounds needs to know of the program, whatever is tracked: where paths meet, and which variables
//! matter there.
//!
//! *Meeting points* are entries, exits, loop heads, joins and calls.

use base::{FxHashMap, FxHashSet, IndexVec};
use logic::Pool;
use program::analysis::call_graph::CallGraph;
use program::analysis::liveness::{Liveness, liveness_before};
use program::analysis::modref::{ModRef, modref};
use program::analysis::reads::VarsOf;
use program::analysis::shape::{Shape, reachable_functions};
use program::{EdgeId, FuncId, LocId, Program, Stmt, VarId};
use std::collections::BTreeSet;

/// What is known of the program, whatever is tracked.
pub(super) struct Setting<'a> {
    pub pool: &'a Pool,
    pub program: &'a Program,
    pub successors: IndexVec<LocId, Vec<EdgeId>>,
    pub effects: ModRef,
    pub callers: IndexVec<FuncId, Vec<FuncId>>,
    pub cells: IndexVec<VarId, Vec<i128>>,
    pub scalar: IndexVec<VarId, bool>,
    /// The meeting points, with the variables that matter there.
    pub points: FxHashMap<LocId, Vec<VarId>>,
}

impl<'a> Setting<'a> {
    pub fn new(
        pool: &'a Pool,
        program: &'a Program,
        cells: IndexVec<VarId, Vec<i128>>,
    ) -> Setting<'a> {
        let is_scalar = |v: &program::Var| v.sort == pool.int_sort() || v.sort == pool.bool_sort();
        let mut setting = Setting {
            pool,
            program,
            successors: program.successors(),
            effects: modref(pool, program),
            callers: CallGraph::of(program).callers,
            cells,
            scalar: program.vars.iter().map(is_scalar).collect(),
            points: FxHashMap::default(),
        };
        setting.find_points();
        setting
    }

    pub fn scalars(&self) -> IndexVec<VarId, bool> {
        self.scalar.clone()
    }

    /// Callers first, so that it is known which globals anybody reads after a function.
    fn find_points(&mut self) {
        let program = self.program;
        let mut vars_of = VarsOf::new(program);
        let globals: FxHashSet<VarId> = program.globals.iter().copied().collect();
        let shapes = reachable_functions(program, &self.successors);
        let mut shapes: FxHashMap<FuncId, Shape> = shapes.into_iter().collect();
        let mut after: FxHashMap<FuncId, BTreeSet<VarId>> = FxHashMap::default();
        for func in callers_first(program) {
            let Some(shape) = shapes.remove(&func) else {
                continue;
            };
            let read_after = match self.calls_back(&shapes, func) {
                true => program.globals.clone(),
                false => after.remove(&func).into_iter().flatten().collect(),
            };
            let live = liveness_before(
                self.pool,
                program,
                func,
                &shape,
                &self.successors,
                &mut vars_of,
                &self.effects,
                &read_after,
            );
            for &loc in &shape.order {
                for &edge in &self.successors[loc] {
                    let edge = &program.edges[edge];
                    let Stmt::Call { callee, .. } = edge.stmt else {
                        continue;
                    };
                    let of_callee = after.entry(callee).or_default();
                    if shapes.contains_key(&callee) {
                        let live = live.at(edge.to).into_iter();
                        of_callee.extend(live.filter(|v| globals.contains(v)));
                    }
                }
            }
            self.points_of(func, &shape, &live, &globals);
        }
    }

    /// Is the function called by one whose turn comes later, or by itself?
    fn calls_back(&self, later: &FxHashMap<FuncId, Shape>, func: FuncId) -> bool {
        let callers = &self.callers[func];
        callers.iter().any(|f| *f == func || later.contains_key(f))
    }

    fn points_of(
        &mut self,
        func: FuncId,
        shape: &Shape,
        live: &Liveness,
        globals: &FxHashSet<VarId>,
    ) {
        let program = self.program;
        let function = &program.functions[func];
        let mut points: BTreeSet<LocId> = shape.loop_heads.iter().copied().collect();
        points.extend([function.entry, function.exit]);
        let mut entered: FxHashSet<LocId> = FxHashSet::default();
        for &loc in &shape.order {
            for &edge in &self.successors[loc] {
                let edge = &program.edges[edge];
                if !entered.insert(edge.to) {
                    points.insert(edge.to);
                }
                if matches!(edge.stmt, Stmt::Call { .. }) {
                    points.insert(loc);
                }
            }
        }
        let (reads, writes) = (&self.effects.reads[func], &self.effects.writes[func]);
        for loc in points {
            let matters = |v: &VarId| {
                let used = writes.contains(v) || (loc != function.exit && reads.contains(v));
                let own = if loc == function.exit {
                    function.returns.contains(v)
                } else if loc == function.entry {
                    // Other locals have any value there.
                    function.params.contains(v)
                } else {
                    !globals.contains(v)
                };
                self.scalar[*v] && (used || own)
            };
            let mut vars = live.at(loc);
            vars.retain(matters);
            self.points.insert(loc, vars);
        }
    }
}

/// The functions that may run, each after those that call it; where there is recursion, after some of them.
fn callers_first(program: &Program) -> Vec<FuncId> {
    let callees = CallGraph::of(program).callees;
    let mut seen: FxHashSet<FuncId> = FxHashSet::default();
    let mut post = Vec::new();
    let mut stack = vec![(program.entry, 0)];
    seen.insert(program.entry);
    while let Some((func, next)) = stack.last_mut() {
        match callees[*func].get(*next) {
            Some(&callee) => {
                *next += 1;
                if seen.insert(callee) {
                    stack.push((callee, 0));
                }
            }
            None => {
                post.push(*func);
                stack.pop();
            }
        }
    }
    post.reverse();
    post
}
