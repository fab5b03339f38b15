//! Loops as tail-recursive functions (for engines that know calls but no loops).
//!
//! Each loop head `h` of a function `f` gives a function `f@h`: "run `f` from `h` to its exit". Its
//! parameters are the variables of `f` that are live at `h`, its returns those of `f`. Wherever an
//! edge leads into `h`, `f@h` is called with the current values and its results are returned:
//! ```text
//!   while (x < 5) x++; return x;      f:     call f@h(x); return the result
//!                                     f@h(x): if (x < 5) { x++; return f@h(x); } return x;
//! ```
//! That needs no nesting of loops and works for irreducible graphs too.
//!
//! Way back: every edge knows the edge it copies, every loop function its head; what holds of the
//! parameters whenever `f@h` is called is an invariant of `h`.

use super::WayBack;
use super::back_translation::{Home, Leg, Place, Whence};
use crate::analysis::liveness::liveness;
use crate::analysis::modref::modref;
use crate::analysis::reads::VarsOf;
use crate::analysis::shape::{Shape, reachable_functions, shape};
use crate::{Edge, EdgeId, FuncId, Function, LocId, Location, Program, Stmt, Var, VarId, VarKind};
use base::{FxHashMap, IndexVec};
use logic::{Pool, Substitution, TermId};
use std::collections::{BTreeMap, BTreeSet};

/// A program without loops, and the way back.
#[derive(Clone, Debug)]
pub struct LoopFree {
    /// Functions of the program before keep their ids; loop functions follow.
    pub program: Program,
    pub back: WayBack,
    /// The loop head that each loop function stands for.
    pub heads: BTreeMap<FuncId, LoopFunction>,
}

/// The program under construction.
struct Outlining {
    program: Program,
    leg: Leg,
    heads: BTreeMap<FuncId, LoopFunction>,
}

impl Outlining {
    fn add(&mut self, edge: Edge, origin: Option<EdgeId>) -> EdgeId {
        self.leg.add_edge(origin);
        self.program.edges.push(edge)
    }

    /// A copy of an original location in a function.
    fn location(&mut self, original: &Program, func: FuncId, loc: LocId) -> LocId {
        let copy = self.program.locations.push(Location {
            func,
            loop_head: None,
            ..original.locations[loc].clone()
        });
        self.leg.set_location(copy, Place::At(loc));
        copy
    }
}

/// A loop head as a function.
#[derive(Clone, Debug)]
pub struct LoopFunction {
    pub of: FuncId,
    pub head: LocId,
    /// The variables of `of` that the parameters hold, in their order.
    pub variables: Vec<VarId>,
}

/// Replaces every loop by a function. Deterministic: the checker runs it again.
pub fn loops_to_recursion(pool: &mut Pool, program: &Program) -> LoopFree {
    heads_to_recursion(pool, program, |_| Vec::new())
}

/// The same with every location where paths meet as a function too: each body is then a tree of paths.
/// Functions for loop heads have the variables that [`loops_to_recursion`] gives them.
pub fn joins_to_recursion(pool: &mut Pool, program: &Program) -> LoopFree {
    let mut ways: IndexVec<LocId, u32> = IndexVec::filled(0, program.locations.len());
    for edge in program.edges.iter() {
        ways[edge.to] += 1;
    }
    let joins = |shape: &Shape| {
        let ends = |l: LocId| {
            let loc = &program.locations[l];
            loc.error.is_some() || program.functions[loc.func].exit == l
        };
        let inner = shape.order.iter().copied();
        inner.filter(|&l| ways[l] > 1 && !ends(l)).collect()
    };
    heads_to_recursion(pool, program, joins)
}

fn heads_to_recursion(
    pool: &mut Pool,
    program: &Program,
    more: impl Fn(&Shape) -> Vec<LocId>,
) -> LoopFree {
    let successors = program.successors();
    let mods = modref(pool, program);
    let mut vars_of = VarsOf::new(program);
    let mut out = Outlining {
        program: Program {
            edges: IndexVec::new(),
            outputs: BTreeMap::new(),
            type_ranges: Default::default(),
            contracts: Vec::new(),
            texts: Vec::new(),
            memory: Default::default(),
            ..program.clone()
        },
        leg: Leg::with_new_edges(program),
        heads: BTreeMap::new(),
    };
    // The copies of a function visit its locations anew.
    out.leg.forget_locations();
    for (_, var) in program.vars.iter_enumerated() {
        out.leg.set_home(var.term, Home::Everywhere);
    }
    for (func, _) in reachable_functions(program, &successors) {
        let shape = shape(program, &successors, program.functions[func].entry);
        let live = liveness(
            pool,
            program,
            func,
            &shape,
            &successors,
            &mut vars_of,
            &mods,
        );
        let mut functions: FxHashMap<LocId, (FuncId, Vec<VarId>)> = FxHashMap::default();
        let mut copies = vec![Copy::of_whole(program, func)];
        let more = more(&shape);
        let heads: BTreeSet<LocId> = shape.loop_heads.iter().copied().chain(more).collect();
        for &head in &heads {
            let variables: Vec<VarId> = live
                .at(head)
                .into_iter()
                .filter(|&v| program.vars[v].kind != VarKind::Global)
                .collect();
            let copy = Copy::of_head(pool, program, &mut out, func, head, &variables);
            functions.insert(head, (copy.func, variables));
            copies.push(copy);
        }
        for mut copy in copies {
            copy.edges(pool, program, &successors, &functions, &mut out);
        }
    }
    let scopes = out.program.locations.iter();
    let scopes = scopes.map(|l| base::Id::index(l.func) as u32);
    out.leg.set_scopes(scopes.collect());
    LoopFree {
        back: out.leg.close(&out.program),
        program: out.program,
        heads: out.heads,
    }
}

/// One copy of a function's automaton: from its entry, or from a loop head, up to loop heads.
struct Copy {
    func: FuncId,
    start: LocId,
    /// Where execution of the copy begins.
    entry: LocId,
    exit: LocId,
    /// The copy's variables for those of the original function.
    vars: FxHashMap<VarId, VarId>,
    rename: Substitution,
    locations: FxHashMap<LocId, LocId>,
    returns: Vec<VarId>,
    /// Original locations are kept as they are (the copy that starts at the function's entry).
    in_place: bool,
}

impl Copy {
    fn of_whole(program: &Program, func: FuncId) -> Self {
        let f = &program.functions[func];
        Copy {
            func,
            start: f.entry,
            entry: f.entry,
            exit: f.exit,
            vars: FxHashMap::default(),
            rename: Substitution::default(),
            locations: FxHashMap::default(),
            returns: f.returns.clone(),
            in_place: true,
        }
    }

    /// Declares the loop function of a head.
    fn of_head(
        pool: &mut Pool,
        program: &Program,
        out: &mut Outlining,
        of: FuncId,
        head: LocId,
        variables: &[VarId],
    ) -> Self {
        let f = &program.functions[of];
        let func = out.program.functions.next_id();
        let name = format!("{}@{head}", f.name);
        let mut vars = FxHashMap::default();
        let mut pairs: Vec<(TermId, TermId)> = Vec::new();
        let mut declare = |v: VarId, kind: VarKind, suffix: &str| {
            let var = &program.vars[v];
            let new_name = format!("{}@{head}{suffix}", var.name);
            let term = pool.constant(&new_name, var.sort);
            out.program.vars.push(Var {
                name: new_name,
                term,
                kind,
                ..var.clone()
            })
        };
        let params: Vec<VarId> = variables
            .iter()
            .map(|&v| declare(v, VarKind::Param, ""))
            .collect();
        vars.extend(variables.iter().copied().zip(params.iter().copied()));
        let mut locals = Vec::new();
        for &v in f.params.iter().chain(&f.returns).chain(&f.locals) {
            vars.entry(v).or_insert_with(|| {
                let local = declare(v, VarKind::Local, "");
                locals.push(local);
                local
            });
        }
        let returns: Vec<VarId> = f
            .returns
            .iter()
            .map(|&v| declare(v, VarKind::Return, ".out"))
            .collect();
        for (&v, &copy) in &vars {
            pairs.push((program.vars[v].term, out.program.vars[copy].term));
        }
        // Sound because a variable that is not live at the head may have any value in the copy.
        for (&v, &copy) in &vars {
            let term = out.program.vars[copy].term;
            out.leg.set_var(copy, Whence::Inner(v));
            out.leg.define(term, program.vars[v].term);
            let home = Home::Scope(base::Id::index(func) as u32);
            out.leg.set_home(term, home);
        }
        out.leg.add_head(func, head);
        out.leg.add_function(None);
        let entry = out.location(program, func, head);
        let exit = copy_location(&mut out.program, func, &program.locations[f.exit]);
        out.program.functions.push(Function {
            name,
            params,
            returns: returns.clone(),
            locals,
            entry,
            exit,
            span: program.locations[head].span,
        });
        let heads = LoopFunction {
            of,
            head,
            variables: variables.to_vec(),
        };
        out.heads.insert(func, heads);
        Copy {
            func,
            start: head,
            entry,
            exit,
            vars,
            rename: Substitution::new(pairs),
            locations: FxHashMap::default(),
            returns,
            in_place: false,
        }
    }

    fn location(&mut self, program: &Program, out: &mut Outlining, loc: LocId) -> LocId {
        if self.in_place {
            out.leg.set_location(loc, Place::At(loc));
            return loc;
        }
        let func = self.func;
        let copy = || out.location(program, func, loc);
        *self.locations.entry(loc).or_insert_with(copy)
    }

    /// Copies the edges reachable from the start without passing a loop head.
    fn edges(
        &mut self,
        pool: &mut Pool,
        program: &Program,
        successors: &IndexVec<LocId, Vec<EdgeId>>,
        functions: &FxHashMap<LocId, (FuncId, Vec<VarId>)>,
        out: &mut Outlining,
    ) {
        let mut seen: FxHashMap<LocId, ()> = FxHashMap::default();
        let mut work = vec![self.start];
        seen.insert(self.start, ());
        if self.in_place && functions.contains_key(&self.start) {
            // The function's entry is itself a loop head: enter its loop function at once.
            self.enter(pool, program, functions, self.start, self.entry, out);
            return;
        }
        let original = program.locations[self.start].func;
        let original_exit = program.functions[original].exit;
        while let Some(loc) = work.pop() {
            let from = if loc == self.start {
                if self.in_place {
                    out.leg.set_location(loc, Place::At(loc));
                }
                self.entry
            } else {
                self.location(program, out, loc)
            };
            if loc == original_exit && !self.in_place {
                self.give_back(program, from, out);
            }
            for &id in &successors[loc] {
                let edge = &program.edges[id];
                let stmt = self.statement(pool, &edge.stmt);
                let span = edge.span;
                let to = if functions.contains_key(&edge.to) {
                    let before = out.location(program, self.func, edge.to);
                    self.enter(pool, program, functions, edge.to, before, out);
                    before
                } else {
                    if seen.insert(edge.to, ()).is_none() {
                        work.push(edge.to);
                    }
                    self.location(program, out, edge.to)
                };
                let copy = Edge {
                    from,
                    to,
                    stmt,
                    span,
                };
                let new = out.add(copy, Some(id));
                if let Some(output) = program.outputs.get(&id) {
                    out.program.outputs.insert(new, output.clone());
                }
            }
        }
    }

    /// Calls the loop function of `head` at `before` and returns its results.
    fn enter(
        &mut self,
        pool: &mut Pool,
        program: &Program,
        functions: &FxHashMap<LocId, (FuncId, Vec<VarId>)>,
        head: LocId,
        before: LocId,
        out: &mut Outlining,
    ) {
        let (callee, variables) = &functions[&head];
        let args: Vec<TermId> = variables
            .iter()
            .map(|&v| self.rename.apply(pool, program.vars[v].term))
            .collect();
        let stmt = Stmt::Call {
            callee: *callee,
            args,
            results: self.returns.clone(),
        };
        let span = program.locations[head].span;
        let edge = Edge {
            from: before,
            to: self.exit,
            stmt,
            span,
        };
        out.add(edge, None);
    }

    /// At the original exit: the copy's returns are what the original returns hold.
    fn give_back(&self, program: &Program, from: LocId, out: &mut Outlining) {
        let original = program.locations[self.start].func;
        let assign: Vec<(VarId, TermId)> = program.functions[original]
            .returns
            .iter()
            .zip(&self.returns)
            .map(|(&r, &copy)| (copy, out.program.vars[self.vars[&r]].term))
            .collect();
        let span = program.functions[original].span;
        let edge = Edge {
            from,
            to: self.exit,
            stmt: Stmt::Assign(assign),
            span,
        };
        out.add(edge, None);
    }

    fn var(&self, v: VarId) -> VarId {
        self.vars.get(&v).copied().unwrap_or(v)
    }

    fn statement(&mut self, pool: &mut Pool, stmt: &Stmt) -> Stmt {
        match stmt {
            Stmt::Skip => Stmt::Skip,
            Stmt::Assign(list) => {
                let list = list
                    .iter()
                    .map(|&(v, t)| (self.var(v), self.rename.apply(pool, t)));
                Stmt::Assign(list.collect())
            }
            Stmt::Assume(t) => Stmt::Assume(self.rename.apply(pool, *t)),
            Stmt::Havoc(vars, kind) => {
                Stmt::Havoc(vars.iter().map(|&v| self.var(v)).collect(), kind.clone())
            }
            Stmt::Call {
                callee,
                args,
                results,
            } => Stmt::Call {
                callee: *callee,
                args: args.iter().map(|&t| self.rename.apply(pool, t)).collect(),
                results: results.iter().map(|&v| self.var(v)).collect(),
            },
        }
    }
}

fn copy_location(program: &mut Program, func: FuncId, like: &Location) -> LocId {
    program.locations.push(Location {
        func,
        loop_head: None,
        ..like.clone()
    })
}
