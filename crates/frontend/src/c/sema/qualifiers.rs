//! Qualifiers of what a pointer points to, for the two places where C chooses by them: `_Generic` and
//! `__builtin_types_compatible_p`. Everywhere else types are the same without them, so types carry none;
//! declarations are asked instead. `None` is an answer: not known.

use super::super::hir::{GlobalId, LocalId};
use super::{Binding, Sema};
use crate::c::syntax::ast::{
    Declarator, Expr, ExprKind, Part, Qualifiers, Specifiers, TypeName, TypeSpec, Unary,
};
use crate::c::syntax::lexer::Symbol;
use base::FxHashMap;

/// Is it `const`, is it `volatile`?
pub(super) type Pointed = Option<(bool, bool)>;

const PLAIN: Pointed = Some((false, false));

/// What names point to, where it is qualified or not known.
#[derive(Default)]
pub(super) struct PointedNames {
    pub locals: FxHashMap<LocalId, Pointed>,
    pub globals: FxHashMap<GlobalId, Pointed>,
    /// By name and depth of scope.
    pub typedefs: FxHashMap<(Symbol, u32), Pointed>,
}

fn of(q: Qualifiers) -> Pointed {
    Some((q.is_const, q.is_volatile))
}

/// Is the declared object itself `const`? `const char *p` is not, `char *const p[2]` is.
pub(super) fn object_is_const(specs: &Specifiers, declarator: &Declarator) -> bool {
    let mut parts = declarator.parts.iter();
    match parts.find(|p| !matches!(p, Part::Array(_))) {
        Some(Part::Pointer(q)) => q.is_const,
        Some(_) => false,
        None => specs.quals.is_const,
    }
}

impl Sema<'_, '_> {
    pub(super) fn pointed_qualifiers(
        &self,
        specs: &Specifiers,
        declarator: &Declarator,
    ) -> Pointed {
        match (declarator.parts.first(), declarator.parts.get(1)) {
            (Some(Part::Pointer(_) | Part::Array(_)), None) => of(specs.quals),
            (Some(Part::Pointer(_) | Part::Array(_)), Some(Part::Pointer(q))) => of(*q),
            (Some(_), _) => PLAIN,
            (None, _) => match &specs.ty {
                TypeSpec::Typedef(name) => {
                    let depth = self.ordinary.depth_of(*name)?;
                    let known = self.pointed_names.typedefs.get(&(*name, depth));
                    known.copied().unwrap_or(PLAIN)
                }
                TypeSpec::TypeofExpr(e) => self.pointed_by(e),
                TypeSpec::TypeofType(t) => self.pointed_type(t),
                _ => PLAIN,
            },
        }
    }

    pub(super) fn pointed_type(&self, name: &TypeName) -> Pointed {
        self.pointed_qualifiers(&name.specs, &name.declarator)
    }

    pub(super) fn pointed_by(&self, e: &Expr) -> Pointed {
        match &e.kind {
            ExprKind::Number | ExprKind::Char | ExprKind::Strings(_) => PLAIN,
            ExprKind::Name(name) => {
                let names = &self.pointed_names;
                let known = match self.ordinary.get(*name)? {
                    Binding::Local(l) => names.locals.get(&l),
                    Binding::Global(g) => names.globals.get(&g),
                    _ => None,
                };
                known.copied().unwrap_or(PLAIN)
            }
            ExprKind::Cast(parts) => self.pointed_type(&parts.0),
            ExprKind::Unary(Unary::AddressOf, inner) => match &inner.kind {
                ExprKind::Name(name) => match self.ordinary.get(*name)? {
                    Binding::Local(l) => {
                        let l = &self.unit.locals[l];
                        Some((l.is_const, l.is_volatile))
                    }
                    Binding::Global(g) => {
                        let g = &self.unit.globals[g];
                        Some((g.is_const, g.is_volatile))
                    }
                    _ => PLAIN,
                },
                _ => None,
            },
            _ => None,
        }
    }
}
