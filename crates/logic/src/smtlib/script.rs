//! Scripts: from text to commands, one at a time.
//!
//! The reader keeps the declarations and scopes; whoever runs the commands keeps assertions and
//! options. A faulty command is an error value, has no effect, and the next one is read.

use super::name::decode_symbol;
use super::partitions::Partitions;
use super::prelude::{is_own_definition, zero_division_op};
use super::scope::Mark;
use super::sexpr::{Kind, Position, Reader, SExpr, SyntaxError, Tree};
use super::source::SourceId;
use super::term::{Hooks, NoHooks, TermParser, short};
use crate::{Pool, SortId, SymbolId, TermId};
use base::{Budget, Stop};
use std::fmt;

/// All commands of a text.
#[derive(Clone, Debug, Default)]
pub struct Script {
    pub commands: Vec<Command>,
}

#[derive(Clone, Debug)]
pub struct Command {
    pub position: Position,
    pub kind: CommandKind,
}

#[derive(Clone, Debug)]
pub enum CommandKind {
    SetLogic(String),
    /// Keyword with its colon, value as written.
    SetOption(String, String),
    SetInfo(String, String),
    DeclareSort(SortId),
    Declare(SymbolId),
    /// `define-fun`, `define-const`, `define-sort`: expanded where used.
    Define,
    Assert {
        term: TermId,
        /// From `(! … :named n)` around the whole formula.
        name: Option<String>,
        /// As it was written, where that is kept.
        source: Option<SourceId>,
    },
    Push(u32),
    Pop(u32),
    CheckSat,
    /// The assumptions as written, and their terms.
    CheckSatAssuming(Vec<(String, TermId)>),
    GetModel,
    /// The terms as written, and what they are.
    GetValue(Vec<(String, TermId)>),
    GetUnsatCore,
    GetUnsatAssumptions,
    GetAssertions,
    GetProof,
    GetInterpolants(Partitions),
    GetInfo(String),
    GetOption(String),
    Echo(String),
    Reset,
    ResetAssertions,
    Exit,
}

/// Everything that is wrong with a text, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxErrors(pub Vec<SyntaxError>);

impl fmt::Display for SyntaxErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, error) in self.0.iter().enumerate() {
            write!(f, "{}{error}", if i > 0 { "\n" } else { "" })?;
        }
        Ok(())
    }
}

impl std::error::Error for SyntaxErrors {}

/// Reads a whole script.
pub fn parse_script(pool: &mut Pool, text: &str) -> Result<Script, SyntaxErrors> {
    let mut reader = ScriptReader::new(text);
    let (mut commands, mut errors) = (Vec::new(), Vec::new());
    while let Some(next) = reader.next(pool, &mut NoHooks) {
        match next {
            Ok(command) => commands.push(command),
            Err(error) => errors.push(error),
        }
    }
    if errors.is_empty() {
        Ok(Script { commands })
    } else {
        Err(SyntaxErrors(errors))
    }
}

/// Reads commands one after the other.
pub struct ScriptReader<'s> {
    reader: Reader<'s>,
    tree: Tree,
    pub parser: TermParser,
    levels: Vec<Mark>,
    global_declarations: bool,
}

impl<'s> ScriptReader<'s> {
    pub fn new(text: &'s str) -> Self {
        ScriptReader {
            reader: Reader::new(text),
            tree: Tree::default(),
            parser: TermParser::new(),
            levels: Vec::new(),
            global_declarations: false,
        }
    }

    /// Reading stops when the budget is used up: there is no next command then.
    pub fn with_budget(mut self, budget: &Budget) -> Self {
        self.reader = self.reader.with_budget(budget);
        self.parser.budget = Some(budget.clone());
        self
    }

    /// Bit-vectors, floats and rounding modes are read too: for those who can decide them.
    pub fn with_words(mut self) -> Self {
        self.parser.scope.words = true;
        self
    }

    /// Why reading stopped before the end of the text.
    pub fn stopped(&self) -> Option<Stop> {
        self.reader.stopped.or(self.parser.stopped)
    }

    /// The next command, or what is wrong with it; `None` at the end.
    pub fn next(
        &mut self,
        pool: &mut Pool,
        hooks: &mut dyn Hooks,
    ) -> Option<Result<Command, SyntaxError>> {
        let mut tree = std::mem::take(&mut self.tree);
        let result = self.reader.read(&mut tree).map(|read| {
            read?;
            let expr = tree.root(self.reader.source());
            let kind = self.command(pool, expr, hooks)?;
            Ok(Command {
                position: expr.position(),
                kind,
            })
        });
        self.tree = tree;
        result.filter(|_| self.parser.stopped.is_none())
    }

    /// The expression that was read last.
    pub fn current(&self) -> SExpr<'_> {
        self.tree.root(self.reader.source())
    }

    fn command(
        &mut self,
        pool: &mut Pool,
        expr: SExpr,
        hooks: &mut dyn Hooks,
    ) -> Result<CommandKind, SyntaxError> {
        let head = expr.head().filter(|h| h.kind() == Kind::Symbol);
        let head = head.ok_or_else(|| expr.error("a command is needed"))?;
        let name = head.text();
        // Arguments beyond the fourth are only counted: no command has more.
        let args: Vec<SExpr> = expr.children().skip(1).take(5).collect();
        self.parser.named.clear();
        let kind = match (name, &args[..]) {
            ("set-logic", [l]) => {
                let logic = symbol(*l)?;
                self.parser.scope.numberless = matches!(&*logic, "QF_UF" | "QF_AX");
                CommandKind::SetLogic(logic)
            }
            ("set-option", [key, value]) => {
                let key = keyword(*key)?;
                if key == ":global-declarations" {
                    self.global_declarations = value.is_symbol("true");
                }
                CommandKind::SetOption(key, unquote(*value))
            }
            ("set-info", [key]) => CommandKind::SetInfo(keyword(*key)?, String::new()),
            ("set-info", [key, value]) => CommandKind::SetInfo(keyword(*key)?, unquote(*value)),
            ("declare-sort", [n]) => self.declare_sort(pool, *n)?,
            ("declare-sort", [n, arity]) => {
                if arity.text() != "0" {
                    return Err(arity.error("sorts with parameters are not supported"));
                }
                self.declare_sort(pool, *n)?
            }
            ("define-sort", [n, params, body]) => {
                let name = symbol(*n)?;
                let params = params
                    .children()
                    .map(|p| p.symbol().ok_or_else(|| p.error("a symbol is needed")))
                    .collect::<Result<Vec<_>, _>>()?;
                let scope = &mut self.parser.scope;
                scope.define_sort(pool, &name, &params, *body)?;
                CommandKind::Define
            }
            ("declare-fun", [n, params, sort]) => self.declare(pool, *n, Some(*params), *sort)?,
            ("declare-const", [n, sort]) => self.declare(pool, *n, None, *sort)?,
            ("define-fun", [n, params, sort, body]) => {
                self.define(pool, expr, *n, Some(*params), *sort, *body, hooks)?
            }
            ("define-const", [n, sort, body]) => {
                self.define(pool, expr, *n, None, *sort, *body, hooks)?
            }
            ("assert", [t]) => {
                let term = self.formula(pool, *t, hooks)?;
                let outer = t.head().is_some_and(|h| h.is_symbol("!"));
                let name = self.parser.named.last().filter(|_| outer);
                let name = name.map(|(n, _)| n.clone());
                let source = self.parser.last_source();
                self.bind_names(*t)?;
                CommandKind::Assert { term, name, source }
            }
            ("push", []) => self.push(1),
            ("push", [n]) => self.push(count(*n)?),
            ("pop", []) => self.pop(expr, 1)?,
            ("pop", [n]) => self.pop(*n, count(*n)?)?,
            ("check-sat", []) => CommandKind::CheckSat,
            ("check-sat-assuming", [list]) if list.is_list() => {
                let mut out = Vec::new();
                for t in list.children() {
                    out.push((t.text().to_string(), self.formula(pool, t, hooks)?));
                }
                CommandKind::CheckSatAssuming(out)
            }
            ("get-proof", []) => CommandKind::GetProof,
            ("get-model", []) => CommandKind::GetModel,
            ("get-value", [list]) if list.is_list() => {
                let mut out = Vec::new();
                for t in list.children() {
                    out.push((t.text().to_string(), self.parser.term(pool, t, hooks)?));
                }
                CommandKind::GetValue(out)
            }
            ("get-unsat-core", []) => CommandKind::GetUnsatCore,
            ("get-unsat-assumptions", []) => CommandKind::GetUnsatAssumptions,
            ("get-assertions", []) => CommandKind::GetAssertions,
            ("get-interpolants", _) => CommandKind::GetInterpolants(Partitions::read(expr)?),
            ("get-info", [key]) => CommandKind::GetInfo(keyword(*key)?),
            ("get-option", [key]) => CommandKind::GetOption(keyword(*key)?),
            ("echo", [s]) if s.kind() == Kind::String => CommandKind::Echo(unquote(*s)),
            ("reset", []) => {
                self.parser = TermParser::new();
                self.levels.clear();
                self.global_declarations = false;
                CommandKind::Reset
            }
            ("reset-assertions", []) => {
                let base = self.levels.first().copied();
                self.levels.clear();
                if let Some(mark) = base.filter(|_| !self.global_declarations) {
                    self.parser.scope.leave(mark);
                }
                CommandKind::ResetAssertions
            }
            ("exit", []) => CommandKind::Exit,
            (
                "declare-datatypes" | "declare-datatype" | "define-fun-rec" | "define-funs-rec",
                _,
            ) => {
                return Err(head.error(format!("`{name}` is not supported")));
            }
            _ if KNOWN.contains(&name) => {
                return Err(head.error(format!("`{name}` does not take these arguments")));
            }
            _ => return Err(head.error(format!("`{}` is not a known command", short(name)))),
        };
        Ok(kind)
    }

    fn push(&mut self, n: u32) -> CommandKind {
        let mark = self.parser.scope.mark();
        self.levels.extend((0..n).map(|_| mark));
        CommandKind::Push(n)
    }

    fn pop(&mut self, at: SExpr, n: u32) -> Result<CommandKind, SyntaxError> {
        let depth = self.levels.len();
        if n as usize > depth {
            return Err(at.error(format!("there are only {depth} levels to pop")));
        }
        let mark = self.levels.get(depth - n as usize).copied();
        self.levels.truncate(depth - n as usize);
        if let Some(mark) = mark.filter(|_| !self.global_declarations) {
            self.parser.scope.leave(mark);
        }
        Ok(CommandKind::Pop(n))
    }

    fn formula(
        &mut self,
        pool: &mut Pool,
        expr: SExpr,
        hooks: &mut dyn Hooks,
    ) -> Result<TermId, SyntaxError> {
        let sort = pool.bool_sort();
        self.parser.term_of_sort(pool, expr, sort, hooks)
    }

    /// Names from `:named` become names for the rest of the scope.
    fn bind_names(&mut self, at: SExpr) -> Result<(), SyntaxError> {
        let named = std::mem::take(&mut self.parser.named);
        let mark = self.parser.scope.mark();
        for (name, term) in &named {
            if self.parser.scope.is_bound(name) {
                self.parser.scope.leave(mark);
                return Err(at.error(format!("`{name}` is declared already")));
            }
            self.parser.scope.bind(name, *term);
        }
        Ok(())
    }

    fn declare_sort(&mut self, pool: &mut Pool, n: SExpr) -> Result<CommandKind, SyntaxError> {
        let name = symbol(n)?;
        let sort = self.parser.scope.declare_sort(pool, &name);
        Ok(CommandKind::DeclareSort(sort.map_err(|m| n.error(m))?))
    }

    fn declare(
        &mut self,
        pool: &mut Pool,
        n: SExpr,
        params: Option<SExpr>,
        sort: SExpr,
    ) -> Result<CommandKind, SyntaxError> {
        let name = symbol(n)?;
        let mut args = Vec::new();
        for p in params.iter().flat_map(SExpr::children) {
            args.push(self.parser.scope.sort(pool, p)?);
        }
        let sort = self.parser.scope.sort(pool, sort)?;
        let symbol = self.parser.scope.declare(pool, &name, &args, sort);
        Ok(CommandKind::Declare(symbol.map_err(|m| n.error(m))?))
    }

    #[allow(clippy::too_many_arguments)]
    fn define(
        &mut self,
        pool: &mut Pool,
        expr: SExpr,
        n: SExpr,
        params: Option<SExpr>,
        sort: SExpr,
        body: SExpr,
        hooks: &mut dyn Hooks,
    ) -> Result<CommandKind, SyntaxError> {
        let name = symbol(n)?;
        if is_own_definition(&name, expr.text()) {
            // Our own prelude: the operator is built in with just this meaning, and division by
            // zero is a symbol of its own.
            if let Some(op) = zero_division_op(&name) {
                let symbol = pool.zero_division_symbol(op);
                let data = pool.symbol_data(symbol).clone();
                let scope = &mut self.parser.scope;
                let declared = scope.declare(pool, &name, &data.args, data.sort);
                declared.map_err(|m| n.error(m))?;
            }
            return Ok(CommandKind::Define);
        }
        if self.parser.scope.is_bound(&name) {
            return Err(n.error(format!("`{name}` is declared already")));
        }
        let mark = self.parser.scope.mark();
        let result = self.definition(pool, params, sort, body, hooks);
        self.parser.scope.leave(mark);
        let (params, body_term) = result?;
        self.bind_names(body)?;
        self.parser.scope.define(&name, params, body_term);
        Ok(CommandKind::Define)
    }

    /// Parameters as fresh constants, and the body over them.
    fn definition(
        &mut self,
        pool: &mut Pool,
        params: Option<SExpr>,
        sort: SExpr,
        body: SExpr,
        hooks: &mut dyn Hooks,
    ) -> Result<(Vec<TermId>, TermId), SyntaxError> {
        let mut constants = Vec::new();
        for p in params.iter().flat_map(SExpr::children) {
            let parts: Vec<SExpr> = p.children().take(3).collect();
            let [name, sort] = parts[..] else {
                return Err(p.error("a parameter is a name and a sort"));
            };
            let name = symbol(name)?;
            let sort = self.parser.scope.sort(pool, sort)?;
            constants.push((pool.fresh_constant(&name, sort), name));
        }
        for (constant, name) in &constants {
            self.parser.scope.bind(name, *constant);
        }
        let sort = self.parser.scope.sort(pool, sort)?;
        let body = self.parser.term_of_sort(pool, body, sort, hooks)?;
        Ok((constants.into_iter().map(|(c, _)| c).collect(), body))
    }
}

const KNOWN: [&str; 25] = [
    "set-logic",
    "set-option",
    "set-info",
    "declare-sort",
    "define-sort",
    "declare-fun",
    "declare-const",
    "define-fun",
    "define-const",
    "assert",
    "push",
    "pop",
    "check-sat",
    "check-sat-assuming",
    "get-model",
    "get-value",
    "get-unsat-core",
    "get-unsat-assumptions",
    "get-assertions",
    "get-proof",
    "get-info",
    "get-option",
    "echo",
    "reset",
    "exit",
];

fn symbol(expr: SExpr) -> Result<String, SyntaxError> {
    let text = expr
        .symbol()
        .ok_or_else(|| expr.error("a symbol is needed"))?;
    Ok(decode_symbol(text).into_owned())
}

fn keyword(expr: SExpr) -> Result<String, SyntaxError> {
    let text = expr
        .keyword()
        .ok_or_else(|| expr.error("a keyword is needed"))?;
    Ok(text.to_string())
}

/// The value of an option: the contents of a string, else the text.
fn unquote(expr: SExpr) -> String {
    match expr.kind() {
        Kind::String => expr.text().replace("\"\"", "\""),
        _ => expr.text().to_string(),
    }
}

fn count(expr: SExpr) -> Result<u32, SyntaxError> {
    let n = (expr.kind() == Kind::Numeral).then(|| expr.text().parse().ok());
    // More levels than this are a mistake, not a script.
    n.flatten()
        .filter(|&n| n <= 1_000_000)
        .ok_or_else(|| expr.error("a small numeral is needed"))
}
