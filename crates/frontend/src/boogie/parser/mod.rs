//! Tokens to trees: recursive descent, with recovery at the next `;`, `}` or declaration.
//! Written by hand: it says what was expected where, and goes on; no crate reads Boogie.

mod decl;
mod expr;
mod stmt;

use super::ast::*;
use super::lexer::{Kind, Token};
use base::FxHashSet;
use program::{Diagnostic, Severity, Span};

/// Nesting beyond which text is refused; far from the end of any stack.
const DEPTH: u32 = 2_000;

/// The error has been reported.
pub(crate) struct Reported;
pub(crate) type Parsed<T> = Result<T, Reported>;

pub struct Parser<'t> {
    text: &'t str,
    tokens: Vec<Token<'t>>,
    at: usize,
    depth: u32,
    /// Names that `type` declares anywhere, to tell types from names in function headers.
    type_names: FxHashSet<&'t str>,
    pub diagnostics: Vec<Diagnostic>,
}

impl<'t> Parser<'t> {
    pub fn new(text: &'t str, tokens: Vec<Token<'t>>) -> Self {
        let mut type_names = FxHashSet::default();
        for pair in tokens.windows(2) {
            if pair[0].kind == Kind::Ident && pair[0].text == "type" {
                type_names.insert(pair[1].text);
            }
        }
        Parser {
            text,
            tokens,
            at: 0,
            depth: 0,
            type_names,
            diagnostics: Vec::new(),
        }
    }

    pub(crate) fn token(&self) -> Token<'t> {
        self.tokens[self.at]
    }

    pub(crate) fn kind(&self) -> Kind {
        self.tokens[self.at].kind
    }

    pub(crate) fn ahead(&self, n: usize) -> Token<'t> {
        self.tokens[(self.at + n).min(self.tokens.len() - 1)]
    }

    pub(crate) fn advance(&mut self) -> Token<'t> {
        let token = self.tokens[self.at];
        if token.kind != Kind::End {
            self.at += 1;
        }
        token
    }

    pub(crate) fn eat(&mut self, kind: Kind) -> bool {
        let found = self.kind() == kind;
        if found {
            self.advance();
        }
        found
    }

    pub(crate) fn is_word(&self, word: &str) -> bool {
        let t = self.token();
        t.kind == Kind::Ident && t.text == word
    }

    pub(crate) fn eat_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.advance();
        }
        found
    }

    pub(crate) fn error(&mut self, span: Span, message: String) -> Reported {
        self.diagnostics.push(Diagnostic {
            severity: Severity::Error,
            span,
            message,
            help: None,
        });
        Reported
    }

    pub(crate) fn unexpected(&mut self, wanted: &str) -> Reported {
        let t = self.token();
        let found = match t.kind {
            Kind::End => "the end of the file".to_string(),
            _ => format!("`{}`", t.text),
        };
        self.error(t.span, format!("expected {wanted}, found {found}"))
    }

    pub(crate) fn expect(&mut self, kind: Kind, wanted: &str) -> Parsed<Token<'t>> {
        if self.kind() == kind {
            Ok(self.advance())
        } else {
            Err(self.unexpected(wanted))
        }
    }

    pub(crate) fn name(&mut self, wanted: &str) -> Parsed<Name> {
        let token = self.expect(Kind::Ident, wanted)?;
        Ok(Name {
            text: token.text.into(),
            span: token.span,
        })
    }

    pub(crate) fn names(&mut self, wanted: &str) -> Parsed<Vec<Name>> {
        let mut names = vec![self.name(wanted)?];
        while self.eat(Kind::Comma) {
            names.push(self.name(wanted)?);
        }
        Ok(names)
    }

    /// Runs a parser one level deeper.
    pub(crate) fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= DEPTH {
            let span = self.token().span;
            return Err(self.error(span, format!("nesting deeper than {DEPTH} levels")));
        }
        self.depth += 1;
        let result = parse(self);
        self.depth -= 1;
        result
    }

    /// An expression with its text, up to a `;`.
    fn clause(&mut self, free: bool) -> Parsed<Clause> {
        self.attributes()?;
        let first = self.token();
        let expr = self.expr()?;
        let end = self.token().start;
        self.expect(Kind::Semi, "`;`")?;
        let words: Vec<&str> = self.text[first.start..end].split_whitespace().collect();
        Ok(Clause {
            expr,
            text: words.join(" "),
            free,
            span: first.span,
        })
    }

    /// `{:name "text", …}` any number of times.
    fn attributes(&mut self) -> Parsed<Vec<Attribute>> {
        let mut found = Vec::new();
        while self.kind() == Kind::LBrace && self.ahead(1).kind == Kind::Colon {
            self.advance();
            self.advance();
            let name = self.name("the name of an attribute")?;
            let text =
                (self.kind() == Kind::Str).then(|| self.token().text.trim_matches('"').to_string());
            let mut depth = 1;
            while depth > 0 {
                match self.advance().kind {
                    Kind::LBrace => depth += 1,
                    Kind::RBrace => depth -= 1,
                    Kind::End => return Err(self.unexpected("`}` of the attribute")),
                    _ => {}
                }
            }
            found.push(Attribute {
                name: name.text,
                text,
            });
        }
        Ok(found)
    }
}
