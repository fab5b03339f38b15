//! The language of the IPROC paper (Listing 1): procedures over integers.
//!
//! ```text
//!   proc inc(p, q) returns (r) {
//!     assert(p >= 0);
//!     if (p >= 1)
//!       r = q + 1;
//!     else
//!       r = q;
//!     endif;
//!   }
//! ```
//! Statements: assignments, `x, y = f(a, b)`, `f(a)`, `assume(e)`, `assert(e)`, `havoc(x)`,
//! `if (e) … else … endif`, `while (e) … endwhile` (also with braces), `return`. Inputs are read
//! only; a name that is neither input nor output is a local. Execution starts at `main`.
//!
//! It is a part of Boogie in other words: the trees made here are Boogie's, and so is the lowering.

use crate::boogie::ast::*;
use crate::boogie::lexer::{self, Kind};
use crate::boogie::parser::{Parsed, Parser};
use crate::boogie::{BoogieOptions, BoogieProgram, lower};
use logic::Pool;
use program::{Diagnostic, SourceMap, Span};
use std::collections::BTreeMap;

/// Reads a program; `entry` is where execution starts, `main` if not given.
pub fn read(
    pool: &mut Pool,
    name: &str,
    text: &str,
    entry: Option<&str>,
    sources: &mut SourceMap,
) -> Result<BoogieProgram, Vec<Diagnostic>> {
    let file = sources.add(name, text);
    let (tokens, mut diagnostics) = lexer::lex(text, file);
    let mut reader = Reader {
        p: Parser::new(text, tokens),
        text,
        unit: Unit::default(),
    };
    reader.unit();
    diagnostics.append(&mut reader.p.diagnostics);
    if !diagnostics.is_empty() {
        return Err(diagnostics);
    }
    let options = BoogieOptions {
        entry: Some(entry.unwrap_or("main").to_string()),
    };
    lower::lower(pool, &reader.unit, &options)
}

struct Reader<'t> {
    p: Parser<'t>,
    text: &'t str,
    unit: Unit,
}

/// Words that end a list of statements.
const ENDS: [&str; 3] = ["else", "endif", "endwhile"];

impl Reader<'_> {
    fn unit(&mut self) {
        while self.p.kind() != Kind::End {
            let before = self.p.token().start;
            if let Err(_reported) = self.procedure() {
                if self.p.token().start == before {
                    self.p.advance();
                }
                while self.p.kind() != Kind::End && !self.p.is_word("proc") {
                    self.p.advance();
                }
            }
        }
    }

    fn procedure(&mut self) -> Parsed<()> {
        if !self.p.eat_word("proc") {
            return Err(self.p.unexpected("`proc`"));
        }
        let name = self.p.name("the name of a procedure")?;
        let ins = self.parameters()?;
        let outs = match self.p.eat_word("returns") {
            true => self.parameters()?,
            false => Vec::new(),
        };
        self.p.expect(Kind::LBrace, "`{`")?;
        let stmts = self.statements();
        let end = self.p.expect(Kind::RBrace, "`}`")?.span;
        let mut names = Names::default();
        names.statements(&stmts);
        for n in &ins {
            if let Some(span) = names.written.get(&n.text) {
                let message = format!("the input `{}` cannot be assigned", n.text);
                self.p.error(*span, message);
            }
        }
        let known = |n: &str| ins.iter().chain(&outs).any(|p| p.text == n);
        let locals = names.all.iter().filter(|(n, _)| !known(n));
        let locals = locals.map(|(n, &span)| {
            typed(Name {
                text: n.clone(),
                span,
            })
        });
        let body = Body {
            locals: locals.collect(),
            stmts,
            end,
        };
        self.unit.procedures.push(Procedure {
            name,
            ins: ins.into_iter().map(typed).collect(),
            outs: outs.into_iter().map(typed).collect(),
            spec: Spec::default(),
            body: Some(body),
            polymorphic: false,
        });
        Ok(())
    }

    fn parameters(&mut self) -> Parsed<Vec<Name>> {
        self.p.expect(Kind::LParen, "`(`")?;
        let mut names = Vec::new();
        if self.p.kind() != Kind::RParen {
            names = self.p.names("a parameter")?;
        }
        self.p.expect(Kind::RParen, "`)`")?;
        Ok(names)
    }

    /// Up to a `}` or a closing word.
    fn statements(&mut self) -> Vec<Stmt> {
        let mut stmts = Vec::new();
        loop {
            let token = self.p.token();
            let closing = token.kind == Kind::Ident && ENDS.contains(&token.text);
            if closing || matches!(token.kind, Kind::RBrace | Kind::End) {
                return stmts;
            }
            if self.p.eat(Kind::Semi) {
                continue;
            }
            match self.statement() {
                Ok(kind) => stmts.push(Stmt {
                    kind,
                    span: token.span,
                }),
                Err(_reported) => {
                    if self.p.token().start == token.start {
                        self.p.advance();
                    }
                    while !matches!(self.p.kind(), Kind::RBrace | Kind::Semi | Kind::End) {
                        self.p.advance();
                    }
                }
            }
        }
    }

    fn statement(&mut self) -> Parsed<StmtKind> {
        let token = self.p.token();
        if token.kind != Kind::Ident {
            return Err(self.p.unexpected("a statement"));
        }
        match token.text {
            "assume" => Ok(StmtKind::Assume(self.condition()?.expr)),
            "assert" => Ok(StmtKind::Assert(self.condition()?)),
            "havoc" => {
                self.p.advance();
                let names = self.parameters()?;
                Ok(StmtKind::Havoc(names))
            }
            "return" => {
                self.p.advance();
                Ok(StmtKind::Return)
            }
            "if" => {
                let condition = self.condition()?.expr;
                let yes = self.block()?;
                let no = match self.p.eat_word("else") {
                    true => self.block()?,
                    false => Vec::new(),
                };
                // After braces the closing word may be left out.
                if !self.p.eat_word("endif") && !self.after_brace() {
                    return Err(self.p.unexpected("`endif`"));
                }
                Ok(StmtKind::If(Some(condition), yes, no))
            }
            "while" => {
                let condition = self.condition()?.expr;
                let body = self.block()?;
                if !self.p.eat_word("endwhile") && !self.after_brace() {
                    return Err(self.p.unexpected("`endwhile`"));
                }
                Ok(StmtKind::While {
                    condition: Some(condition),
                    invariants: Vec::new(),
                    body,
                })
            }
            _ => self.assignment(),
        }
    }

    fn after_brace(&self) -> bool {
        let before = self.text[..self.p.token().start].trim_end();
        before.ends_with('}')
    }

    fn block(&mut self) -> Parsed<Vec<Stmt>> {
        if self.p.eat(Kind::LBrace) {
            let stmts = self.statements();
            self.p.expect(Kind::RBrace, "`}`")?;
            return Ok(stmts);
        }
        Ok(self.statements())
    }

    /// A word and a formula in parentheses.
    fn condition(&mut self) -> Parsed<Clause> {
        self.p.advance();
        self.p.expect(Kind::LParen, "`(`")?;
        let first = self.p.token();
        let expr = self.p.expr()?;
        let end = self.p.expect(Kind::RParen, "`)`")?.start;
        let words: Vec<&str> = self.text[first.start..end].split_whitespace().collect();
        Ok(Clause {
            expr,
            text: words.join(" "),
            free: false,
            span: first.span,
        })
    }

    fn assignment(&mut self) -> Parsed<StmtKind> {
        let mut left = self.p.names("a statement")?;
        if self.p.kind() == Kind::LParen && left.len() == 1 {
            let callee = left.remove(0);
            return self.call(callee, Vec::new());
        }
        self.p.expect(Kind::Define, "`=`")?;
        if self.p.kind() == Kind::Ident && self.p.ahead(1).kind == Kind::LParen {
            let callee = self.p.name("a procedure")?;
            return self.call(callee, left);
        }
        let right = self.p.exprs()?;
        let left = left.into_iter().map(|name| Lhs {
            name,
            indices: Vec::new(),
        });
        Ok(StmtKind::Assign(left.collect(), right))
    }

    fn call(&mut self, callee: Name, results: Vec<Name>) -> Parsed<StmtKind> {
        self.p.expect(Kind::LParen, "`(`")?;
        let mut args = Vec::new();
        if self.p.kind() != Kind::RParen {
            args = self.p.exprs()?;
        }
        self.p.expect(Kind::RParen, "`)`")?;
        Ok(StmtKind::Call {
            callee,
            args,
            results,
        })
    }
}

/// Every variable is an integer.
fn typed(name: Name) -> Typed {
    let int = Name {
        text: "int".into(),
        span: name.span,
    };
    Typed {
        name,
        ty: Type::Named(int, Vec::new()),
        condition: None,
    }
}

/// The names a body uses, each with its first place.
#[derive(Default)]
struct Names {
    all: BTreeMap<String, Span>,
    written: BTreeMap<String, Span>,
}

impl Names {
    fn write(&mut self, name: &Name) {
        self.all.entry(name.text.clone()).or_insert(name.span);
        self.written.entry(name.text.clone()).or_insert(name.span);
    }

    fn statements(&mut self, stmts: &[Stmt]) {
        for s in stmts {
            match &s.kind {
                StmtKind::Assert(c) => self.expr(&c.expr),
                StmtKind::Assume(e) => self.expr(e),
                StmtKind::Havoc(names) => names.iter().for_each(|n| self.write(n)),
                StmtKind::Assign(left, right) => {
                    left.iter().for_each(|l| self.write(&l.name));
                    right.iter().for_each(|e| self.expr(e));
                }
                StmtKind::Call { args, results, .. } => {
                    results.iter().for_each(|n| self.write(n));
                    args.iter().for_each(|e| self.expr(e));
                }
                StmtKind::If(c, yes, no) => {
                    c.iter().for_each(|e| self.expr(e));
                    self.statements(yes);
                    self.statements(no);
                }
                StmtKind::While {
                    condition, body, ..
                } => {
                    condition.iter().for_each(|e| self.expr(e));
                    self.statements(body);
                }
                _ => {}
            }
        }
    }

    fn expr(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Name(n) => {
                self.all.entry(n.clone()).or_insert(e.span);
            }
            ExprKind::Not(a) | ExprKind::Neg(a) => self.expr(a),
            ExprKind::Binary(_, a, b) => {
                self.expr(a);
                self.expr(b);
            }
            ExprKind::Ite(a, b, c) => [a, b, c].into_iter().for_each(|x| self.expr(x)),
            _ => {}
        }
    }
}
