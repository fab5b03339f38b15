//! Functions without a body that no model knows.
//!
//! One of the program's own may return anything, and that counts: its author is the outside. One of the
//! library or the compiler does something known, only not to us: its result and what it writes are
//! approximations, on which no error may depend.

use super::table::{self, Meaning};
use crate::c::hir::Expr;
use crate::c::lower::Lower;
use crate::c::lower::call::Want;
use crate::c::lower::expr::Val;
use crate::c::lower::scalar::{ScalarKind, scalar_of};
use program::{InputKind, Property, Span, Stmt};

impl Lower<'_> {
    /// An extern function whose arguments are evaluated already.
    pub(in crate::c) fn environment_evaluated(
        &mut self,
        name: &str,
        args: &[Expr],
        e: &Expr,
        want: &Want,
    ) -> Val {
        match table::meaning(name) {
            Some(Meaning::Error | Meaning::Failure) => {
                self.violation("the error function is called", e.span);
                self.unused_value()
            }
            Some(Meaning::End) => {
                self.ends(e.span);
                self.unused_value()
            }
            _ => {
                args.iter().for_each(|a| self.extern_write(name, a, e.span));
                self.calls_back(name, args, e.span);
                self.extern_value(name, e, want)
            }
        }
    }

    /// Any value, with a note.
    pub(super) fn extern_value(&mut self, name: &str, e: &Expr, want: &Want) -> Val {
        let kind = if self.is_outside(name) {
            self.b
                .note(e.span, format!("`{name}` is not modelled: some value"));
            InputKind::Approximation
        } else {
            self.b.note(
                e.span,
                format!("`{name}` has no body: any result counts as possible"),
            );
            let function = name.to_string();
            InputKind::Extern { function }
        };
        self.b.assumption(
            e.span,
            if self.options.library_writes {
                "extern functions write only through their pointer arguments"
            } else {
                "extern functions do not change the program's memory"
            },
        );
        match scalar_of(&self.unit.types, e.ty) {
            Some(_) if matches!(want, Want::Nothing) => self.unused_value(),
            Some(scalar) => {
                if scalar.kind == ScalarKind::Pointer {
                    self.b.assumption(
                        e.span,
                        "pointers from extern functions do not point to the program's objects",
                    );
                }
                let v = self.result_var(scalar, want, e.span);
                self.b.havoc(v, kind, e.span);
                Val::int(self.var_term(v))
            }
            None => {
                if let Want::Record(vars) = want {
                    let vars = vars.clone();
                    if !vars.is_empty() {
                        self.b.emit(Stmt::Havoc(vars, kind), e.span);
                    }
                }
                self.unused_value()
            }
        }
    }

    /// Is it a function of the library or the compiler: declared by a system header, or known?
    fn is_outside(&self, name: &str) -> bool {
        name.starts_with("__builtin_")
            || name.starts_with("__sync_")
            || name.starts_with("__atomic_")
            || table::find(name).is_some()
            || self.unit.assembly.iter().any(|text| text.contains(name))
            || self
                .unit
                .functions
                .iter()
                .any(|f| f.source_name == name && self.system_files.contains(&f.span.file))
    }

    pub(super) fn extern_accesses(&mut self, args: &[Expr], span: Span) {
        if self.checks(Property::ValidDeref)
            && args.iter().any(|a| self.unit.types.is_pointer(a.ty))
        {
            self.b
                .assumption(span, "extern functions access valid memory only");
        }
    }

    /// An extern function: any value. It writes through its pointers if the options say so; what the
    /// library or the compiler has and nobody modelled is never taken to leave memory alone.
    pub(super) fn extern_call(&mut self, name: &str, args: &[Expr], e: &Expr, want: &Want) -> Val {
        self.extern_accesses(args, e.span);
        for a in args {
            self.discard(a);
            self.extern_write(name, a, e.span);
        }
        self.calls_back(name, args, e.span);
        self.extern_value(name, e, want)
    }

    /// A function of the library that nobody modelled calls what it is given: nothing is proved from here on, and no
    /// error behind it counts.
    fn calls_back(&mut self, name: &str, args: &[Expr], span: Span) {
        let types = &self.unit.types;
        let given = |a: &Expr| {
            let pointee = types.pointee(a.ty);
            pointee.is_some_and(|t| types.function(t).is_some())
        };
        if !args.iter().any(given) || !self.is_outside(name) {
            return;
        }
        let message = format!("what `{name}` calls is not modelled");
        if let Some(&property) = self.options.properties.first() {
            self.doubtful_error(property, &message, span);
        }
        self.b.note(span, message);
        self.only_approximate(span);
    }

    /// What an argument points to gets any value, if the function may write there.
    fn extern_write(&mut self, name: &str, a: &Expr, span: Span) {
        let writes = self.options.library_writes || self.is_outside(name);
        if self.unit.types.is_pointer(a.ty)
            && writes
            && let Some(cell) = self.memory.points.target_of(a)
        {
            for r in self.memory.node_regions(cell) {
                self.havoc_region(r, span);
            }
        }
    }
}
