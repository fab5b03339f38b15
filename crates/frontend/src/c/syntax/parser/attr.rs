//! `__attribute__`, `_Alignas`, `__declspec`, asm labels: wherever GNU C allows them.

use super::super::ast::*;
use super::super::lexer::T;
use super::{Parsed, Parser};

/// Attributes that change what a program means and that are not modelled.
const REFUSED: [&str; 2] = ["ifunc", "scalar_storage_order"];

impl Parser<'_, '_> {
    /// Reads any attributes here into `out`.
    #[inline]
    pub(crate) fn attributes(&mut self, out: &mut Vec<Attribute>) -> Parsed<()> {
        loop {
            match self.peek() {
                T::Attribute => self.gnu_attribute(out)?,
                T::Declspec => {
                    self.bump();
                    if self.peek() == T::LParen {
                        self.skip_group();
                    }
                }
                T::Extension => {
                    self.bump();
                }
                _ => return Ok(()),
            }
        }
    }

    pub(crate) fn skip_attributes(&mut self) -> Parsed<()> {
        self.attributes(&mut Vec::new())
    }

    fn gnu_attribute(&mut self, out: &mut Vec<Attribute>) -> Parsed<()> {
        self.bump();
        self.expect(T::LParen)?;
        self.expect(T::LParen)?;
        while self.peek() != T::RParen {
            if self.eat(T::Comma) {
                continue;
            }
            if self.peek() == T::Eof {
                return Err(self.expected("`)`"));
            }
            let name = self.names.name(self.symbol());
            let is_word = matches!(
                self.peek(),
                T::Ident | T::Const | T::Noreturn | T::Inline | T::Restrict
            );
            let word = if is_word { trim_name(name) } else { "" };
            let at = self.bump();
            if REFUSED.contains(&word) {
                out.push(Attribute::Refused(at));
            }
            if self.peek() == T::LParen {
                self.attribute_with_arguments(word, out)?;
                continue;
            }
            match word {
                "packed" => out.push(Attribute::Packed),
                "aligned" => out.push(Attribute::Aligned(None)),
                "transparent_union" => out.push(Attribute::TransparentUnion),
                "noreturn" => out.push(Attribute::Noreturn),
                "weak" => out.push(Attribute::Weak),
                "constructor" => out.push(Attribute::Constructor(None)),
                "destructor" => out.push(Attribute::Destructor(None)),
                _ => {}
            }
        }
        self.expect(T::RParen)?;
        self.expect(T::RParen)?;
        Ok(())
    }

    fn attribute_with_arguments(&mut self, word: &str, out: &mut Vec<Attribute>) -> Parsed<()> {
        match word {
            "aligned" | "vector_size" => {
                self.bump();
                let value = Box::new(self.conditional()?);
                out.push(if word == "aligned" {
                    Attribute::Aligned(Some(value))
                } else {
                    Attribute::VectorSize(value)
                });
                self.expect(T::RParen)?;
            }
            "mode" => {
                self.bump();
                let mode = self.symbol();
                self.bump();
                out.push(Attribute::Mode(mode));
                self.expect(T::RParen)?;
            }
            "cleanup" => {
                self.bump();
                let name = self.symbol();
                let at = self.bump();
                out.push(Attribute::Cleanup(at, name));
                self.expect(T::RParen)?;
            }
            "alias" => {
                let target = self.at() + 1;
                self.skip_group();
                out.push(Attribute::Alias(target));
            }
            "constructor" | "destructor" => {
                self.bump();
                let priority = Some(Box::new(self.conditional()?));
                out.push(match word {
                    "constructor" => Attribute::Constructor(priority),
                    _ => Attribute::Destructor(priority),
                });
                self.expect(T::RParen)?;
            }
            _ => self.skip_group(),
        }
        Ok(())
    }

    /// `_Alignas(type | expr)`; the current token is the keyword.
    pub(crate) fn alignas(&mut self, out: &mut Vec<Attribute>) -> Parsed<()> {
        self.bump();
        self.expect(T::LParen)?;
        if self.starts_type(0) {
            let ty = self.type_name()?;
            out.push(Attribute::AlignedAs(Box::new(ty)));
        } else {
            let value = self.conditional()?;
            out.push(Attribute::Aligned(Some(Box::new(value))));
        }
        self.expect(T::RParen)?;
        Ok(())
    }

    /// `asm("name")` and attributes after a declarator.
    pub(crate) fn declarator_tail(&mut self, declarator: &mut Declarator) -> Parsed<()> {
        loop {
            match self.peek() {
                T::Asm => {
                    self.bump();
                    if self.peek() == T::LParen {
                        declarator
                            .attributes
                            .push(Attribute::AsmLabel(self.at() + 1));
                        self.skip_group();
                    }
                }
                T::Attribute | T::Declspec | T::Extension => {
                    self.attributes(&mut declarator.attributes)?;
                }
                _ => return Ok(()),
            }
        }
    }
}

/// `__packed__` is `packed`.
fn trim_name(name: &str) -> &str {
    name.strip_prefix("__")
        .and_then(|n| n.strip_suffix("__"))
        .unwrap_or(name)
}
