//! The justification tree: instances of function bodies, linked by calls (IDAGCOND).
//!
//! One solver holds the formulas of all instances. A call that is not expanded is *blocked* (not made:
//! an under-approximation) if it is too deep, else *open*: it does anything that is not known to be
//! impossible (SPECCOND). A model without open calls is an error; one with open calls says which are
//! worth expanding, so functions that do not matter are never looked into. The *depth* of a call is
//! how often functions are entered again on the way to it: calls of other functions cost nothing.
//!
//! Functions with exact summaries are expanded together with their callers and belong to the same part
//! of a refutation.

mod check;
mod execution;
mod interpolants;

pub use check::Unfolding;

use crate::core::path::Versions;
use crate::summaries::bodies::{Bodies, CallSite};
use crate::summaries::contracts::Facts;
use base::{Budget, FxHashMap, Id, IndexVec, new_id};
use logic::{Pool, Substitution, TermId};
use program::{FuncId, Stmt};
use smt::{Answer, SmtSolver, Solvers};

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
    formula: TermId,
    /// Known facts about its calls.
    known: Vec<TermId>,
    depth: usize,
    /// Expanded with its caller.
    inlined: bool,
}

/// A call that is not expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frontier {
    pub instance: InstanceId,
    pub call: usize,
    pub callee: FuncId,
    /// The constant that says that the call is made.
    pub made: TermId,
    pub depth: usize,
}

/// The tree under construction.
pub struct Tree<'b> {
    pub bodies: &'b Bodies,
    solvers: Solvers,
    /// Holds the formulas of the instances, the facts known at calls, and the goal.
    solver: Box<dyn SmtSolver>,
    versions: Versions,
    pub instances: IndexVec<InstanceId, Instance>,
    renamings: IndexVec<InstanceId, Substitution>,
    frontier: Vec<Frontier>,
    /// The calls of functions without exact summaries, expanded or not.
    calls: Vec<Frontier>,
    goal: TermId,
    /// How often the solver was asked.
    pub checks: u64,
    /// Functions whose instances are expanded with their callers.
    exact: IndexVec<FuncId, bool>,
    /// What is proven of each function.
    proven: IndexVec<FuncId, Vec<TermId>>,
}

impl<'b> Tree<'b> {
    /// The tree of one instance of `root`; `goal` speaks of its returns.
    pub fn new(
        pool: &mut Pool,
        bodies: &'b Bodies,
        root: FuncId,
        goal: TermId,
        exact: IndexVec<FuncId, bool>,
        solvers: &Solvers,
    ) -> Self {
        let mut tree = Tree {
            bodies,
            solvers: solvers.clone(),
            solver: solvers.solver(),
            versions: Versions::default(),
            instances: IndexVec::new(),
            renamings: IndexVec::new(),
            frontier: Vec::new(),
            calls: Vec::new(),
            goal,
            checks: 0,
            proven: IndexVec::filled(Vec::new(), exact.len()),
            exact,
        };
        tree.add(pool, root, None, 0);
        tree.expand_exact(pool);
        tree.goal = tree.root_goal(pool, goal);
        tree.solver.assert(pool, tree.goal);
        tree
    }

    pub fn root(&self) -> InstanceId {
        InstanceId::from_index(0)
    }

    /// The error, as the root's own constants say it.
    pub fn goal(&self) -> TermId {
        self.goal
    }

    pub fn solvers(&self) -> &Solvers {
        &self.solvers
    }

    /// Link and body of an instance.
    pub fn formula(&self, instance: InstanceId) -> TermId {
        self.instances[instance].formula
    }

    /// The terms of a function's parameters.
    pub fn params(&self, func: FuncId) -> Vec<TermId> {
        let program = &self.bodies.program;
        let params = program.functions[func].params.iter();
        params.map(|&p| program.vars[p].term).collect()
    }

    /// The calls of an instance that are not expanded, in a topological order of its body.
    pub fn calls_in_order(&self, pool: &Pool, instance: InstanceId) -> Vec<Frontier> {
        let func = self.instances[instance].func;
        let edges = self.bodies.transition(func).map_or(&[][..], |t| &t.edges);
        let position = |f: &Frontier| {
            let made = self.call(instance, f.call).made;
            let makes = |stmt: &Stmt| matches!(stmt, Stmt::Assign(p) if p.first().is_some_and(|(v, e)| *v == made && *e == pool.tt()));
            edges
                .iter()
                .position(|&e| makes(&self.bodies.program.edges[e].stmt))
        };
        let mut calls = self.open_calls(instance);
        calls.sort_by_key(position);
        calls
    }

    /// Is a formula satisfiable by itself?
    pub fn is_satisfiable(&self, pool: &mut Pool, formula: TermId, budget: &Budget) -> Answer {
        let mut solver = self.solvers.solver();
        solver.assert(pool, formula);
        solver.check(pool, &[], budget)
    }

    fn call(&self, instance: InstanceId, call: usize) -> &'b CallSite {
        &self.bodies.bodies[self.instances[instance].func].calls[call]
    }

    /// A term of the body of an instance's function, in the instance's own constants.
    fn rename(&mut self, pool: &mut Pool, instance: InstanceId, term: TermId) -> TermId {
        self.renamings[instance].apply(pool, term)
    }

    /// Takes over what is proven of the functions, at calls that are not expanded.
    pub fn assume(&mut self, pool: &mut Pool, proven: &IndexVec<FuncId, Facts>) {
        let mut new: IndexVec<FuncId, Vec<TermId>> = IndexVec::filled(Vec::new(), proven.len());
        for f in proven.ids().filter(|&f| !self.exact[f]) {
            for &fact in proven[f].guards.iter().chain(&proven[f].summaries) {
                if !self.proven[f].contains(&fact) {
                    self.proven[f].push(fact);
                    new[f].push(fact);
                }
            }
        }
        for at in self.frontier.clone() {
            self.know(pool, at, &new[at.callee]);
        }
    }

    /// Adds facts about the callee at a call. Sound because all calls of the tree are made by
    /// executions of the program, for which guards hold too.
    fn know(&mut self, pool: &mut Pool, at: Frontier, facts: &[TermId]) {
        if facts.is_empty() {
            return;
        }
        let pairs = self.ghosts(pool, at.instance, at.call);
        let mut here = Substitution::new(pairs);
        for &fact in facts {
            let fact = here.apply(pool, fact);
            let claim = pool.implies(at.made, fact);
            self.solver.assert(pool, claim);
            self.instances[at.instance].known.push(claim);
        }
    }

    /// Expands a call of the frontier.
    pub fn expand(&mut self, pool: &mut Pool, at: Frontier) -> InstanceId {
        self.frontier.retain(|f| *f != at);
        let child = self.instantiate(pool, at);
        self.expand_exact(pool);
        child
    }

    fn instantiate(&mut self, pool: &mut Pool, at: Frontier) -> InstanceId {
        let child = self.add(pool, at.callee, Some((at.instance, at.call)), at.depth);
        self.instances[at.instance].children[at.call] = Some(child);
        child
    }

    /// Expands all calls of functions with exact summaries. These have no recursion.
    fn expand_exact(&mut self, pool: &mut Pool) {
        loop {
            let (now, later) = std::mem::take(&mut self.frontier)
                .into_iter()
                .partition(|f| self.exact[f.callee]);
            let now: Vec<Frontier> = now;
            self.frontier = later;
            if now.is_empty() {
                return;
            }
            for at in now {
                let child = self.instantiate(pool, at);
                self.instances[child].inlined = true;
            }
        }
    }

    /// The calls of an instance that are not expanded.
    pub fn open_calls(&self, instance: InstanceId) -> Vec<Frontier> {
        let open = self.frontier.iter().copied();
        open.filter(|f| f.instance == instance).collect()
    }

    /// How many instances of the same function lie directly above.
    pub fn streak(&self, instance: InstanceId) -> usize {
        let func = self.instances[instance].func;
        let mut above = self.instances[instance].parent;
        let mut count = 0;
        while let Some((caller, _)) = above
            && self.instances[caller].func == func
        {
            count += 1;
            above = self.instances[caller].parent;
        }
        count
    }

    /// Is the function that a call would enter on the way to it already?
    fn enters_again(&self, instance: InstanceId, callee: FuncId) -> bool {
        let mut at = Some(instance);
        while let Some(id) = at {
            if self.instances[id].func == callee {
                return true;
            }
            at = self.instances[id].parent.map(|(p, _)| p);
        }
        false
    }

    fn add(
        &mut self,
        pool: &mut Pool,
        func: FuncId,
        parent: Option<(InstanceId, usize)>,
        depth: usize,
    ) -> InstanceId {
        let id = self.instances.next_id();
        // The interface is the ghosts of the call themselves; all else is renamed apart.
        let mut interface = match parent {
            None => FxHashMap::default(),
            Some((caller, call)) => self.interface(pool, caller, call),
        };
        let constants = self.bodies.constants(pool, func);
        let pairs: Vec<(TermId, TermId)> = constants
            .into_iter()
            .map(|c| {
                let own = || self.versions.constant(pool, c, id.index() as u32);
                (c, interface.remove(&c).unwrap_or_else(own))
            })
            .collect();
        self.renamings.push(Substitution::new(pairs));
        let body = match self.bodies.transition(func) {
            Some(t) => self.renamings[id].apply(pool, t.formula),
            None => pool.ff(),
        };
        let formula = match parent {
            None => body,
            Some((caller, call)) => {
                let made = self.made(pool, caller, call);
                pool.implies(made, body)
            }
        };
        self.solver.assert(pool, formula);
        let calls = self.bodies.bodies[func].calls.len();
        self.instances.push(Instance {
            func,
            parent,
            children: vec![None; calls],
            formula,
            known: Vec::new(),
            depth,
            inlined: false,
        });
        for call in 0..calls {
            let callee = self.call(id, call).callee;
            let at = Frontier {
                instance: id,
                call,
                callee,
                made: self.made(pool, id, call),
                depth: depth + usize::from(self.enters_again(id, callee)),
            };
            self.frontier.push(at);
            if !self.exact[callee] {
                self.calls.push(at);
            }
            let facts = self.proven[callee].clone();
            self.know(pool, at, &facts);
        }
        id
    }

    /// The flag of an instance that it makes the call.
    fn made(&mut self, pool: &mut Pool, instance: InstanceId, call: usize) -> TermId {
        let site = self.call(instance, call);
        let func = self.instances[instance].func;
        let made = self.bodies.at_exit(pool, func, site.made);
        self.rename(pool, instance, made)
    }

    /// The callee's interface constants (parameters at entry, returns at exit, in the body's own
    /// naming) and the caller instance's ghosts for them.
    fn interface(
        &mut self,
        pool: &mut Pool,
        caller: InstanceId,
        call: usize,
    ) -> FxHashMap<TermId, TermId> {
        let site = self.call(caller, call);
        let func = self.instances[caller].func;
        let program = &self.bodies.program;
        let callee = &program.functions[site.callee];
        let mut out = FxHashMap::default();
        for (&p, &g) in callee.params.iter().zip(&site.args) {
            let ghost = self.bodies.at_exit(pool, func, g);
            let ghost = self.rename(pool, caller, ghost);
            out.insert(program.vars[p].term, ghost);
        }
        for (&r, &g) in callee.returns.iter().zip(&site.results) {
            let inside = self.bodies.at_exit(pool, site.callee, r);
            let ghost = self.bodies.at_exit(pool, func, g);
            let ghost = self.rename(pool, caller, ghost);
            out.insert(inside, ghost);
        }
        out
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

    /// The callee's parameters and returns, and the ghosts of a call that hold them.
    pub fn ghosts(
        &mut self,
        pool: &mut Pool,
        caller: InstanceId,
        call: usize,
    ) -> Vec<(TermId, TermId)> {
        let site = self.call(caller, call);
        let program = &self.bodies.program;
        let callee = &program.functions[site.callee];
        let func = self.instances[caller].func;
        let vars = callee
            .params
            .iter()
            .chain(callee.returns.iter().take(site.results.len()));
        let ghosts = site.args.iter().chain(&site.results);
        vars.zip(ghosts)
            .map(|(&v, &g)| {
                let ghost = self.bodies.at_exit(pool, func, g);
                (program.vars[v].term, self.rename(pool, caller, ghost))
            })
            .collect()
    }
}
