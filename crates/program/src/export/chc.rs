//! Programs as constrained Horn clauses, in the format that Z3 and Golem read.
//!
//! A predicate per cut point holds its live variables; the program is safe exactly if the clauses
//! are satisfiable. For `x = 0; while (x < 5) x++; assert(x == 5);`:
//! ```text
//!   (=> (= x 0) (main@line1 x))
//!   (=> (and (main@line1 x) (< x 5) (= x' (+ x 1))) (main@line1 x'))
//!   (=> (and (main@line1 x) (>= x 5) (not (= x 5))) false)
//! ```
//! A function that is called also carries the values its parameters and globals had at its entry,
//! written `old(x)`, and has a predicate `f@summary` between those and what it gives back:
//! ```text
//!   call at l:   l(s) ∧ args  ⇒ f@entry        l(s) ∧ f@summary(args, globals, results) ⇒ l'(s')
//! ```

use crate::analysis::call_graph::CallGraph;
use crate::analysis::liveness::{Liveness, liveness};
use crate::analysis::modref::{ModRef, modref};
use crate::analysis::reads::VarsOf;
use crate::analysis::shape::reachable_functions;
use crate::{
    BlockKind, BlockSize, EdgeId, FuncId, LocId, Program, Stmt, VarId, blocks, old_term, primed,
};
use base::{FxHashMap, FxHashSet};
use logic::smtlib::{declaration, prelude, print_sort, print_symbol, print_term};
use logic::{Pool, SymbolId, TermId};
use std::fmt::Write;

/// A program as clauses, with the way back for a model of its predicates.
pub struct Clauses {
    /// A script that ends with `(check-sat)`.
    pub text: String,
    pub predicates: Vec<Predicate>,
}

/// A predicate of the clauses.
pub struct Predicate {
    pub symbol: SymbolId,
    pub home: Home,
    /// What each argument stands for: a variable's constant, or its old value.
    pub args: Vec<TermId>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Home {
    /// Holds whenever the location is reached.
    Location(LocId),
    /// Holds between the values at a function's entry and those at its exit.
    Summary(FuncId),
}

/// The clauses as a script.
pub fn print(pool: &mut Pool, program: &Program) -> String {
    encode(pool, program).text
}

/// The clauses of a program.
pub fn encode(pool: &mut Pool, program: &Program) -> Clauses {
    let mut w = Writer::new(pool, program);
    w.entry(pool);
    let graph = blocks::encode(pool, program, BlockSize::Large);
    for block in graph.blocks.iter() {
        match &block.kind {
            BlockKind::Transition(t) => {
                let post: FxHashMap<VarId, TermId> =
                    t.modified.iter().copied().zip(t.posts.clone()).collect();
                let body = vec![w.at(pool, block.from, &FxHashMap::default()), t.formula];
                let head = match program.locations[block.to].error {
                    Some(_) => None,
                    None => Some(w.at(pool, block.to, &post)),
                };
                w.clause(pool, block.from, block.to, body, head);
            }
            BlockKind::Call(edge) => w.call(pool, *edge),
        }
    }
    w.exits(pool);
    let text = w.text(pool);
    let predicates = w.homes(pool);
    Clauses { text, predicates }
}

struct Clause {
    comment: String,
    body: Vec<TermId>,
    /// `false` if there is none.
    head: Option<TermId>,
}

struct Writer<'p> {
    program: &'p Program,
    effects: ModRef,
    live: FxHashMap<FuncId, Liveness>,
    /// Functions that execution may enter, in order.
    functions: Vec<FuncId>,
    /// Functions that some reachable call enters.
    called: FxHashSet<FuncId>,
    predicates: FxHashMap<LocId, SymbolId>,
    summaries: FxHashMap<FuncId, SymbolId>,
    /// All predicates, in order of making.
    symbols: Vec<SymbolId>,
    clauses: Vec<Clause>,
}

impl<'p> Writer<'p> {
    fn new(pool: &mut Pool, program: &'p Program) -> Self {
        let successors = program.successors();
        let effects = modref(pool, program);
        let calls = CallGraph::of(program).callees;
        let mut vars_of = VarsOf::new(program);
        let mut live = FxHashMap::default();
        let mut called = FxHashSet::default();
        let mut functions = Vec::new();
        for (func, shape) in reachable_functions(program, &successors) {
            let l = liveness(
                pool,
                program,
                func,
                &shape,
                &successors,
                &mut vars_of,
                &effects,
            );
            live.insert(func, l);
            called.extend(&calls[func]);
            functions.push(func);
        }
        Writer {
            program,
            effects,
            live,
            functions,
            called,
            predicates: FxHashMap::default(),
            summaries: FxHashMap::default(),
            symbols: Vec::new(),
            clauses: Vec::new(),
        }
    }

    /// Globals that the function may touch.
    fn touched(&self, func: FuncId) -> Vec<VarId> {
        let (r, w) = (&self.effects.reads[func], &self.effects.writes[func]);
        r.union(w).copied().collect()
    }

    /// Variables whose entry values a called function remembers.
    fn remembered(&self, func: FuncId) -> Vec<VarId> {
        if !self.called.contains(&func) {
            return Vec::new();
        }
        let mut vars = self.program.functions[func].params.clone();
        vars.extend(self.touched(func));
        vars
    }

    /// Variables that the predicate of a location holds.
    fn held(&self, loc: LocId) -> Vec<VarId> {
        let func = self.program.locations[loc].func;
        let touched = self.touched(func);
        let mut vars = self.live[&func].at(loc);
        vars.retain(|v| !self.program.globals.contains(v) || touched.contains(v));
        vars
    }

    fn fresh_name(pool: &Pool, mut name: String) -> String {
        while pool.symbol_named(&name).is_some() {
            name.push('_');
        }
        name
    }

    fn predicate(&mut self, pool: &mut Pool, loc: LocId) -> SymbolId {
        if let Some(&symbol) = self.predicates.get(&loc) {
            return symbol;
        }
        let place = &self.program.locations[loc];
        let f = &self.program.functions[place.func];
        let name = if loc == f.entry {
            format!("{}@entry", f.name)
        } else if loc == f.exit {
            format!("{}@exit", f.name)
        } else if place.span.is_known() {
            format!("{}@line{}", f.name, place.span.line)
        } else {
            format!("{}@{loc}", f.name)
        };
        let vars = [self.remembered(place.func), self.held(loc)].concat();
        let sorts: Vec<_> = vars.iter().map(|&v| self.program.vars[v].sort).collect();
        let name = Self::fresh_name(pool, name);
        let symbol = pool.symbol(&name, &sorts, pool.bool_sort());
        self.predicates.insert(loc, symbol);
        self.symbols.push(symbol);
        symbol
    }

    fn summary(&mut self, pool: &mut Pool, func: FuncId) -> SymbolId {
        if let Some(&symbol) = self.summaries.get(&func) {
            return symbol;
        }
        let f = &self.program.functions[func];
        let mut vars = self.remembered(func);
        vars.extend(&f.returns);
        vars.extend(&self.effects.writes[func]);
        let sorts: Vec<_> = vars.iter().map(|&v| self.program.vars[v].sort).collect();
        let name = Self::fresh_name(pool, format!("{}@summary", f.name));
        let symbol = pool.symbol(&name, &sorts, pool.bool_sort());
        self.summaries.insert(func, symbol);
        self.symbols.push(symbol);
        symbol
    }

    /// The predicate of a location over the current values, or those that `values` gives.
    fn at(&mut self, pool: &mut Pool, loc: LocId, values: &FxHashMap<VarId, TermId>) -> TermId {
        let symbol = self.predicate(pool, loc);
        let func = self.program.locations[loc].func;
        let mut args: Vec<TermId> = self
            .remembered(func)
            .into_iter()
            .map(|v| old_term(pool, self.program, v))
            .collect();
        let current = |v| self.program.vars[v].term;
        let held = self.held(loc).into_iter();
        args.extend(held.map(|v| values.get(&v).copied().unwrap_or(current(v))));
        pool.app(symbol, &args)
    }

    /// All predicates, in order of making, with what their arguments stand for.
    fn homes(&self, pool: &mut Pool) -> Vec<Predicate> {
        let mut home: FxHashMap<SymbolId, Home> = FxHashMap::default();
        home.extend(
            self.predicates
                .iter()
                .map(|(&l, &s)| (s, Home::Location(l))),
        );
        home.extend(self.summaries.iter().map(|(&f, &s)| (s, Home::Summary(f))));
        let mut out = Vec::new();
        for &symbol in &self.symbols {
            let home = home[&symbol];
            let (func, rest) = match home {
                Home::Location(loc) => (self.program.locations[loc].func, self.held(loc)),
                Home::Summary(func) => {
                    let mut vars = self.program.functions[func].returns.clone();
                    vars.extend(&self.effects.writes[func]);
                    (func, vars)
                }
            };
            let old = self.remembered(func).into_iter();
            let mut args: Vec<TermId> = old.map(|v| old_term(pool, self.program, v)).collect();
            args.extend(rest.into_iter().map(|v| self.program.vars[v].term));
            out.push(Predicate { symbol, home, args });
        }
        out
    }

    fn range(&self, pool: &mut Pool, var: VarId, value: TermId) -> TermId {
        match &self.program.vars[var].range {
            Some((low, high)) => pool.in_range(low, value, high),
            None => pool.tt(),
        }
    }

    fn clause(
        &mut self,
        pool: &Pool,
        from: LocId,
        to: LocId,
        body: Vec<TermId>,
        head: Option<TermId>,
    ) {
        let place = |loc: LocId| {
            let l = &self.program.locations[loc];
            let name = &self.program.functions[l.func].name;
            match l.span.is_known() {
                true => format!("{name}, line {}", l.span.line),
                false => format!("{name}, {loc}"),
            }
        };
        let error = self.program.locations[to].error.as_ref();
        let what = error.map_or(String::new(), |e| format!(": {}", e.message));
        let comment = format!("{} -> {}{what}", place(from), place(to));
        let body = body.into_iter().filter(|&t| t != pool.tt()).collect();
        self.clauses.push(Clause {
            comment,
            body,
            head,
        });
    }

    /// Execution starts with any values inside the ranges.
    fn entry(&mut self, pool: &mut Pool) {
        let func = self.program.entry;
        let entry = self.program.functions[func].entry;
        let mut body = Vec::new();
        for v in self.held(entry) {
            let value = self.program.vars[v].term;
            body.push(self.range(pool, v, value));
        }
        body.extend(self.same_as_old(pool, func));
        let head = self.at(pool, entry, &FxHashMap::default());
        self.clause(pool, entry, entry, body, Some(head));
    }

    fn same_as_old(&self, pool: &mut Pool, func: FuncId) -> Vec<TermId> {
        let vars = self.remembered(func).into_iter();
        vars.map(|v| {
            let old = old_term(pool, self.program, v);
            pool.eq(old, self.program.vars[v].term)
        })
        .collect()
    }

    fn call(&mut self, pool: &mut Pool, edge: EdgeId) {
        let e = &self.program.edges[edge];
        let Stmt::Call {
            callee,
            args,
            results,
        } = &e.stmt
        else {
            unreachable!("a call block holds a call")
        };
        let (callee, f) = (*callee, &self.program.functions[*callee]);
        let before = self.at(pool, e.from, &FxHashMap::default());
        let globals = self.touched(callee);
        // The callee is entered: its parameters are the arguments, also as old values.
        let symbol = self.predicate(pool, f.entry);
        let value = |v: VarId| match f.params.iter().position(|&p| p == v) {
            Some(i) => args[i],
            // A local of the callee gets any value. Its constant means something else here only
            // if the caller is the callee, so a new name is taken.
            None => self.program.vars[v].term,
        };
        let mut entered: Vec<TermId> = f.params.iter().map(|&p| value(p)).collect();
        entered.extend(globals.iter().map(|&g| self.program.vars[g].term));
        let mut body = vec![before];
        for (&p, &a) in f.params.iter().zip(args) {
            body.push(self.range(pool, p, a));
        }
        for v in self.held(f.entry) {
            let own = f.locals.contains(&v) || f.returns.contains(&v);
            let term = match own {
                true => {
                    let term = pool.fresh_constant("any", self.program.vars[v].sort);
                    body.push(self.range(pool, v, term));
                    term
                }
                false => value(v),
            };
            entered.push(term);
        }
        let head = pool.app(symbol, &entered);
        self.clause(pool, e.from, f.entry, body, Some(head));
        // The callee comes back.
        let symbol = self.summary(pool, callee);
        let mut given: Vec<TermId> = args.clone();
        given.extend(globals.iter().map(|&g| self.program.vars[g].term));
        let mut after: FxHashMap<VarId, TermId> = FxHashMap::default();
        let mut body = vec![before];
        let mut outs = Vec::new();
        for &g in &self.effects.writes[callee] {
            let term = primed(pool, self.program, g);
            after.insert(g, term);
            outs.push(term);
        }
        // Results are copied last, so they win over what the callee wrote.
        let mut returned = Vec::new();
        for (&r, &from) in results.iter().zip(&f.returns) {
            let term = pool.fresh_constant("result", self.program.vars[from].sort);
            let in_range = self.range(pool, r, term);
            body.push(in_range);
            after.insert(r, term);
            returned.push(term);
        }
        given.extend(returned);
        given.extend(outs);
        body.push(pool.app(symbol, &given));
        let head = self.at(pool, e.to, &after);
        self.clause(pool, e.from, e.to, body, Some(head));
    }

    /// What is known at a function's exit is its summary.
    fn exits(&mut self, pool: &mut Pool) {
        for func in self.functions.clone() {
            if !self.called.contains(&func) {
                continue;
            }
            let f = &self.program.functions[func];
            let body = vec![self.at(pool, f.exit, &FxHashMap::default())];
            let symbol = self.summary(pool, func);
            let mut args: Vec<TermId> = self
                .remembered(func)
                .into_iter()
                .map(|v| old_term(pool, self.program, v))
                .collect();
            let outs = f.returns.iter().chain(&self.effects.writes[func]);
            args.extend(outs.map(|&v| self.program.vars[v].term));
            let head = pool.app(symbol, &args);
            self.clause(pool, f.exit, f.exit, body, Some(head));
        }
    }

    fn text(&self, pool: &Pool) -> String {
        let terms: Vec<TermId> = self
            .clauses
            .iter()
            .flat_map(|c| c.body.iter().copied().chain(c.head))
            .collect();
        let mut out = String::from("(set-logic HORN)\n");
        out.push_str(&prelude(pool, &terms));
        let known: FxHashSet<SymbolId> = self.symbols.iter().copied().collect();
        for s in pool.symbols_of(&terms) {
            if !known.contains(&s) && !pool.symbol_data(s).args.is_empty() {
                let _ = writeln!(out, "{}", declaration(pool, s));
            }
        }
        for &s in &self.symbols {
            let _ = writeln!(out, "{}", declaration(pool, s));
        }
        for clause in &self.clauses {
            let _ = writeln!(out, "\n; {}", clause.comment);
            let all: Vec<TermId> = clause.body.iter().copied().chain(clause.head).collect();
            let mut binders = String::new();
            for s in pool.symbols_of(&all) {
                let data = pool.symbol_data(s);
                if data.args.is_empty() && !known.contains(&s) {
                    let sort = print_sort(pool, data.sort);
                    let _ = write!(binders, "({} {sort})", print_symbol(&data.name));
                }
            }
            let body: Vec<String> = clause.body.iter().map(|&t| print_term(pool, t)).collect();
            let body = match body.as_slice() {
                [] => "true".to_string(),
                [one] => one.clone(),
                many => format!("(and {})", many.join(" ")),
            };
            let head = clause
                .head
                .map_or("false".to_string(), |t| print_term(pool, t));
            let rule = format!("(=> {body} {head})");
            let _ = match binders.is_empty() {
                true => writeln!(out, "(assert {rule})"),
                false => writeln!(out, "(assert (forall ({binders}) {rule}))"),
            };
        }
        out.push_str("\n(check-sat)\n");
        out
    }
}
