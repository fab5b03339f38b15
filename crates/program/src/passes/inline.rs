//! Inlining: the program as one function without calls, for the engines that want it so.
//!
//! Each call gets its own copy of the callee. A call edge becomes
//! ```text
//!   from --havoc inputs--> . --params := args--> entry' ... exit' --results := returns--> to
//! ```
//! where the inputs are those locals and returns of the callee that may be read before they are
//! written (an uninitialised local has a new arbitrary value at each call). The first of these
//! edges has the call as its origin and, if it is the havoc, its values in the order of
//! [`crate::analysis::liveness::uninitialised`]; the others have none.
//!
//! Invariants. Deterministic: the same program gives the same copies with the same names in the
//! same pool, so a checker can run it again. Variables of the original keep their ids (copies come
//! after them); locations and edges are numbered anew. Error locations of callees stay errors.
//!
//! A program with recursion can be inlined but for the calls that go back ([`inline_but_recursion`]).

#[cfg(test)]
mod tests;

use super::WayBack;
use super::back_translation::{Home, Leg, Place, Whence};
use crate::analysis::liveness::uninitialised;
use crate::analysis::shape::reachable_functions;
use crate::{Edge, EdgeId, FuncId, Function, InputKind, LocId, Location, Program, Span, Stmt};
use crate::{Var, VarId, VarKind};
use base::{FxHashMap, FxHashSet, Id, IndexVec};
use logic::{Pool, Substitution, TermId};
use std::collections::{BTreeSet, VecDeque};
use std::fmt;

/// Edges beyond which inlining refuses.
pub const SIZE_LIMIT: u64 = 400_000;

/// A program without calls, and the way back.
#[derive(Clone, Debug)]
pub struct Inlined {
    pub program: Program,
    /// For a formula the way back ends here as a rule: it keeps what speaks of one copy of a
    /// function and of globals, which is less than a proof needs.
    pub back: WayBack,
    /// Which copy of a function a variable belongs to; `None` for variables of the original.
    pub var_instance: IndexVec<VarId, Option<InstanceId>>,
    /// Which copy a location belongs to.
    pub loc_instance: IndexVec<LocId, InstanceId>,
    pub instances: IndexVec<InstanceId, Instance>,
}

base::new_id!(
    /// A copy of a function.
    pub InstanceId, "i");

/// A copy of a function in the inlined program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instance {
    pub func: FuncId,
    /// The copy that calls it, and the original call edge; `None` for the entry function.
    pub caller: Option<(InstanceId, EdgeId)>,
}

impl Inlined {
    /// Formulas about locations of the original program, at every copy of their location and over
    /// the variables of that copy.
    pub fn at_copies(&self, pool: &mut Pool, facts: &[(LocId, TermId)]) -> Vec<(LocId, TermId)> {
        if facts.is_empty() {
            return Vec::new();
        }
        let mut renamings: IndexVec<InstanceId, Vec<(TermId, TermId)>> =
            IndexVec::filled(Vec::new(), self.instances.len());
        for (id, var) in self.program.vars.iter_enumerated() {
            if let Some(instance) = self.var_instance[id] {
                let original = self.back.var(id).expect("copies know their variable");
                renamings[instance].push((self.program.vars[original].term, var.term));
            }
        }
        let mut out = Vec::new();
        for loc in self.program.locations.ids() {
            let origin = self.back.location(loc);
            for &(_, fact) in facts.iter().filter(|(l, _)| Some(*l) == origin) {
                let renaming = &renamings[self.loc_instance[loc]];
                let copy = Substitution::new(renaming.iter().copied()).apply(pool, fact);
                out.push((loc, copy));
            }
        }
        out
    }
}

/// Why a program cannot be inlined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The functions of a cycle of calls, in order.
    Recursion(Vec<String>),
    /// The inlined program would have this many edges.
    TooLarge { edges: u64, limit: u64 },
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Recursion(names) => write!(f, "recursion: {}", names.join(" calls ")),
            Refusal::TooLarge { edges, limit } => {
                write!(f, "inlining makes {edges} edges, more than {limit}")
            }
        }
    }
}

/// Inlines all calls, within [`SIZE_LIMIT`].
pub fn inline(pool: &mut Pool, program: &Program) -> Result<Inlined, Refusal> {
    inline_within(pool, program, SIZE_LIMIT)
}

/// Inlines all calls if that makes at most `limit` edges.
pub fn inline_within(pool: &mut Pool, program: &Program, limit: u64) -> Result<Inlined, Refusal> {
    let bodies = bodies(program);
    within(inlined_size(program, &bodies)?, limit)?;
    let mut copier = Copier::new(pool, program, &bodies, None);
    copier.run(limit)?;
    Ok(copier.finish())
}

/// Inlines all calls but those that lead back to a function that is being executed: these remain calls, of functions in which
/// other calls are inlined too. Within [`SIZE_LIMIT`]; refuses programs whose entry is called.
pub fn inline_but_recursion(pool: &mut Pool, program: &Program) -> Result<Inlined, Refusal> {
    let bodies = bodies(program);
    let kept = called_back(program, &bodies);
    if kept.contains(&program.entry) {
        let name = program.functions[program.entry].name.clone();
        return Err(Refusal::Recursion(vec![name.clone(), name]));
    }
    let mut copier = Copier::new(pool, program, &bodies, None);
    copier.kept = kept;
    copier.run(SIZE_LIMIT)?;
    Ok(copier.finish())
}

/// The functions that a walk over the calls, depth first, meets again while it is in them, in order of id.
fn called_back(program: &Program, bodies: &FxHashMap<FuncId, Body>) -> Vec<FuncId> {
    let mut met: FxHashSet<FuncId> = FxHashSet::default();
    let mut out = BTreeSet::new();
    let mut stack = vec![(program.entry, callees(program, bodies, program.entry), 0)];
    met.insert(program.entry);
    while let Some((_, called, next)) = stack.last_mut() {
        let Some(&callee) = called.get(*next) else {
            stack.pop();
            continue;
        };
        *next += 1;
        if stack.iter().any(|(f, ..)| *f == callee) {
            out.insert(callee);
        } else if met.insert(callee) {
            stack.push((callee, callees(program, bodies, callee), 0));
        }
    }
    out.into_iter().collect()
}

/// The functions that one calls, in the order of its edges.
fn callees(program: &Program, bodies: &FxHashMap<FuncId, Body>, func: FuncId) -> Vec<FuncId> {
    let called = bodies[&func].edges.iter();
    called
        .filter_map(|e| match program.edges[*e].stmt {
            Stmt::Call { callee, .. } => Some(callee),
            _ => None,
        })
        .collect()
}

/// Inlines calls of one function nested at most `depth` deep, within [`SIZE_LIMIT`]; a deeper call ends the
/// execution. The result has fewer executions than a recursive program: what is found in it is real, what is
/// not found says nothing beyond the depth.
pub fn inline_to_depth(pool: &mut Pool, program: &Program, depth: u64) -> Result<Inlined, Refusal> {
    let bodies = bodies(program);
    let mut copier = Copier::new(pool, program, &bodies, Some(depth));
    copier.run(SIZE_LIMIT)?;
    Ok(copier.finish())
}

/// How many edges [`inline`] makes, without making them, or why it refuses.
pub fn size(program: &Program) -> Result<u64, Refusal> {
    size_within(program, SIZE_LIMIT)
}

/// How many edges [`inline_within`] makes, without making them, or why it refuses.
pub fn size_within(program: &Program, limit: u64) -> Result<u64, Refusal> {
    within(inlined_size(program, &bodies(program))?, limit)
}

fn within(edges: u64, limit: u64) -> Result<u64, Refusal> {
    match edges > limit {
        true => Err(Refusal::TooLarge { edges, limit }),
        false => Ok(edges),
    }
}

/// What of each function can be reached.
fn bodies(program: &Program) -> FxHashMap<FuncId, Body> {
    let successors = program.successors();
    let mut bodies: FxHashMap<FuncId, Body> = FxHashMap::default();
    for (func, shape) in reachable_functions(program, &successors) {
        let mut locs = shape.order.clone();
        if !shape.is_reachable(program.functions[func].exit) {
            locs.push(program.functions[func].exit);
        }
        locs.sort_unstable();
        let mut edges: Vec<EdgeId> = shape
            .order
            .iter()
            .flat_map(|l| successors[*l].iter().copied())
            .collect();
        edges.sort_unstable();
        bodies.insert(func, Body { locs, edges });
    }
    bodies
}

/// The reachable part of a function, sorted by id.
struct Body {
    locs: Vec<LocId>,
    edges: Vec<EdgeId>,
}

/// Walks the call graph depth first: finds cycles, and adds up sizes on the way back.
fn inlined_size(program: &Program, bodies: &FxHashMap<FuncId, Body>) -> Result<u64, Refusal> {
    let callees = |f: FuncId| callees(program, bodies, f);
    let mut size: FxHashMap<FuncId, u64> = FxHashMap::default();
    let mut stack = vec![(program.entry, callees(program.entry), 0)];
    while let Some((func, called, next)) = stack.last_mut() {
        if let Some(&callee) = called.get(*next) {
            *next += 1;
            if let Some(at) = stack.iter().position(|(f, ..)| *f == callee) {
                let mut names: Vec<String> = stack[at..]
                    .iter()
                    .map(|(f, ..)| program.functions[*f].name.clone())
                    .collect();
                names.push(program.functions[callee].name.clone());
                return Err(Refusal::Recursion(names));
            }
            if !size.contains_key(&callee) {
                stack.push((callee, callees(callee), 0));
            }
        } else {
            let mut total = bodies[func].edges.len() as u64;
            for callee in called.iter() {
                total = total.saturating_add(size[callee].saturating_add(3));
            }
            size.insert(*func, total);
            stack.pop();
        }
    }
    Ok(size[&program.entry])
}

fn empty(program: &Program) -> Inlined {
    let nowhere = LocId::from_index(0);
    let entry = &program.functions[program.entry];
    let function = Function {
        entry: nowhere,
        exit: nowhere,
        ..entry.clone()
    };
    Inlined {
        program: Program {
            functions: IndexVec::from(vec![function]),
            vars: program.vars.clone(),
            locations: IndexVec::new(),
            edges: IndexVec::new(),
            globals: program.globals.clone(),
            entry: FuncId::from_index(0),
            assumptions: program.assumptions.clone(),
            notes: program.notes.clone(),
            outputs: std::collections::BTreeMap::new(),
            type_ranges: Default::default(),
            contracts: Vec::new(),
            texts: Vec::new(),
            memory: Default::default(),
        },
        back: WayBack::default(),
        var_instance: IndexVec::filled(None, program.vars.len()),
        loc_instance: IndexVec::new(),
        instances: IndexVec::new(),
    }
}

struct Copier<'a> {
    pool: &'a mut Pool,
    program: &'a Program,
    bodies: &'a FxHashMap<FuncId, Body>,
    names: FxHashSet<String>,
    inputs: IndexVec<FuncId, Vec<VarId>>,
    leg: Leg,
    out: Inlined,
    /// How deep calls of one function are nested at most.
    depth: Option<u64>,
    /// Functions whose calls remain: they follow the entry in the new program, in this order.
    kept: Vec<FuncId>,
    /// The function of the new program that a copy is in.
    inside: IndexVec<InstanceId, FuncId>,
}

/// A call whose callee is still to be copied.
struct Pending {
    caller: InstanceId,
    edge: EdgeId,
    from: LocId,
    to: LocId,
    args: Vec<TermId>,
    results: Vec<VarId>,
}

impl<'a> Copier<'a> {
    fn new(
        pool: &'a mut Pool,
        program: &'a Program,
        bodies: &'a FxHashMap<FuncId, Body>,
        depth: Option<u64>,
    ) -> Self {
        let inputs = uninitialised(pool, program);
        Copier {
            pool,
            program,
            bodies,
            names: program.vars.iter().map(|v| v.name.clone()).collect(),
            inputs,
            leg: Leg::with_new_code(program),
            out: empty(program),
            depth,
            kept: Vec::new(),
            inside: IndexVec::new(),
        }
    }

    fn run(&mut self, limit: u64) -> Result<(), Refusal> {
        let mut pending = VecDeque::new();
        let roots = std::iter::once(self.program.entry).chain(self.kept.clone());
        for (n, func) in roots.enumerate() {
            let f = FuncId::from_index(n);
            if n > 0 {
                let function = self.program.functions[func].clone();
                self.out.program.functions.push(function);
            }
            let root = self.instance(func, None, f);
            let same = FxHashMap::default();
            let (entry, exit) = self.copy(root, &same, &mut pending);
            self.out.program.functions[f].entry = entry;
            self.out.program.functions[f].exit = exit;
        }
        while let Some(call) = pending.pop_front() {
            self.expand(call, &mut pending);
            within(self.out.program.edges.len() as u64, limit)?;
        }
        Ok(())
    }

    /// A new copy of a function, in this function of the new program.
    fn instance(
        &mut self,
        func: FuncId,
        caller: Option<(InstanceId, EdgeId)>,
        inside: FuncId,
    ) -> InstanceId {
        self.inside.push(inside);
        self.out.instances.push(Instance { func, caller })
    }

    /// How many copies of the function are being executed where this copy is.
    fn nesting(&self, func: FuncId, copy: InstanceId) -> u64 {
        let mut count = 0;
        let mut at = Some(copy);
        while let Some(instance) = at {
            count += u64::from(self.out.instances[instance].func == func);
            at = self.out.instances[instance]
                .caller
                .map(|(caller, _)| caller);
        }
        count
    }

    fn finish(mut self) -> Inlined {
        for &v in &self.program.globals {
            let term = self.program.vars[v].term;
            self.leg.set_home(term, Home::Everywhere);
        }
        for (n, &f) in std::iter::once(&self.program.entry)
            .chain(&self.kept)
            .enumerate()
        {
            self.leg.add_function(Some(f));
            let f = &self.program.functions[f];
            for &v in f.params.iter().chain(&f.returns).chain(&f.locals) {
                let term = self.program.vars[v].term;
                self.leg.set_home(term, Home::Scope(n as u32));
            }
        }
        let scopes = self.out.loc_instance.iter().map(|i| i.index() as u32);
        self.leg.set_scopes(scopes.collect());
        self.out.back = self.leg.close(&self.out.program);
        self.out
    }

    fn expand(&mut self, call: Pending, pending: &mut VecDeque<Pending>) {
        let Stmt::Call { callee, .. } = self.program.edges[call.edge].stmt else {
            return;
        };
        let span = self.program.edges[call.edge].span;
        if let Some(n) = self.kept.iter().position(|f| *f == callee) {
            let stmt = Stmt::Call {
                callee: FuncId::from_index(n + 1),
                args: call.args,
                results: call.results,
            };
            self.edge(call.from, call.to, stmt, span, Some(call.edge));
            return;
        }
        let nesting = self.nesting(callee, call.caller);
        if self.depth.is_some_and(|d| nesting >= d) {
            let never = Stmt::Assume(self.pool.ff());
            self.edge(call.from, call.to, never, span, None);
            return;
        }
        let f = &self.program.functions[callee];
        let inside = self.inside[call.caller];
        let instance = self.instance(callee, Some((call.caller, call.edge)), inside);
        let mut vars: FxHashMap<VarId, VarId> = FxHashMap::default();
        for &v in f.params.iter().chain(&f.returns).chain(&f.locals) {
            vars.insert(v, self.copy_var(v, instance));
        }
        let (entry, exit) = self.copy(instance, &vars, pending);
        let mut from = call.from;
        let mut origin = Some(call.edge);
        let inputs: Vec<VarId> = self.inputs[callee].iter().map(|v| vars[v]).collect();
        if !inputs.is_empty() {
            let middle = self.location(self.program.edges[call.edge].from, call.caller);
            let havoc = Stmt::Havoc(inputs, InputKind::Unknown);
            self.edge(from, middle, havoc, span, origin.take());
            from = middle;
        }
        let params = f.params.iter().map(|p| vars[p]).zip(call.args).collect();
        self.edge(from, entry, assign(params), span, origin);
        let returns = f
            .returns
            .iter()
            .map(|r| self.out.program.vars[vars[r]].term);
        let results = call.results.iter().copied().zip(returns).collect();
        self.edge(exit, call.to, assign(results), span, None);
    }

    /// Copies a function's reachable part; returns its entry and exit.
    fn copy(
        &mut self,
        instance: InstanceId,
        vars: &FxHashMap<VarId, VarId>,
        pending: &mut VecDeque<Pending>,
    ) -> (LocId, LocId) {
        let func = self.out.instances[instance].func;
        let bodies = self.bodies;
        let body = &bodies[&func];
        let mut locs: FxHashMap<LocId, LocId> = FxHashMap::default();
        for &loc in &body.locs {
            let copy = self.location(loc, instance);
            self.out.program.locations[copy].error = self.program.locations[loc].error.clone();
            self.out.program.locations[copy].loop_head = self.program.locations[loc].loop_head;
            self.leg.set_location(copy, Place::At(loc));
            locs.insert(loc, copy);
        }
        let var = |v: &VarId| vars.get(v).copied().unwrap_or(*v);
        let mut renaming = Substitution::new(vars.iter().map(|(old, new)| {
            let terms = &self.out.program.vars;
            (terms[*old].term, terms[*new].term)
        }));
        for &id in &body.edges {
            let edge = &self.program.edges[id];
            let (from, to) = (locs[&edge.from], locs[&edge.to]);
            let mut term = |t: &TermId| renaming.apply(self.pool, *t);
            let stmt = match &edge.stmt {
                Stmt::Skip => Stmt::Skip,
                Stmt::Assume(c) => Stmt::Assume(term(c)),
                Stmt::Assign(pairs) => {
                    Stmt::Assign(pairs.iter().map(|(v, e)| (var(v), term(e))).collect())
                }
                Stmt::Havoc(list, kind) => {
                    Stmt::Havoc(list.iter().map(var).collect(), kind.clone())
                }
                Stmt::Call { args, results, .. } => {
                    pending.push_back(Pending {
                        caller: instance,
                        edge: id,
                        from,
                        to,
                        args: args.iter().map(term).collect(),
                        results: results.iter().map(var).collect(),
                    });
                    continue;
                }
            };
            self.edge(from, to, stmt, edge.span, Some(id));
        }
        let f = &self.program.functions[func];
        (locs[&f.entry], locs[&f.exit])
    }

    fn location(&mut self, origin: LocId, instance: InstanceId) -> LocId {
        self.out.loc_instance.push(instance);
        let loc = self.out.program.locations.push(Location {
            func: self.inside[instance],
            span: self.program.locations[origin].span,
            error: None,
            loop_head: None,
        });
        self.leg.set_location(loc, Place::Within(origin));
        loc
    }

    fn edge(&mut self, from: LocId, to: LocId, stmt: Stmt, span: Span, origin: Option<EdgeId>) {
        self.leg.add_edge(origin);
        self.out.program.edges.push(Edge {
            from,
            to,
            stmt,
            span,
        });
    }

    fn copy_var(&mut self, var: VarId, instance: InstanceId) -> VarId {
        let v = &self.program.vars[var];
        let mut name = format!("{}~{}", v.name, instance.index());
        while !self.names.insert(name.clone()) {
            name.push('~');
        }
        let copy = Var {
            term: self.pool.constant(&name, v.sort),
            name,
            kind: VarKind::Local,
            ..v.clone()
        };
        self.leg.define(copy.term, v.term);
        let home = Home::Scope(instance.index() as u32);
        self.leg.set_home(copy.term, home);
        self.out.var_instance.push(Some(instance));
        let id = self.out.program.vars.push(copy);
        self.leg.set_var(id, Whence::Inner(var));
        let inside = self.inside[instance];
        self.out.program.functions[inside].locals.push(id);
        id
    }
}

fn assign(pairs: Vec<(VarId, TermId)>) -> Stmt {
    if pairs.is_empty() {
        Stmt::Skip
    } else {
        Stmt::Assign(pairs)
    }
}
