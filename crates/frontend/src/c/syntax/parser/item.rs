//! File-scope items: declarations and function definitions.

use super::super::ast::*;
use super::super::lexer::T;
use super::{Parsed, Parser};

impl Parser<'_, '_> {
    pub(crate) fn file(&mut self) -> File {
        let mut file = File::default();
        while self.peek() != T::Eof && !self.hopeless() {
            let before = self.pos;
            match self.item() {
                Ok(Some(item)) => file.items.push(item),
                Ok(None) => {}
                Err(_) => {
                    // An error inside a scope leaves it open.
                    while !self.typedefs.scopes.is_empty() {
                        self.typedefs.leave();
                    }
                    self.recover();
                    if self.peek() == T::RBrace || self.pos == before {
                        self.bump();
                    }
                }
            }
        }
        file
    }

    fn item(&mut self) -> Parsed<Option<Item>> {
        while self.peek() == T::Extension {
            self.bump();
        }
        match self.peek() {
            T::Semi => {
                self.bump();
                return Ok(None);
            }
            T::StaticAssert => return Ok(Some(Item::StaticAssert(self.static_assert()?))),
            T::Asm => {
                let at = self.bump();
                while matches!(self.peek(), T::Volatile | T::Goto) {
                    self.bump();
                }
                if self.peek() == T::LParen {
                    self.skip_group();
                }
                self.expect(T::Semi)?;
                return Ok(Some(Item::Asm(at)));
            }
            T::RBrace => return Err(self.error("extra `}`")),
            _ => {}
        }
        let specs = self.specifiers()?;
        if self.eat(T::Semi) {
            return Ok(Some(Item::Declaration(Declaration {
                specs,
                declarators: Vec::new(),
            })));
        }
        if matches!(specs.ty, TypeSpec::Implicit)
            && !matches!(self.peek(), T::Ident | T::Star | T::LParen)
        {
            return Err(self.expected("a declaration"));
        }
        let declarator = self.declarator(false)?;
        if self.starts_function_body(&declarator, &specs) {
            let function = self.function(specs, declarator)?;
            return Ok(Some(Item::Function(function)));
        }
        self.declaration_rest(specs, declarator)
            .map(|d| Some(Item::Declaration(d)))
    }

    pub(crate) fn starts_function_body(&self, declarator: &Declarator, specs: &Specifiers) -> bool {
        let Some(Part::Function(params)) = declarator.parts.first() else {
            return false;
        };
        if specs.storage == Storage::Typedef {
            return false;
        }
        // `int f(a) int a; { … }`: declarations come between.
        self.peek() == T::LBrace
            || !params.names.is_empty()
                && self.starts_type(0)
                && !matches!(self.peek(), T::Attribute | T::Declspec)
    }

    pub(crate) fn function(
        &mut self,
        specs: Specifiers,
        declarator: Declarator,
    ) -> Parsed<Box<FunctionDef>> {
        if let Some(name) = declarator.name {
            self.typedefs.declare(name, false);
        }
        self.typedefs.enter();
        if let Some(Part::Function(params)) = declarator.parts.first() {
            for param in &params.list {
                if let Some(name) = param.declarator.name {
                    self.typedefs.declare(name, false);
                }
            }
            for &(_, name) in &params.names {
                self.typedefs.declare(name, false);
            }
        }
        let mut old_params = Vec::new();
        while self.peek() != T::LBrace {
            let specs = self.specifiers()?;
            let first = self.declarator(false)?;
            old_params.push(self.declaration_rest(specs, first)?);
        }
        let body = self.block()?;
        self.typedefs.leave();
        Ok(Box::new(FunctionDef {
            specs,
            declarator,
            old_params,
            body,
        }))
    }

    /// The rest of a declaration after its first declarator.
    pub(crate) fn declaration_rest(
        &mut self,
        specs: Specifiers,
        first: Declarator,
    ) -> Parsed<Declaration> {
        let is_type = specs.storage == Storage::Typedef;
        let mut declarators = Vec::new();
        let mut declarator = first;
        loop {
            self.declarator_tail(&mut declarator)?;
            if let Some(name) = declarator.name {
                self.typedefs.declare(name, is_type);
            }
            let init = if self.eat(T::Assign) {
                Some(self.initializer()?)
            } else {
                None
            };
            declarators.push(InitDeclarator { declarator, init });
            if !self.eat(T::Comma) {
                break;
            }
            self.skip_attributes()?;
            declarator = self.declarator(false)?;
        }
        self.expect(T::Semi)?;
        Ok(Declaration { specs, declarators })
    }

    /// `_Static_assert(cond, "message");`
    pub(crate) fn static_assert(&mut self) -> Parsed<Box<StaticAssert>> {
        let at = self.bump();
        self.expect(T::LParen)?;
        let cond = self.conditional()?;
        let message = if self.eat(T::Comma) {
            let at = self.at();
            while self.eat(T::Str) {}
            Some(at)
        } else {
            None
        };
        self.expect(T::RParen)?;
        self.expect(T::Semi)?;
        Ok(Box::new(StaticAssert { at, cond, message }))
    }
}
