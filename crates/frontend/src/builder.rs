//! Building a [`Program`] edge by edge: a cursor, fresh temporaries, and the final clean-up that
//! drops what no execution can reach.

use crate::c::sema::claims::{Part, Placed};
use base::{FxHashMap, FxHashSet, Id, IndexVec};
use logic::{Pool, Rational, SortId, TermId};
use program::{
    Edge, EdgeId, ErrorTag, FuncId, Function, InputKind, LocId, Location, MemoryModel, Note,
    OutputCall, Program, Property, Span, Stmt, Var, VarId, VarKind,
};
use std::collections::{BTreeMap, BTreeSet};

pub struct Builder {
    pub functions: IndexVec<FuncId, Function>,
    pub vars: IndexVec<VarId, Var>,
    pub locations: IndexVec<LocId, Location>,
    pub edges: IndexVec<EdgeId, Edge>,
    pub globals: Vec<VarId>,
    pub outputs: BTreeMap<EdgeId, OutputCall>,
    type_ranges: BTreeSet<EdgeId>,
    /// How memory is laid out, for explanations.
    pub memory: MemoryModel,
    assumptions: Vec<Note>,
    notes: Vec<Note>,
    said: FxHashSet<(String, u32, u32)>,
    /// Claims met so far.
    pub claims: Vec<Placed>,
    /// Parts of contracts met so far.
    pub contracts: Vec<(FuncId, Part, TermId)>,
    names: FxHashMap<String, u32>,
    /// The function under construction.
    pub func: FuncId,
    /// Where the next statement goes.
    pub at: LocId,
}

/// What a new variable is.
pub struct VarSpec<'s> {
    pub name: &'s str,
    pub sort: SortId,
    pub range: Option<(Rational, Rational)>,
    pub kind: VarKind,
    pub source_name: Option<String>,
    pub source_type: Option<String>,
    pub span: Span,
}

impl Builder {
    pub fn new() -> Self {
        Builder {
            functions: IndexVec::new(),
            vars: IndexVec::new(),
            locations: IndexVec::new(),
            edges: IndexVec::new(),
            globals: Vec::new(),
            outputs: BTreeMap::new(),
            type_ranges: BTreeSet::new(),
            memory: MemoryModel::default(),
            assumptions: Vec::new(),
            notes: Vec::new(),
            said: FxHashSet::default(),
            claims: Vec::new(),
            contracts: Vec::new(),
            names: FxHashMap::default(),
            func: FuncId::from_index(0),
            at: LocId::from_index(0),
        }
    }

    /// A function without code: its entry and exit.
    pub fn declare(&mut self, name: &str, span: Span, end: Span) -> FuncId {
        let id = self.functions.next_id();
        let mut place = |span| {
            self.locations.push(Location {
                func: id,
                span,
                error: None,
                loop_head: None,
            })
        };
        let (entry, exit) = (place(span), place(end));
        self.functions.push(Function {
            name: name.into(),
            params: Vec::new(),
            returns: Vec::new(),
            locals: Vec::new(),
            entry,
            exit,
            span,
        })
    }

    /// Code goes to this function from now on, beginning at its entry.
    pub fn enter(&mut self, func: FuncId) {
        self.func = func;
        self.at = self.functions[func].entry;
    }

    pub fn unique_name(&mut self, name: &str) -> String {
        let count = self.names.entry(name.to_string()).or_insert(0);
        *count += 1;
        if *count == 1 {
            return name.to_string();
        }
        let numbered = format!("{name}#{count}");
        self.unique_name(&numbered)
    }

    pub fn var(&mut self, pool: &mut Pool, spec: VarSpec<'_>) -> VarId {
        let name = self.unique_name(spec.name);
        let term = pool.constant(&name, spec.sort);
        let id = self.vars.push(Var {
            name,
            term,
            sort: spec.sort,
            range: spec.range,
            kind: spec.kind,
            source_name: spec.source_name,
            source_type: spec.source_type,
            span: spec.span,
        });
        match spec.kind {
            VarKind::Global => self.globals.push(id),
            VarKind::Param => self.functions[self.func].params.push(id),
            VarKind::Return => self.functions[self.func].returns.push(id),
            VarKind::Local => self.functions[self.func].locals.push(id),
        }
        id
    }

    pub fn new_loc(&mut self, span: Span) -> LocId {
        self.locations.push(Location {
            func: self.func,
            span,
            error: None,
            loop_head: None,
        })
    }

    pub fn edge(&mut self, from: LocId, to: LocId, stmt: Stmt, span: Span) -> EdgeId {
        self.edges.push(Edge {
            from,
            to,
            stmt,
            span,
        })
    }

    /// Appends a statement at the cursor.
    pub fn emit(&mut self, stmt: Stmt, span: Span) -> EdgeId {
        let to = self.new_loc(span);
        let edge = self.edge(self.at, to, stmt, span);
        self.at = to;
        edge
    }

    pub fn assign(&mut self, pairs: Vec<(VarId, TermId)>, span: Span) {
        let vars = &self.vars;
        let pairs: Vec<_> = pairs
            .into_iter()
            .filter(|&(v, t)| vars[v].term != t)
            .collect();
        if !pairs.is_empty() {
            self.emit(Stmt::Assign(pairs), span);
        }
    }

    pub fn assume(&mut self, pool: &Pool, cond: TermId, span: Span) {
        if cond != pool.tt() {
            self.emit(Stmt::Assume(cond), span);
        }
    }

    /// A value read has its type's range.
    pub fn assume_range(&mut self, pool: &Pool, cond: TermId, span: Span) {
        if cond != pool.tt() {
            let edge = self.emit(Stmt::Assume(cond), span);
            self.type_ranges.insert(edge);
        }
    }

    /// The assumption at the edge blocks no execution, as that of a type's range.
    pub fn holds_always(&mut self, edge: EdgeId) {
        self.type_ranges.insert(edge);
    }

    pub fn havoc(&mut self, var: VarId, kind: InputKind, span: Span) {
        self.emit(Stmt::Havoc(vec![var], kind), span);
    }

    /// From the cursor to `to`; what follows is unreachable until the cursor is moved.
    pub fn jump(&mut self, to: LocId, span: Span) {
        self.edge(self.at, to, Stmt::Skip, span);
        self.at = self.new_loc(span);
    }

    /// The path ends here without error.
    pub fn stop(&mut self, span: Span) {
        self.at = self.new_loc(span);
    }

    /// From the cursor, two ways: returns where the condition holds and where it does not.
    pub fn branch(&mut self, pool: &mut Pool, cond: TermId, span: Span) -> (LocId, LocId) {
        let (yes, no) = (self.new_loc(span), self.new_loc(span));
        self.branch_to(pool, cond, yes, no, span);
        (yes, no)
    }

    /// From the cursor to `yes` if the condition holds, else to `no`.
    pub fn branch_to(&mut self, pool: &mut Pool, cond: TermId, yes: LocId, no: LocId, span: Span) {
        let not = pool.not(cond);
        for (condition, to) in [(cond, yes), (not, no)] {
            if condition == pool.tt() {
                self.edge(self.at, to, Stmt::Skip, span);
            } else if condition != pool.ff() {
                self.edge(self.at, to, Stmt::Assume(condition), span);
            }
        }
    }

    /// A violation of the property, reached from the cursor when `cond` holds; continues otherwise.
    /// Returns the error location, if there is one.
    pub fn error_if(&mut self, pool: &mut Pool, cond: TermId, tag: ErrorTag) -> Option<LocId> {
        if cond == pool.ff() {
            return None;
        }
        let span = tag.span;
        let (bad, good) = self.branch(pool, cond, span);
        self.locations[bad].error = Some(tag);
        self.at = good;
        Some(bad)
    }

    /// The cursor is a violation of the property.
    pub fn error(&mut self, property: Property, message: String, span: Span) {
        let at = self.new_loc(span);
        self.locations[at].error = Some(ErrorTag {
            property,
            span,
            message,
        });
        self.jump(at, span);
    }

    /// Something over-approximated; said once per place.
    pub fn note(&mut self, span: Span, message: impl Into<String>) {
        let message = message.into();
        if self.said.insert((message.clone(), span.line, span.column)) {
            self.notes.push(Note { span, message });
        }
    }

    /// Something a proof relies on; said once.
    pub fn assumption(&mut self, span: Span, message: &str) {
        if self.said.insert((message.into(), u32::MAX, 0)) {
            self.assumptions.push(Note {
                span,
                message: message.into(),
            });
        }
    }

    /// The program from `entry`, without functions, locations and variables no execution can touch.
    pub fn finish(self, pool: &Pool, entry: FuncId) -> Program {
        self.finish_with_claims(pool, entry).0
    }

    /// As [`Self::finish`], with the claims at their locations in the program.
    pub fn finish_with_claims(mut self, pool: &Pool, entry: FuncId) -> (Program, Vec<Placed>) {
        let live = self.live_locations(entry);
        let mut kept: FxHashSet<FuncId> = FxHashSet::default();
        for (id, f) in self.functions.iter_enumerated() {
            if live[f.entry] {
                kept.insert(id);
            }
        }
        let mut func_map = IndexVec::filled(None, self.functions.len());
        let mut functions = IndexVec::new();
        for (id, f) in self.functions.iter_enumerated() {
            if kept.contains(&id) {
                func_map[id] = Some(functions.push(f.clone()));
            }
        }
        let mut loc_map = IndexVec::filled(None, self.locations.len());
        let mut locations = IndexVec::new();
        for (id, l) in self.locations.iter_enumerated() {
            let exit = self.functions[l.func].exit == id && kept.contains(&l.func);
            if live[id] || exit {
                let mut l = l.clone();
                l.func = func_map[l.func].expect("a live location's function is kept");
                loc_map[id] = Some(locations.push(l));
            }
        }
        let mut edges = IndexVec::new();
        let mut edge_map = IndexVec::filled(None, self.edges.len());
        for (id, e) in self.edges.iter_enumerated() {
            let (Some(from), true) = (loc_map[e.from], live[e.from]) else {
                continue;
            };
            let to = loc_map[e.to].expect("the target of a live edge is live");
            let mut stmt = e.stmt.clone();
            if let Stmt::Call { callee, .. } = &mut stmt {
                *callee = func_map[*callee].expect("a called function is kept");
            }
            edge_map[id] = Some(edges.push(Edge {
                from,
                to,
                stmt,
                span: e.span,
            }));
        }
        for f in functions.iter_mut() {
            f.entry = loc_map[f.entry].expect("a kept function has its entry");
            f.exit = loc_map[f.exit].expect("a kept function has its exit");
        }
        let outputs = std::mem::take(&mut self.outputs)
            .into_iter()
            .filter_map(|(e, call)| Some((edge_map[e]?, call)))
            .collect();
        let type_ranges = self.type_ranges.iter().filter_map(|&e| edge_map[e]);
        let type_ranges = type_ranges.collect();
        let mut memory = std::mem::take(&mut self.memory);
        let accesses = std::mem::take(&mut memory.accesses).into_iter();
        memory.accesses = accesses
            .filter_map(|(l, a)| Some((loc_map[l]?, a)))
            .collect();
        let mut program = Program {
            functions,
            vars: self.vars,
            locations,
            edges,
            globals: self.globals,
            entry: func_map[entry].expect("the entry is live"),
            assumptions: self.assumptions,
            notes: self.notes,
            outputs,
            type_ranges,
            memory,
            contracts: Vec::new(),
            texts: Vec::new(),
        };
        let mut claims = std::mem::take(&mut self.claims);
        for claim in &mut claims {
            claim.at = claim
                .at
                .and_then(|(f, l)| Some((func_map[f]?, loc_map[l]?)));
        }
        let spoken = claims.iter().filter_map(|c| c.formula.clone().ok());
        drop_unused_vars(pool, &mut program, spoken.collect());
        (program, claims)
    }

    /// Remembers what has been said, to take back what follows.
    pub fn mark_notes(&self) -> (usize, usize, FxHashSet<(String, u32, u32)>) {
        (self.assumptions.len(), self.notes.len(), self.said.clone())
    }

    pub fn take_back_notes(&mut self, mark: (usize, usize, FxHashSet<(String, u32, u32)>)) {
        self.assumptions.truncate(mark.0);
        self.notes.truncate(mark.1);
        self.said = mark.2;
    }

    /// Reachable along edges and calls; the exit of a function may still be unreachable.
    fn live_locations(&self, entry: FuncId) -> IndexVec<LocId, bool> {
        let mut out: IndexVec<LocId, Vec<EdgeId>> =
            IndexVec::filled(Vec::new(), self.locations.len());
        for (id, e) in self.edges.iter_enumerated() {
            out[e.from].push(id);
        }
        let mut live = IndexVec::filled(false, self.locations.len());
        let mut stack = vec![self.functions[entry].entry];
        while let Some(l) = stack.pop() {
            if std::mem::replace(&mut live[l], true) {
                continue;
            }
            for &e in &out[l] {
                stack.push(self.edges[e].to);
                if let Stmt::Call { callee, .. } = &self.edges[e].stmt {
                    stack.push(self.functions[*callee].entry);
                }
            }
        }
        live
    }
}

/// Drops variables that neither a statement nor one of the terms mentions (parameters and returns
/// stay) and renumbers the rest.
fn drop_unused_vars(pool: &Pool, program: &mut Program, terms: Vec<TermId>) {
    let mut by_term: FxHashMap<TermId, VarId> = FxHashMap::default();
    for (id, v) in program.vars.iter_enumerated() {
        by_term.insert(v.term, id);
    }
    let mut used = IndexVec::filled(false, program.vars.len());
    let mut seen: FxHashSet<TermId> = FxHashSet::default();
    let mut stack: Vec<TermId> = terms;
    for e in program.edges.iter() {
        match &e.stmt {
            Stmt::Skip => {}
            Stmt::Assign(pairs) => {
                for &(v, t) in pairs {
                    used[v] = true;
                    stack.push(t);
                }
            }
            Stmt::Assume(t) => stack.push(*t),
            Stmt::Havoc(vars, _) => vars.iter().for_each(|&v| used[v] = true),
            Stmt::Call { args, results, .. } => {
                stack.extend(args);
                results.iter().for_each(|&v| used[v] = true);
            }
        }
    }
    for call in program.outputs.values() {
        stack.extend(&call.args);
        stack.extend(call.memory.iter().flatten());
    }
    while let Some(t) = stack.pop() {
        if seen.insert(t) {
            if let Some(&v) = by_term.get(&t) {
                used[v] = true;
            }
            stack.extend(pool.args(t));
        }
    }
    for f in program.functions.iter() {
        f.params
            .iter()
            .chain(&f.returns)
            .for_each(|&v| used[v] = true);
    }
    let mut map: IndexVec<VarId, Option<VarId>> = IndexVec::filled(None, program.vars.len());
    let mut vars = IndexVec::new();
    let live_funcs = &program.functions;
    let mut owned: IndexVec<VarId, bool> = IndexVec::filled(false, program.vars.len());
    for f in live_funcs.iter() {
        for &v in f.params.iter().chain(&f.returns).chain(&f.locals) {
            owned[v] = true;
        }
    }
    program.globals.iter().for_each(|&v| owned[v] = true);
    for (id, v) in program.vars.iter_enumerated() {
        if used[id] && owned[id] {
            map[id] = Some(vars.push(v.clone()));
        }
    }
    let get = |v: &VarId| map[*v].expect("a used variable is kept");
    for e in program.edges.iter_mut() {
        match &mut e.stmt {
            Stmt::Assign(pairs) => pairs.iter_mut().for_each(|(v, _)| *v = get(v)),
            Stmt::Havoc(vars, _) => vars.iter_mut().for_each(|v| *v = get(v)),
            Stmt::Call { results, .. } => results.iter_mut().for_each(|v| *v = get(v)),
            _ => {}
        }
    }
    for f in program.functions.iter_mut() {
        f.params.iter_mut().for_each(|v| *v = get(v));
        f.returns.iter_mut().for_each(|v| *v = get(v));
        f.locals = f.locals.iter().filter_map(|v| map[*v]).collect();
    }
    program.globals = program.globals.iter().filter_map(|v| map[*v]).collect();
    program.vars = vars;
}
