//! Expressions and types. Binding, loosest first: `<==>`; `==>` `<==`; `&&` `||`; relations; `++`;
//! `+ -`; `* / % div mod`; `**`; prefix; `[ ]`.

use super::super::ast::*;
use super::super::lexer::Kind;
use super::{Parsed, Parser};

impl Parser<'_> {
    pub(crate) fn expr(&mut self) -> Parsed<Expr> {
        self.nested(|p| {
            let mut left = p.implication()?;
            while p.kind() == Kind::Iff {
                left = p.join(Binary::Iff, left, |p| p.implication())?;
            }
            Ok(left)
        })
    }

    fn join(
        &mut self,
        op: Binary,
        left: Expr,
        parse: impl FnOnce(&mut Self) -> Parsed<Expr>,
    ) -> Parsed<Expr> {
        self.advance();
        let right = parse(self)?;
        let span = left.span;
        Ok(Expr {
            kind: ExprKind::Binary(op, Box::new(left), Box::new(right)),
            span,
        })
    }

    fn implication(&mut self) -> Parsed<Expr> {
        let mut left = self.junction()?;
        if self.kind() == Kind::Implies {
            return self.join(Binary::Implies, left, |p| p.nested(|p| p.implication()));
        }
        while self.kind() == Kind::Explies {
            left = self.join(Binary::Explies, left, |p| p.junction())?;
        }
        Ok(left)
    }

    fn junction(&mut self) -> Parsed<Expr> {
        let mut left = self.relation()?;
        let first = self.kind();
        let op = match first {
            Kind::And => Binary::And,
            Kind::Or => Binary::Or,
            _ => return Ok(left),
        };
        while self.kind() == first {
            left = self.join(op, left, |p| p.relation())?;
        }
        if matches!(self.kind(), Kind::And | Kind::Or) {
            let span = self.token().span;
            return Err(self.error(span, "`&&` and `||` need parentheses between them".into()));
        }
        Ok(left)
    }

    fn relation(&mut self) -> Parsed<Expr> {
        let left = self.concatenation()?;
        let op = match self.kind() {
            Kind::Eq => Binary::Eq,
            Kind::Neq => Binary::Neq,
            Kind::Lt => Binary::Lt,
            Kind::Le => Binary::Le,
            Kind::Gt => Binary::Gt,
            Kind::Ge => Binary::Ge,
            Kind::Extends => Binary::Extends,
            _ => return Ok(left),
        };
        self.join(op, left, |p| p.concatenation())
    }

    fn concatenation(&mut self) -> Parsed<Expr> {
        let mut left = self.sum()?;
        while self.kind() == Kind::Concat {
            left = self.join(Binary::Concat, left, |p| p.sum())?;
        }
        Ok(left)
    }

    fn sum(&mut self) -> Parsed<Expr> {
        let mut left = self.product()?;
        loop {
            let op = match self.kind() {
                Kind::Plus => Binary::Add,
                Kind::Minus => Binary::Sub,
                _ => return Ok(left),
            };
            left = self.join(op, left, |p| p.product())?;
        }
    }

    fn product(&mut self) -> Parsed<Expr> {
        let mut left = self.power()?;
        loop {
            let op = match self.kind() {
                Kind::Star => Binary::Mul,
                Kind::Slash => Binary::Slash,
                Kind::Percent => Binary::Mod,
                Kind::Ident if self.is_word("div") => Binary::Div,
                Kind::Ident if self.is_word("mod") => Binary::Mod,
                _ => return Ok(left),
            };
            left = self.join(op, left, |p| p.power())?;
        }
    }

    fn power(&mut self) -> Parsed<Expr> {
        let left = self.prefix()?;
        if self.kind() == Kind::Power {
            return self.join(Binary::Power, left, |p| p.nested(|p| p.power()));
        }
        Ok(left)
    }

    fn prefix(&mut self) -> Parsed<Expr> {
        let span = self.token().span;
        let make: fn(Box<Expr>) -> ExprKind = match self.kind() {
            Kind::Not => ExprKind::Not,
            Kind::Minus => ExprKind::Neg,
            _ => return self.postfix(),
        };
        self.advance();
        let inner = self.nested(|p| p.prefix())?;
        Ok(Expr {
            kind: make(Box::new(inner)),
            span,
        })
    }

    fn postfix(&mut self) -> Parsed<Expr> {
        let mut base = self.atom()?;
        loop {
            match self.kind() {
                Kind::LBracket => {
                    self.advance();
                    let span = base.span;
                    let kind = self.brackets(base)?;
                    self.expect(Kind::RBracket, "`]`")?;
                    base = Expr { kind, span };
                }
                Kind::Not if self.ahead(1).kind == Kind::Ident => {
                    let span = self.token().span;
                    return Err(self.error(span, "fields of structures are not supported".into()));
                }
                _ => return Ok(base),
            }
        }
    }

    /// After `[`: a read, an update, or bits.
    fn brackets(&mut self, base: Expr) -> Parsed<ExprKind> {
        let base = Box::new(base);
        if self.kind() == Kind::Int && self.ahead(1).kind == Kind::Colon {
            let high = self.small_number()?;
            self.advance();
            let low = self.small_number()?;
            return Ok(ExprKind::Extract(base, high, low));
        }
        let mut indices = Vec::new();
        if !matches!(self.kind(), Kind::RBracket | Kind::Assign) {
            indices = self.exprs()?;
        }
        if self.eat(Kind::Assign) {
            let value = self.expr()?;
            return Ok(ExprKind::Store(base, indices, Box::new(value)));
        }
        Ok(ExprKind::Select(base, indices))
    }

    fn small_number(&mut self) -> Parsed<u32> {
        let t = self.expect(Kind::Int, "a number")?;
        t.text
            .parse()
            .map_err(|_| self.error(t.span, format!("`{}` is too large here", t.text)))
    }

    pub(crate) fn exprs(&mut self) -> Parsed<Vec<Expr>> {
        let mut list = vec![self.expr()?];
        while self.eat(Kind::Comma) {
            list.push(self.expr()?);
        }
        Ok(list)
    }

    fn atom(&mut self) -> Parsed<Expr> {
        let token = self.token();
        let span = token.span;
        let kind = match token.kind {
            Kind::Int => ExprKind::Int(self.advance().text.into()),
            Kind::Real => ExprKind::Real(self.advance().text.into()),
            Kind::Bv => self.bit_vector()?,
            Kind::LParen => {
                self.advance();
                let inner = self.expr()?;
                self.expect(Kind::RParen, "`)`")?;
                return Ok(inner);
            }
            Kind::Forall | Kind::Exists | Kind::Lambda => self.quantified()?,
            Kind::Ident => match token.text {
                "true" | "false" => ExprKind::Bool(self.advance().text == "true"),
                "forall" | "exists" | "lambda" => self.quantified()?,
                "if" => {
                    self.advance();
                    let c = self.expr()?;
                    if !self.eat_word("then") {
                        return Err(self.unexpected("`then`"));
                    }
                    let a = self.expr()?;
                    if !self.eat_word("else") {
                        return Err(self.unexpected("`else`"));
                    }
                    let b = self.expr()?;
                    ExprKind::Ite(Box::new(c), Box::new(a), Box::new(b))
                }
                "old" if self.ahead(1).kind == Kind::LParen => {
                    self.advance();
                    self.advance();
                    let inner = self.expr()?;
                    self.expect(Kind::RParen, "`)`")?;
                    ExprKind::Old(Box::new(inner))
                }
                _ => self.name_or_call()?,
            },
            _ => return Err(self.unexpected("an expression")),
        };
        Ok(Expr { kind, span })
    }

    fn name_or_call(&mut self) -> Parsed<ExprKind> {
        let name = self.name("a name")?;
        if !self.eat(Kind::LParen) {
            return Ok(ExprKind::Name(name.text));
        }
        let mut args = Vec::new();
        if self.kind() != Kind::RParen {
            args = self.exprs()?;
        }
        self.expect(Kind::RParen, "`)`")?;
        Ok(ExprKind::Apply(name, args))
    }

    fn bit_vector(&mut self) -> Parsed<ExprKind> {
        let t = self.advance();
        let parts = t.text.split_once("bv");
        match parts.and_then(|(value, width)| Some((value, width.parse().ok()?))) {
            Some((value, width)) => Ok(ExprKind::Bv(value.into(), width)),
            None => Err(self.error(t.span, format!("`{}` is no bit-vector", t.text))),
        }
    }

    fn quantified(&mut self) -> Parsed<ExprKind> {
        let quantifier = match (self.kind(), self.advance().text) {
            (Kind::Forall, _) | (_, "forall") => Quantifier::Forall,
            (Kind::Lambda, _) | (_, "lambda") => Quantifier::Lambda,
            _ => Quantifier::Exists,
        };
        self.type_params()?;
        let mut binders = Vec::new();
        while self.kind() == Kind::Ident {
            let names = self.names("a bound variable")?;
            self.expect(Kind::Colon, "`:` and a type")?;
            let ty = self.ty()?;
            binders.extend(names.into_iter().map(|name| Binder {
                name,
                ty: ty.clone(),
            }));
            if !self.eat(Kind::Comma) {
                break;
            }
        }
        self.expect(Kind::ColonColon, "`::`")?;
        // Triggers and attributes say nothing about the meaning.
        while self.kind() == Kind::LBrace {
            self.advance();
            self.eat(Kind::Colon);
            while !matches!(self.kind(), Kind::RBrace | Kind::End) {
                self.advance();
            }
            self.expect(Kind::RBrace, "`}`")?;
        }
        let body = self.expr()?;
        Ok(ExprKind::Quantified(quantifier, binders, Box::new(body)))
    }

    /// `<a, b>`, if there is one.
    pub(super) fn type_params(&mut self) -> Parsed<bool> {
        if !self.eat(Kind::Lt) {
            return Ok(false);
        }
        self.names("a type parameter")?;
        self.expect(Kind::Gt, "`>`")?;
        Ok(true)
    }

    // ---- types ----

    pub(super) fn ty(&mut self) -> Parsed<Type> {
        self.nested(|p| {
            let span = p.token().span;
            match p.kind() {
                Kind::Ident => {
                    let name = p.name("a type")?;
                    let mut args = Vec::new();
                    while let Some(arg) = p.type_atom()? {
                        args.push(arg);
                    }
                    Ok(Type::Named(name, args))
                }
                Kind::Lt => {
                    p.type_params()?;
                    p.ty()?;
                    Ok(Type::Unsupported("polymorphic maps", span))
                }
                Kind::LBrace => {
                    while !matches!(p.kind(), Kind::RBrace | Kind::End) {
                        p.advance();
                    }
                    p.expect(Kind::RBrace, "`}`")?;
                    Ok(Type::Unsupported("structures", span))
                }
                _ => match p.type_atom()? {
                    Some(ty) => Ok(ty),
                    None => Err(p.unexpected("a type")),
                },
            }
        })
    }

    /// A type that may be an argument of another.
    fn type_atom(&mut self) -> Parsed<Option<Type>> {
        match self.kind() {
            Kind::Ident
                if !["where", "returns", "extends", "requires", "ensures"]
                    .contains(&self.token().text) =>
            {
                let name = self.name("a type")?;
                Ok(Some(Type::Named(name, Vec::new())))
            }
            Kind::LParen => {
                self.advance();
                let inner = self.ty()?;
                self.expect(Kind::RParen, "`)`")?;
                Ok(Some(inner))
            }
            Kind::LBracket => {
                self.advance();
                let mut indices = Vec::new();
                if self.kind() != Kind::RBracket {
                    indices.push(self.ty()?);
                    while self.eat(Kind::Comma) {
                        indices.push(self.ty()?);
                    }
                }
                self.expect(Kind::RBracket, "`]`")?;
                let element = self.ty()?;
                Ok(Some(Type::Map(indices, Box::new(element))))
            }
            _ => Ok(None),
        }
    }
}
