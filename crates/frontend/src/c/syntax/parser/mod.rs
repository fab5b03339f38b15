//! Tokens to syntax tree: recursive descent for GNU C11.
//!
//! C needs to know which names are types while parsing; `typedefs` tracks that by scope with an
//! undo log. An error is reported once and unwinds as [`Failed`] to the nearest statement, member
//! or declaration, which skips to a place where parsing can go on. Nesting is counted, so no input
//! overflows the stack.
//!
//! Written by hand: C's grammar depends on names (`a * b;`), GNU C has no grammar that a generator takes, and
//! crates that parse C (lang-c, tree-sitter) know neither typedefs by scope nor where each token was before macros.

mod attr;
mod decl;
mod declarator;
mod expr;
mod item;
mod stmt;

use super::ast::{At, File};
use super::lexer::{BUILTIN_TYPES, Interner, Lexed, Symbol, T, Token, spelling};

/// Deepest nesting of constructs in each other.
pub const MAX_DEPTH: u32 = 2000;
/// Longest chain (`a + b + …`, `x.a.b…`) that nests in the tree but not in the text.
pub const MAX_CHAIN: u32 = 10_000;
const MAX_ERRORS: usize = 20;

/// An error was reported; the construct could not be read.
#[derive(Clone, Copy, Debug)]
pub struct Failed;

pub type Parsed<T> = Result<T, Failed>;

/// An error at a token.
#[derive(Clone, Debug)]
pub struct SyntaxError {
    pub at: At,
    pub message: String,
    pub help: Option<String>,
}

pub struct Parser<'t, 'a> {
    tokens: &'t [Token],
    names: &'t Interner<'a>,
    pos: usize,
    depth: u32,
    typedefs: Typedefs,
    errors: Vec<SyntaxError>,
}

/// Which names are types in the current scope.
struct Typedefs {
    is_type: Vec<bool>,
    /// Names declared since, with what they were before.
    undo: Vec<(Symbol, bool)>,
    scopes: Vec<usize>,
}

impl Typedefs {
    fn declare(&mut self, name: Symbol, is_type: bool) {
        let slot = &mut self.is_type[name.0 as usize];
        if *slot != is_type {
            self.undo.push((name, *slot));
            *slot = is_type;
        }
    }

    fn enter(&mut self) {
        self.scopes.push(self.undo.len());
    }

    fn leave(&mut self) {
        let mark = self.scopes.pop().unwrap_or(0);
        while self.undo.len() > mark {
            if let Some((name, was)) = self.undo.pop() {
                self.is_type[name.0 as usize] = was;
            }
        }
    }
}

/// Parses a file; the tree holds what could be read.
pub fn parse<'a>(lexed: &Lexed, names: &Interner<'a>) -> (File, Vec<SyntaxError>) {
    let mut parser = Parser {
        tokens: &lexed.tokens,
        names,
        pos: 0,
        depth: 0,
        typedefs: Typedefs {
            is_type: vec![false; names.len()],
            undo: Vec::new(),
            scopes: Vec::new(),
        },
        errors: Vec::new(),
    };
    for name in BUILTIN_TYPES {
        if let Some(symbol) = names.get(name) {
            parser.typedefs.is_type[symbol.0 as usize] = true;
        }
    }
    let file = parser.file();
    (file, parser.errors)
}

impl Parser<'_, '_> {
    #[inline]
    fn peek(&self) -> T {
        self.tokens[self.pos].kind
    }

    /// The kind of the token `n` places on.
    #[inline]
    fn peek_at(&self, n: usize) -> T {
        self.tokens.get(self.pos + n).map_or(T::Eof, |t| t.kind)
    }

    #[inline]
    fn at(&self) -> At {
        self.pos as At
    }

    #[inline]
    fn symbol(&self) -> Symbol {
        self.tokens[self.pos].symbol
    }

    /// Steps over the current token (never past the end).
    #[inline]
    fn bump(&mut self) -> At {
        let at = self.pos as At;
        if self.pos + 1 < self.tokens.len() {
            self.pos += 1;
        }
        at
    }

    #[inline]
    fn eat(&mut self, kind: T) -> bool {
        let found = self.peek() == kind;
        if found {
            self.bump();
        }
        found
    }

    fn expect(&mut self, kind: T) -> Parsed<At> {
        if self.peek() == kind {
            return Ok(self.bump());
        }
        Err(self.expected(spelling(kind)))
    }

    fn expect_name(&mut self) -> Parsed<Symbol> {
        if self.peek() == T::Ident {
            let symbol = self.symbol();
            self.bump();
            return Ok(symbol);
        }
        Err(self.expected("a name"))
    }

    /// Reports `expected X, found Y`. A missing `;` is shown after the token before it.
    fn expected(&mut self, what: &str) -> Failed {
        let found = match self.peek() {
            T::Ident => format!("`{}`", self.names.name(self.symbol())),
            kind => spelling(kind).to_string(),
        };
        let at = if what == "`;`" && self.pos > 0 {
            self.at() - 1
        } else {
            self.at()
        };
        self.error_at(at, format!("expected {what}, found {found}"))
    }

    fn error(&mut self, message: impl Into<String>) -> Failed {
        let at = self.at();
        self.error_at(at, message)
    }

    fn error_at(&mut self, at: At, message: impl Into<String>) -> Failed {
        // One error a token: what follows from it is no news.
        let repeated = self.errors.last().is_some_and(|last| last.at == at);
        if !repeated && self.errors.len() < MAX_ERRORS {
            self.errors.push(SyntaxError {
                at,
                message: message.into(),
                help: None,
            });
        }
        Failed
    }

    /// Gives up the whole file once it has too many errors.
    fn hopeless(&self) -> bool {
        self.errors.len() >= MAX_ERRORS
    }

    /// Runs `inner` one level deeper.
    #[inline]
    fn nested<R>(&mut self, inner: impl FnOnce(&mut Self) -> Parsed<R>) -> Parsed<R> {
        if self.depth >= MAX_DEPTH {
            return Err(self.error(format!(
                "nested more than {MAX_DEPTH} deep; simplify the code"
            )));
        }
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        result
    }

    /// Skips a balanced group; the current token opens it.
    fn skip_group(&mut self) {
        let mut depth = 0u32;
        loop {
            match self.peek() {
                T::LParen | T::LBrace | T::LBracket => depth += 1,
                T::RParen | T::RBrace | T::RBracket => depth = depth.saturating_sub(1),
                T::Eof => return,
                _ => {}
            }
            self.bump();
            if depth == 0 {
                return;
            }
        }
    }

    /// After an error: to behind the next `;`, or to a `}` of an enclosing block.
    fn recover(&mut self) {
        loop {
            match self.peek() {
                T::Semi => {
                    self.bump();
                    return;
                }
                T::RBrace | T::Eof => return,
                T::LBrace => {
                    self.skip_group();
                    return;
                }
                T::LParen | T::LBracket => self.skip_group(),
                _ => {
                    self.bump();
                }
            }
        }
    }

    #[inline]
    fn is_typedef_name(&self, symbol: Symbol) -> bool {
        self.typedefs.is_type[symbol.0 as usize]
    }

    /// Does the token `n` places on begin a type name or declaration?
    #[inline]
    fn starts_type(&self, n: usize) -> bool {
        match self.tokens.get(self.pos + n) {
            Some(token) if token.kind == T::Ident => self.is_typedef_name(token.symbol),
            Some(token) => is_type_keyword(token.kind),
            None => false,
        }
    }
}

fn is_type_keyword(kind: T) -> bool {
    matches!(
        kind,
        T::Void
            | T::CharKw
            | T::Short
            | T::Int
            | T::Long
            | T::Float
            | T::Double
            | T::Signed
            | T::Unsigned
            | T::Bool
            | T::Complex
            | T::Int128
            | T::Struct
            | T::Union
            | T::Enum
            | T::Typedef
            | T::Extern
            | T::Static
            | T::Auto
            | T::Register
            | T::ThreadLocal
            | T::Const
            | T::Volatile
            | T::Restrict
            | T::Inline
            | T::Noreturn
            | T::Atomic
            | T::Alignas
            | T::Attribute
            | T::Declspec
            | T::Typeof
            | T::AutoType
    )
}
