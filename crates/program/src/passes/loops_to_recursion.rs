//! Loops as tail-recursive functions, for engines that know calls but no loops (WHALE).
//!
//! A loop head `h` of a function `f` becomes a function `f@h` that runs the rest of `f` from `h`:
//! ```text
//!   f:    ... --> call f@h(x, y) --> exit
//!   f@h:  body; on reaching h again: returns := call f@h(x, y) --> exit
//!         on reaching f's exit: exit
//! ```
//! Parameters of `f@h` are the variables of `f` that are live at `h`, its returns are those of
//! `f`. So its body is loop-free, loops with several exits and irreducible ones need no special
//! care, and the precondition of `f@h` is the loop invariant at `h`.

use super::Transformed;
use crate::graph::shape;
use crate::liveness::liveness;
use crate::modref::modref;
use crate::reads::VarsOf;
use crate::{Edge, EdgeId, FuncId, Function, LocId, Program, Span, Stmt, Var, VarId, VarKind};
use logic::{FxHashMap, FxHashSet, IndexVec, Pool, Substitution, TermId};
use std::collections::{BTreeMap, VecDeque};

/// The program without loops, and the functions that loop heads became.
#[derive(Clone, Debug)]
pub struct Loops {
    pub transformed: Transformed,
    /// Original loop head of each function that stands for one.
    pub head_of: BTreeMap<FuncId, LocId>,
}

/// Replaces every loop by tail recursion.
pub fn loops_to_recursion(pool: &mut Pool, program: &Program) -> Loops {
    let successors = program.successors();
    let effects = modref(pool, program);
    let mut vars_of = VarsOf::new(program);
    let mut out = Transformed::identity(Program {
        functions: program.functions.clone(),
        locations: IndexVec::new(),
        edges: IndexVec::new(),
        outputs: BTreeMap::new(),
        ..program.clone()
    });
    out.loc_origin = IndexVec::new();
    out.edge_origin = IndexVec::new();
    let mut builder = Builder {
        program,
        successors,
        names: program.vars.iter().map(|v| v.name.clone()).collect(),
        out,
        head_of: BTreeMap::new(),
    };
    for f in program.functions.ids() {
        let shape = shape(program, &builder.successors, program.functions[f].entry);
        let live = liveness(
            pool,
            program,
            f,
            &shape,
            &builder.successors,
            &mut vars_of,
            &effects,
        );
        // Functions of the loop heads first, so that calls to them can be made.
        let mut heads: BTreeMap<LocId, Head> = BTreeMap::new();
        for &h in &shape.loop_heads {
            let data = &program.functions[f];
            let own = data.params.iter().chain(&data.returns).chain(&data.locals);
            let passed = own.copied().filter(|v| live.is_live(h, *v)).collect();
            let head = builder.declare(pool, f, h, passed);
            heads.insert(h, head);
        }
        builder.body(pool, f, f, program.functions[f].entry, &heads, None);
        for (h, head) in &heads {
            builder.body(pool, f, head.func, *h, &heads, Some(head));
        }
    }
    builder.out.program.check_invariants();
    Loops {
        transformed: builder.out,
        head_of: builder.head_of,
    }
}

/// A loop head's function.
struct Head {
    func: FuncId,
    /// The original variables that its parameters stand for, in order.
    passed: Vec<VarId>,
    /// Its own copy of each variable of the original function.
    vars: FxHashMap<VarId, VarId>,
}

struct Builder<'a> {
    program: &'a Program,
    successors: IndexVec<LocId, Vec<EdgeId>>,
    names: FxHashSet<String>,
    out: Transformed,
    head_of: BTreeMap<FuncId, LocId>,
}

impl Builder<'_> {
    fn declare(&mut self, pool: &mut Pool, f: FuncId, h: LocId, passed: Vec<VarId>) -> Head {
        let data = &self.program.functions[f];
        let mut vars: FxHashMap<VarId, VarId> = FxHashMap::default();
        let (mut params, mut returns, mut locals) = (Vec::new(), Vec::new(), Vec::new());
        let own: Vec<VarId> = data
            .params
            .iter()
            .chain(&data.returns)
            .chain(&data.locals)
            .copied()
            .collect();
        for &v in &own {
            let copy = self.copy_var(pool, v, h, VarKind::Local);
            vars.insert(v, copy);
        }
        let mut inner: FxHashSet<VarId> = passed.iter().copied().collect();
        for v in &passed {
            self.out.program.vars[vars[v]].kind = VarKind::Param;
            params.push(vars[v]);
        }
        for &r in &data.returns {
            // A live return is a parameter already: it needs another variable for the result.
            let result = if inner.contains(&r) {
                self.copy_var(pool, r, h, VarKind::Return)
            } else {
                self.out.program.vars[vars[&r]].kind = VarKind::Return;
                vars[&r]
            };
            inner.insert(r);
            returns.push(result);
        }
        locals.extend(own.iter().filter(|v| !inner.contains(v)).map(|v| vars[v]));
        let entry = self.location(h, None);
        let exit = self.location(data.exit, None);
        let func = self.out.program.functions.push(Function {
            name: format!("{}@{h}", data.name),
            params,
            returns,
            locals,
            entry,
            exit,
            span: self.program.locations[h].span,
        });
        self.out.func_origin.push(f);
        self.out.program.locations[entry].func = func;
        self.out.program.locations[exit].func = func;
        self.head_of.insert(func, h);
        Head { func, passed, vars }
    }

    fn copy_var(&mut self, pool: &mut Pool, var: VarId, h: LocId, kind: VarKind) -> VarId {
        let v = &self.program.vars[var];
        let mut name = format!("{}@{h}", v.name);
        while !self.names.insert(name.clone()) {
            name.push('~');
        }
        self.out.var_origin.push(var);
        self.out.program.vars.push(Var {
            term: pool.constant(&name, v.sort),
            name,
            kind,
            ..v.clone()
        })
    }

    /// A location like `origin`; the owner is filled in by whoever knows it.
    fn location(&mut self, origin: LocId, func: Option<FuncId>) -> LocId {
        let mut location = self.program.locations[origin].clone();
        location.func = func.unwrap_or(location.func);
        self.out.loc_origin.push(origin);
        self.out.program.locations.push(location)
    }

    fn edge(&mut self, from: LocId, to: LocId, stmt: Stmt, span: Span, origin: Option<EdgeId>) {
        self.out.edge_origin.push(origin);
        self.out.program.edges.push(Edge {
            from,
            to,
            stmt,
            span,
        });
    }

    /// Fills function `target` with the code of `source` from `start` up to loop heads.
    fn body(
        &mut self,
        pool: &mut Pool,
        source: FuncId,
        target: FuncId,
        start: LocId,
        heads: &BTreeMap<LocId, Head>,
        head: Option<&Head>,
    ) {
        let program = self.program;
        let data = &program.functions[source];
        if head.is_none() {
            let entry = self.location(start, Some(target));
            let exit = self.location(data.exit, Some(target));
            let f = &mut self.out.program.functions[target];
            (f.entry, f.exit) = (entry, exit);
        }
        let f = self.out.program.functions[target].clone();
        let var = |v: &VarId| head.and_then(|h| h.vars.get(v)).copied().unwrap_or(*v);
        let vars = &self.out.program.vars;
        let mut renaming = Substitution::new(head.iter().flat_map(|h| {
            let pairs = h.vars.iter();
            pairs.map(|(old, new)| (vars[*old].term, vars[*new].term))
        }));
        // What leaving over the original exit copies into the returns.
        let moved: Vec<(VarId, TermId)> = data
            .returns
            .iter()
            .zip(&f.returns)
            .filter(|(r, result)| var(r) != **result)
            .map(|(r, result)| (*result, vars[var(r)].term))
            .collect();
        let mut locs: FxHashMap<LocId, LocId> = FxHashMap::default();
        let mut queue: VecDeque<(LocId, LocId)> = VecDeque::from([(start, f.entry)]);
        let mut at_start = true;
        while let Some((old, new)) = queue.pop_front() {
            // The function of a head begins there; everybody else calls it.
            let own_start = std::mem::replace(&mut at_start, false) && head.is_some();
            if let (Some(next), false) = (heads.get(&old), own_start) {
                let args = next.passed.iter();
                let args = args
                    .map(|v| renaming.apply(pool, program.vars[*v].term))
                    .collect();
                let call = Stmt::Call {
                    callee: next.func,
                    args,
                    results: f.returns.clone(),
                };
                self.edge(new, f.exit, call, Span::unknown(), None);
                continue;
            }
            if old == data.exit {
                let leave = match moved.as_slice() {
                    [] => Stmt::Skip,
                    moved => Stmt::Assign(moved.to_vec()),
                };
                self.edge(new, f.exit, leave, Span::unknown(), None);
            }
            for id in self.successors[old].clone() {
                let edge = &program.edges[id];
                let to = match locs.get(&edge.to) {
                    Some(&to) => to,
                    None => {
                        let to = self.location(edge.to, Some(target));
                        locs.insert(edge.to, to);
                        queue.push_back((edge.to, to));
                        to
                    }
                };
                let mut term = |t: &TermId| renaming.apply(pool, *t);
                let stmt = match &edge.stmt {
                    Stmt::Skip => Stmt::Skip,
                    Stmt::Assume(c) => Stmt::Assume(term(c)),
                    Stmt::Assign(pairs) => {
                        Stmt::Assign(pairs.iter().map(|(v, e)| (var(v), term(e))).collect())
                    }
                    Stmt::Havoc(list, kind) => {
                        Stmt::Havoc(list.iter().map(var).collect(), kind.clone())
                    }
                    Stmt::Call {
                        callee,
                        args,
                        results,
                    } => Stmt::Call {
                        callee: *callee,
                        args: args.iter().map(term).collect(),
                        results: results.iter().map(var).collect(),
                    },
                };
                self.edge(new, to, stmt, edge.span, Some(id));
            }
        }
    }
}
