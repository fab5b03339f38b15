//! The environment: verification functions, the C library, GNU builtins.
//!
//! `table.rs` says what each function is. What it does not know is a function of the program without a body
//! (`externs.rs`), or one of the library that nobody modelled: some value, on which no error may depend.

mod cprover;
mod externs;
pub(in crate::c) mod format;
mod intrinsics;
mod memory;
pub(in crate::c) mod models;
mod names;
mod numbers;
mod output;
pub(in crate::c) mod read;
pub(in crate::c) mod table;

use crate::c::hir::Expr;
use crate::c::lower::Lower;
use crate::c::lower::call::Want;
use crate::c::lower::expr::Val;
use crate::c::lower::scalar::{Scalar, ScalarKind, scalar_of};
use base::FxHashSet;
use program::{InputKind, OutputCall, Property, Span, Stmt, VarId};
use table::Meaning;

/// Calling one of these is the error, whether or not it has a body.
pub fn is_error_function(name: &str) -> bool {
    table::meaning(name) == Some(Meaning::Error)
}

/// Builtins whose value depends only on their arguments and memory.
pub fn is_pure(name: &str) -> bool {
    if crate::c::sema::cprover::is_pure(name) {
        return true;
    }
    if matches!(name, "__builtin_craig_result" | "__builtin_craig_old") {
        return true;
    }
    matches!(
        table::meaning(name),
        Some(Meaning::Number | Meaning::First | Meaning::Checked { stores: false, .. })
    )
}

impl Lower<'_> {
    /// Whether the result variable can take the value directly.
    fn result_var(&mut self, scalar: Scalar, want: &Want, span: Span) -> VarId {
        match want {
            Want::Into(v) if self.holds(*v, scalar) => *v,
            _ => self.temp(scalar, span),
        }
    }

    fn unused_value(&mut self) -> Val {
        Val::int(self.pool.int(0))
    }

    /// A call of a function without a body (or one that is the error).
    pub(in crate::c) fn environment(
        &mut self,
        name: &str,
        args: &[Expr],
        e: &Expr,
        want: &Want,
    ) -> Val {
        if let Some(kind) = name.strip_prefix("__VERIFIER_nondet_") {
            args.iter().for_each(|a| self.discard(a));
            return self.nondet(name, kind, e, want);
        }
        let Some(meaning) = table::meaning(name) else {
            return self.extern_call(name, args, e, want);
        };
        self.known(meaning, name, args, e, want)
            .unwrap_or_else(|| self.extern_call(name, args, e, want))
    }

    /// What the table knows; `None` if the arguments are not those of the function.
    fn known(
        &mut self,
        meaning: Meaning,
        name: &str,
        args: &[Expr],
        e: &Expr,
        want: &Want,
    ) -> Option<Val> {
        let span = e.span;
        match meaning {
            Meaning::Error | Meaning::Failure => {
                let text = args.first().filter(|_| meaning == Meaning::Failure);
                let text = text.and_then(|a| self.literal_bytes(a));
                let message = match text {
                    Some(text) => format!("assertion `{}` fails", String::from_utf8_lossy(&text)),
                    None => "the error function is called".into(),
                };
                args.iter().for_each(|a| self.discard(a));
                self.violation(&message, span);
            }
            Meaning::End
                if name == "__builtin_unreachable" && self.checks(Property::NoUnreachable) =>
            {
                let message = "code that is marked as unreachable is reached";
                self.b.error(Property::NoUnreachable, message.into(), span);
            }
            Meaning::End => self.end_by(name, args, span),
            Meaning::Elsewhere => {
                let message =
                    format!("`{name}` cannot be modelled: control would continue elsewhere");
                self.errors.push(crate::c::lower::error(span, message));
            }
            Meaning::Assume => {
                let [a] = args else { return None };
                let c = self.cond(a);
                self.b.assume(self.pool, c, span);
            }
            Meaning::Assert => {
                let [a] = args else { return None };
                let ok = self.b.new_loc(span);
                let bad = self.b.new_loc(span);
                self.branch_on(a, ok, bad, span);
                self.b.at = bad;
                self.violation("an assertion fails", span);
                self.b.at = ok;
            }
            Meaning::Nothing => args.iter().for_each(|a| self.discard(a)),
            Meaning::First => {
                let (first, extra) = args.split_first()?;
                extra.iter().for_each(|a| self.discard(a));
                return Some(self.expr(first));
            }
            Meaning::Number => return self.number(name, args, e),
            Meaning::Checked { op, stores } => {
                return self.checked_arithmetic(op, stores, args, e);
            }
            Meaning::Print => return Some(self.print(name, args, e, want)),
            Meaning::Allocate { .. }
            | Meaning::Free
            | Meaning::CopyBytes { .. }
            | Meaning::SetBytes => return self.memory_function(meaning, args, e),
            Meaning::Model => return None,
        }
        Some(self.unused_value())
    }

    /// The program ends here without error; how is kept for running.
    fn end_by(&mut self, name: &str, args: &[Expr], span: Span) {
        let args = self.arguments(args, &[]);
        let edge = self.b.emit(Stmt::Skip, span);
        self.b.outputs.insert(
            edge,
            OutputCall {
                function: name.trim_start_matches("__builtin_").into(),
                format: None,
                memory: vec![None; args.len()],
                args: args.into_iter().flat_map(|a| a.terms).collect(),
            },
        );
        self.ends(span);
    }

    /// The bytes of a string literal, up to its first zero.
    pub(super) fn literal_bytes(&self, a: &Expr) -> Option<Vec<u8>> {
        let s = a.as_string()?;
        let units = &self.unit.strings[s].units;
        let text = units.split(|u| *u == 0).next().unwrap_or(&[]);
        Some(text.iter().map(|u| *u as u8).collect())
    }

    /// Reaching the error, or the end if nobody asked for it.
    pub(in crate::c) fn violation(&mut self, message: &str, span: Span) {
        if self.checks(Property::Unreach) && !self.options.reach_end {
            self.b.error(Property::Unreach, message.into(), span);
        } else {
            self.ends(span);
        }
    }

    fn nondet(&mut self, name: &str, kind: &str, e: &Expr, want: &Want) -> Val {
        let function = name.to_string();
        let Some(mut scalar) = scalar_of(&self.unit.types, e.ty) else {
            if let Want::Record(vars) = want {
                let vars = vars.clone();
                self.b
                    .emit(Stmt::Havoc(vars, InputKind::Nondet { function }), e.span);
            }
            return self.unused_value();
        };
        if kind == "bool" {
            scalar.kind = ScalarKind::Bool;
        }
        let v = self.result_var(scalar, want, e.span);
        self.b.havoc(v, InputKind::Nondet { function }, e.span);
        Val::int(self.var_term(v))
    }

    /// A `__builtin_*`, `__sync_*` or `__atomic_*` function.
    pub(in crate::c) fn intrinsic(&mut self, name: &str, args: &[Expr], e: &Expr) -> Val {
        if let Some(v) = self.claim_intrinsic(name, args, e) {
            return v;
        }
        if let Some(word) = name.strip_prefix("__builtin_craig_") {
            return self.model_intrinsic(word, args, e);
        }
        self.environment(name, args, e, &Want::Value)
    }

    pub(in crate::c) fn no_skip() -> FxHashSet<VarId> {
        FxHashSet::default()
    }
}
