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
    /// The edge that each edge copies; `None` for calls of loop functions and returns from them.
    pub edge_origin: IndexVec<EdgeId, Option<EdgeId>>,
    /// The loop head that each loop function stands for.
    pub heads: BTreeMap<FuncId, LoopFunction>,
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
    let mut out = LoopFree {
        program: Program {
            edges: IndexVec::new(),
            outputs: BTreeMap::new(),
            type_ranges: Default::default(),
            ..program.clone()
        },
        edge_origin: IndexVec::new(),
        heads: BTreeMap::new(),
    };
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
    out
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
        out: &mut LoopFree,
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
        let entry = copy_location(&mut out.program, func, &program.locations[head]);
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

    fn location(&mut self, program: &Program, out: &mut LoopFree, loc: LocId) -> LocId {
        if self.in_place {
            return loc;
        }
        let func = self.func;
        *self
            .locations
            .entry(loc)
            .or_insert_with(|| copy_location(&mut out.program, func, &program.locations[loc]))
    }

    /// Copies the edges reachable from the start without passing a loop head.
    fn edges(
        &mut self,
        pool: &mut Pool,
        program: &Program,
        successors: &IndexVec<LocId, Vec<EdgeId>>,
        functions: &FxHashMap<LocId, (FuncId, Vec<VarId>)>,
        out: &mut LoopFree,
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
                    let before =
                        copy_location(&mut out.program, self.func, &program.locations[edge.to]);
                    self.enter(pool, program, functions, edge.to, before, out);
                    before
                } else {
                    if seen.insert(edge.to, ()).is_none() {
                        work.push(edge.to);
                    }
                    self.location(program, out, edge.to)
                };
                let new = out.program.edges.push(Edge {
                    from,
                    to,
                    stmt,
                    span,
                });
                out.edge_origin.push(Some(id));
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
        out: &mut LoopFree,
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
        out.program.edges.push(Edge {
            from: before,
            to: self.exit,
            stmt,
            span,
        });
        out.edge_origin.push(None);
    }

    /// At the original exit: the copy's returns are what the original returns hold.
    fn give_back(&self, program: &Program, from: LocId, out: &mut LoopFree) {
        let original = program.locations[self.start].func;
        let assign: Vec<(VarId, TermId)> = program.functions[original]
            .returns
            .iter()
            .zip(&self.returns)
            .map(|(&r, &copy)| (copy, out.program.vars[self.vars[&r]].term))
            .collect();
        let span = program.functions[original].span;
        out.program.edges.push(Edge {
            from,
            to: self.exit,
            stmt: Stmt::Assign(assign),
            span,
        });
        out.edge_origin.push(None);
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
