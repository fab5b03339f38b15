//! Statements and bodies.

use super::super::ast::*;
use super::super::lexer::Kind;
use super::{Parsed, Parser};

impl Parser<'_> {
    pub(super) fn body(&mut self) -> Parsed<Body> {
        self.expect(Kind::LBrace, "`{`")?;
        let mut locals = Vec::new();
        let mut stmts = Vec::new();
        while !matches!(self.kind(), Kind::RBrace | Kind::End) {
            if self.is_word("var") && self.ahead(1).kind != Kind::Colon {
                match self.variables() {
                    Ok(vars) => locals.extend(vars),
                    Err(_) => self.skip_statement(),
                }
            } else {
                self.statement_or_skip(&mut stmts);
            }
        }
        let end = self.expect(Kind::RBrace, "`}`")?.span;
        Ok(Body { locals, stmts, end })
    }

    fn block(&mut self) -> Parsed<Vec<Stmt>> {
        self.nested(|p| {
            p.expect(Kind::LBrace, "`{`")?;
            let mut stmts = Vec::new();
            while !matches!(p.kind(), Kind::RBrace | Kind::End) {
                p.statement_or_skip(&mut stmts);
            }
            p.expect(Kind::RBrace, "`}`")?;
            Ok(stmts)
        })
    }

    fn statement_or_skip(&mut self, stmts: &mut Vec<Stmt>) {
        let (before, depth) = (self.at, self.depth);
        match self.statement() {
            Ok(stmt) => stmts.extend(stmt),
            Err(_) => {
                self.depth = depth;
                if self.at == before {
                    self.advance();
                }
                self.skip_statement();
            }
        }
    }

    /// After an error: past the next `;`, or before a `}`.
    fn skip_statement(&mut self) {
        while !matches!(self.kind(), Kind::RBrace | Kind::End) {
            if self.advance().kind == Kind::Semi {
                return;
            }
        }
    }

    fn statement(&mut self) -> Parsed<Option<Stmt>> {
        let token = self.token();
        if token.kind == Kind::Semi {
            self.advance();
            return Ok(None);
        }
        if token.kind != Kind::Ident {
            return Err(self.unexpected("a statement"));
        }
        let kind = if self.ahead(1).kind == Kind::Colon {
            self.advance();
            self.advance();
            StmtKind::Label(token.text.into())
        } else {
            match token.text {
                "assert" => {
                    self.advance();
                    StmtKind::Assert(self.clause(false)?)
                }
                "assume" => {
                    self.advance();
                    StmtKind::Assume(self.clause(false)?.expr)
                }
                "havoc" => {
                    self.advance();
                    let names = self.names("a variable")?;
                    self.expect(Kind::Semi, "`;`")?;
                    StmtKind::Havoc(names)
                }
                "call" => self.call()?,
                "if" => self.conditional()?,
                "while" => self.repetition()?,
                "break" => {
                    self.advance();
                    let label = match self.kind() {
                        Kind::Ident => Some(self.name("a label")?),
                        _ => None,
                    };
                    self.expect(Kind::Semi, "`;`")?;
                    StmtKind::Break(label)
                }
                "goto" => {
                    self.advance();
                    let targets = self.names("a label")?;
                    self.expect(Kind::Semi, "`;`")?;
                    StmtKind::Goto(targets)
                }
                "return" => {
                    self.advance();
                    self.expect(Kind::Semi, "`;`")?;
                    StmtKind::Return
                }
                word @ ("yield" | "async" | "par" | "fork" | "join" | "atomic")
                    if !matches!(
                        self.ahead(1).kind,
                        Kind::Assign | Kind::LBracket | Kind::Comma
                    ) =>
                {
                    let message = format!("`{word}`: concurrent programs are not supported");
                    return Err(self.error(token.span, message));
                }
                _ => self.assignment()?,
            }
        };
        Ok(Some(Stmt {
            kind,
            span: token.span,
        }))
    }

    fn assignment(&mut self) -> Parsed<StmtKind> {
        let mut left = Vec::new();
        loop {
            let name = self.name("a variable")?;
            let mut indices = Vec::new();
            while self.eat(Kind::LBracket) {
                indices.push(match self.kind() {
                    Kind::RBracket => Vec::new(),
                    _ => self.exprs()?,
                });
                self.expect(Kind::RBracket, "`]`")?;
            }
            left.push(Lhs { name, indices });
            if !self.eat(Kind::Comma) {
                break;
            }
        }
        self.expect(Kind::Assign, "`:=`")?;
        let right = self.exprs()?;
        self.expect(Kind::Semi, "`;`")?;
        Ok(StmtKind::Assign(left, right))
    }

    fn call(&mut self) -> Parsed<StmtKind> {
        self.advance();
        self.attributes()?;
        if self.is_word("forall") || self.kind() == Kind::Forall {
            let span = self.token().span;
            return Err(self.error(span, "`call forall` is not supported".into()));
        }
        let mut results = Vec::new();
        let mut callee = self.name("a procedure")?;
        if matches!(self.kind(), Kind::Comma | Kind::Assign) {
            results.push(callee);
            while self.eat(Kind::Comma) {
                results.push(self.name("a variable")?);
            }
            self.expect(Kind::Assign, "`:=`")?;
            callee = self.name("a procedure")?;
        }
        self.expect(Kind::LParen, "`(`")?;
        let mut args = Vec::new();
        if self.kind() != Kind::RParen {
            args = self.exprs()?;
        }
        self.expect(Kind::RParen, "`)`")?;
        self.expect(Kind::Semi, "`;`")?;
        Ok(StmtKind::Call {
            callee,
            args,
            results,
        })
    }

    /// `(e)` or `(*)`.
    fn condition(&mut self) -> Parsed<Option<Expr>> {
        self.expect(Kind::LParen, "`(`")?;
        let condition = if self.kind() == Kind::Star && self.ahead(1).kind == Kind::RParen {
            self.advance();
            None
        } else {
            Some(self.expr()?)
        };
        self.expect(Kind::RParen, "`)`")?;
        Ok(condition)
    }

    fn conditional(&mut self) -> Parsed<StmtKind> {
        self.advance();
        let condition = self.condition()?;
        let yes = self.block()?;
        let mut no = Vec::new();
        if self.eat_word("else") {
            if self.is_word("if") {
                let span = self.token().span;
                let kind = self.nested(|p| p.conditional())?;
                no.push(Stmt { kind, span });
            } else {
                no = self.block()?;
            }
        }
        Ok(StmtKind::If(condition, yes, no))
    }

    fn repetition(&mut self) -> Parsed<StmtKind> {
        self.advance();
        let condition = self.condition()?;
        let mut invariants = Vec::new();
        loop {
            let free = self.is_word("free") && self.ahead(1).text == "invariant";
            if free {
                self.advance();
            }
            if !self.eat_word("invariant") {
                break;
            }
            invariants.push(self.clause(free)?);
        }
        let body = self.block()?;
        Ok(StmtKind::While {
            condition,
            invariants,
            body,
        })
    }
}
