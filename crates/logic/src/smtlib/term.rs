//! From s-expressions to terms, without recursion: a stack of open expressions and one of values.

use super::builtin::{Builtin, builtin, coerce};
use super::name::decode_symbol;
use super::scope::{Binding, Macro, Mark, Scope};
use super::sexpr::{Kind, Reader, SExpr, SyntaxError, Tree};
use super::source::{SourceId, Sources};
use super::words;
use crate::{Pool, Rational, SortId, SymbolId, TermId};
use base::{Budget, Stop};
use std::rc::Rc;

/// What the reader of terms asks its user.
pub trait Hooks {
    /// The term for a name that is not in scope.
    fn constant(&mut self, _pool: &mut Pool, _name: &str) -> Option<TermId> {
        None
    }

    /// The function for a name that is not in scope.
    fn function(&mut self, _pool: &mut Pool, _name: &str) -> Option<SymbolId> {
        None
    }

    /// A quantified formula whose variables are the fresh constants `vars`. The logic has no
    /// quantifiers, so the hook says what to take for it (or that it cannot).
    fn quantifier(
        &mut self,
        _pool: &mut Pool,
        _exists: bool,
        _vars: &[TermId],
        _body: TermId,
    ) -> Result<TermId, String> {
        Err("quantifiers are not supported here".into())
    }
}

/// Only names in scope, no quantifiers.
pub struct NoHooks;

impl Hooks for NoHooks {}

/// Reads one term. `lookup` says what constants mean; functions are those of the pool.
pub fn parse_term(
    pool: &mut Pool,
    text: &str,
    lookup: &dyn Fn(&str) -> Option<TermId>,
) -> Result<TermId, SyntaxError> {
    struct ByClosure<'a>(&'a dyn Fn(&str) -> Option<TermId>);
    impl Hooks for ByClosure<'_> {
        fn constant(&mut self, _: &mut Pool, name: &str) -> Option<TermId> {
            (self.0)(name)
        }
        fn function(&mut self, pool: &mut Pool, name: &str) -> Option<SymbolId> {
            pool.symbol_named(name)
        }
    }
    let mut reader = Reader::new(text);
    let mut tree = Tree::default();
    match reader.read(&mut tree) {
        None => {
            return Err(SyntaxError {
                position: super::Position { line: 1, column: 1 },
                message: "a term is needed".into(),
            });
        }
        Some(read) => read?,
    }
    let term = TermParser::new().term(pool, tree.root(text), &mut ByClosure(lookup))?;
    match reader.read(&mut tree) {
        None => Ok(term),
        Some(Ok(())) => Err(tree.root(text).error("the text goes on after the term")),
        Some(Err(error)) => Err(error),
    }
}

/// A reader of terms with names in scope.
#[derive(Clone, Debug, Default)]
pub struct TermParser {
    pub scope: Scope,
    /// Terms named with `(! t :named n)` since the list was last emptied.
    pub named: Vec<(String, TermId)>,
    /// With it, what the user wrote is kept beside what it became.
    pub sources: Option<Sources>,
    /// When it is used up, reading stops with an error, and `stopped` says so.
    pub(super) budget: Option<Budget>,
    pub(super) stopped: Option<Stop>,
}

/// What an open list applies to its values.
enum Open {
    Builtin(Builtin),
    Function(SymbolId),
    Macro(Rc<Macro>),
    /// Reading `(name term)` pairs; the body comes at this index.
    Bindings {
        names: Vec<usize>,
        body: u32,
    },
    /// Reading the body of a `let` that bound these names.
    Body(Mark, Vec<usize>),
    Annotated {
        attributes: u32,
    },
    Quantified {
        exists: bool,
        vars: Vec<TermId>,
        mark: Mark,
    },
}

struct Frame {
    open: Open,
    /// The list itself, for positions.
    list: u32,
    /// The next expression to read, and where to stop.
    next: u32,
    end: u32,
    /// Where this list's values start.
    base: usize,
}

impl TermParser {
    pub fn new() -> Self {
        Self::default()
    }

    /// The term an expression denotes.
    pub fn term(
        &mut self,
        pool: &mut Pool,
        expr: SExpr,
        hooks: &mut dyn Hooks,
    ) -> Result<TermId, SyntaxError> {
        let mark = self.scope.mark();
        if let Some(sources) = &mut self.sources {
            sources.begin();
        }
        let result = self.run(pool, expr, hooks);
        if result.is_err() {
            self.scope.leave(mark);
        }
        result
    }

    /// The term, brought to `sort`.
    pub fn term_of_sort(
        &mut self,
        pool: &mut Pool,
        expr: SExpr,
        sort: SortId,
        hooks: &mut dyn Hooks,
    ) -> Result<TermId, SyntaxError> {
        let term = self.term(pool, expr, hooks)?;
        coerce(pool, term, sort).ok_or_else(|| {
            let found = super::print_sort(pool, pool.sort_of(term));
            let want = super::print_sort(pool, sort);
            expr.error(format!(
                "a term of sort {want} is needed, this one is {found}"
            ))
        })
    }

    fn run(
        &mut self,
        pool: &mut Pool,
        root: SExpr,
        hooks: &mut dyn Hooks,
    ) -> Result<TermId, SyntaxError> {
        let mut frames: Vec<Frame> = Vec::new();
        let mut values: Vec<TermId> = Vec::new();
        self.enter(pool, root, hooks, &mut frames, &mut values)?;
        let mut steps = 0u32;
        while let Some(frame) = frames.last_mut() {
            steps = steps.wrapping_add(1);
            if steps.is_multiple_of(1024)
                && let Some(Err(stop)) = self.budget.as_ref().map(Budget::check)
            {
                self.stopped = Some(stop);
                return Err(root.error("stopped"));
            }
            if frame.next < frame.end {
                let mut expr = root.at(frame.next);
                frame.next = expr.end();
                if let Open::Bindings { names, .. } = &mut frame.open {
                    let (name, value) = pair(expr)?;
                    names.push(self.scope.id(&name));
                    expr = value;
                }
                self.enter(pool, expr, hooks, &mut frames, &mut values)?;
                continue;
            }
            let frame = frames.pop().expect("looked at above");
            let here = root.at(frame.list);
            let args = &mut values[frame.base..];
            let value = match frame.open {
                Open::Builtin(b) => b.apply(pool, args).map_err(|m| here.error(m))?,
                Open::Function(f) => apply(pool, f, args).map_err(|m| here.error(m))?,
                Open::Macro(m) => expand(pool, &m, args).map_err(|m| here.error(m))?,
                Open::Bindings { names, body } => {
                    let mark = self.scope.mark();
                    for (&id, &value) in names.iter().zip(args.iter()) {
                        self.scope.bind_id(id, Binding::Term(value));
                    }
                    if let Some(sources) = &mut self.sources {
                        sources.bind(&names);
                    }
                    values.truncate(frame.base);
                    frames.push(Frame {
                        open: Open::Body(mark, names),
                        list: frame.list,
                        next: body,
                        end: root.at(body).end(),
                        base: values.len(),
                    });
                    continue;
                }
                Open::Body(mark, names) => {
                    self.scope.leave(mark);
                    if let Some(sources) = &mut self.sources {
                        sources.unbind(&names);
                    }
                    continue;
                }
                Open::Annotated { attributes } => {
                    let value = args[0];
                    self.attributes(here, attributes, value)?;
                    continue;
                }
                Open::Quantified { exists, vars, mark } => {
                    self.scope.leave(mark);
                    if pool.sort_of(args[0]) != pool.bool_sort() {
                        return Err(here.error("the body of a quantifier is a formula"));
                    }
                    hooks
                        .quantifier(pool, exists, &vars, args[0])
                        .map_err(|m| here.error(m))?
                }
            };
            if let Some(sources) = &mut self.sources {
                let head = here.head().map(|h| h.source_text()).unwrap_or_default();
                sources.apply(&head, args.len(), value);
            }
            values.truncate(frame.base);
            values.push(value);
        }
        Ok(values.pop().expect("one expression gives one value"))
    }

    /// Reads an atom to a value, or opens a list.
    fn enter(
        &mut self,
        pool: &mut Pool,
        expr: SExpr,
        hooks: &mut dyn Hooks,
        frames: &mut Vec<Frame>,
        values: &mut Vec<TermId>,
    ) -> Result<(), SyntaxError> {
        if !expr.is_list() {
            let value = self.atom(pool, expr, hooks)?;
            self.leaf(expr, value);
            values.push(value);
            return Ok(());
        }
        let mut parts = expr.children();
        let head = parts.next().ok_or_else(|| expr.error("a term is needed"))?;
        let mut frame = Frame {
            open: Open::Builtin(Builtin::True),
            list: expr.index(),
            next: head.end(),
            end: expr.end(),
            base: values.len(),
        };
        let special = if head.kind() == Kind::Symbol {
            head.text()
        } else {
            ""
        };
        frame.open = match special {
            "let" => {
                let (bindings, body) = two(expr)?;
                frame.next = bindings.index() + 1;
                frame.end = bindings.end();
                Open::Bindings {
                    names: Vec::new(),
                    body: body.index(),
                }
            }
            "!" => {
                let term = parts.next().ok_or_else(|| expr.error("a term is needed"))?;
                frame.end = term.end();
                Open::Annotated {
                    attributes: term.end(),
                }
            }
            "forall" | "exists" => {
                let (bindings, body) = two(expr)?;
                let mark = self.scope.mark();
                let mut vars = Vec::new();
                for binding in bindings.children() {
                    let (name, sort) = pair(binding)?;
                    let sort = self.scope.sort(pool, sort)?;
                    vars.push((pool.fresh_constant(&name, sort), name));
                }
                for (var, name) in &vars {
                    self.scope.bind(name, *var);
                }
                frame.next = body.index();
                Open::Quantified {
                    exists: special == "exists",
                    vars: vars.into_iter().map(|(v, _)| v).collect(),
                    mark,
                }
            }
            "as" => {
                let value = self.qualified(pool, expr, hooks)?;
                self.leaf(expr, value);
                values.push(value);
                return Ok(());
            }
            "_" if self.scope.words => match words::indexed_constant(pool, expr) {
                Some(t) => {
                    self.leaf(expr, t);
                    values.push(t);
                    return Ok(());
                }
                None => {
                    return Err(expr.error(format!("`{}` is not a constant", short(expr.text()))));
                }
            },
            "_" => return Err(expr.error(format!("`{}` is not supported", short(expr.text())))),
            _ if head.is_list() => self.list_head(pool, head, hooks)?,
            _ => {
                let name = head
                    .symbol()
                    .ok_or_else(|| head.error("the name of a function is needed"))?;
                self.head(pool, head, &decode_symbol(name), hooks)?
            }
        };
        frames.push(frame);
        Ok(())
    }

    /// Keeps the source of an atom.
    fn leaf(&mut self, expr: SExpr, value: TermId) {
        let Some(sources) = &mut self.sources else {
            return;
        };
        let name = match expr.symbol() {
            Some(name) => self.scope.known(&decode_symbol(name)),
            None => None,
        };
        sources.leaf(name, &expr.source_text(), value);
    }

    /// The source of the term that was read last.
    pub fn last_source(&self) -> Option<SourceId> {
        self.sources.as_ref().and_then(Sources::last)
    }

    fn head(
        &self,
        pool: &mut Pool,
        at: SExpr,
        name: &str,
        hooks: &mut dyn Hooks,
    ) -> Result<Open, SyntaxError> {
        match self.scope.get(name) {
            Some(Binding::Function(f)) => return Ok(Open::Function(*f)),
            Some(Binding::Macro(m)) => return Ok(Open::Macro(Rc::clone(m))),
            Some(Binding::Term(_)) => {
                return Err(at.error(format!("`{name}` takes no arguments")));
            }
            None => {}
        }
        // A name that was escaped is never the predefined function.
        if let Some(b) = builtin(name).filter(|_| at.text() == name) {
            return Ok(Open::Builtin(b));
        }
        if let Some(head) = words::word_head(name).filter(|_| self.scope.words && at.text() == name)
        {
            return Ok(Open::Builtin(Builtin::Word(head)));
        }
        match hooks.function(pool, name) {
            Some(f) => Ok(Open::Function(f)),
            None => Err(at.error(format!("function `{name}` is not declared"))),
        }
    }

    /// `((as const S) v)`, `((_ divisible n) x)`, `((as f S) …)`.
    fn list_head(
        &self,
        pool: &mut Pool,
        head: SExpr,
        hooks: &mut dyn Hooks,
    ) -> Result<Open, SyntaxError> {
        let parts: Vec<SExpr> = head.children().take(4).collect();
        match parts[..] {
            [kind, name, sort] if kind.is_symbol("as") => {
                let sort_id = self.scope.sort(pool, sort)?;
                if name.is_symbol("const") {
                    return Ok(Open::Builtin(Builtin::ConstArray(sort_id)));
                }
                let text = name.symbol().unwrap_or_default();
                self.head(pool, name, &decode_symbol(text), hooks)
            }
            [kind, name, n] if kind.is_symbol("_") && name.is_symbol("divisible") => {
                let n = number(n).filter(|n| n.is_integer() && n.is_positive());
                let n = n.ok_or_else(|| head.error("`divisible` needs a positive numeral"))?;
                Ok(Open::Builtin(Builtin::Divisible(pool.int(n))))
            }
            _ if self.scope.words => {
                let found = words::indexed(head);
                let found = found.and_then(|(name, indices)| words::indexed_head(name, &indices));
                found
                    .map(|h| Open::Builtin(Builtin::Word(h)))
                    .ok_or_else(|| {
                        head.error(format!("`{}` is not a function", short(head.text())))
                    })
            }
            _ => Err(head.error(format!("`{}` is not a function", short(head.text())))),
        }
    }

    fn atom(
        &self,
        pool: &mut Pool,
        expr: SExpr,
        hooks: &mut dyn Hooks,
    ) -> Result<TermId, SyntaxError> {
        match expr.kind() {
            Kind::Numeral => {
                let n = number(expr).ok_or_else(|| expr.error("a numeral is needed"))?;
                Ok(pool.int(n))
            }
            Kind::Decimal => {
                let n = number(expr).ok_or_else(|| expr.error("a decimal is needed"))?;
                Ok(pool.num(n, pool.real_sort()))
            }
            Kind::Symbol | Kind::Quoted => {
                let name = decode_symbol(expr.text());
                match self.scope.get(&name) {
                    Some(Binding::Term(t)) => return Ok(*t),
                    Some(_) => return Err(expr.error(format!("`{name}` needs arguments"))),
                    None => {}
                }
                match builtin(&name).filter(|_| expr.text() == name) {
                    Some(Builtin::True) => return Ok(pool.tt()),
                    Some(Builtin::False) => return Ok(pool.ff()),
                    Some(_) => return Err(expr.error(format!("`{name}` needs arguments"))),
                    None => {}
                }
                if self.scope.words
                    && expr.text() == name
                    && let Some(t) = words::mode(pool, &name)
                {
                    return Ok(t);
                }
                hooks
                    .constant(pool, &name)
                    .ok_or_else(|| expr.error(format!("`{name}` is not declared")))
            }
            Kind::Bits if self.scope.words => words::literal(pool, expr.text())
                .ok_or_else(|| expr.error("this bit-vector is too wide")),
            _ => Err(expr.error(format!("`{}` is not a term", short(expr.text())))),
        }
    }

    /// `(as name S)` without arguments.
    fn qualified(
        &self,
        pool: &mut Pool,
        expr: SExpr,
        hooks: &mut dyn Hooks,
    ) -> Result<TermId, SyntaxError> {
        let parts: Vec<SExpr> = expr.children().take(4).collect();
        let [_, name, sort] = parts[..] else {
            return Err(expr.error("`as` needs a name and a sort"));
        };
        let sort = self.scope.sort(pool, sort)?;
        let term = self.atom(pool, name, hooks)?;
        coerce(pool, term, sort).ok_or_else(|| expr.error("the name has another sort"))
    }

    /// The attributes of `(! t …)`: names are kept, all others have no meaning here.
    fn attributes(&mut self, list: SExpr, first: u32, term: TermId) -> Result<(), SyntaxError> {
        let mut parts = list.children().skip_while(|c| c.index() < first).peekable();
        while let Some(key) = parts.next() {
            let key_text = key
                .keyword()
                .ok_or_else(|| key.error("a keyword is needed"))?;
            let value = parts.next_if(|v| v.keyword().is_none());
            if key_text == ":named" {
                let name = value
                    .and_then(|v| v.symbol())
                    .ok_or_else(|| key.error("`:named` needs a symbol"))?;
                let name = decode_symbol(name).into_owned();
                if self.scope.is_bound(&name) {
                    return Err(key.error(format!("`{name}` is declared already")));
                }
                self.named.push((name, term));
            }
        }
        Ok(())
    }
}

fn number(expr: SExpr) -> Option<Rational> {
    matches!(expr.kind(), Kind::Numeral | Kind::Decimal)
        .then(|| Rational::parse_decimal(expr.text()))?
}

fn apply(pool: &mut Pool, f: SymbolId, args: &mut [TermId]) -> Result<TermId, String> {
    let sorts = pool.symbol_data(f).args.clone();
    if sorts.len() != args.len() {
        let name = &pool.symbol_data(f).name;
        return Err(format!("`{name}` takes {} arguments", sorts.len()));
    }
    for (i, (a, &sort)) in args.iter_mut().zip(sorts.iter()).enumerate() {
        *a = coerce(pool, *a, sort).ok_or_else(|| wrong_sort(pool, i, sort))?;
    }
    Ok(pool.app(f, args))
}

fn expand(pool: &mut Pool, m: &Macro, args: &mut [TermId]) -> Result<TermId, String> {
    if m.params.len() != args.len() {
        return Err(format!("{} arguments are needed", m.params.len()));
    }
    let mut pairs = Vec::with_capacity(args.len());
    for (i, (&p, &a)) in m.params.iter().zip(args.iter()).enumerate() {
        let sort = pool.sort_of(p);
        let a = coerce(pool, a, sort).ok_or_else(|| wrong_sort(pool, i, sort))?;
        pairs.push((p, a));
    }
    Ok(pool.substitute(m.body, &pairs))
}

fn wrong_sort(pool: &Pool, index: usize, sort: SortId) -> String {
    let sort = super::print_sort(pool, sort);
    format!("argument {} has to be of sort {sort}", index + 1)
}

/// The `(name x)` of a binding.
fn pair(expr: SExpr<'_>) -> Result<(std::borrow::Cow<'_, str>, SExpr<'_>), SyntaxError> {
    let mut parts = expr.children();
    match (parts.next(), parts.next(), parts.next()) {
        (Some(name), Some(value), None) if name.symbol().is_some() => {
            Ok((decode_symbol(name.text()), value))
        }
        _ => Err(expr.error("a pair with a name is needed")),
    }
}

/// The bindings and the body of `(binder (…) body)`.
fn two(expr: SExpr<'_>) -> Result<(SExpr<'_>, SExpr<'_>), SyntaxError> {
    let mut parts = expr.children().skip(1);
    match (parts.next(), parts.next(), parts.next()) {
        (Some(bindings), Some(body), None) if bindings.is_list() => Ok((bindings, body)),
        _ => Err(expr.error("a list of bindings and a body are needed")),
    }
}

/// The start of a long text, for messages.
pub(super) fn short(text: &str) -> String {
    let mut out: String = text.chars().take(40).collect();
    if out.len() < text.len() {
        out.push('…');
    }
    out
}
