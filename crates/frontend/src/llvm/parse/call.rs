//! Calls, plain and with a landing pad, and the attributes around them.

use super::super::lex::Token;
use super::super::module::{Call, Op, Ty, Type, Typed};
use super::function::skip_convention;
use super::{Parser, Result};

impl<'t> Parser<'t> {
    pub(super) fn call(&mut self) -> Result<(Op<'t>, Option<Ty>)> {
        self.flags()?;
        while self.at(Token::Word) && !self.at_type() && skip_convention(self.lex.slice()) {
            let word = self.lex.slice();
            self.lex.advance();
            if word == "cc" && self.at(Token::Int) {
                self.lex.advance();
            }
        }
        self.value_attributes()?;
        let ty = self.ty()?;
        let (ret, variadic) = match &self.module.types[ty.0 as usize] {
            Type::Function {
                ret,
                variadic,
                params,
            } => (*ret, variadic.then_some(params.len())),
            _ => (ty, None),
        };
        let pointer = self.module.intern(Type::Pointer);
        let callee = self.value(pointer)?;
        self.expect(Token::Open, "`(`")?;
        let mut args = Vec::new();
        let mut byval = Vec::new();
        while !self.at(Token::Close) {
            let ty = self.ty()?;
            let attributes = self.value_attributes_of(ty)?;
            let value = self.value(ty)?;
            args.push(Typed { ty, value });
            byval.push(attributes);
            if !self.eat(Token::Comma) {
                break;
            }
        }
        self.expect(Token::Close, "`)`")?;
        let mut attributes = Vec::new();
        loop {
            match self.lex.token {
                Token::Attributes => {
                    attributes.push(self.lex.slice());
                    self.lex.advance();
                }
                Token::String => {
                    self.lex.advance();
                    if self.eat(Token::Equals) {
                        self.expect(Token::String, "a string")?;
                    }
                }
                Token::Word if matches!(self.lex.slice(), "noreturn" | "nounwind") => {
                    attributes.push(self.lex.slice());
                    self.lex.advance();
                }
                Token::Word if is_call_attribute(self.lex.slice()) => {
                    self.lex.advance();
                    if self.at(Token::Open) {
                        self.skip_parentheses()?;
                    }
                }
                // Operand bundles.
                Token::OpenSquare => {
                    while !self.at(Token::CloseSquare) && !self.at(Token::End) {
                        self.lex.advance();
                    }
                    self.expect(Token::CloseSquare, "`]`")?;
                }
                _ => break,
            }
        }
        let call = Call {
            ret,
            variadic,
            callee,
            args,
            byval,
            attributes,
            noreturn: false,
            nounwind: false,
        };
        Ok((Op::Call(Box::new(call)), Some(ret)))
    }

    fn value_attributes_of(&mut self, ty: Ty) -> Result<Option<Ty>> {
        // `metadata ptr %x`: the type inside is no attribute.
        if matches!(self.module.types[ty.0 as usize], Type::Metadata) {
            return Ok(None);
        }
        Ok(self.value_attributes()?.byval)
    }
}

fn is_call_attribute(word: &str) -> bool {
    matches!(
        word,
        "readnone"
            | "readonly"
            | "writeonly"
            | "argmemonly"
            | "memory"
            | "cold"
            | "hot"
            | "builtin"
            | "nobuiltin"
            | "alwaysinline"
            | "noinline"
            | "inlinehint"
            | "minsize"
            | "optsize"
            | "nomerge"
            | "convergent"
            | "willreturn"
            | "nofree"
            | "nosync"
            | "speculatable"
            | "nocallback"
            | "mustprogress"
            | "returns_twice"
            | "allocsize"
            | "inaccessiblememonly"
            | "inaccessiblemem_or_argmemonly"
            | "strictfp"
            | "allockind"
            | "uwtable"
            | "norecurse"
    )
}
