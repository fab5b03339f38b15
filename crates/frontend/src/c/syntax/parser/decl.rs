//! Declaration specifiers, records, enums.

use super::super::ast::*;
use super::super::lexer::T;
use super::{Parsed, Parser};

impl Parser<'_, '_> {
    /// Declaration specifiers, qualifiers and attributes in any order.
    pub(crate) fn specifiers(&mut self) -> Parsed<Specifiers> {
        let mut specs = Specifiers {
            at: self.at(),
            ..Specifiers::default()
        };
        loop {
            match self.peek() {
                T::Typedef => self.storage(&mut specs, Storage::Typedef),
                T::Extern => self.storage(&mut specs, Storage::Extern),
                T::Static => self.storage(&mut specs, Storage::Static),
                T::Auto => self.storage(&mut specs, Storage::Auto),
                T::Register => self.storage(&mut specs, Storage::Register),
                T::ThreadLocal => {
                    specs.thread_local = true;
                    self.bump();
                }
                T::Const => {
                    specs.quals.is_const = true;
                    self.bump();
                }
                T::Volatile => {
                    specs.quals.is_volatile = true;
                    self.bump();
                }
                T::Restrict => {
                    self.bump();
                }
                T::Inline => {
                    specs.inline = true;
                    self.bump();
                }
                T::Noreturn => {
                    specs.noreturn = true;
                    self.bump();
                }
                T::Atomic if self.peek_at(1) == T::LParen => {
                    self.bump();
                    self.bump();
                    let ty = self.type_name()?;
                    self.expect(T::RParen)?;
                    specs.ty = TypeSpec::TypeofType(Box::new(ty));
                }
                T::Atomic => {
                    self.bump();
                }
                T::Alignas => self.alignas(&mut specs.attributes)?,
                T::Attribute | T::Declspec | T::Extension => {
                    self.attributes(&mut specs.attributes)?;
                }
                T::Struct | T::Union => {
                    let record = self.nested(|p| p.record())?;
                    self.set_type(&mut specs, TypeSpec::Record(Box::new(record)))?;
                }
                T::Enum => {
                    let spec = self.enumeration()?;
                    self.set_type(&mut specs, TypeSpec::Enum(Box::new(spec)))?;
                }
                T::Typeof => {
                    let spec = self.typeof_spec()?;
                    self.set_type(&mut specs, spec)?;
                }
                T::AutoType => {
                    self.bump();
                    self.set_type(&mut specs, TypeSpec::Auto)?;
                }
                T::Ident => {
                    let name = self.symbol();
                    if is_only_complex(&specs.ty) && self.is_typedef_name(name) {
                        self.bump();
                        continue;
                    }
                    if !matches!(specs.ty, TypeSpec::Implicit) {
                        return Ok(specs);
                    }
                    if self.is_typedef_name(name) {
                        specs.ty = TypeSpec::Typedef(name);
                        self.bump();
                    } else if self.unknown_type_here() {
                        let text = self.names.name(name);
                        self.error(format!("unknown type name `{text}`"));
                        // Known from now on, so that it is reported once.
                        self.typedefs.declare(name, true);
                        specs.ty = TypeSpec::Error;
                        self.bump();
                    } else {
                        return Ok(specs);
                    }
                }
                kind => match builtin_word(kind) {
                    Some(word) => {
                        self.builtin(&mut specs, word)?;
                        self.bump();
                    }
                    None => return Ok(specs),
                },
            }
        }
    }

    /// `foo x`, `foo *x;`: a name where a type should be.
    fn unknown_type_here(&self) -> bool {
        match self.peek_at(1) {
            T::Ident => !self.is_typedef_name(self.tokens[self.pos + 1].symbol),
            T::Star => {
                self.peek_at(2) == T::Ident
                    && matches!(
                        self.peek_at(3),
                        T::Semi | T::Comma | T::RParen | T::Assign | T::LBracket | T::LParen
                    )
            }
            _ => false,
        }
    }

    fn storage(&mut self, specs: &mut Specifiers, storage: Storage) {
        if specs.storage != Storage::None && specs.storage != storage {
            self.error("more than one storage class");
        }
        specs.storage = storage;
        self.bump();
    }

    fn set_type(&mut self, specs: &mut Specifiers, ty: TypeSpec) -> Parsed<()> {
        if !matches!(specs.ty, TypeSpec::Implicit) {
            return Err(self.error("two types in one declaration"));
        }
        specs.ty = ty;
        Ok(())
    }

    fn builtin(&mut self, specs: &mut Specifiers, word: Word) -> Parsed<()> {
        let mut b = match specs.ty {
            TypeSpec::Implicit => Builtin::default(),
            TypeSpec::Builtin(b) => b,
            // `_Float64 _Complex`, only tolerated.
            TypeSpec::Typedef(_) if matches!(word, Word::Complex) => Builtin {
                base: Base::Double,
                ..Builtin::default()
            },
            _ => return Err(self.error("two types in one declaration")),
        };
        let clash = match word {
            Word::Base(base) => {
                // `long double` comes as `double` with one `long`.
                let clash = b.base != Base::None;
                b.base = base;
                clash
            }
            Word::Long => {
                b.longs += 1;
                b.longs > 2 || b.short
            }
            Word::Short => {
                b.short = true;
                b.longs > 0
            }
            Word::Signed => {
                b.signed = true;
                b.unsigned
            }
            Word::Unsigned => {
                b.unsigned = true;
                b.signed
            }
            Word::Complex => {
                b.complex = true;
                false
            }
        };
        if clash {
            return Err(self.error("these type words do not go together"));
        }
        specs.ty = TypeSpec::Builtin(b);
        Ok(())
    }

    fn typeof_spec(&mut self) -> Parsed<TypeSpec> {
        self.bump();
        self.expect(T::LParen)?;
        let spec = if self.starts_type(0) || self.peek() == T::Extension && self.starts_type(1) {
            TypeSpec::TypeofType(Box::new(self.type_name()?))
        } else {
            TypeSpec::TypeofExpr(Box::new(self.expr()?))
        };
        self.expect(T::RParen)?;
        Ok(spec)
    }

    fn record(&mut self) -> Parsed<RecordSpec> {
        let is_union = self.peek() == T::Union;
        let at = self.bump();
        let mut attributes = Vec::new();
        self.attributes(&mut attributes)?;
        let tag = (self.peek() == T::Ident).then(|| self.symbol());
        if tag.is_some() {
            self.bump();
        }
        self.attributes(&mut attributes)?;
        let members = if self.peek() == T::LBrace {
            Some(self.members()?)
        } else if tag.is_none() {
            return Err(self.expected("a tag or `{`"));
        } else {
            None
        };
        if members.is_some() {
            self.attributes(&mut attributes)?;
        }
        Ok(RecordSpec {
            at,
            is_union,
            tag,
            members,
            attributes,
        })
    }

    fn members(&mut self) -> Parsed<Vec<MemberDecl>> {
        self.bump();
        let mut members = Vec::new();
        while self.peek() != T::RBrace {
            if self.eat(T::Semi) {
                continue;
            }
            if self.peek() == T::Eof {
                return Err(self.expected("`}`"));
            }
            match self.member() {
                Ok(member) => members.push(member),
                Err(failed) => {
                    if self.hopeless() {
                        return Err(failed);
                    }
                    let before = self.pos;
                    self.recover();
                    if self.peek() != T::RBrace && self.pos == before {
                        return Err(failed);
                    }
                }
            }
        }
        self.bump();
        Ok(members)
    }

    fn member(&mut self) -> Parsed<MemberDecl> {
        while self.eat(T::Extension) {}
        if self.peek() == T::StaticAssert {
            return Ok(MemberDecl::StaticAssert(self.static_assert()?));
        }
        let specs = self.specifiers()?;
        if matches!(specs.ty, TypeSpec::Implicit) {
            return Err(self.expected("a type"));
        }
        let mut declarators = Vec::new();
        while self.peek() != T::Semi {
            self.skip_attributes()?;
            let mut declarator = if self.peek() == T::Colon {
                Declarator {
                    at: self.at(),
                    ..Declarator::default()
                }
            } else {
                self.declarator(false)?
            };
            let width = if self.eat(T::Colon) {
                Some(self.conditional()?)
            } else {
                None
            };
            self.declarator_tail(&mut declarator)?;
            declarators.push(MemberDeclarator { declarator, width });
            if !self.eat(T::Comma) {
                break;
            }
        }
        // gcc takes a missing `;` before `}`.
        if self.peek() != T::RBrace {
            self.expect(T::Semi)?;
        }
        Ok(MemberDecl::Members(Box::new(specs), declarators))
    }

    fn enumeration(&mut self) -> Parsed<EnumSpec> {
        let at = self.bump();
        let mut attributes = Vec::new();
        self.attributes(&mut attributes)?;
        let tag = (self.peek() == T::Ident).then(|| self.symbol());
        if tag.is_some() {
            self.bump();
        }
        self.attributes(&mut attributes)?;
        let mut constants = None;
        if self.eat(T::LBrace) {
            let mut list = Vec::new();
            while self.peek() != T::RBrace {
                let at = self.at();
                let name = self.expect_name()?;
                self.skip_attributes()?;
                let value = if self.eat(T::Assign) {
                    Some(self.conditional()?)
                } else {
                    None
                };
                self.typedefs.declare(name, false);
                list.push(EnumConstant { at, name, value });
                if !self.eat(T::Comma) {
                    break;
                }
            }
            self.expect(T::RBrace)?;
            self.attributes(&mut attributes)?;
            constants = Some(list);
        } else if tag.is_none() {
            return Err(self.expected("a tag or `{`"));
        }
        Ok(EnumSpec {
            at,
            tag,
            constants,
            attributes,
        })
    }
}

/// `_Complex` before a floating type that is spelled as a name.
fn is_only_complex(ty: &TypeSpec) -> bool {
    let only = Builtin {
        complex: true,
        ..Builtin::default()
    };
    matches!(ty, TypeSpec::Builtin(b) if *b == only)
}

enum Word {
    Base(Base),
    Long,
    Short,
    Signed,
    Unsigned,
    Complex,
}

fn builtin_word(kind: T) -> Option<Word> {
    Some(match kind {
        T::Void => Word::Base(Base::Void),
        T::CharKw => Word::Base(Base::Char),
        T::Int => Word::Base(Base::Int),
        T::Float => Word::Base(Base::Float),
        T::Double => Word::Base(Base::Double),
        T::Bool => Word::Base(Base::Bool),
        T::Int128 => Word::Base(Base::Int128),
        T::Long => Word::Long,
        T::Short => Word::Short,
        T::Signed => Word::Signed,
        T::Unsigned => Word::Unsigned,
        T::Complex => Word::Complex,
        _ => return None,
    })
}
