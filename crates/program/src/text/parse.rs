//! Reads the text form of programs; see `text.rs` for what it looks like.

use super::lex::{self, Token};
use super::property_name;
use super::read::Cursor;
use crate::{
    Edge, EdgeId, ErrorTag, FileId, FuncId, Function, InputKind, LocId, Location, Note, PROPERTIES,
    Program, Property, Span, Stmt, Var, VarId, VarKind,
};
use base::{FxHashMap, Id, IndexVec};
use logic::{Pool, Rational, TermId};

/// Why a text is no program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    pub line: u32,
    pub message: String,
}

impl From<(u32, String)> for SyntaxError {
    fn from((line, message): (u32, String)) -> Self {
        SyntaxError { line, message }
    }
}

impl std::fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for SyntaxError {}

type Result<T> = std::result::Result<T, SyntaxError>;

/// Reads a program; its variables become constants of the pool.
pub fn parse(pool: &mut Pool, text: &str) -> Result<Program> {
    let mut parser = Parser {
        cursor: Cursor::new(lex::tokens(text)?).strict(),
        pool,
        program: Program {
            functions: IndexVec::new(),
            vars: IndexVec::new(),
            locations: IndexVec::new(),
            edges: IndexVec::new(),
            globals: Vec::new(),
            entry: FuncId::from_index(0),
            assumptions: Vec::new(),
            notes: Vec::new(),
            outputs: std::collections::BTreeMap::new(),
            type_ranges: Default::default(),
            contracts: Vec::new(),
            texts: Vec::new(),
            memory: Default::default(),
        },
        terms: FxHashMap::default(),
        vars: FxHashMap::default(),
        functions: FxHashMap::default(),
        calls: Vec::new(),
        loc_names: Vec::new(),
    };
    let entry = parser.items()?;
    parser.finish(entry)
}

struct Parser<'a> {
    cursor: Cursor,
    pool: &'a mut Pool,
    program: Program,
    /// Names that expressions may mention.
    terms: FxHashMap<String, TermId>,
    vars: FxHashMap<String, VarId>,
    functions: FxHashMap<String, FuncId>,
    /// Calls by edge, resolved at the end (functions may come in any order).
    calls: Vec<(EdgeId, String, u32)>,
    /// Name of each location, for the numbering at the end.
    loc_names: Vec<String>,
}

/// The locations of the function being read.
struct Scope {
    func: FuncId,
    locs: FxHashMap<String, LocId>,
    first: Option<LocId>,
    entry: Option<LocId>,
    exit: Option<LocId>,
}

impl Parser<'_> {
    fn items(&mut self) -> Result<Option<String>> {
        let mut entry = None;
        while self.cursor.peek().is_some() {
            if self.cursor.eat_word("entry") {
                entry = Some(self.cursor.name()?);
            } else if self.cursor.at_word("assumption") || self.cursor.at_word("note") {
                let word = self.cursor.name()?;
                let message = self.cursor.text()?;
                let note = Note {
                    span: self.span(),
                    message,
                };
                match word.as_str() {
                    "note" => self.program.notes.push(note),
                    _ => self.program.assumptions.push(note),
                }
            } else if self.cursor.eat_word("function") {
                self.uninterpreted()?;
            } else if self.cursor.eat_word("global") {
                let vars = self.var_list(VarKind::Global)?;
                self.program.globals.extend(vars);
            } else if self.cursor.eat_word("fn") {
                self.function()?;
            } else {
                return self
                    .cursor
                    .error("`entry`, `global`, `function` or `fn` expected");
            }
        }
        Ok(entry)
    }

    fn uninterpreted(&mut self) -> Result<()> {
        let name = self.cursor.name()?;
        self.cursor.expect("(")?;
        let mut args = Vec::new();
        while !self.cursor.eat(")") {
            args.push(self.cursor.sort(self.pool)?);
        }
        let sort = self.cursor.sort(self.pool)?;
        if let Some(s) = self.pool.symbol_named(&name) {
            let known = self.pool.symbol_data(s);
            if *known.args != *args || known.sort != sort {
                return self
                    .cursor
                    .error(format!("`{name}` has another type already"));
            }
        }
        let symbol = self.pool.symbol(&name, &args, sort);
        if args.is_empty() {
            let term = self.pool.app(symbol, &[]);
            self.terms.insert(name, term);
        }
        Ok(())
    }

    fn span(&mut self) -> Span {
        match self.cursor.peek() {
            Some(&Token::Place([file, line, column, len])) => {
                self.cursor.next();
                Span {
                    file: FileId::from_index(file as usize),
                    line,
                    column,
                    len,
                }
            }
            _ => Span::unknown(),
        }
    }

    fn var_list(&mut self, kind: VarKind) -> Result<Vec<VarId>> {
        let mut out = vec![self.var(kind)?];
        while self.cursor.eat(",") {
            out.push(self.var(kind)?);
        }
        Ok(out)
    }

    fn var(&mut self, kind: VarKind) -> Result<VarId> {
        let name = self.cursor.name()?;
        self.cursor.expect(":")?;
        let sort = self.cursor.sort(self.pool)?;
        if self.vars.contains_key(&name) {
            return self.cursor.error(format!("`{name}` is declared twice"));
        }
        if let Some(s) = self.pool.symbol_named(&name) {
            let known = self.pool.symbol_data(s);
            if !known.args.is_empty() || known.sort != sort {
                return self
                    .cursor
                    .error(format!("`{name}` has another type already"));
            }
        }
        let mut range = None;
        if self.cursor.eat("[") {
            let low = self.number()?;
            self.cursor.expect(",")?;
            let high = self.number()?;
            self.cursor.expect("]")?;
            if low > high || !self.pool.is_arith(sort) {
                return self
                    .cursor
                    .error("a range goes from a number to a larger one");
            }
            range = Some((low, high));
        }
        let (mut source_name, mut source_type) = (None, None);
        if self.cursor.eat_word("name") {
            source_name = Some(self.cursor.text()?);
        }
        if self.cursor.eat_word("type") {
            source_type = Some(self.cursor.text()?);
        }
        let span = self.span();
        let term = self.pool.constant(&name, sort);
        self.terms.insert(name.clone(), term);
        let id = self.program.vars.push(Var {
            name: name.clone(),
            term,
            sort,
            range,
            kind,
            source_name,
            source_type,
            span,
        });
        self.vars.insert(name, id);
        Ok(id)
    }

    fn number(&mut self) -> Result<Rational> {
        let term = self.cursor.expr(self.pool, &FxHashMap::default())?;
        match self.pool.as_number(term) {
            Some(n) => Ok(n.clone()),
            None => self.cursor.error("a number expected"),
        }
    }

    fn function(&mut self) -> Result<()> {
        let name = self.cursor.name()?;
        let func = self.program.functions.next_id();
        if self.functions.insert(name.clone(), func).is_some() {
            return self
                .cursor
                .error(format!("function `{name}` is declared twice"));
        }
        let mut params = Vec::new();
        let mut returns = Vec::new();
        self.cursor.expect("(")?;
        if !self.cursor.at_punct(")") {
            params = self.var_list(VarKind::Param)?;
        }
        self.cursor.expect(")")?;
        if self.cursor.eat_word("returns") {
            self.cursor.expect("(")?;
            returns = self.var_list(VarKind::Return)?;
            self.cursor.expect(")")?;
        }
        let span = self.span();
        let nowhere = LocId::from_index(0);
        self.program.functions.push(Function {
            name,
            params,
            returns,
            locals: Vec::new(),
            entry: nowhere,
            exit: nowhere,
            span,
        });
        let mut scope = Scope {
            func,
            locs: FxHashMap::default(),
            first: None,
            entry: None,
            exit: None,
        };
        self.cursor.expect("{")?;
        while !self.cursor.eat("}") {
            self.line(&mut scope)?;
        }
        let entry = match scope.entry.or(scope.first) {
            Some(loc) => loc,
            None => self.loc(&mut scope, "entry"),
        };
        let exit = match scope.exit {
            Some(loc) => loc,
            None => self.loc(&mut scope, "exit"),
        };
        self.program.functions[func].entry = entry;
        self.program.functions[func].exit = exit;
        Ok(())
    }

    fn loc(&mut self, scope: &mut Scope, name: &str) -> LocId {
        if let Some(&loc) = scope.locs.get(name) {
            return loc;
        }
        let loc = self.program.locations.push(Location {
            func: scope.func,
            span: Span::unknown(),
            error: None,
            loop_head: None,
        });
        self.loc_names.push(name.into());
        scope.locs.insert(name.into(), loc);
        scope.first.get_or_insert(loc);
        loc
    }

    fn loc_name(&mut self, scope: &mut Scope) -> Result<LocId> {
        let name = self.cursor.name()?;
        Ok(self.loc(scope, &name))
    }

    fn line(&mut self, scope: &mut Scope) -> Result<()> {
        if self.cursor.eat_word("locals") {
            let vars = self.var_list(VarKind::Local)?;
            self.program.functions[scope.func].locals.extend(vars);
            return Ok(());
        }
        // `entry -> l1` is an edge of a location that happens to have that name.
        let word = self.cursor.name()?;
        if !self.cursor.at_word("->") {
            match word.as_str() {
                "entry" => scope.entry = Some(self.loc_name(scope)?),
                "exit" => scope.exit = Some(self.loc_name(scope)?),
                "location" => {
                    let loc = self.loc_name(scope)?;
                    self.program.locations[loc].span = self.span();
                }
                "loop" => {
                    let loc = self.loc_name(scope)?;
                    self.program.locations[loc].loop_head = Some(self.span());
                }
                "error" => {
                    let loc = self.loc_name(scope)?;
                    self.error_tag(loc)?;
                }
                _ => return self.cursor.error("`->` expected"),
            }
            return Ok(());
        }
        let from = self.loc(scope, &word);
        self.cursor.next();
        let to = self.loc_name(scope)?;
        self.cursor.expect(":")?;
        let stmt = self.stmt()?;
        let span = self.span();
        self.program.edges.push(Edge {
            from,
            to,
            stmt,
            span,
        });
        Ok(())
    }

    fn error_tag(&mut self, loc: LocId) -> Result<()> {
        let (mut property, mut message) = (Property::Unreach, String::new());
        if self.cursor.eat(":") {
            let name = self.cursor.name()?;
            let mut all = PROPERTIES.iter().map(|e| e.property);
            match all.find(|p| property_name(*p) == name) {
                Some(p) => property = p,
                None => return self.cursor.error(format!("no property is called `{name}`")),
            }
            if matches!(self.cursor.peek(), Some(Token::Text(_))) {
                message = self.cursor.text()?;
            }
        }
        let span = self.span();
        self.program.locations[loc].error = Some(ErrorTag {
            property,
            span,
            message,
        });
        Ok(())
    }

    fn stmt(&mut self) -> Result<Stmt> {
        let mut bound = Vec::new();
        if self.cursor.eat_word("let") {
            loop {
                let name = self.cursor.name()?;
                if !self.cursor.eat_word("=") {
                    return self.cursor.error("`=` expected");
                }
                let term = self.expr()?;
                bound.push((name.clone(), self.terms.insert(name, term)));
                if self.cursor.eat_word("in") {
                    break;
                }
                self.cursor.expect(",")?;
            }
        }
        let stmt = self.bare_stmt();
        for (name, before) in bound.into_iter().rev() {
            match before {
                Some(term) => self.terms.insert(name, term),
                None => self.terms.remove(&name),
            };
        }
        stmt
    }

    fn expr(&mut self) -> Result<TermId> {
        self.cursor.expr(self.pool, &self.terms)
    }

    fn bare_stmt(&mut self) -> Result<Stmt> {
        if self.cursor.eat_word("skip") {
            return Ok(Stmt::Skip);
        }
        if self.cursor.eat_word("assume") {
            let c = self.expr()?;
            if self.pool.sort_of(c) != self.pool.bool_sort() {
                return self.cursor.error("a condition is of sort Bool");
            }
            return Ok(Stmt::Assume(c));
        }
        if self.cursor.eat_word("havoc") {
            let vars = self.names()?;
            let kind = if self.cursor.eat_word("nondet") {
                let function = self.cursor.text()?;
                InputKind::Nondet { function }
            } else if self.cursor.eat_word("extern") {
                let function = self.cursor.text()?;
                InputKind::Extern { function }
            } else if self.cursor.eat_word("environment") {
                let what = self.cursor.text()?;
                InputKind::Environment { what }
            } else if self.cursor.eat_word("approximation") {
                InputKind::Approximation
            } else {
                InputKind::Unknown
            };
            return Ok(Stmt::Havoc(vars, kind));
        }
        if self.cursor.eat_word("call") {
            return self.call(Vec::new());
        }
        let mut vars = self.names()?;
        self.cursor.expect(":=")?;
        if self.cursor.eat_word("call") {
            return self.call(vars);
        }
        let mut pairs = Vec::new();
        loop {
            let [var] = vars.as_slice() else {
                return self.cursor.error("one variable is assigned at a time");
            };
            let e = self.expr()?;
            if self.pool.sort_of(e) != self.program.vars[*var].sort {
                return self.cursor.error("the value has another sort");
            }
            pairs.push((*var, e));
            if !self.cursor.eat(",") {
                return Ok(Stmt::Assign(pairs));
            }
            vars = vec![self.var_name()?];
            self.cursor.expect(":=")?;
        }
    }

    fn var_name(&mut self) -> Result<VarId> {
        let name = self.cursor.name()?;
        match self.vars.get(&name) {
            Some(&v) => Ok(v),
            None => self.cursor.error(format!("`{name}` is no variable")),
        }
    }

    fn names(&mut self) -> Result<Vec<VarId>> {
        let mut out = vec![self.var_name()?];
        while self.cursor.eat(",") {
            out.push(self.var_name()?);
        }
        Ok(out)
    }

    fn call(&mut self, results: Vec<VarId>) -> Result<Stmt> {
        let name = self.cursor.name()?;
        self.cursor.expect("(")?;
        let mut args = Vec::new();
        while !self.cursor.eat(")") {
            if !args.is_empty() {
                self.cursor.expect(",")?;
            }
            args.push(self.expr()?);
        }
        self.calls
            .push((self.program.edges.next_id(), name, self.cursor.line()));
        Ok(Stmt::Call {
            callee: FuncId::from_index(0),
            args,
            results,
        })
    }

    fn finish(mut self, entry: Option<String>) -> Result<Program> {
        if self.program.functions.is_empty() {
            return self.cursor.error("a program has at least one function");
        }
        for (edge, name, line) in std::mem::take(&mut self.calls) {
            let fail = |message| Err(SyntaxError { line, message });
            let Some(&f) = self.functions.get(&name) else {
                return fail(format!("no function is called `{name}`"));
            };
            let Stmt::Call {
                callee,
                args,
                results,
            } = &mut self.program.edges[edge].stmt
            else {
                continue;
            };
            *callee = f;
            let function = &self.program.functions[f];
            let sort = |v: &VarId| self.program.vars[*v].sort;
            let fits = args.len() == function.params.len()
                && results.len() == function.returns.len()
                && function
                    .params
                    .iter()
                    .zip(args.iter())
                    .all(|(p, a)| sort(p) == self.pool.sort_of(*a))
                && function
                    .returns
                    .iter()
                    .zip(results.iter())
                    .all(|(r, v)| sort(r) == sort(v));
            if !fits {
                return fail(format!("the call does not fit `{name}`"));
            }
        }
        if let Some(name) = entry {
            match self.functions.get(&name) {
                Some(&f) => self.program.entry = f,
                None => return self.cursor.error(format!("no function is called `{name}`")),
            }
        }
        for edge in self.program.edges.iter() {
            if self.program.locations[edge.from].error.is_some() {
                let message = "an error location has an outgoing edge".into();
                return Err(SyntaxError { line: 1, message });
            }
        }
        self.number_locations();
        self.program.check_invariants();
        Ok(self.program)
    }

    /// Gives locations their printed numbers if all have names `l0`, `l1`, ….
    fn number_locations(&mut self) {
        let n = self.loc_names.len();
        let mut old_from_new: Vec<Option<usize>> = vec![None; n];
        let mut new_from_old = Vec::with_capacity(n);
        for (old, name) in self.loc_names.iter().enumerate() {
            let number = name.strip_prefix('l').and_then(|d| d.parse::<usize>().ok());
            match number.and_then(|k| old_from_new.get_mut(k).map(|slot| (k, slot))) {
                Some((k, slot)) if slot.is_none() => {
                    *slot = Some(old);
                    new_from_old.push(LocId::from_index(k));
                }
                _ => return,
            }
        }
        let p = &mut self.program;
        p.locations = old_from_new
            .iter()
            .flatten()
            .map(|old| p.locations[LocId::from_index(*old)].clone())
            .collect();
        for edge in p.edges.iter_mut() {
            edge.from = new_from_old[edge.from.index()];
            edge.to = new_from_old[edge.to.index()];
        }
        for f in p.functions.iter_mut() {
            f.entry = new_from_old[f.entry.index()];
            f.exit = new_from_old[f.exit.index()];
        }
    }
}
