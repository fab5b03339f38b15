//! The cone of the errors: only what can decide whether an error is reached, before anything is inlined.
//!
//! Idea, on a driver whose lock counts calls:
//!
//! ```text
//!   buffer = fill(n);            // nobody who decides about the lock reads it: gone, with the call and its loops
//!   if (debug) print(buffer);    // both ways come to the same place: gone
//!   if (ready) { lock = 1; ... } // decides whether `lock` is written: stays, and `ready` matters
//! ```
//!
//! A location is a *point* if it is an error or an exit, or if a statement there writes something that matters, calls
//! a function with points, or decides which point comes next. What matters is what points read. From every other
//! location there is one next point at most, so edges go straight to it, and loops without points vanish.
//!
//! A condition that decides only whether execution goes on (`assume`, or the other way never comes to a point)
//! stays if it reads something that matters, or if what it lets pass is an error.
//!
//! Sound because an execution of the original makes one here that visits the same points in the same order with
//! the same values of all that matters: statements there read only what matters, and what lies between writes
//! nothing of it. Which conditions are kept is a question of precision. An error found here may be none of the
//! original, which may stop in what was dropped; it is replayed. All ids stay, so both are in the same words.
//!
//! *Without memory*: what arrays hold matters to few errors of a driver and makes almost everything matter to
//! it. [`Detail::WithoutMemory`] forgets them: a variable that is set to what an array says gets any value, a condition that
//! reads one may go either way. That is more executions still. [`Detail::Links`] forgets only the arrays that hold no
//! addresses and that no condition of an error reads: whether the nodes of a list are there and are freed does not depend on the
//! texts that they lead to. What such an array held counts as any number where it is stored in an array that is kept.
//!
//! Source: Weiser's slices with weak control closure (Danicic and others, 2011).

use crate::analysis::addresses::{holders_of_addresses, is_array};
use crate::analysis::reads::VarsOf;
use crate::analysis::shape::reachable_functions;
use crate::passes::error_flag::{new_location, new_var};
use crate::{Edge, EdgeId, FuncId, InputKind, LocId, Program, Stmt, VarId, VarKind};
use base::{FxHashSet, IndexVec};
use logic::{Op, Pool, Sort, SortId, TermId};

/// How much of the program is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// All that can decide about errors.
    Full,
    /// The same if arrays are forgotten.
    WithoutMemory,
    /// The same if arrays are forgotten that neither hold addresses nor are read by a condition of an error.
    Links,
}

impl Detail {
    const ALL: [Detail; 3] = [Detail::Full, Detail::WithoutMemory, Detail::Links];

    /// `full`, `without-memory` or `links`.
    pub fn as_str(self) -> &'static str {
        match self {
            Detail::Full => "full",
            Detail::WithoutMemory => "without-memory",
            Detail::Links => "links",
        }
    }

    /// The detail of this name.
    pub fn named(name: &str) -> Option<Detail> {
        Detail::ALL.into_iter().find(|d| d.as_str() == name)
    }
}

/// The program with only what can decide about errors; what cannot be reached any more stays unreachable. Variables,
/// locations and edges without a counterpart in the original come after all others.
pub fn cone(pool: &mut Pool, program: &Program, detail: Detail) -> Program {
    let mut cone = Cone::new(pool, program, detail);
    while cone.round(pool) {}
    cone.cut(pool)
}

struct Cone<'a> {
    program: &'a Program,
    detail: Detail,
    successors: IndexVec<LocId, Vec<EdgeId>>,
    /// Reachable functions, each with its locations in post-order.
    functions: Vec<(FuncId, Vec<LocId>)>,
    vars_of: VarsOf,
    /// Arrays of which nothing is known.
    forgotten: IndexVec<VarId, bool>,
    matters: IndexVec<VarId, bool>,
    /// Functions with a point besides the exit, and functions that have a way to their exit. The entry function, if
    /// nobody calls it, returns to nowhere: its exit is no point.
    kept: IndexVec<FuncId, bool>,
    returns: IndexVec<FuncId, bool>,
    entry_is_called: bool,
    /// Locations that decide which point comes next, or where a condition that stops is kept.
    deciding: IndexVec<LocId, bool>,
    stopping: IndexVec<LocId, bool>,
    /// The next point of each location, itself or a later one.
    next: IndexVec<LocId, Option<LocId>>,
}

impl<'a> Cone<'a> {
    fn new(pool: &Pool, program: &'a Program, detail: Detail) -> Self {
        let successors = program.successors();
        let functions = reachable_functions(program, &successors);
        let post_order = |order: Vec<LocId>| order.into_iter().rev().collect();
        let mut kept = IndexVec::filled(false, program.functions.len());
        kept[program.entry] = true;
        let mut returns = IndexVec::filled(false, program.functions.len());
        for (f, shape) in &functions {
            returns[*f] = shape.is_reachable(program.functions[*f].exit);
        }
        let calls_entry = |e: &EdgeId| {
            let stmt = &program.edges[*e].stmt;
            matches!(stmt, Stmt::Call { callee, .. } if *callee == program.entry)
        };
        let entry_is_called = functions.iter().any(|(_, shape)| {
            let mut edges = shape.order.iter().flat_map(|l| &successors[*l]);
            edges.any(calls_entry)
        });
        let mut cone = Cone {
            program,
            forgotten: IndexVec::filled(false, program.vars.len()),
            detail,
            entry_is_called,
            functions: functions
                .into_iter()
                .map(|(f, shape)| (f, post_order(shape.order)))
                .collect(),
            successors,
            vars_of: VarsOf::new(program),
            matters: IndexVec::filled(false, program.vars.len()),
            kept,
            returns,
            deciding: IndexVec::filled(false, program.locations.len()),
            stopping: IndexVec::filled(false, program.locations.len()),
            next: IndexVec::filled(None, program.locations.len()),
        };
        cone.forgotten = cone.forgotten_arrays(pool);
        cone
    }

    fn forgotten_arrays(&mut self, pool: &Pool) -> IndexVec<VarId, bool> {
        let program = self.program;
        let mut out = IndexVec::filled(false, program.vars.len());
        let mut kept = match self.detail {
            Detail::Full => return out,
            Detail::WithoutMemory => IndexVec::filled(false, program.vars.len()),
            Detail::Links => holders_of_addresses(pool, program),
        };
        if self.detail == Detail::Links {
            for edge in program.edges.ids() {
                if let Stmt::Assume(c) = program.edges[edge].stmt
                    && self.fails(edge)
                {
                    for &v in self.vars_of.of(pool, c).iter() {
                        kept[v] = true;
                    }
                }
            }
        }
        for v in program.vars.ids() {
            out[v] = is_array(pool, program, v) && !kept[v];
        }
        out
    }

    /// Adds what follows from what matters so far; `false` if nothing does.
    fn round(&mut self, pool: &Pool) -> bool {
        let functions = std::mem::take(&mut self.functions);
        let mut changed = false;
        for (func, locations) in &functions {
            // What was the next point before there were so many must not count as another one.
            for &loc in locations {
                self.next[loc] = None;
            }
            while self.next_points(*func, locations) {}
            let exit = self.program.functions[*func].exit;
            let inside = |l: &LocId| *l != exit || self.program.locations[*l].error.is_some();
            let mut points = locations.iter().filter(|l| self.is_point(*func, **l));
            if !self.kept[*func] && points.any(inside) {
                self.kept[*func] = true;
                changed = true;
            }
            if !self.kept[*func] {
                continue;
            }
            for &loc in locations {
                changed |= self.look_at(pool, loc);
            }
        }
        self.functions = functions;
        changed
    }

    fn is_point(&self, func: FuncId, loc: LocId) -> bool {
        self.deciding[loc]
            || self.stopping[loc]
            || self.is_exit(func, loc)
            || self.program.locations[loc].error.is_some()
            || self.successors[loc].iter().any(|e| self.has_effect(*e))
    }

    /// Is this where the function goes back to a caller?
    fn is_exit(&self, func: FuncId, loc: LocId) -> bool {
        let returns = func != self.program.entry || self.entry_is_called;
        returns && loc == self.program.functions[func].exit
    }

    /// Does the statement write something that matters, or call a function with points?
    fn has_effect(&self, edge: EdgeId) -> bool {
        match &self.program.edges[edge].stmt {
            Stmt::Skip | Stmt::Assume(_) => false,
            Stmt::Assign(pairs) => pairs.iter().any(|(v, _)| self.matters[*v]),
            Stmt::Havoc(vars, _) => vars.iter().any(|v| self.matters[*v]),
            // A result may be any value even where the callee never sets it.
            Stmt::Call {
                callee, results, ..
            } => self.kept[*callee] || results.iter().any(|r| self.matters[*r]),
        }
    }

    /// The next point after an edge; a call of what has no points and never returns is an end.
    fn after(&self, edge: EdgeId) -> Option<LocId> {
        let edge = &self.program.edges[edge];
        match &edge.stmt {
            Stmt::Call { callee, .. } if !self.returns[*callee] && !self.kept[*callee] => None,
            _ => self.next[edge.to],
        }
    }

    /// One pass over a function, last locations first; `true` if another is needed.
    fn next_points(&mut self, func: FuncId, locations: &[LocId]) -> bool {
        let mut changed = false;
        for &loc in locations {
            let next = if self.is_point(func, loc) {
                Some(loc)
            } else {
                let mut found = None;
                for &edge in &self.successors[loc] {
                    let Some(point) = self.after(edge) else {
                        continue;
                    };
                    if found.is_some_and(|f| f != point) {
                        self.deciding[loc] = true;
                    }
                    found = Some(point);
                }
                match self.deciding[loc] {
                    true => Some(loc),
                    false => found,
                }
            };
            changed |= self.next[loc] != next;
            self.next[loc] = next;
        }
        changed
    }

    /// What the statements of a location that stay read matters.
    fn look_at(&mut self, pool: &Pool, loc: LocId) -> bool {
        let program = self.program;
        let mut changed = false;
        let edges = self.successors[loc].clone();
        for edge in edges {
            match &program.edges[edge].stmt {
                Stmt::Skip | Stmt::Havoc(..) => {}
                Stmt::Assume(condition) => {
                    if !self.deciding[loc]
                        && !self.stopping[loc]
                        && self.stops(pool, loc, *condition)
                    {
                        self.stopping[loc] = true;
                        changed = true;
                    }
                    if self.deciding[loc] || self.stopping[loc] {
                        changed |= self.read(pool, *condition);
                    }
                }
                Stmt::Assign(pairs) => {
                    for (v, value) in pairs {
                        if !self.matters[*v] {
                            continue;
                        }
                        changed |= match self.unknown_parts(pool, *v, *value) {
                            Some(parts) => self.read_around(pool, *value, &parts),
                            None => self.read(pool, *value),
                        };
                    }
                }
                Stmt::Call {
                    callee,
                    args,
                    results,
                } if self.has_effect(edge) => {
                    changed |= !std::mem::replace(&mut self.kept[*callee], true);
                    let called = &program.functions[*callee];
                    for (param, arg) in called.params.iter().zip(args) {
                        let any = has_default(pool, program, *param) || self.forgotten[*param];
                        if self.matters[*param] || !any {
                            changed |= self.read(pool, *arg);
                        }
                    }
                    for (returned, result) in called.returns.iter().zip(results) {
                        // What does not matter must not stop the return: any value must be in range.
                        if self.matters[*result] || narrower(program, *result, *returned) {
                            changed |= !std::mem::replace(&mut self.matters[*result], true);
                            changed |= !std::mem::replace(&mut self.matters[*returned], true);
                        }
                    }
                }
                Stmt::Call { .. } => {}
            }
        }
        changed
    }

    /// Does the edge lead to an error, with no other condition in between?
    fn fails(&self, edge: EdgeId) -> bool {
        let mut at = self.program.edges[edge].to;
        for _ in 0..self.program.locations.len() {
            if self.program.locations[at].error.is_some() {
                return true;
            }
            let &[next] = self.successors[at].as_slice() else {
                return false;
            };
            match &self.program.edges[next].stmt {
                Stmt::Assume(_) => return false,
                Stmt::Call { callee, .. } if self.kept[*callee] && !self.returns[*callee] => {
                    return true;
                }
                _ => at = self.program.edges[next].to,
            }
        }
        false
    }

    /// Is this a condition without which execution does not go on, to an error or about something that matters?
    fn stops(&mut self, pool: &Pool, loc: LocId, condition: TermId) -> bool {
        let edges = &self.successors[loc];
        // Also where the other way comes back here: whether it ever goes on to the error is the question.
        if edges.iter().any(|e| self.fails(*e)) {
            return true;
        }
        let ends = |e: &EdgeId| self.after(*e).is_none();
        if self.next[loc].is_none() || (edges.len() > 1 && !edges.iter().any(ends)) {
            return false;
        }
        if self.forgets(pool, condition) || self.is_idle(pool, loc, condition) {
            return false;
        }
        let vars = self.vars_of.of(pool, condition);
        let array =
            |v: &VarId| matches!(pool.sort_kind(self.program.vars[*v].sort), Sort::Array(..));
        vars.iter().any(|v| self.matters[*v] && !array(v)) || vars.iter().all(|v| self.matters[*v])
    }

    /// Is it a check of memory that was shown to hold, so that the error beside it counts no more, or an assumption about
    /// memory? What these say is of no more use where only links are looked at.
    fn is_idle(&mut self, pool: &Pool, loc: LocId, condition: TermId) -> bool {
        if self.detail != Detail::Links {
            return false;
        }
        let program = self.program;
        let edges = &self.successors[loc];
        let shown = |l: LocId| {
            program.locations[l].error.is_none() && program.memory.accesses.contains_key(&l)
        };
        if edges.iter().any(|e| shown(program.edges[*e].to)) {
            return true;
        }
        let mut vars = self.vars_of.of(pool, condition).to_vec().into_iter();
        edges.len() == 1 && vars.any(|v| is_array(pool, program, v))
    }

    /// Does the term read an array that is forgotten?
    fn forgets(&mut self, pool: &Pool, term: TermId) -> bool {
        let forgotten = &self.forgotten;
        self.detail != Detail::Full && self.vars_of.of(pool, term).iter().any(|v| forgotten[*v])
    }

    /// Is it only in part that an array which matters becomes unknown? Says what is read of arrays that are forgotten.
    fn unknown_parts(&mut self, pool: &Pool, var: VarId, term: TermId) -> Option<Vec<TermId>> {
        if !is_array(pool, self.program, var) || !self.forgets(pool, term) {
            return None;
        }
        let mut parts = Vec::new();
        let (mut seen, mut work) = (FxHashSet::default(), vec![term]);
        while let Some(t) = work.pop() {
            if !seen.insert(t) {
                continue;
            }
            match (pool.op(t), pool.args(t)) {
                (Op::Select, &[array, _]) if self.forgets(pool, array) => parts.push(t),
                _ if self.vars_of.var(t).is_some_and(|v| self.forgotten[v]) => return None,
                (_, args) => work.extend(args),
            }
        }
        Some(parts)
    }

    /// What matters where an array is assigned that becomes unknown only in part.
    fn read_around(&mut self, pool: &Pool, term: TermId, parts: &[TermId]) -> bool {
        let mut changed = false;
        let (mut seen, mut work) = (FxHashSet::default(), vec![term]);
        while let Some(t) = work.pop() {
            if parts.contains(&t) || !seen.insert(t) {
                continue;
            }
            if let Some(v) = self.vars_of.var(t) {
                changed |= !std::mem::replace(&mut self.matters[v], true);
            }
            work.extend(pool.args(t));
        }
        changed
    }

    fn read(&mut self, pool: &Pool, term: TermId) -> bool {
        let mut changed = false;
        if self.forgets(pool, term) {
            return false;
        }
        for &v in self.vars_of.of(pool, term).iter() {
            changed |= !std::mem::replace(&mut self.matters[v], true);
        }
        changed
    }

    /// The program with the statements of points only.
    fn cut(mut self, pool: &mut Pool) -> Program {
        let mut out = self.program.clone();
        let functions = std::mem::take(&mut self.functions);
        for (func, locations) in &functions {
            for &loc in locations {
                for id in self.successors[loc].clone() {
                    self.cut_edge(pool, &mut out, *func, id);
                }
            }
        }
        out
    }

    fn cut_edge(&mut self, pool: &mut Pool, out: &mut Program, func: FuncId, id: EdgeId) {
        let program = self.program;
        let edge = &program.edges[id];
        let effect = self.has_effect(id);
        // What a call does inside counts even if nothing comes after it.
        let called = effect && matches!(edge.stmt, Stmt::Call { .. });
        match self.after(id) {
            Some(point) => out.edges[id].to = point,
            None if called => {}
            None => {
                out.edges[id].to = program.functions[func].exit;
                out.edges[id].stmt = Stmt::Assume(pool.ff());
                return;
            }
        }
        let decides = self.deciding[edge.from] || self.stopping[edge.from];
        match &edge.stmt {
            Stmt::Assume(c) if decides && !self.forgets(pool, *c) => {}
            Stmt::Assign(pairs) if effect => {
                let (mut lost, mut known, mut open) = (Vec::new(), Vec::new(), Vec::new());
                for &(v, term) in pairs {
                    if !self.matters[v] {
                        continue;
                    }
                    if let Some(parts) = self.unknown_parts(pool, v, term) {
                        let mut replaced = Vec::new();
                        for part in parts {
                            let any = any_number(pool, out, func, pool.sort_of(part));
                            replaced.push((part, out.vars[any].term));
                            open.push(any);
                        }
                        known.push((v, pool.substitute(term, &replaced)));
                    } else if self.forgets(pool, term) {
                        lost.push(v);
                    } else {
                        known.push((v, term));
                    }
                }
                let mut stmts = Vec::new();
                // Sound because what is unknown is chosen before, and nothing else reads it.
                if !open.is_empty() {
                    stmts.push(Stmt::Havoc(open, InputKind::Approximation));
                }
                if !known.is_empty() {
                    stmts.push(Stmt::Assign(known));
                }
                if !lost.is_empty() {
                    stmts.push(Stmt::Havoc(lost, InputKind::Approximation));
                }
                let mut stmts = stmts.into_iter();
                out.edges[id].stmt = stmts.next().unwrap_or(Stmt::Skip);
                let mut at = id;
                for stmt in stmts {
                    at = split(out, at, stmt);
                }
            }
            Stmt::Havoc(..) if effect => {}
            Stmt::Call {
                callee,
                args,
                results,
            } if effect => {
                let mut args = args.clone();
                let mut open = Vec::new();
                for (&param, arg) in program.functions[*callee].params.iter().zip(&mut args) {
                    if !self.matters[param] {
                        // Sound because a value in range never stops the call.
                        match program.default_value(pool, param) {
                            logic::Value::Num(n) => *arg = pool.num(n, program.vars[param].sort),
                            logic::Value::Bool(b) => *arg = pool.bool_const(b),
                            _ => {}
                        }
                    } else if self.forgets(pool, *arg) {
                        let any = any_value(pool, out, func, param);
                        *arg = out.vars[any].term;
                        open.push(any);
                    }
                }
                let call = Stmt::Call {
                    callee: *callee,
                    args,
                    results: results.clone(),
                };
                if open.is_empty() {
                    out.edges[id].stmt = call;
                } else {
                    out.edges[id].stmt = Stmt::Havoc(open, InputKind::Approximation);
                    split(out, id, call);
                }
            }
            _ => out.edges[id].stmt = Stmt::Skip,
        }
    }
}

/// One more statement after that of an edge, on an edge of its own.
fn split(out: &mut Program, id: EdgeId, then: Stmt) -> EdgeId {
    let Edge { from, to, span, .. } = out.edges[id];
    let func = out.locations[from].func;
    let middle = new_location(out, func, span);
    out.edges[id].to = middle;
    out.edges.push(Edge {
        from: middle,
        to,
        stmt: then,
        span,
    })
}

/// A local variable that can have all values of a parameter.
fn any_value(pool: &mut Pool, out: &mut Program, func: FuncId, param: VarId) -> VarId {
    let (sort, range) = (out.vars[param].sort, out.vars[param].range.clone());
    let var = any_number(pool, out, func, sort);
    out.vars[var].range = range;
    var
}

/// A local variable that can have all values of a sort.
fn any_number(pool: &mut Pool, out: &mut Program, func: FuncId, sort: SortId) -> VarId {
    let kind = match pool.sort_kind(sort) {
        Sort::Bool => "truth",
        Sort::Int => "integer",
        _ => "value",
    };
    let name = format!("any {kind} {}", out.vars.len());
    let var = new_var(pool, out, name, sort, VarKind::Local);
    out.functions[func].locals.push(var);
    var
}

/// Can an argument for the parameter be replaced by a constant?
fn has_default(pool: &Pool, program: &Program, param: VarId) -> bool {
    let sort = program.vars[param].sort;
    sort == pool.bool_sort() || pool.is_arith(sort)
}

fn narrower(program: &Program, a: VarId, b: VarId) -> bool {
    match (&program.vars[a].range, &program.vars[b].range) {
        (None, _) => false,
        (Some(_), None) => true,
        (Some((al, ah)), Some((bl, bh))) => al > bl || ah < bh,
    }
}
