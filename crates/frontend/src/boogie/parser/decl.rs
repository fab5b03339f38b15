//! Declarations.

use super::super::ast::*;
use super::super::lexer::Kind;
use super::{Parsed, Parser};

const DECLARATIONS: [&str; 7] = [
    "type",
    "const",
    "function",
    "axiom",
    "var",
    "procedure",
    "implementation",
];

impl Parser<'_> {
    pub fn unit(&mut self) -> Unit {
        let mut unit = Unit::default();
        while self.kind() != Kind::End {
            let before = self.at;
            if self.declaration(&mut unit).is_err() {
                self.depth = 0;
                if self.at == before {
                    self.advance();
                }
                // A declaration begins its line in practice; `var` also begins locals.
                while self.kind() != Kind::End
                    && !(self.kind() == Kind::Ident && DECLARATIONS.contains(&self.token().text))
                {
                    self.advance();
                }
            }
        }
        unit
    }

    fn declaration(&mut self, unit: &mut Unit) -> Parsed<()> {
        if self.kind() != Kind::Ident {
            return Err(self.unexpected("a declaration"));
        }
        match self.token().text {
            "type" => self.type_declaration(unit),
            "const" => {
                self.advance();
                self.attributes()?;
                let unique = self.eat_word("unique");
                let names = self.names("the name of a constant")?;
                self.expect(Kind::Colon, "`:` and a type")?;
                let ty = self.ty()?;
                if self.eat_word("extends") {
                    while !matches!(self.kind(), Kind::Semi | Kind::End) {
                        self.advance();
                    }
                }
                self.expect(Kind::Semi, "`;`")?;
                unit.constants.extend(names.into_iter().map(|name| {
                    let ty = ty.clone();
                    let condition = None;
                    (
                        Typed {
                            name,
                            ty,
                            condition,
                        },
                        unique,
                    )
                }));
                Ok(())
            }
            "function" => {
                let f = self.function()?;
                unit.functions.push(f);
                Ok(())
            }
            "axiom" => {
                self.advance();
                let axiom = self.clause(false)?;
                unit.axioms.push(axiom);
                Ok(())
            }
            "var" => {
                let vars = self.variables()?;
                unit.globals.extend(vars);
                Ok(())
            }
            "procedure" => {
                let p = self.procedure()?;
                unit.procedures.push(p);
                Ok(())
            }
            "implementation" => {
                let p = self.procedure()?;
                if p.body.is_none() {
                    return Err(self.error(p.name.span, "an implementation needs a body".into()));
                }
                unit.implementations.push(p);
                Ok(())
            }
            _ => Err(self.unexpected("a declaration")),
        }
    }

    fn type_declaration(&mut self, unit: &mut Unit) -> Parsed<()> {
        self.advance();
        self.attributes()?;
        if self.is_word("finite") && self.ahead(1).kind == Kind::Ident {
            self.advance();
        }
        loop {
            let name = self.name("the name of a type")?;
            let mut params = Vec::new();
            while self.kind() == Kind::Ident {
                params.push(self.name("a type parameter")?);
            }
            if self.eat(Kind::Define) {
                let ty = self.ty()?;
                unit.types.push(TypeDecl::Synonym(name, params, ty));
            } else {
                unit.types.push(TypeDecl::Opaque(name));
            }
            if !self.eat(Kind::Comma) {
                break;
            }
        }
        self.expect(Kind::Semi, "`;`")?;
        Ok(())
    }

    /// `var a, b: T where e, c: U;`
    pub(super) fn variables(&mut self) -> Parsed<Vec<Typed>> {
        self.advance();
        self.attributes()?;
        let vars = self.typed_names()?;
        self.expect(Kind::Semi, "`;`")?;
        Ok(vars)
    }

    fn typed_names(&mut self) -> Parsed<Vec<Typed>> {
        let mut vars = Vec::new();
        loop {
            self.attributes()?;
            let names = self.names("a name")?;
            self.expect(Kind::Colon, "`:` and a type")?;
            let ty = self.ty()?;
            let condition = match self.eat_word("where") {
                true => Some(self.expr()?),
                false => None,
            };
            vars.extend(names.into_iter().map(|name| Typed {
                name,
                ty: ty.clone(),
                condition: condition.clone(),
            }));
            if !self.eat(Kind::Comma) {
                return Ok(vars);
            }
        }
    }

    fn function(&mut self) -> Parsed<Function> {
        self.advance();
        let attributes = self.attributes()?;
        let name = self.name("the name of a function")?;
        let polymorphic = self.type_params()?;
        self.expect(Kind::LParen, "`(`")?;
        let params = self.function_params()?;
        self.expect(Kind::RParen, "`)`")?;
        let result = if self.eat_word("returns") {
            self.expect(Kind::LParen, "`(`")?;
            if self.kind() == Kind::Ident && self.ahead(1).kind == Kind::Colon {
                self.advance();
                self.advance();
            }
            let ty = self.ty()?;
            self.expect(Kind::RParen, "`)`")?;
            ty
        } else {
            self.expect(Kind::Colon, "`returns` or `:`")?;
            self.ty()?
        };
        let body = if self.eat(Kind::LBrace) {
            let body = self.expr()?;
            self.expect(Kind::RBrace, "`}`")?;
            Some(body)
        } else {
            self.expect(Kind::Semi, "`;` or a body")?;
            None
        };
        Ok(Function {
            name,
            attributes,
            params,
            result,
            body,
            polymorphic,
        })
    }

    /// `x: int, bool, y, z: real`: names are optional.
    fn function_params(&mut self) -> Parsed<Vec<(Option<Name>, Type)>> {
        let mut params: Vec<(Option<Name>, Type)> = Vec::new();
        // How many of the last ones may turn out to be names of the type to come.
        let mut open = 0;
        if self.kind() == Kind::RParen {
            return Ok(params);
        }
        loop {
            self.attributes()?;
            if self.kind() == Kind::Ident && self.ahead(1).kind == Kind::Colon {
                let name = self.name("a name")?;
                self.advance();
                let ty = self.ty()?;
                let first = params.len() - open;
                for p in &mut params[first..] {
                    if let Type::Named(n, _) = &p.1 {
                        *p = (Some(n.clone()), ty.clone());
                    }
                }
                open = 0;
                params.push((Some(name), ty));
            } else {
                let ty = self.ty()?;
                let plain = matches!(&ty, Type::Named(n, args)
                    if args.is_empty() && !self.is_type_name(&n.text));
                open = if plain { open + 1 } else { 0 };
                params.push((None, ty));
            }
            if !self.eat(Kind::Comma) {
                return Ok(params);
            }
        }
    }

    fn is_type_name(&self, name: &str) -> bool {
        let bits = name.strip_prefix("bv");
        matches!(name, "int" | "bool" | "real")
            || bits.is_some_and(|b| !b.is_empty() && b.bytes().all(|c| c.is_ascii_digit()))
            || self.type_names.contains(name)
    }

    fn parameters(&mut self) -> Parsed<Vec<Typed>> {
        self.expect(Kind::LParen, "`(`")?;
        let mut params = Vec::new();
        if self.kind() != Kind::RParen {
            params = self.typed_names()?;
        }
        self.expect(Kind::RParen, "`)`")?;
        Ok(params)
    }

    fn procedure(&mut self) -> Parsed<Procedure> {
        self.advance();
        self.attributes()?;
        let name = self.name("the name of a procedure")?;
        let polymorphic = self.type_params()?;
        let ins = self.parameters()?;
        let outs = match self.eat_word("returns") {
            true => self.parameters()?,
            false => Vec::new(),
        };
        let no_body = self.eat(Kind::Semi);
        let mut spec = Spec::default();
        loop {
            let free = self.eat_word("free");
            if self.eat_word("requires") {
                spec.requires.push(self.clause(free)?);
            } else if self.eat_word("ensures") {
                spec.ensures.push(self.clause(free)?);
            } else if self.eat_word("modifies") {
                self.attributes()?;
                if self.kind() != Kind::Semi {
                    spec.modifies.extend(self.names("a global variable")?);
                }
                self.expect(Kind::Semi, "`;`")?;
            } else if free {
                return Err(self.unexpected("`requires` or `ensures`"));
            } else {
                break;
            }
        }
        let body = if !no_body || self.kind() == Kind::LBrace {
            Some(self.body()?)
        } else {
            None
        };
        Ok(Procedure {
            name,
            ins,
            outs,
            spec,
            body,
            polymorphic,
        })
    }
}
