//! The justification tree: instances of function bodies, linked by calls (IDAGCOND).

use crate::modular::bodies::{Bodies, CallSite};
use crate::path::Versions;
use logic::{
    Budget, FxHashMap, Id, IndexVec, Model, Pool, Stop, Substitution, TermId, Value, eval, new_id,
};
use program::FuncId;
use smt::interpolate::{self, Outcome};
use smt::{Answer, Solvers, Unknown};

new_id!(
    /// An instance of a function in the justification tree.
    pub InstanceId, "i");

/// One call of a function.
pub struct Instance {
    pub func: FuncId,
    /// The caller's instance and which of its calls this is.
    pub parent: Option<(InstanceId, usize)>,
    /// The instance of each call of the body, if it is expanded.
    pub children: Vec<Option<InstanceId>>,
    /// Link and body: what the call being made implies.
    pub formula: TermId,
}

/// A call that is not expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frontier {
    pub instance: InstanceId,
    pub call: usize,
    /// Says that the call is not made.
    pub blocked: TermId,
}

/// What an unfolding shows.
pub enum Unfolding {
    /// An error, described by the model.
    Error(Model),
    /// None; the refutation rests on these calls not being made.
    NoError(Vec<Frontier>),
    Unknown,
}

/// The tree under construction.
pub struct Tree<'b> {
    pub bodies: &'b Bodies,
    solvers: Solvers,
    versions: Versions,
    pub instances: IndexVec<InstanceId, Instance>,
    renamings: IndexVec<InstanceId, Substitution>,
}

impl<'b> Tree<'b> {
    /// The tree of one instance of `root`, nothing expanded.
    pub fn new(pool: &mut Pool, bodies: &'b Bodies, root: FuncId) -> Self {
        let mut tree = Tree {
            bodies,
            solvers: Solvers::native(),
            versions: Versions::default(),
            instances: IndexVec::new(),
            renamings: IndexVec::new(),
        };
        tree.add(pool, root, None);
        tree
    }

    /// Has these solvers decide and interpolate, instead of native ones.
    pub fn using(mut self, solvers: &Solvers) -> Self {
        self.solvers = solvers.clone();
        self
    }

    pub fn root(&self) -> InstanceId {
        InstanceId::from_index(0)
    }

    fn call(&self, instance: InstanceId, call: usize) -> &'b CallSite {
        &self.bodies.bodies[self.instances[instance].func].calls[call]
    }

    /// A term of the body of an instance's function, in the instance's own constants.
    pub fn rename(&mut self, pool: &mut Pool, instance: InstanceId, term: TermId) -> TermId {
        self.renamings[instance].apply(pool, term)
    }

    /// Expands a call of the frontier.
    pub fn expand(&mut self, pool: &mut Pool, at: Frontier) -> InstanceId {
        let callee = self.call(at.instance, at.call).callee;
        let child = self.add(pool, callee, Some((at.instance, at.call)));
        self.instances[at.instance].children[at.call] = Some(child);
        child
    }

    fn add(
        &mut self,
        pool: &mut Pool,
        func: FuncId,
        parent: Option<(InstanceId, usize)>,
    ) -> InstanceId {
        let id = self.instances.next_id();
        let constants = self.bodies.constants(pool, func);
        let pairs: Vec<(TermId, TermId)> = constants
            .into_iter()
            .map(|c| (c, self.versions.constant(pool, c, id.index() as u32)))
            .collect();
        self.renamings.push(Substitution::new(pairs));
        let body = match self.bodies.transition(func) {
            Some(t) => self.renamings[id].apply(pool, t.formula),
            None => pool.ff(),
        };
        let formula = match parent {
            None => body,
            Some((caller, call)) => {
                let mut parts = vec![body];
                for (inside, outside) in self.interface(pool, caller, call) {
                    let inside = self.renamings[id].apply(pool, inside);
                    parts.push(pool.eq(inside, outside));
                }
                let made = self.made(pool, caller, call);
                let linked = pool.and(&parts);
                pool.implies(made, linked)
            }
        };
        let children = vec![None; self.bodies.bodies[func].calls.len()];
        self.instances.push(Instance {
            func,
            parent,
            children,
            formula,
        })
    }

    /// The flag of an instance that it makes the call.
    pub fn made(&mut self, pool: &mut Pool, instance: InstanceId, call: usize) -> TermId {
        let site = self.call(instance, call);
        let func = self.instances[instance].func;
        let made = self.bodies.at_exit(pool, func, site.made);
        self.rename(pool, instance, made)
    }

    /// Pairs of the callee's interface constants (parameters at entry, returns at exit, in the
    /// body's own naming) and the caller instance's ghosts for them.
    fn interface(
        &mut self,
        pool: &mut Pool,
        caller: InstanceId,
        call: usize,
    ) -> Vec<(TermId, TermId)> {
        let site = self.call(caller, call);
        let func = self.instances[caller].func;
        let program = &self.bodies.program;
        let callee = &program.functions[site.callee];
        let mut out = Vec::new();
        for (&p, &g) in callee.params.iter().zip(&site.args) {
            let ghost = self.bodies.at_exit(pool, func, g);
            out.push((
                program.vars[p].term,
                self.renamings[caller].apply(pool, ghost),
            ));
        }
        for (&r, &g) in callee.returns.iter().zip(&site.results) {
            let inside = self.bodies.at_exit(pool, site.callee, r);
            let ghost = self.bodies.at_exit(pool, func, g);
            out.push((inside, self.renamings[caller].apply(pool, ghost)));
        }
        out
    }

    /// The calls that are not expanded, oldest instance first.
    pub fn frontier(&mut self, pool: &mut Pool) -> Vec<Frontier> {
        let mut out = Vec::new();
        for id in self.instances.ids() {
            for call in 0..self.instances[id].children.len() {
                if self.instances[id].children[call].is_none() {
                    let made = self.made(pool, id, call);
                    out.push(Frontier {
                        instance: id,
                        call,
                        blocked: pool.not(made),
                    });
                }
            }
        }
        out
    }

    /// Is the goal (over the root's returns at exit) reachable with the frontier's calls not made?
    pub fn check(
        &mut self,
        pool: &mut Pool,
        goal: TermId,
        budget: &Budget,
    ) -> Result<Unfolding, Stop> {
        let frontier = self.frontier(pool);
        let mut solver = self.solvers.solver();
        for instance in self.instances.iter() {
            solver.assert(pool, instance.formula);
        }
        let goal = self.root_goal(pool, goal);
        solver.assert(pool, goal);
        let blocked: Vec<TermId> = frontier.iter().map(|f| f.blocked).collect();
        Ok(match solver.check(pool, &blocked, budget) {
            Answer::Sat => Unfolding::Error(solver.model(pool)),
            Answer::Unsat => {
                let core = solver.core();
                let needed = frontier
                    .into_iter()
                    .filter(|f| core.contains(&f.blocked))
                    .collect();
                Unfolding::NoError(needed)
            }
            Answer::Unknown(Unknown::Budget(stop)) => return Err(stop),
            Answer::Unknown(Unknown::Incomplete(_)) => Unfolding::Unknown,
        })
    }

    fn root_goal(&mut self, pool: &mut Pool, goal: TermId) -> TermId {
        let root = self.root();
        let func = self.instances[root].func;
        let returns = &self.bodies.program.functions[func].returns;
        let pairs: Vec<(TermId, TermId)> = returns
            .iter()
            .map(|&r| {
                (
                    self.bodies.program.vars[r].term,
                    self.bodies.at_exit(pool, func, r),
                )
            })
            .collect();
        let at_exit = pool.substitute(goal, &pairs);
        self.rename(pool, root, at_exit)
    }

    /// Tree interpolants of a refuted unfolding, one for each instance but the root: what the
    /// subtree of the instance, with the needed frontier blocked, implies about its call.
    pub fn interpolants(
        &mut self,
        pool: &mut Pool,
        goal: TermId,
        needed: &[Frontier],
        options: &interpolate::Options,
        budget: &Budget,
    ) -> Result<Result<Vec<(InstanceId, TermId)>, String>, Stop> {
        let n = self.instances.len();
        let mut parts: Vec<TermId> = self.instances.iter().map(|i| i.formula).collect();
        for f in needed {
            let at = f.instance.index();
            parts[at] = pool.and2(parts[at], f.blocked);
        }
        let goal = self.root_goal(pool, goal);
        parts[0] = pool.and2(parts[0], goal);
        // Children were made after their parents: in reverse order the root is last.
        parts.reverse();
        let parent: Vec<usize> = self
            .instances
            .iter()
            .rev()
            .enumerate()
            .map(|(at, i)| i.parent.map_or(at, |(p, _)| n - 1 - p.index()))
            .collect();
        let outcome = self.solvers.tree(pool, &parts, &parent, options, budget);
        budget.check()?;
        Ok(match outcome {
            Outcome::Interpolants(interpolants) => Ok(interpolants
                .into_iter()
                .enumerate()
                .map(|(at, t)| (InstanceId::from_index(n - 1 - at), t))
                .collect()),
            Outcome::Sat(_) => Err("the unfolding has a model after all".into()),
            Outcome::Unknown(why) => Err(why),
        })
    }

    /// An interpolant of the subtree of `instance`, as a summary: over the terms of the callee's
    /// parameters and returns.
    pub fn summary(
        &mut self,
        pool: &mut Pool,
        instance: InstanceId,
        interpolant: TermId,
    ) -> Option<TermId> {
        let (caller, call) = self.instances[instance].parent?;
        let site = self.call(caller, call);
        let program = &self.bodies.program;
        let callee = &program.functions[site.callee];
        let func = self.instances[caller].func;
        let mut pairs = vec![(self.made(pool, caller, call), pool.tt())];
        let ghosts = site.args.iter().chain(&site.results);
        let vars = callee
            .params
            .iter()
            .chain(callee.returns.iter().take(site.results.len()));
        for (&g, &v) in ghosts.zip(vars) {
            let ghost = self.bodies.at_exit(pool, func, g);
            pairs.push((self.rename(pool, caller, ghost), program.vars[v].term));
        }
        Some(pool.substitute(interpolant, &pairs))
    }

    /// The execution that a model of the whole tree describes, as steps of the ghost program with
    /// calls expanded in place.
    pub fn execution(&mut self, pool: &mut Pool, model: &Model) -> Option<Vec<evidence::Step>> {
        let mut steps = Vec::new();
        self.unfold(pool, model, self.root(), &mut steps)?;
        Some(steps)
    }

    /// Depth is bounded by the depth of the tree, which the engine grows step by step.
    fn unfold(
        &mut self,
        pool: &mut Pool,
        model: &Model,
        instance: InstanceId,
        steps: &mut Vec<evidence::Step>,
    ) -> Option<()> {
        let func = self.instances[instance].func;
        let block = self.bodies.bodies[func].block?;
        let constants = self.bodies.constants(pool, func);
        let mut values: FxHashMap<TermId, Value> = FxHashMap::default();
        for c in constants {
            let renamed = self.rename(pool, instance, c);
            values.insert(c, eval(pool, model, renamed));
        }
        let t = self.bodies.transition(func)?;
        // The formula has no other constants, so the default is never asked for.
        let lookup = |c: TermId| values.get(&c).cloned().unwrap_or(Value::Bool(false));
        let block = &self.bodies.graph.blocks[block];
        let path = block.concrete_path(pool, &self.bodies.program, t, &lookup)?;
        for (edge, havocs) in path {
            let origin = self.bodies.edge_origin[edge];
            let call = self.bodies.bodies[func]
                .calls
                .iter()
                .position(|c| Some(c.edge) == origin);
            steps.push(evidence::Step { edge, havocs });
            if let Some(call) = call {
                let child = self.instances[instance].children[call]?;
                self.unfold(pool, model, child, steps)?;
            }
        }
        Some(())
    }
}
