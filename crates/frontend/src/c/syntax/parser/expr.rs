//! Expressions: precedence climbing over unary and postfix forms.

use super::super::ast::*;
use super::super::lexer::{Symbol, T};
use super::{MAX_CHAIN, Parsed, Parser};

impl Parser<'_, '_> {
    pub(crate) fn expr(&mut self) -> Parsed<Expr> {
        let mut left = self.assignment()?;
        let mut chain = 0;
        while self.peek() == T::Comma {
            self.count_chain(&mut chain)?;
            let at = self.bump();
            let right = self.assignment()?;
            left = Expr {
                kind: ExprKind::Comma(Box::new((left, right))),
                at,
            };
        }
        Ok(left)
    }

    pub(crate) fn assignment(&mut self) -> Parsed<Expr> {
        self.nested(|p| {
            let left = p.conditional_inner()?;
            let op = match p.peek() {
                T::Assign => None,
                T::PlusAssign => Some(Binary::Add),
                T::MinusAssign => Some(Binary::Sub),
                T::StarAssign => Some(Binary::Mul),
                T::SlashAssign => Some(Binary::Div),
                T::PercentAssign => Some(Binary::Rem),
                T::AmpAssign => Some(Binary::BitAnd),
                T::PipeAssign => Some(Binary::BitOr),
                T::CaretAssign => Some(Binary::BitXor),
                T::ShlAssign => Some(Binary::Shl),
                T::ShrAssign => Some(Binary::Shr),
                _ => return Ok(left),
            };
            let at = p.bump();
            let right = p.assignment()?;
            let both = Box::new((left, right));
            let kind = match op {
                None => ExprKind::Assign(both),
                Some(op) => ExprKind::CompoundAssign(op, both),
            };
            Ok(Expr { kind, at })
        })
    }

    pub(crate) fn conditional(&mut self) -> Parsed<Expr> {
        self.nested(|p| p.conditional_inner())
    }

    fn conditional_inner(&mut self) -> Parsed<Expr> {
        let cond = self.implication()?;
        if self.peek() != T::Question {
            return Ok(cond);
        }
        let at = self.bump();
        let then = if self.peek() == T::Colon {
            None
        } else {
            Some(self.nested(|p| p.expr())?)
        };
        self.expect(T::Colon)?;
        let els = self.conditional()?;
        Ok(Expr {
            kind: ExprKind::Conditional(Box::new((cond, then, els))),
            at,
        })
    }

    /// `a ==> b` and `a <==> b` of specifications; C has neither, so no program changes its meaning.
    fn implication(&mut self) -> Parsed<Expr> {
        let left = self.binary(0)?;
        let not = |e: Expr| Expr {
            at: e.at,
            kind: ExprKind::Unary(Unary::Not, Box::new(e)),
        };
        let is_iff = match self.peek() {
            T::Implies => false,
            T::Iff => true,
            _ => return Ok(left),
        };
        let at = self.bump();
        let right = self.nested(|p| p.implication())?;
        let kind = if is_iff {
            ExprKind::Binary(Binary::Eq, Box::new((not(left), not(right))))
        } else {
            ExprKind::Binary(Binary::Or, Box::new((not(left), right)))
        };
        Ok(Expr { kind, at })
    }

    /// Operators that bind at least as tightly as `least`.
    fn binary(&mut self, least: u8) -> Parsed<Expr> {
        let mut left = self.unary()?;
        let mut chain = 0;
        while let Some((op, level)) = binary_operator(self.peek()) {
            if level < least {
                break;
            }
            self.count_chain(&mut chain)?;
            let at = self.bump();
            let right = self.binary(level + 1)?;
            left = Expr {
                kind: ExprKind::Binary(op, Box::new((left, right))),
                at,
            };
        }
        Ok(left)
    }

    fn count_chain(&mut self, chain: &mut u32) -> Parsed<()> {
        *chain += 1;
        if *chain > MAX_CHAIN {
            return Err(self.error(format!(
                "more than {MAX_CHAIN} operators in a row; simplify the code"
            )));
        }
        Ok(())
    }

    fn unary(&mut self) -> Parsed<Expr> {
        let op = match self.peek() {
            T::Ident | T::Number | T::Char | T::Str => return self.postfix(),
            T::LParen => return self.paren(),
            T::Plus => Unary::Plus,
            T::Minus => Unary::Neg,
            T::Tilde => Unary::BitNot,
            T::Bang => Unary::Not,
            T::Star => Unary::Deref,
            T::Amp => Unary::AddressOf,
            T::Real => Unary::Real,
            T::Imag => Unary::Imag,
            T::PlusPlus | T::MinusMinus => {
                let decrement = self.peek() == T::MinusMinus;
                let at = self.bump();
                let operand = Box::new(self.nested(|p| p.unary())?);
                return Ok(Expr {
                    kind: ExprKind::IncDec {
                        decrement,
                        prefix: true,
                        operand,
                    },
                    at,
                });
            }
            T::Extension => {
                self.bump();
                return self.nested(|p| p.unary());
            }
            T::AndAnd => {
                let at = self.bump();
                let name = self.expect_name()?;
                return Ok(Expr {
                    kind: ExprKind::LabelAddress(name),
                    at,
                });
            }
            T::Sizeof | T::Alignof => return self.sizeof(),
            _ => return self.postfix(),
        };
        let at = self.bump();
        let operand = Box::new(self.nested(|p| p.unary())?);
        Ok(Expr {
            kind: ExprKind::Unary(op, operand),
            at,
        })
    }

    /// `(`: a cast, a compound literal, a statement expression or a parenthesis.
    fn paren(&mut self) -> Parsed<Expr> {
        let is_type = self.starts_type(1) || self.peek_at(1) == T::Extension && self.starts_type(2);
        if !is_type {
            return self.postfix();
        }
        let at = self.bump();
        let ty = self.nested(|p| p.type_name())?;
        self.expect(T::RParen)?;
        if self.peek() == T::LBrace {
            let init = self.nested(|p| p.init_list())?;
            let literal = Expr {
                kind: ExprKind::CompoundLiteral(Box::new((ty, init))),
                at,
            };
            return self.postfix_of(literal);
        }
        let operand = self.nested(|p| p.unary())?;
        Ok(Expr {
            kind: ExprKind::Cast(Box::new((ty, operand))),
            at,
        })
    }

    fn sizeof(&mut self) -> Parsed<Expr> {
        let is_size = self.peek() == T::Sizeof;
        let at = self.bump();
        let is_type = self.peek() == T::LParen
            && (self.starts_type(1) || self.peek_at(1) == T::Extension && self.starts_type(2));
        if is_type {
            let open = self.bump();
            let ty = self.nested(|p| p.type_name())?;
            self.expect(T::RParen)?;
            if self.peek() != T::LBrace {
                let ty = Box::new(ty);
                let kind = if is_size {
                    ExprKind::SizeofType(ty)
                } else {
                    ExprKind::AlignofType(ty)
                };
                return Ok(Expr { kind, at });
            }
            // `sizeof (int[]){1, 2}`
            let init = self.nested(|p| p.init_list())?;
            let literal = self.postfix_of(Expr {
                kind: ExprKind::CompoundLiteral(Box::new((ty, init))),
                at: open,
            })?;
            return Ok(sizeof_expr(is_size, literal, at));
        }
        let operand = self.nested(|p| p.unary())?;
        Ok(sizeof_expr(is_size, operand, at))
    }

    fn postfix(&mut self) -> Parsed<Expr> {
        let primary = self.primary()?;
        self.postfix_of(primary)
    }

    fn postfix_of(&mut self, mut operand: Expr) -> Parsed<Expr> {
        let mut chain = 0;
        loop {
            let at = self.at();
            let kind = match self.peek() {
                T::LBracket => {
                    self.bump();
                    let index = self.expr()?;
                    self.expect(T::RBracket)?;
                    ExprKind::Index(Box::new((operand, index)))
                }
                T::LParen => {
                    self.bump();
                    let args = self.arguments()?;
                    // A call is shown at its function's name.
                    let at = operand.at;
                    self.count_chain(&mut chain)?;
                    operand = Expr {
                        kind: ExprKind::Call(Box::new((operand, args))),
                        at,
                    };
                    continue;
                }
                T::Dot => {
                    self.bump();
                    let name = self.expect_name()?;
                    ExprKind::Member(Box::new(operand), name)
                }
                T::Arrow => {
                    self.bump();
                    let name = self.expect_name()?;
                    ExprKind::Arrow(Box::new(operand), name)
                }
                T::PlusPlus | T::MinusMinus => {
                    let decrement = self.peek() == T::MinusMinus;
                    self.bump();
                    ExprKind::IncDec {
                        decrement,
                        prefix: false,
                        operand: Box::new(operand),
                    }
                }
                _ => return Ok(operand),
            };
            self.count_chain(&mut chain)?;
            operand = Expr { kind, at };
        }
    }

    fn arguments(&mut self) -> Parsed<Vec<Expr>> {
        let mut args = Vec::new();
        if self.eat(T::RParen) {
            return Ok(args);
        }
        loop {
            args.push(self.assignment()?);
            if !self.eat(T::Comma) {
                break;
            }
        }
        self.expect(T::RParen)?;
        Ok(args)
    }

    fn primary(&mut self) -> Parsed<Expr> {
        let at = self.at();
        let kind = match self.peek() {
            T::Ident => {
                let name = self.symbol();
                self.bump();
                match self.quantifier_word(name) {
                    Some(exists) => self.quantifier(exists)?,
                    None => ExprKind::Name(name),
                }
            }
            T::Number => {
                self.bump();
                ExprKind::Number
            }
            T::Char => {
                self.bump();
                ExprKind::Char
            }
            T::Str => {
                let mut count = 0;
                while self.eat(T::Str) {
                    count += 1;
                }
                ExprKind::Strings(count)
            }
            T::LParen if self.peek_at(1) == T::LBrace => {
                self.bump();
                let block = self.nested(|p| p.block())?;
                self.expect(T::RParen)?;
                ExprKind::StmtExpr(Box::new(block))
            }
            T::LParen => {
                self.bump();
                let inner = self.expr()?;
                self.expect(T::RParen)?;
                return Ok(inner);
            }
            T::VaArg => self.va_arg()?,
            T::Offsetof => self.offsetof()?,
            T::TypesCompatible => {
                self.bump();
                self.expect(T::LParen)?;
                let first = self.type_name()?;
                self.expect(T::Comma)?;
                let second = self.type_name()?;
                self.expect(T::RParen)?;
                ExprKind::TypesCompatible(Box::new((first, second)))
            }
            T::ConvertVector => {
                self.bump();
                self.expect(T::LParen)?;
                let value = self.assignment()?;
                self.expect(T::Comma)?;
                let ty = self.type_name()?;
                self.expect(T::RParen)?;
                ExprKind::ConvertVector(Box::new((value, ty)))
            }
            T::ChooseExpr => {
                self.bump();
                self.expect(T::LParen)?;
                let cond = self.assignment()?;
                self.expect(T::Comma)?;
                let then = self.assignment()?;
                self.expect(T::Comma)?;
                let els = self.assignment()?;
                self.expect(T::RParen)?;
                ExprKind::ChooseExpr(Box::new((cond, then, els)))
            }
            T::Generic => self.generic()?,
            _ => return Err(self.expected("an expression")),
        };
        Ok(Expr { kind, at })
    }

    /// Is it the word of a quantifier, at its `{`?
    fn quantifier_word(&self, name: Symbol) -> Option<bool> {
        if self.peek() != T::LBrace {
            return None;
        }
        match self.names.name(name) {
            "__CPROVER_forall" => Some(false),
            "__CPROVER_exists" => Some(true),
            _ => None,
        }
    }

    fn quantifier(&mut self, exists: bool) -> Parsed<ExprKind> {
        self.expect(T::LBrace)?;
        let specs = self.specifiers()?;
        let declarator = self.declarator(false)?;
        self.expect(T::Semi)?;
        let body = self.nested(|p| p.expr())?;
        self.expect(T::RBrace)?;
        let variable = Param { specs, declarator };
        Ok(ExprKind::Quantifier(Box::new(Quantifier {
            exists,
            variable,
            body,
        })))
    }

    fn va_arg(&mut self) -> Parsed<ExprKind> {
        self.bump();
        self.expect(T::LParen)?;
        let list = self.assignment()?;
        self.expect(T::Comma)?;
        let ty = self.type_name()?;
        self.expect(T::RParen)?;
        Ok(ExprKind::VaArg(Box::new((list, ty))))
    }

    fn offsetof(&mut self) -> Parsed<ExprKind> {
        self.bump();
        self.expect(T::LParen)?;
        let ty = self.type_name()?;
        self.expect(T::Comma)?;
        let at = self.at();
        let first = self.expect_name()?;
        let mut path = vec![Designator::Field(at, first)];
        loop {
            if self.eat(T::Dot) {
                let at = self.at();
                let name = self.expect_name()?;
                path.push(Designator::Field(at, name));
            } else if self.eat(T::LBracket) {
                path.push(Designator::Index(self.expr()?));
                self.expect(T::RBracket)?;
            } else {
                break;
            }
        }
        self.expect(T::RParen)?;
        Ok(ExprKind::Offsetof(Box::new((ty, path))))
    }

    fn generic(&mut self) -> Parsed<ExprKind> {
        self.bump();
        self.expect(T::LParen)?;
        let control = self.assignment()?;
        let mut choices = Vec::new();
        while self.eat(T::Comma) {
            let ty = if self.eat(T::Default) {
                None
            } else {
                Some(self.type_name()?)
            };
            self.expect(T::Colon)?;
            choices.push((ty, self.assignment()?));
        }
        self.expect(T::RParen)?;
        Ok(ExprKind::Generic(Box::new((control, choices))))
    }
}

fn sizeof_expr(is_size: bool, operand: Expr, at: At) -> Expr {
    let operand = Box::new(operand);
    let kind = if is_size {
        ExprKind::SizeofExpr(operand)
    } else {
        ExprKind::AlignofExpr(operand)
    };
    Expr { kind, at }
}

#[inline]
fn binary_operator(kind: T) -> Option<(Binary, u8)> {
    Some(match kind {
        T::OrOr => (Binary::Or, 0),
        T::AndAnd => (Binary::And, 1),
        T::Pipe => (Binary::BitOr, 2),
        T::Caret => (Binary::BitXor, 3),
        T::Amp => (Binary::BitAnd, 4),
        T::EqEq => (Binary::Eq, 5),
        T::NotEq => (Binary::Ne, 5),
        T::Lt => (Binary::Lt, 6),
        T::Gt => (Binary::Gt, 6),
        T::Le => (Binary::Le, 6),
        T::Ge => (Binary::Ge, 6),
        T::Shl => (Binary::Shl, 7),
        T::Shr => (Binary::Shr, 7),
        T::Plus => (Binary::Add, 8),
        T::Minus => (Binary::Sub, 8),
        T::Star => (Binary::Mul, 9),
        T::Slash => (Binary::Div, 9),
        T::Percent => (Binary::Rem, 9),
        _ => return None,
    })
}
