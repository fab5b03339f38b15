//! What names mean while a text is read: nested scopes of terms, functions, macros and sorts.

use super::name::decode_symbol;
use super::sexpr::{SExpr, SyntaxError};
use super::words;
use crate::eval::ZERO_DIVISIONS;
use crate::float::FloatOp;
use crate::{Pool, Sort, SortId, SymbolId, TermId, zero_division_name};
use base::FxHashMap;
use std::rc::Rc;

/// What a name stands for.
#[derive(Clone, Debug)]
pub(super) enum Binding {
    /// A constant, or a variable bound by `let` or a quantifier, or a macro without parameters.
    Term(TermId),
    Function(SymbolId),
    Macro(Rc<Macro>),
}

/// `define-fun`: its parameters are constants of the pool that occur nowhere else.
#[derive(Debug)]
pub(super) struct Macro {
    pub params: Vec<TermId>,
    pub body: TermId,
}

/// `define-sort`: its parameters are sorts that occur nowhere else.
#[derive(Debug)]
struct SortMacro {
    params: Vec<SortId>,
    body: SortId,
}

/// All names in scope. Binding and leaving a scope take constant time per name.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    ids: FxHashMap<Box<str>, usize>,
    bindings: Vec<Vec<Binding>>,
    /// Names in the order they were bound.
    trail: Vec<usize>,
    sorts: FxHashMap<Box<str>, Vec<Rc<SortMacro>>>,
    sort_trail: Vec<Box<str>>,
    /// The logic has no numbers, so their sorts are names like others.
    pub(super) numberless: bool,
    /// Bit-vectors and floats are known.
    pub(super) words: bool,
}

/// A point to return to with [`Scope::leave`].
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    names: usize,
    sorts: usize,
}

impl Scope {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn mark(&self) -> Mark {
        Mark {
            names: self.trail.len(),
            sorts: self.sort_trail.len(),
        }
    }

    /// Forgets all names bound since `mark`.
    pub fn leave(&mut self, mark: Mark) {
        for id in self.trail.drain(mark.names..) {
            self.bindings[id].pop();
        }
        for name in self.sort_trail.drain(mark.sorts..) {
            if let Some(defs) = self.sorts.get_mut(&name) {
                defs.pop();
            }
        }
    }

    pub(super) fn id(&mut self, name: &str) -> usize {
        if let Some(&id) = self.ids.get(name) {
            return id;
        }
        let id = self.bindings.len();
        self.bindings.push(Vec::new());
        self.ids.insert(name.into(), id);
        id
    }

    /// The number of a name that was bound before.
    pub(super) fn known(&self, name: &str) -> Option<usize> {
        self.ids.get(name).copied()
    }

    pub(super) fn bind_id(&mut self, id: usize, binding: Binding) {
        self.bindings[id].push(binding);
        self.trail.push(id);
    }

    pub(super) fn get(&self, name: &str) -> Option<&Binding> {
        self.bindings[*self.ids.get(name)?].last()
    }

    pub fn is_bound(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// The term a name stands for, if it takes no arguments.
    pub fn term(&self, name: &str) -> Option<TermId> {
        match self.get(name)? {
            Binding::Term(t) => Some(*t),
            _ => None,
        }
    }

    /// Lets a name stand for a term, hiding what it meant before.
    pub fn bind(&mut self, name: &str, term: TermId) {
        let id = self.id(name);
        self.bind_id(id, Binding::Term(term));
    }

    pub(super) fn define(&mut self, name: &str, params: Vec<TermId>, body: TermId) {
        let binding = if params.is_empty() {
            Binding::Term(body)
        } else {
            Binding::Macro(Rc::new(Macro { params, body }))
        };
        let id = self.id(name);
        self.bind_id(id, binding);
    }

    /// Declares a constant or function. If the pool knows the name with another type (from a scope
    /// that was left), the symbol gets a new name.
    pub fn declare(
        &mut self,
        pool: &mut Pool,
        name: &str,
        args: &[SortId],
        sort: SortId,
    ) -> Result<SymbolId, String> {
        if self.is_bound(name) {
            return Err(format!("`{name}` is declared already"));
        }
        let fits = |pool: &Pool, s: SymbolId| {
            let data = pool.symbol_data(s);
            *data.args == *args && data.sort == sort
        };
        for op in ZERO_DIVISIONS {
            if zero_division_name(op) == name {
                let own = pool.zero_division_symbol(op);
                if !fits(pool, own) {
                    return Err(format!("`{name}` has a meaning of its own"));
                }
            }
        }
        let mut internal = name.to_string();
        let mut count = 0;
        // In a script the names of our float operations are names like any others.
        let taken = |pool: &Pool, name: &str| {
            let float = FloatOp::from_name(name).is_some();
            float || pool.symbol_named(name).is_some_and(|s| !fits(pool, s))
        };
        while taken(pool, &internal) {
            count += 1;
            internal = format!("{name}!{count}");
        }
        let symbol = pool.symbol(&internal, args, sort);
        let binding = if args.is_empty() {
            Binding::Term(pool.app(symbol, &[]))
        } else {
            Binding::Function(symbol)
        };
        let id = self.id(name);
        self.bind_id(id, binding);
        Ok(symbol)
    }

    // ---- sorts ----

    pub fn declare_sort(&mut self, pool: &mut Pool, name: &str) -> Result<SortId, String> {
        self.check_new_sort(name)?;
        let sort = pool.sort(Sort::Uninterpreted(name.into()));
        self.add_sort(name, Vec::new(), sort);
        Ok(sort)
    }

    /// `define-sort` with these parameter names.
    pub fn define_sort(
        &mut self,
        pool: &mut Pool,
        name: &str,
        params: &[&str],
        body: SExpr,
    ) -> Result<(), SyntaxError> {
        self.check_new_sort(name).map_err(|m| body.error(m))?;
        let mark = self.mark();
        let mut sorts = Vec::new();
        for (i, param) in params.iter().enumerate() {
            // A name no text can contain.
            let sort = pool.sort(Sort::Uninterpreted(format!("|parameter {i}").into()));
            self.add_sort(param, Vec::new(), sort);
            sorts.push(sort);
        }
        let body = self.sort(pool, body);
        self.leave(mark);
        self.add_sort(name, sorts, body?);
        Ok(())
    }

    fn check_new_sort(&self, name: &str) -> Result<(), String> {
        let known = self.sorts.get(name).is_some_and(|d| !d.is_empty());
        let builtin = match name {
            "Bool" | "Array" => true,
            "Int" | "Real" => !self.numberless,
            _ => false,
        };
        if known || builtin {
            return Err(format!("sort `{name}` is declared already"));
        }
        Ok(())
    }

    fn add_sort(&mut self, name: &str, params: Vec<SortId>, body: SortId) {
        let defs = self.sorts.entry(name.into()).or_default();
        defs.push(Rc::new(SortMacro { params, body }));
        self.sort_trail.push(name.into());
    }

    /// The sort an expression denotes.
    pub fn sort(&self, pool: &mut Pool, expr: SExpr) -> Result<SortId, SyntaxError> {
        // Open applications: where they end, what is applied, and where their arguments start.
        let mut open: Vec<(u32, SortHead, usize)> = Vec::new();
        let mut values: Vec<SortId> = Vec::new();
        let mut at = expr;
        loop {
            let mut next = if self.words && at.head().is_some_and(|h| h.is_symbol("_")) {
                values.push(words::indexed_sort(pool, at)?);
                at.end()
            } else if at.is_list() {
                let head = at.head().ok_or_else(|| at.error("a sort is needed"))?;
                let applied = self.sort_head(pool, head)?;
                let (given, wanted) = (at.children().count() - 1, applied.arity());
                if given != wanted || given == 0 {
                    return Err(at.error(format!("this sort takes {wanted} arguments")));
                }
                if open.len() > MAX_DEPTH {
                    return Err(at.error("this sort is nested too deeply"));
                }
                open.push((at.end(), applied, values.len()));
                head.end()
            } else {
                match self.sort_head(pool, at)? {
                    SortHead::Macro(m) if m.params.is_empty() => values.push(m.body),
                    head => {
                        let wanted = head.arity();
                        return Err(at.error(format!("this sort takes {wanted} arguments")));
                    }
                }
                at.end()
            };
            while let Some((end, ..)) = open.last() {
                if next < *end {
                    break;
                }
                let (end, head, base) = open.pop().expect("looked at above");
                let sort = match head {
                    SortHead::Array => pool.array_sort(values[base], values[base + 1]),
                    SortHead::Macro(m) => instantiate(pool, &m, &values[base..]),
                };
                values.truncate(base);
                values.push(sort);
                next = end;
            }
            if open.is_empty() {
                let sort = values.pop().expect("one expression gives one sort");
                if depth(pool, sort) > MAX_DEPTH {
                    return Err(expr.error("this sort is nested too deeply"));
                }
                return Ok(sort);
            }
            at = expr.at(next);
        }
    }

    fn sort_head(&self, pool: &mut Pool, expr: SExpr) -> Result<SortHead, SyntaxError> {
        let name = expr
            .symbol()
            .ok_or_else(|| expr.error("the name of a sort is needed"))?;
        let name = decode_symbol(name);
        if let Some(found) = self.sorts.get(&*name).and_then(|d| d.last()) {
            return Ok(SortHead::Macro(Rc::clone(found)));
        }
        let body = match &*name {
            "Bool" => pool.bool_sort(),
            "Int" => pool.int_sort(),
            "Real" => pool.real_sort(),
            "Array" => return Ok(SortHead::Array),
            _ => match self.words.then(|| words::named_sort(pool, &name)).flatten() {
                Some(sort) => sort,
                None => return Err(expr.error(format!("sort `{name}` is not declared"))),
            },
        };
        let params = Vec::new();
        Ok(SortHead::Macro(Rc::new(SortMacro { params, body })))
    }
}

/// Deeper sorts are rejected: values of array sorts nest as their sorts do.
const MAX_DEPTH: usize = 200;

/// How deep arrays are nested in a sort.
fn depth(pool: &Pool, sort: SortId) -> usize {
    let mut depths: FxHashMap<SortId, usize> = FxHashMap::default();
    let mut stack = vec![sort];
    while let Some(&s) = stack.last() {
        let known = match *pool.sort_kind(s) {
            Sort::Array(i, e) => match (depths.get(&i), depths.get(&e)) {
                (Some(i), Some(e)) => 1 + i.max(e),
                _ => {
                    stack.extend([i, e]);
                    continue;
                }
            },
            _ => 0,
        };
        depths.insert(s, known);
        stack.pop();
    }
    depths[&sort]
}

enum SortHead {
    Array,
    Macro(Rc<SortMacro>),
}

impl SortHead {
    fn arity(&self) -> usize {
        match self {
            SortHead::Array => 2,
            SortHead::Macro(m) => m.params.len(),
        }
    }
}

/// The body with its parameters replaced.
fn instantiate(pool: &mut Pool, definition: &SortMacro, args: &[SortId]) -> SortId {
    let mut memo: FxHashMap<SortId, SortId> = FxHashMap::default();
    for (&p, &a) in definition.params.iter().zip(args) {
        memo.insert(p, a);
    }
    let mut stack = vec![definition.body];
    while let Some(&s) = stack.last() {
        let result = match *pool.sort_kind(s) {
            _ if memo.contains_key(&s) => None,
            Sort::Array(i, e) => match (memo.get(&i), memo.get(&e)) {
                (Some(&i), Some(&e)) => Some(pool.array_sort(i, e)),
                _ => {
                    stack.extend([i, e]);
                    continue;
                }
            },
            _ => Some(s),
        };
        stack.pop();
        memo.extend(result.map(|r| (s, r)));
    }
    memo[&definition.body]
}
