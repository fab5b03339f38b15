//! Declarators, parameters, type names, initialisers.

use super::super::ast::*;
use super::super::lexer::T;
use super::{Parsed, Parser};

impl Parser<'_, '_> {
    /// A declarator; an abstract one may lack the name.
    pub(crate) fn declarator(&mut self, is_abstract: bool) -> Parsed<Declarator> {
        let mut declarator = Declarator {
            at: self.at(),
            ..Declarator::default()
        };
        self.declarator_into(&mut declarator, is_abstract)?;
        Ok(declarator)
    }

    fn declarator_into(&mut self, out: &mut Declarator, is_abstract: bool) -> Parsed<()> {
        let mut pointers = Vec::new();
        loop {
            self.attributes(&mut out.attributes)?;
            if !self.eat(T::Star) && !self.eat(T::Caret) {
                break;
            }
            let mut quals = Qualifiers::default();
            loop {
                match self.peek() {
                    T::Const => quals.is_const = true,
                    T::Volatile => quals.is_volatile = true,
                    T::Restrict | T::Atomic => {}
                    T::Attribute | T::Declspec => {
                        self.skip_attributes()?;
                        continue;
                    }
                    _ => break,
                }
                self.bump();
            }
            pointers.push(Part::Pointer(quals));
        }
        match self.peek() {
            T::Ident => {
                out.at = self.at();
                out.name = Some(self.symbol());
                self.bump();
            }
            // In an abstract declarator `(` may open a parameter list.
            T::LParen
                if !is_abstract
                    || !(self.peek_at(1) == T::RParen
                        || self.starts_type(1) && self.peek_at(1) != T::Attribute) =>
            {
                self.bump();
                self.nested(|p| p.declarator_into(out, is_abstract))?;
                self.expect(T::RParen)?;
            }
            _ if is_abstract => {}
            _ => return Err(self.expected("a name")),
        }
        loop {
            match self.peek() {
                T::LBracket => {
                    let size = self.array_size()?;
                    out.parts.push(Part::Array(size));
                }
                T::LParen => {
                    let params = self.nested(|p| p.params())?;
                    out.parts.push(Part::Function(Box::new(params)));
                }
                _ => break,
            }
        }
        out.parts.extend(pointers.into_iter().rev());
        Ok(())
    }

    fn array_size(&mut self) -> Parsed<ArraySize> {
        self.bump();
        while matches!(
            self.peek(),
            T::Static | T::Const | T::Volatile | T::Restrict
        ) {
            self.bump();
        }
        let size = if self.peek() == T::RBracket {
            ArraySize::None
        } else if self.peek() == T::Star && self.peek_at(1) == T::RBracket {
            self.bump();
            ArraySize::Star
        } else {
            ArraySize::Expr(Box::new(self.assignment()?))
        };
        self.expect(T::RBracket)?;
        Ok(size)
    }

    fn params(&mut self) -> Parsed<Params> {
        self.bump();
        let mut params = Params::default();
        if self.eat(T::RParen) {
            params.empty = true;
            return Ok(params);
        }
        if self.peek() == T::Ident
            && !self.is_typedef_name(self.symbol())
            && matches!(self.peek_at(1), T::Comma | T::RParen)
        {
            loop {
                let at = self.at();
                let name = self.expect_name()?;
                params.names.push((at, name));
                if !self.eat(T::Comma) {
                    break;
                }
            }
            self.expect(T::RParen)?;
            return Ok(params);
        }
        self.typedefs.enter();
        loop {
            if self.eat(T::Ellipsis) {
                params.variadic = true;
                break;
            }
            let specs = self.specifiers()?;
            if matches!(specs.ty, TypeSpec::Implicit) && specs.storage == Storage::None {
                return Err(self.expected("a parameter type"));
            }
            let mut declarator = self.declarator_or_abstract()?;
            self.declarator_tail(&mut declarator)?;
            if let Some(name) = declarator.name {
                self.typedefs.declare(name, false);
            }
            params.list.push(Param { specs, declarator });
            if !self.eat(T::Comma) {
                break;
            }
        }
        self.typedefs.leave();
        self.expect(T::RParen)?;
        Ok(params)
    }

    fn declarator_or_abstract(&mut self) -> Parsed<Declarator> {
        self.declarator(true)
    }

    pub(crate) fn type_name(&mut self) -> Parsed<TypeName> {
        while self.eat(T::Extension) {}
        let specs = self.specifiers()?;
        if matches!(specs.ty, TypeSpec::Implicit) {
            return Err(self.expected("a type"));
        }
        let declarator = self.declarator(true)?;
        if declarator.name.is_some() {
            return Err(self.error_at(declarator.at, "a type name has no name in it"));
        }
        Ok(TypeName { specs, declarator })
    }

    pub(crate) fn initializer(&mut self) -> Parsed<Initializer> {
        if self.peek() == T::LBrace {
            return self.nested(|p| p.init_list());
        }
        Ok(Initializer::Expr(self.assignment()?))
    }

    pub(crate) fn init_list(&mut self) -> Parsed<Initializer> {
        let at = self.bump();
        let mut entries = Vec::new();
        while self.peek() != T::RBrace {
            let designators = self.designators()?;
            let value = self.initializer()?;
            entries.push(InitEntry { designators, value });
            if !self.eat(T::Comma) {
                break;
            }
        }
        self.expect(T::RBrace)?;
        Ok(Initializer::List(at, entries))
    }

    /// `.a[1] =`, GNU `a:` and `[1]` without `=`, `[1 ... 3] =`.
    fn designators(&mut self) -> Parsed<Vec<Designator>> {
        let mut list = Vec::new();
        if self.peek() == T::Ident && self.peek_at(1) == T::Colon {
            list.push(Designator::Field(self.at(), self.symbol()));
            self.bump();
            self.bump();
            return Ok(list);
        }
        loop {
            match self.peek() {
                T::Dot => {
                    self.bump();
                    let at = self.at();
                    let name = self.expect_name()?;
                    list.push(Designator::Field(at, name));
                }
                T::LBracket => {
                    self.bump();
                    let first = self.conditional()?;
                    if self.eat(T::Ellipsis) {
                        let last = self.conditional()?;
                        list.push(Designator::Range(first, last));
                    } else {
                        list.push(Designator::Index(first));
                    }
                    self.expect(T::RBracket)?;
                }
                _ => break,
            }
        }
        if !list.is_empty() && !self.eat(T::Assign) && !matches!(list[0], Designator::Index(_)) {
            return Err(self.expected("`=`"));
        }
        Ok(list)
    }
}
