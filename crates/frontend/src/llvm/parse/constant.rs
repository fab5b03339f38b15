//! Values: names, constants, constant expressions.

use super::super::lex::{Token, plain};
use super::super::module::{ConstExpr, Ty, Type, Typed, Value};
use super::{Parser, Result};

/// Words between an operation and its operands that say more about it.
const FLAG_WORDS: &[&str] = &[
    "nuw", "nsw", "exact", "inbounds", "nusw", "samesign", "disjoint", "nneg", "fast", "nnan",
    "ninf", "nsz", "arcp", "contract", "afn", "reassoc", "inrange",
];

impl<'t> Parser<'t> {
    pub(super) fn typed(&mut self) -> Result<Typed<'t>> {
        let ty = self.ty()?;
        let value = self.value(ty)?;
        Ok(Typed { ty, value })
    }

    pub(super) fn flag_word(&mut self) -> Result<Option<&'t str>> {
        if self.lex.token != Token::Word || !FLAG_WORDS.contains(&self.lex.slice()) {
            return Ok(None);
        }
        let word = self.lex.slice();
        self.lex.advance();
        if word == "inrange" && self.at(Token::Open) {
            self.skip_parentheses()?;
        }
        Ok(Some(word))
    }

    /// A value of the type, whose name stands before it.
    pub(super) fn value(&mut self, ty: Ty) -> Result<Value<'t>> {
        let slice = self.lex.slice();
        let inside = matches!(self.module.types[ty.0 as usize], Type::Metadata);
        if inside && self.at_type() {
            // `metadata i32 0` and `metadata ptr %x`: values in debug intrinsics.
            return Ok(self.typed()?.value);
        }
        let value = match self.lex.token {
            Token::Local => Value::Local(self.local(plain(slice))),
            Token::Global => Value::Global(plain(slice)),
            Token::Int if self.module.int_bits(ty).is_some_and(|b| b > 128) => {
                slice.parse().map_or(Value::Big(slice), Value::Int)
            }
            Token::Int => Value::Int(decimal(slice)),
            Token::HexInt => Value::Int(i128::from_str_radix(&slice[3..], 16).unwrap_or(0)),
            Token::Float | Token::HexFloat => Value::Float(slice),
            Token::Bytes => Value::Bytes(slice),
            Token::Metadata | Token::Bang => return self.metadata_value(),
            Token::OpenBrace => return self.aggregate(Token::CloseBrace),
            Token::OpenSquare => return self.aggregate(Token::CloseSquare),
            Token::Less => {
                self.lex.advance();
                if self.at(Token::OpenBrace) {
                    let value = self.aggregate(Token::CloseBrace)?;
                    self.expect(Token::Greater, "`>`")?;
                    return Ok(value);
                }
                return self.elements(Token::Greater);
            }
            Token::Word => return self.word_value(),
            _ => return self.unexpected("a value"),
        };
        self.lex.advance();
        Ok(value)
    }

    fn aggregate(&mut self, close: Token) -> Result<Value<'t>> {
        self.lex.advance();
        self.elements(close)
    }

    fn elements(&mut self, close: Token) -> Result<Value<'t>> {
        let mut elements = Vec::new();
        while !self.at(close) {
            elements.push(self.typed()?);
            if !self.eat(Token::Comma) {
                break;
            }
        }
        self.expect(close, "the end of the aggregate")?;
        Ok(Value::Aggregate(elements))
    }

    fn metadata_value(&mut self) -> Result<Value<'t>> {
        let slice = self.lex.slice();
        let token = self.lex.token;
        self.lex.advance();
        if token == Token::Bang {
            match self.lex.token {
                Token::String => self.lex.advance(),
                Token::OpenBrace => {
                    let mut depth = 0;
                    loop {
                        match self.lex.token {
                            Token::OpenBrace => depth += 1,
                            Token::CloseBrace => depth -= 1,
                            Token::End => return self.unexpected("`}`"),
                            _ => {}
                        }
                        self.lex.advance();
                        if depth == 0 {
                            break;
                        }
                    }
                }
                _ => return self.unexpected("metadata"),
            }
        } else if self.at(Token::Open) {
            self.skip_parentheses()?;
        }
        Ok(Value::Metadata(slice))
    }

    fn word_value(&mut self) -> Result<Value<'t>> {
        let word = self.lex.slice();
        self.lex.advance();
        Ok(match word {
            "true" => Value::Int(1),
            "false" => Value::Int(0),
            "null" | "none" => Value::Null,
            "undef" => Value::Undef,
            "poison" => Value::Poison,
            "zeroinitializer" => Value::Zero,
            "splat" => {
                self.expect(Token::Open, "`(`")?;
                let element = self.typed()?;
                self.expect(Token::Close, "`)`")?;
                Value::Splat(Box::new(element))
            }
            "asm" => {
                let mut text = None;
                while self.at(Token::Word) || self.at(Token::String) || self.at(Token::Comma) {
                    if self.at(Token::String) {
                        text = text.or(Some(self.lex.slice()));
                    }
                    self.lex.advance();
                }
                Value::Asm(text.unwrap_or(""))
            }
            "blockaddress" => {
                self.expect(Token::Open, "`(`")?;
                let f = plain(self.lex.slice());
                self.lex.advance();
                self.expect(Token::Comma, "`,`")?;
                let block = plain(self.lex.slice());
                self.lex.advance();
                self.expect(Token::Close, "`)`")?;
                Value::BlockAddress(f, block)
            }
            "dso_local_equivalent" | "no_cfi" => {
                let name = plain(self.lex.slice());
                self.expect(Token::Global, "a function")?;
                Value::Global(name)
            }
            _ => Value::Expr(Box::new(self.const_expr(word)?)),
        })
    }

    fn const_expr(&mut self, word: &'t str) -> Result<ConstExpr<'t>> {
        while self.flag_word()?.is_some() {}
        Ok(match word {
            "trunc" | "zext" | "sext" | "fptrunc" | "fpext" | "uitofp" | "sitofp" | "fptoui"
            | "fptosi" | "inttoptr" | "ptrtoint" | "bitcast" | "addrspacecast" | "ptrtoaddr" => {
                self.expect(Token::Open, "`(`")?;
                let value = self.typed()?;
                self.expect_word("to")?;
                let to = self.ty()?;
                self.expect(Token::Close, "`)`")?;
                ConstExpr::Cast(word, value, to)
            }
            "getelementptr" => {
                self.expect(Token::Open, "`(`")?;
                let base = self.ty()?;
                let mut args = Vec::new();
                while self.eat(Token::Comma) {
                    while self.flag_word()?.is_some() {}
                    args.push(self.typed()?);
                }
                self.expect(Token::Close, "`)`")?;
                ConstExpr::Gep { base, args }
            }
            "add" | "sub" | "mul" | "udiv" | "sdiv" | "urem" | "srem" | "shl" | "lshr" | "ashr"
            | "and" | "or" | "xor" => {
                let (a, b) = self.pair()?;
                ConstExpr::Binary(word, a, b)
            }
            "icmp" | "fcmp" => {
                let how = self.word("a comparison")?;
                let (a, b) = self.pair()?;
                ConstExpr::Compare(how, a, b)
            }
            "select" => {
                self.expect(Token::Open, "`(`")?;
                let c = self.typed()?;
                self.expect(Token::Comma, "`,`")?;
                let a = self.typed()?;
                self.expect(Token::Comma, "`,`")?;
                let b = self.typed()?;
                self.expect(Token::Close, "`)`")?;
                ConstExpr::Select(c, a, b)
            }
            _ if self.at(Token::Open) => {
                self.skip_parentheses()?;
                ConstExpr::Other
            }
            _ => return self.error(format!("`{word}` is no value")),
        })
    }

    fn pair(&mut self) -> Result<(Typed<'t>, Typed<'t>)> {
        self.expect(Token::Open, "`(`")?;
        let a = self.typed()?;
        self.expect(Token::Comma, "`,`")?;
        let b = self.typed()?;
        self.expect(Token::Close, "`)`")?;
        Ok((a, b))
    }
}

/// The low 128 bits of a decimal number.
pub fn decimal(text: &str) -> i128 {
    if let Ok(n) = text.parse::<i128>() {
        return n;
    }
    let (negative, digits) = match text.strip_prefix('-') {
        Some(d) => (true, d),
        None => (false, text),
    };
    let mut value: u128 = 0;
    for d in digits.bytes() {
        let digit = u128::from(d.saturating_sub(b'0'));
        value = value.wrapping_mul(10).wrapping_add(digit);
    }
    let value = value as i128;
    if negative {
        value.wrapping_neg()
    } else {
        value
    }
}
