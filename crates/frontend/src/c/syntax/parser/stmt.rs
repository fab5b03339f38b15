//! Statements and blocks.

use super::super::ast::*;
use super::super::lexer::T;
use super::{Failed, MAX_CHAIN, Parsed, Parser};

impl Parser<'_, '_> {
    /// `{ … }`, a scope of its own.
    pub(crate) fn block(&mut self) -> Parsed<Block> {
        let at = self.expect(T::LBrace)?;
        self.typedefs.enter();
        let scopes = self.typedefs.scopes.len();
        let mut stmts = Vec::new();
        while self.peek() != T::RBrace {
            if self.peek() == T::Eof {
                // Only the innermost one is news.
                let message = "this `{` is never closed";
                if self.errors.last().is_some_and(|e| e.message == message) {
                    return Err(Failed);
                }
                return Err(self.error_at(at, message));
            }
            match self.stmt() {
                Ok(stmt) => stmts.push(stmt),
                Err(failed) => {
                    while self.typedefs.scopes.len() > scopes {
                        self.typedefs.leave();
                    }
                    if self.hopeless() {
                        return Err(failed);
                    }
                    self.recover();
                }
            }
        }
        let end = self.bump();
        self.typedefs.leave();
        Ok(Block { at, stmts, end })
    }

    fn starts_declaration(&self) -> bool {
        match self.peek() {
            T::Ident => {
                let known = self.is_typedef_name(self.symbol());
                // `label:` even if the name is a type; `foo_t x` even if it is not.
                if known {
                    self.peek_at(1) != T::Colon
                } else {
                    self.peek_at(1) == T::Ident
                }
            }
            T::Extension => self.starts_type(1),
            // `__attribute__((fallthrough));`
            T::Attribute => true,
            kind => super::is_type_keyword(kind),
        }
    }

    pub(crate) fn stmt(&mut self) -> Parsed<Stmt> {
        self.nested(|p| p.stmt_inner())
    }

    fn stmt_inner(&mut self) -> Parsed<Stmt> {
        let at = self.at();
        let kind = match self.peek() {
            T::LBrace => StmtKind::Block(self.block()?),
            T::Semi => {
                self.bump();
                StmtKind::Empty
            }
            T::If => self.if_chain()?,
            T::While => {
                self.bump();
                let cond = self.parenthesised()?;
                StmtKind::While(cond, Box::new(self.stmt()?))
            }
            T::Do => {
                self.bump();
                let body = Box::new(self.stmt()?);
                self.expect(T::While)?;
                let cond = self.parenthesised()?;
                self.expect(T::Semi)?;
                StmtKind::DoWhile(body, cond)
            }
            T::For => self.for_loop()?,
            T::Switch => {
                self.bump();
                let value = self.parenthesised()?;
                StmtKind::Switch(value, Box::new(self.stmt()?))
            }
            T::Case | T::Default => return self.labeled(),
            T::Ident if self.peek_at(1) == T::Colon => return self.labeled(),
            T::Goto => {
                self.bump();
                let kind = if self.eat(T::Star) {
                    StmtKind::ComputedGoto(self.expr()?)
                } else {
                    StmtKind::Goto(self.expect_name()?)
                };
                self.expect(T::Semi)?;
                kind
            }
            T::Return => {
                self.bump();
                let value = if self.peek() == T::Semi {
                    None
                } else {
                    Some(self.expr()?)
                };
                self.expect(T::Semi)?;
                StmtKind::Return(value)
            }
            T::Break => {
                self.bump();
                self.expect(T::Semi)?;
                StmtKind::Break
            }
            T::Continue => {
                self.bump();
                self.expect(T::Semi)?;
                StmtKind::Continue
            }
            T::Asm => self.asm()?,
            T::StaticAssert => StmtKind::StaticAssert(self.static_assert()?),
            T::Label => {
                self.bump();
                let mut names = vec![self.expect_name()?];
                while self.eat(T::Comma) {
                    names.push(self.expect_name()?);
                }
                self.expect(T::Semi)?;
                StmtKind::LocalLabels(names)
            }
            _ if self.starts_declaration() => self.local_declaration()?,
            _ => {
                let expr = self.expr()?;
                self.expect(T::Semi)?;
                StmtKind::Expr(expr)
            }
        };
        Ok(Stmt { kind, at })
    }

    fn parenthesised(&mut self) -> Parsed<Expr> {
        self.expect(T::LParen)?;
        let expr = self.expr()?;
        self.expect(T::RParen)?;
        Ok(expr)
    }

    fn local_declaration(&mut self) -> Parsed<StmtKind> {
        while self.eat(T::Extension) {}
        let specs = self.specifiers()?;
        if self.eat(T::Semi) {
            // `__attribute__((fallthrough));` declares nothing.
            return Ok(StmtKind::Decl(Box::new(Declaration {
                specs,
                declarators: Vec::new(),
            })));
        }
        let first = self.declarator(false)?;
        if self.starts_function_body(&first, &specs) {
            return Ok(StmtKind::Function(self.function(specs, first)?));
        }
        Ok(StmtKind::Decl(Box::new(
            self.declaration_rest(specs, first)?,
        )))
    }

    fn if_chain(&mut self) -> Parsed<StmtKind> {
        let mut arms = Vec::new();
        loop {
            let at = self.bump();
            let cond = self.parenthesised()?;
            let then = self.stmt()?;
            arms.push((at, cond, then));
            if arms.len() as u32 > MAX_CHAIN {
                return Err(self.error(format!(
                    "more than {MAX_CHAIN} `else if` in a row; simplify the code"
                )));
            }
            if !self.eat(T::Else) {
                return Ok(StmtKind::If(arms, None));
            }
            if self.peek() != T::If {
                let els = self.stmt()?;
                return Ok(StmtKind::If(arms, Some(Box::new(els))));
            }
        }
    }

    fn for_loop(&mut self) -> Parsed<StmtKind> {
        self.bump();
        self.expect(T::LParen)?;
        self.typedefs.enter();
        let at = self.at();
        let init = if self.eat(T::Semi) {
            None
        } else if self.starts_declaration() {
            let kind = self.local_declaration()?;
            Some(Stmt { kind, at })
        } else {
            let expr = self.expr()?;
            self.expect(T::Semi)?;
            let kind = StmtKind::Expr(expr);
            Some(Stmt { kind, at })
        };
        let cond = if self.peek() == T::Semi {
            None
        } else {
            Some(self.expr()?)
        };
        self.expect(T::Semi)?;
        let step = if self.peek() == T::RParen {
            None
        } else {
            Some(self.expr()?)
        };
        self.expect(T::RParen)?;
        let body = self.stmt()?;
        self.typedefs.leave();
        Ok(StmtKind::For(Box::new(For {
            init,
            cond,
            step,
            body,
        })))
    }

    /// Labels in a row and the statement they mark; before `}` an empty one.
    fn labeled(&mut self) -> Parsed<Stmt> {
        let start = self.at();
        let mut labels = Vec::new();
        loop {
            let at = self.at();
            match self.peek() {
                T::Case => {
                    self.bump();
                    let low = self.conditional()?;
                    let high = if self.eat(T::Ellipsis) {
                        Some(self.conditional()?)
                    } else {
                        None
                    };
                    self.expect(T::Colon)?;
                    labels.push(Label::Case(at, low, high));
                }
                T::Default => {
                    self.bump();
                    self.expect(T::Colon)?;
                    labels.push(Label::Default(at));
                }
                T::Ident if self.peek_at(1) == T::Colon => {
                    let name = self.symbol();
                    self.bump();
                    self.bump();
                    labels.push(Label::Name(at, name));
                    // `unused:` attributes, but not those that begin a declaration.
                    if self.peek() == T::Attribute {
                        self.skip_attributes()?;
                        self.eat(T::Semi);
                    }
                }
                _ => break,
            }
        }
        let at = self.at();
        let stmt = if self.peek() == T::RBrace {
            Stmt {
                kind: StmtKind::Empty,
                at,
            }
        } else {
            self.stmt()?
        };
        Ok(Stmt {
            kind: StmtKind::Labeled(labels, Box::new(stmt)),
            at: start,
        })
    }

    fn asm(&mut self) -> Parsed<StmtKind> {
        self.bump();
        let mut asm = Asm::default();
        loop {
            match self.peek() {
                T::Volatile => asm.is_volatile = true,
                T::Goto | T::Inline => {}
                _ => break,
            }
            self.bump();
        }
        self.expect(T::LParen)?;
        asm.template = self.at();
        self.expect(T::Str)?;
        while self.eat(T::Str) {}
        for section in 0..4 {
            if !self.eat(T::Colon) {
                break;
            }
            while !matches!(self.peek(), T::Colon | T::RParen) {
                match section {
                    0 => {
                        let operand = self.asm_operand()?;
                        asm.outputs.push(operand);
                    }
                    1 => {
                        let operand = self.asm_operand()?;
                        asm.inputs.push(operand);
                    }
                    2 => {
                        let at = self.expect(T::Str)?;
                        while self.eat(T::Str) {}
                        asm.clobbers.push(at);
                    }
                    _ => asm.labels.push(self.expect_name()?),
                }
                if !self.eat(T::Comma) {
                    break;
                }
            }
        }
        self.expect(T::RParen)?;
        self.expect(T::Semi)?;
        Ok(StmtKind::Asm(Box::new(asm)))
    }

    /// `[name] "constraint" (expr)`
    fn asm_operand(&mut self) -> Parsed<AsmOperand> {
        if self.eat(T::LBracket) {
            self.expect_name()?;
            self.expect(T::RBracket)?;
        }
        let constraint = self.expect(T::Str)?;
        while self.eat(T::Str) {}
        self.expect(T::LParen)?;
        let expr = self.expr()?;
        self.expect(T::RParen)?;
        Ok(AsmOperand { constraint, expr })
    }
}
