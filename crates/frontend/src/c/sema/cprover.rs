//! CBMC's vocabulary: `__CPROVER_…` functions, read as what Craig has for them.
//!
//! | call | becomes |
//! |---|---|
//! | `assume(c)`, `assert(c, "…")`, `precondition(c, "…")` | assumption, assertion |
//! | `r_ok w_ok rw_ok(p, n)`, `OBJECT_SIZE`, `POINTER_OFFSET`, `same_object`, … | a term over the ghost state of memory |
//! | `overflow_plus(a, b)`, … | a term: does the exact result leave the type? |
//! | `allocate(n, zero)`, `deallocate(p)` | `malloc`, `calloc`, `free` |
//! | `havoc_object(p)`, `havoc_slice(p, n)` | any content |
//! | `__CPROVER_uninterpreted_f(…)` | a function nobody knows, the same at each call |
//!
//! The memory predicates need the ghost state that memory safety has (`lower/safety.rs`); a program that
//! uses one gets it under any property, without checks of its accesses.

use super::super::hir::{Expr, ExprKind, FuncId, Linkage};
use super::super::types::{IntKind, TypeId};
use super::Sema;
use crate::c::syntax::ast;
use program::Span;

/// The prefix of all of them.
pub(in crate::c) const PREFIX: &str = "__CPROVER_";

/// What a word of CBMC's is called here, and the type of its value.
enum Word {
    /// A condition is first; texts behind it are for people.
    Condition(&'static str),
    /// Of the ghost state of memory, with this many pointers; a size may follow them.
    Memory(&'static str, usize, IntKind),
    Overflow,
    Allocate,
    Deallocate,
    Nothing,
}

fn word(name: &str) -> Option<Word> {
    use IntKind::{Bool, Long, ULong};
    Some(match name {
        "assume" => Word::Condition("__VERIFIER_assume"),
        "assert" | "precondition" | "postcondition" | "check" => {
            Word::Condition("__VERIFIER_assert")
        }
        "r_ok" | "w_ok" | "rw_ok" => Word::Memory("ok", 1, Bool),
        "OBJECT_SIZE" => Word::Memory("object_size", 1, ULong),
        "POINTER_OFFSET" => Word::Memory("offset", 1, Long),
        "POINTER_OBJECT" => Word::Memory("object", 1, ULong),
        "same_object" => Word::Memory("same_object", 2, Bool),
        "DYNAMIC_OBJECT" | "is_dynamic_object" => Word::Memory("dynamic", 1, Bool),
        "LIVE_OBJECT" | "live_object" => Word::Memory("live", 1, Bool),
        "pointer_in_range" | "pointer_in_range_dfcc" => Word::Memory("in_range", 3, Bool),
        "pointer_equals" => Word::Memory("same_pointer", 2, Bool),
        "havoc_object" => Word::Memory("havoc", 1, Bool),
        "havoc_slice" => Word::Memory("havoc_slice", 1, Bool),
        "overflow_plus"
        | "overflow_minus"
        | "overflow_mult"
        | "overflow_shl"
        | "overflow_unary_minus" => Word::Overflow,
        "allocate" => Word::Allocate,
        "deallocate" => Word::Deallocate,
        "cover" | "input" | "output" | "atomic_begin" | "atomic_end" | "printf" | "fence"
        | "assignable" | "object_whole" | "object_from" | "object_upto" | "freeable"
        | "typed_target" => Word::Nothing,
        _ => return None,
    })
}

/// Does the built-in of this name look at the ghost state of memory?
pub(in crate::c) fn looks_at_memory(name: &str) -> bool {
    matches!(
        name.strip_prefix("__builtin_craig_").unwrap_or(""),
        "ok" | "object_size"
            | "offset"
            | "object"
            | "same_object"
            | "dynamic"
            | "live"
            | "in_range"
    )
}

/// Is the built-in of this name a term?
pub(in crate::c) fn is_pure(name: &str) -> bool {
    looks_at_memory(name)
        || name == "__builtin_craig_same_pointer"
        || name.starts_with("__builtin_craig_overflow_")
}

impl Sema<'_, '_> {
    /// `None`: it is no word of CBMC's, or the program defines it.
    pub(super) fn cprover_call(
        &mut self,
        name: &str,
        declared: Option<FuncId>,
        args: &[ast::Expr],
        span: Span,
    ) -> Option<Expr> {
        if let (crate::c::contracts::SPEC, [formula]) = (name, args) {
            self.exact += 1;
            let value = self.condition(formula);
            self.exact -= 1;
            return Some(value);
        }
        let plain = name.strip_prefix(PREFIX)?;
        if declared.is_some_and(|f| self.unit.functions[f].body.is_some()) {
            return None;
        }
        if plain.starts_with("uninterpreted_") {
            return self.uninterpreted(name, declared?, args, span);
        }
        let (void, bool) = (self.unit.types.void(), self.unit.types.int(IntKind::Bool));
        match word(plain)? {
            Word::Condition(name) => {
                let condition = self.condition(args.first()?);
                Some(intrinsic(name, vec![condition], void, span))
            }
            Word::Memory(name, pointers, kind) => {
                let mut values = Vec::new();
                for a in args.iter().take(pointers + 1) {
                    let value = self.value(a);
                    values.push(self.promote_argument(value));
                }
                if values.len() == pointers && matches!(name, "ok" | "havoc_slice") {
                    let ty = self.types().pointee(values.first()?.ty);
                    let size = ty.and_then(|t| self.types().size_of(t)).unwrap_or(1);
                    let kind = self.types().size_t_kind();
                    values.push(self.int_expr(i128::from(size), kind, span));
                }
                let ty = match name {
                    "havoc" | "havoc_slice" => void,
                    _ => self.unit.types.int(kind),
                };
                let name = format!("__builtin_craig_{name}");
                Some(intrinsic(&name, values, ty, span))
            }
            Word::Overflow => {
                let mut values = Vec::new();
                for a in args.iter().take(2) {
                    let value = self.value(a);
                    values.push(self.promote(value));
                }
                // Both operands in the type in which C would compute; shifts in the left one's.
                if let ([left, right], false) = (values.as_slice(), plain.ends_with("shl")) {
                    let ty = self.common_type(left, right);
                    let both = std::mem::take(&mut values);
                    values = both.into_iter().map(|v| self.cast(v, ty, span)).collect();
                }
                let name = format!("__builtin_craig_{plain}");
                Some(intrinsic(&name, values, bool, span))
            }
            Word::Allocate => {
                let size_t = self.unit.types.size_t();
                let size = self.value(args.first()?);
                let size = self.cast(size, size_t, span);
                let zero = args.get(1).map(|a| self.value(a));
                let zero = zero.is_none_or(|z| z.as_int() != Some(0));
                let pointer = self.unit.types.pointer(void);
                let one = Expr::new(ExprKind::Int(1), size_t, span);
                Some(if zero {
                    intrinsic("__builtin_calloc", vec![one, size], pointer, span)
                } else {
                    intrinsic("__builtin_malloc", vec![size], pointer, span)
                })
            }
            Word::Deallocate => {
                let pointer = self.value(args.first()?);
                Some(intrinsic("__builtin_free", vec![pointer], void, span))
            }
            Word::Nothing => {
                for a in args {
                    self.value(a);
                }
                Some(Expr::new(ExprKind::Int(0), self.int_type(), span))
            }
        }
    }
}

impl Sema<'_, '_> {
    /// A call of a function nobody knows. Its arguments are numbers or addresses.
    fn uninterpreted(
        &mut self,
        name: &str,
        f: FuncId,
        args: &[ast::Expr],
        span: Span,
    ) -> Option<Expr> {
        let signature = self.types().function(self.unit.functions[f].ty)?.clone();
        let scalar = |s: &Self, t: TypeId| s.types().is_integer(t) || s.types().is_pointer(t);
        let fits = signature.params.len() == args.len()
            && signature.params.iter().all(|&t| scalar(self, t))
            && scalar(self, signature.ret);
        if !fits {
            return None;
        }
        let mut values = Vec::new();
        for (a, &ty) in args.iter().zip(&signature.params) {
            let value = self.value(a);
            values.push(self.assign_convert(value, ty, "argument"));
        }
        let name = format!("__builtin_craig_uninterpreted:{name}");
        Some(intrinsic(&name, values, signature.ret, span))
    }

    /// Proofs for CBMC name their stubs before the files that they stand in for, whose bodies its tools
    /// remove.
    pub(super) fn is_stubbed(&self, f: FuncId, again: Span) -> bool {
        let is_proof = self.names.get("__CPROVER_assume").is_some();
        is_proof && self.unit.functions[f].span.file != again.file
    }

    /// `__CPROVER_file_local_F_c_g` is the static function `g` of the file `F.c`, as goto-cc names it
    /// for other files.
    pub(super) fn resolve_file_local(&mut self) {
        let wanted: Vec<(FuncId, String, Span)> = self
            .unit
            .functions
            .iter_enumerated()
            .filter(|(_, f)| f.body.is_none())
            .filter_map(|(id, f)| {
                let rest = f.source_name.strip_prefix(PREFIX)?;
                let rest = rest.strip_prefix("file_local_")?;
                Some((id, rest.to_string(), f.span))
            })
            .collect();
        for (f, rest, span) in wanted {
            let found = self
                .unit
                .functions
                .iter_enumerated()
                .filter(|(_, g)| g.linkage == Linkage::Internal && g.body.is_some())
                .filter(|(_, g)| {
                    let file = rest.strip_suffix(&format!("_{}", g.source_name));
                    file.is_some_and(|f| f.ends_with("_c") || f.ends_with("_h"))
                })
                .max_by_key(|(_, g)| g.source_name.len())
                .map(|(id, _)| id);
            if let Some(target) = found {
                self.forward(f, target, span);
            }
        }
    }
}

fn intrinsic(name: &str, args: Vec<Expr>, ty: TypeId, span: Span) -> Expr {
    let name = name.to_string();
    Expr::new(ExprKind::Intrinsic { name, args }, ty, span)
}
