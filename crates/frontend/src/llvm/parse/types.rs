//! Types.

use super::super::lex::{Token, plain};
use super::super::module::{FloatType, Ty, Type};
use super::{Parser, Result};

impl<'t> Parser<'t> {
    /// Does a type begin here?
    pub(super) fn at_type(&self) -> bool {
        match self.lex.token {
            Token::Local | Token::OpenSquare | Token::OpenBrace | Token::Less => true,
            Token::Word => simple(self.lex.slice()).is_some() || self.lex.slice() == "target",
            _ => false,
        }
    }

    pub(super) fn ty(&mut self) -> Result<Ty> {
        let ty = match self.lex.token {
            Token::Local => {
                let name = plain(self.lex.slice());
                self.lex.advance();
                Type::Named(name)
            }
            Token::OpenSquare => {
                self.lex.advance();
                let n = self.unsigned()?;
                self.expect_word("x")?;
                let element = self.ty()?;
                self.expect(Token::CloseSquare, "`]`")?;
                Type::Array(n, element)
            }
            Token::OpenBrace => self.struct_type(false)?,
            Token::Less => {
                self.lex.advance();
                if self.at(Token::OpenBrace) {
                    let ty = self.struct_type(true)?;
                    self.expect(Token::Greater, "`>`")?;
                    ty
                } else {
                    let scalable = self.eat_word("vscale");
                    if scalable {
                        self.expect_word("x")?;
                    }
                    let n = self.unsigned()?;
                    self.expect_word("x")?;
                    let element = self.ty()?;
                    self.expect(Token::Greater, "`>`")?;
                    if scalable {
                        Type::Other
                    } else {
                        Type::Vector(n, element)
                    }
                }
            }
            Token::Word => match simple(self.lex.slice()) {
                Some(ty) => {
                    self.lex.advance();
                    ty
                }
                None if self.lex.slice() == "target" => {
                    self.lex.advance();
                    self.skip_parentheses()?;
                    Type::Other
                }
                None => return self.unexpected("a type"),
            },
            _ => return self.unexpected("a type"),
        };
        let mut id = self.module.intern(ty);
        loop {
            match self.lex.token {
                Token::Star => {
                    self.lex.advance();
                    id = self.module.intern(Type::Pointer);
                }
                Token::Word if self.lex.slice() == "addrspace" => {
                    self.lex.advance();
                    self.skip_parentheses()?;
                }
                Token::Open => {
                    self.lex.advance();
                    let mut params = Vec::new();
                    let mut variadic = false;
                    while !self.at(Token::Close) {
                        if self.eat(Token::Dots) {
                            variadic = true;
                        } else {
                            params.push(self.ty()?);
                        }
                        if !self.eat(Token::Comma) {
                            break;
                        }
                    }
                    self.expect(Token::Close, "`)`")?;
                    id = self.module.intern(Type::Function {
                        ret: id,
                        params,
                        variadic,
                    });
                }
                _ => return Ok(id),
            }
        }
    }

    fn struct_type(&mut self, packed: bool) -> Result<Type<'t>> {
        self.expect(Token::OpenBrace, "`{`")?;
        let mut fields = Vec::new();
        while !self.at(Token::CloseBrace) {
            fields.push(self.ty()?);
            if !self.eat(Token::Comma) {
                break;
            }
        }
        self.expect(Token::CloseBrace, "`}`")?;
        Ok(Type::Struct { fields, packed })
    }
}

/// Types that are one word.
fn simple(word: &str) -> Option<Type<'static>> {
    Some(match word {
        "void" => Type::Void,
        "ptr" => Type::Pointer,
        "half" => Type::Float(FloatType::Half),
        "bfloat" => Type::Float(FloatType::BFloat),
        "float" => Type::Float(FloatType::Float),
        "double" => Type::Float(FloatType::Double),
        "x86_fp80" => Type::Float(FloatType::X86Fp80),
        "fp128" | "ppc_fp128" => Type::Float(FloatType::Fp128),
        "metadata" => Type::Metadata,
        "label" | "token" | "x86_mmx" | "x86_amx" => Type::Other,
        _ => {
            let bits = word.strip_prefix('i')?;
            if bits.is_empty() || !bits.bytes().all(|b| b.is_ascii_digit()) {
                return None;
            }
            Type::Int(bits.parse().ok()?)
        }
    })
}
