//! The environment: verification functions, the C library, GNU builtins. What is not known here
//! returns any value and touches no memory (or all it can reach, as the options say).

mod cprover;
pub(in crate::c) mod format;
mod intrinsics;
pub(in crate::c) mod models;
pub(in crate::c) mod points_to;
mod strings;
pub(in crate::c) mod table;

use crate::c::hir::Expr;
use crate::c::library::points_to::{Effect, effect};
use crate::c::lower::Lower;
use crate::c::lower::call::Want;
use crate::c::lower::expr::Val;
use crate::c::lower::scalar::{Scalar, scalar_of};
use crate::c::memory::regions::Address;
use base::FxHashSet;
use logic::TermId;
use program::{InputKind, OutputCall, Property, Span, Stmt, VarId};

/// Calling one of these is the error, whether or not it has a body.
pub fn is_error_function(name: &str) -> bool {
    matches!(name, "reach_error" | "__VERIFIER_error")
}

fn is_assert_failure(name: &str) -> bool {
    matches!(
        name,
        "__assert_fail" | "__assert" | "__assert_rtn" | "__assert_perror_fail" | "__assert_func"
    )
}

/// The program ends here without error.
fn is_end(name: &str) -> bool {
    matches!(
        name,
        "abort"
            | "exit"
            | "_exit"
            | "_Exit"
            | "quick_exit"
            | "__builtin_abort"
            | "__builtin_exit"
            | "__builtin_trap"
            | "__builtin_unreachable"
    )
}

/// Cannot be over-approximated by any value: control goes elsewhere.
fn is_unsupported(name: &str) -> bool {
    matches!(
        name,
        "pthread_create"
            | "thrd_create"
            | "setjmp"
            | "_setjmp"
            | "__sigsetjmp"
            | "sigsetjmp"
            | "longjmp"
            | "siglongjmp"
            | "fork"
            | "vfork"
            | "getcontext"
            | "swapcontext"
    )
}

/// Builtins whose value depends only on their arguments and memory.
pub fn is_pure(name: &str) -> bool {
    if crate::c::sema::cprover::is_pure(name) {
        return true;
    }
    matches!(
        name.strip_prefix("__builtin_").unwrap_or(""),
        "expect"
            | "constant_p"
            | "object_size"
            | "inf"
            | "inff"
            | "infl"
            | "huge_val"
            | "huge_valf"
            | "huge_vall"
            | "nan"
            | "nanf"
            | "fabs"
            | "fabsf"
            | "isnan"
            | "isunordered"
            | "abs"
            | "assume_aligned"
            | "prefetch"
            | "types_compatible_p"
            | "craig_result"
            | "craig_old"
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
        let span = e.span;
        if is_error_function(name) || is_assert_failure(name) {
            args.iter().for_each(|a| self.discard(a));
            self.violation("the error function is called", span);
            return self.unused_value();
        }
        if is_end(name) {
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
            return self.unused_value();
        }
        match name {
            "__VERIFIER_assume" | "__builtin_assume" => {
                if let [a] = args {
                    let c = self.cond(a);
                    self.b.assume(self.pool, c, span);
                }
                return self.unused_value();
            }
            "__VERIFIER_assert" | "assert" | "__VERIFIER_check" => {
                if let [a] = args {
                    let ok = self.b.new_loc(span);
                    let bad = self.b.new_loc(span);
                    self.branch_on(a, ok, bad, span);
                    self.b.at = bad;
                    self.violation("an assertion fails", span);
                    self.b.at = ok;
                }
                return self.unused_value();
            }
            "__VERIFIER_atomic_begin" | "__VERIFIER_atomic_end" => return self.unused_value(),
            _ => {}
        }
        if let Some(kind) = name.strip_prefix("__VERIFIER_nondet_") {
            args.iter().for_each(|a| self.discard(a));
            return self.nondet(name, kind, e, want);
        }
        if is_unsupported(name) {
            self.errors.push(crate::c::lower::error(
                span,
                format!("`{name}` cannot be modelled: control would continue elsewhere"),
            ));
            return self.unused_value();
        }
        match effect(name) {
            Effect::Unknown => self.math(name, args, e, want),
            Effect::Print => self.print(name, args, e, want),
            known => self.memory_function(known, name, args, e),
        }
    }

    /// Reaching the error, or the end if nobody asked for it.
    fn violation(&mut self, message: &str, span: Span) {
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
            scalar.kind = crate::c::lower::scalar::ScalarKind::Bool;
        }
        let v = self.result_var(scalar, want, e.span);
        self.b.havoc(v, InputKind::Nondet { function }, e.span);
        Val::int(self.var_term(v))
    }

    /// An extern function whose arguments are evaluated already.
    pub(in crate::c) fn environment_evaluated(&mut self, name: &str, e: &Expr, want: &Want) -> Val {
        if is_error_function(name) || is_assert_failure(name) {
            self.violation("the error function is called", e.span);
            return self.unused_value();
        }
        if is_end(name) {
            self.ends(e.span);
            return self.unused_value();
        }
        self.extern_value(name, e, want)
    }

    /// Any value, with a note.
    fn extern_value(&mut self, name: &str, e: &Expr, want: &Want) -> Val {
        // A function of the library or the compiler does something known, only not to us.
        let kind = if self.is_outside(name) {
            if !self.unit.types.is_void(e.ty) && !matches!(want, Want::Nothing) {
                self.b
                    .note(e.span, format!("`{name}` is not modelled: some value"));
            }
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
                if scalar.kind == crate::c::lower::scalar::ScalarKind::Pointer {
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
            || effect(name) != Effect::Unknown
            || self
                .unit
                .functions
                .iter()
                .any(|f| f.source_name == name && self.system_files.contains(&f.span.file))
    }

    fn extern_accesses(&mut self, args: &[Expr], span: Span) {
        if self.checks(Property::ValidDeref)
            && args.iter().any(|a| self.unit.types.is_pointer(a.ty))
        {
            self.b
                .assumption(span, "extern functions access valid memory only");
        }
    }

    /// An extern function: any value; writes through pointers if asked for.
    fn extern_call(&mut self, name: &str, args: &[Expr], e: &Expr, want: &Want) -> Val {
        self.extern_accesses(args, e.span);
        for a in args {
            let pointer = self.unit.types.is_pointer(a.ty);
            self.discard(a);
            if pointer
                && self.options.library_writes
                && let Some(cell) = self.memory.points.target_of(a)
            {
                for r in self.memory.node_regions(cell) {
                    self.havoc_region(r, e.span);
                }
            }
        }
        self.extern_value(name, e, want)
    }

    /// Functions of numbers.
    fn math(&mut self, name: &str, args: &[Expr], e: &Expr, want: &Want) -> Val {
        let full = name;
        let name = name.strip_prefix("__builtin_").unwrap_or(name);
        match (name, args) {
            ("expect" | "assume_aligned", [a, ..]) => {
                for extra in &args[1..] {
                    self.discard(extra);
                }
                self.expr(a)
            }
            ("abs" | "labs" | "llabs" | "imaxabs", [a]) => {
                let scalar = self.scalar(e.ty);
                let t = self.term(a);
                let zero = self.pool.int(0);
                let minus = self.pool.neg(t);
                let positive = self.pool.le(zero, t);
                let t = self.pool.ite(positive, t, minus);
                self.result(t, scalar, e.span)
            }
            ("fabs" | "fabsf" | "fabsl", [a]) => {
                let scalar = self.scalar(e.ty);
                let t = self.term(a);
                Val::int(self.wrap_unsigned(t, scalar.bits - 1))
            }
            ("isnan" | "isnanf" | "__isnan" | "__isnanf" | "__isnanl" | "isnanl", [a]) => {
                let scalar = self.scalar(a.ty);
                let t = self.term(a);
                Val::boolean(self.float_is_nan(t, scalar))
            }
            ("inf" | "huge_val" | "infl" | "huge_vall", []) => {
                Val::int(self.pool.int(0x7ff0_0000_0000_0000_u64))
            }
            ("inff" | "huge_valf", []) => Val::int(self.pool.int(0x7f80_0000)),
            ("nan" | "nanl", _) => Val::int(self.pool.int(0x7ff8_0000_0000_0000_u64)),
            ("nanf", _) => Val::int(self.pool.int(0x7fc0_0000)),
            ("constant_p" | "prefetch", _) => self.unused_value(),
            ("va_start" | "va_end" | "va_copy", _) => {
                args.iter().for_each(|a| self.discard(a));
                self.unused_value()
            }
            _ => self.extern_call(full, args, e, want),
        }
    }

    /// A `__builtin_*`, `__sync_*` or `__atomic_*` function.
    pub(in crate::c) fn intrinsic(&mut self, name: &str, args: &[Expr], e: &Expr) -> Val {
        if let Some(v) = self.claim_intrinsic(name, args, e) {
            return v;
        }
        if let Some(word) = name.strip_prefix("__builtin_craig_") {
            return self.model_intrinsic(word, args, e);
        }
        if name.contains("sync_") || name.contains("atomic_") {
            return self.atomic(name, args, e);
        }
        if name == "__builtin_object_size" {
            // Unknown: the greatest size.
            let scalar = self.scalar(e.ty);
            let minus = self.pool.int(-1);
            return Val::int(self.wrap_to(minus, scalar));
        }
        self.environment(name, args, e, &Want::Value)
    }

    /// Read-modify-write, as one step.
    fn atomic(&mut self, name: &str, args: &[Expr], e: &Expr) -> Val {
        use crate::c::hir::BinaryOp;
        use crate::c::memory::constraints::pointee;
        let target = args.first().and_then(|a| pointee(self.unit, a));
        let evaluated = self.arguments(args, &[]);
        let (Some(ty), Some(p)) = (target, evaluated.first().and_then(|a| a.terms.first())) else {
            return self.unused_value();
        };
        let Some(scalar) = scalar_of(&self.unit.types, ty) else {
            return self.extern_value(name, e, &Want::Value);
        };
        let base = match self.memory.points.target_of(&args[0]) {
            Some(cell) => crate::c::lower::place::Base::Memory { address: *p, cell },
            None => crate::c::lower::place::Base::Lost,
        };
        let at = crate::c::lower::place::At {
            base,
            bit: 0,
            ty,
            scalar: Some(scalar),
            deref: true,
            span: e.span,
        };
        let old = self.read(&at);
        let old = self.settle(old, e.span);
        let old = self.freeze(old, e.span);
        let operand = evaluated.get(1).and_then(|a| a.terms.first()).copied();
        let op = [
            ("add", BinaryOp::Add),
            ("sub", BinaryOp::Sub),
            ("xor", BinaryOp::BitXor),
            ("and", BinaryOp::BitAnd),
            ("or", BinaryOp::BitOr),
        ]
        .into_iter()
        .find(|(n, _)| name.contains(n));
        let wrapped = |this: &mut Self, t| this.wrap_to(t, scalar);
        if name.contains("compare_and_swap") || name.contains("val_compare") {
            let (Some(expected), Some(new)) = (
                operand,
                evaluated.get(2).and_then(|a| a.terms.first()).copied(),
            ) else {
                return self.unused_value();
            };
            let (expected, new) = (wrapped(self, expected), wrapped(self, new));
            let hit = self.pool.eq(old, expected);
            let t = self.pool.ite(hit, new, old);
            self.write(&at, t, e.span);
            return if name.contains("bool") {
                Val::boolean(hit)
            } else {
                Val::int(old)
            };
        }
        match (op, operand) {
            (Some((_, op)), Some(b)) if name.contains("fetch") && !name.contains("nand") => {
                let t = match op {
                    BinaryOp::Add => self.pool.add2(old, b),
                    BinaryOp::Sub => self.pool.sub(old, b),
                    BinaryOp::BitXor => self.pool.bit_xor(old, b),
                    BinaryOp::BitAnd => self.pool.bit_and(old, b),
                    _ => self.pool.bit_or(old, b),
                };
                let t = wrapped(self, t);
                let t = self.freeze(t, e.span);
                self.write(&at, t, e.span);
                let after = name.contains("_and_fetch") || name.ends_with("_fetch");
                Val::int(if after { t } else { old })
            }
            _ if name.contains("synchronize") || name.contains("fence") => self.unused_value(),
            _ if name.contains("load") => Val::int(old),
            (_, Some(b)) if name.contains("test_and_set") || name.contains("exchange_n") => {
                let b = wrapped(self, b);
                self.write(&at, b, e.span);
                Val::int(old)
            }
            (_, Some(b)) if name.contains("store_n") => {
                let b = wrapped(self, b);
                self.write(&at, b, e.span);
                self.unused_value()
            }
            _ if name.contains("lock_release") => {
                let zero = self.pool.int(0);
                self.write(&at, zero, e.span);
                self.unused_value()
            }
            _ => {
                self.b
                    .note(e.span, format!("`{name}`: any effect on its target"));
                let t = self.any(scalar, InputKind::Approximation, e.span);
                self.write(&at, t, e.span);
                self.extern_value(name, e, &Want::Value)
            }
        }
    }

    /// Output: kept for running, ignored in proofs.
    fn print(&mut self, name: &str, args: &[Expr], e: &Expr, want: &Want) -> Val {
        use crate::c::hir::{ExprKind, PlaceKind};
        let stream = matches!(name, "fprintf" | "fputs" | "fputc" | "putc");
        let literal = |a: &Expr| -> Option<Vec<u8>> {
            let mut a = a;
            while let ExprKind::Cast(_, inner) = &a.kind {
                a = inner;
            }
            let ExprKind::AddressOf(p) = &a.kind else {
                return None;
            };
            let mut p = &**p;
            while let PlaceKind::Index { base, index } = &p.kind {
                if index.as_int() != Some(0) {
                    return None;
                }
                p = base;
            }
            let PlaceKind::String(s) = &p.kind else {
                return None;
            };
            let units = &self.unit.strings[*s].units;
            let text = units.split(|u| *u == 0).next().unwrap_or(&[]);
            Some(text.iter().map(|u| *u as u8).collect())
        };
        let skip = usize::from(stream && !matches!(name, "fputs" | "fputc" | "putc"));
        let format = args.get(skip).and_then(literal);
        let values = self.arguments(args, &[]);
        self.extern_accesses(&args[(skip + 1).min(args.len())..], e.span);
        if format.is_none() && name.ends_with("printf") {
            self.unchecked(name, e.span);
        }
        let mut terms = Vec::new();
        let mut memory = Vec::new();
        for (a, v) in args
            .iter()
            .zip(&values)
            .skip(skip + usize::from(format.is_some()))
        {
            if let [t] = *v.terms.as_slice() {
                terms.push(t);
                memory.push(self.text_memory(a));
            }
        }
        let result = match scalar_of(&self.unit.types, e.ty) {
            Some(s) if !matches!(want, Want::Nothing) => Some(self.result_var(s, want, e.span)),
            _ => None,
        };
        let edge = match result {
            Some(v) => {
                let stmt = Stmt::Havoc(vec![v], InputKind::Approximation);
                self.b.emit(stmt, e.span)
            }
            None => self.b.emit(Stmt::Skip, e.span),
        };
        self.b.outputs.insert(
            edge,
            OutputCall {
                function: name.into(),
                format,
                args: terms,
                memory,
            },
        );
        match result {
            Some(v) => Val::int(self.var_term(v)),
            None => self.unused_value(),
        }
    }

    /// The characters a printed pointer points to: memory, or text that no statement reads.
    fn text_memory(&mut self, a: &Expr) -> Option<TermId> {
        if !self.unit.types.is_pointer(a.ty) {
            return None;
        }
        let cell = self.memory.points.target_of(a)?;
        match self.memory.region(cell).map(|r| self.region_vars(r)) {
            Some(crate::c::lower::RegionVars::Array(v)) => Some(self.var_term(v)),
            Some(crate::c::lower::RegionVars::Cells(cells)) => {
                let int = self.pool.int_sort();
                let (sort, zero) = (self.pool.array_sort(int, int), self.pool.int(0));
                let mut text = self.pool.const_array(sort, zero);
                for &(address, var) in cells.iter() {
                    let (index, value) = (self.pool.int(address), self.var_term(var));
                    text = self.pool.store(text, index, value);
                }
                Some(text)
            }
            None => self.literal_memory(),
        }
    }

    /// All string literals at their addresses, as one constant array.
    fn literal_memory(&mut self) -> Option<TermId> {
        /// Beyond this the text is not kept.
        const MOST: usize = 1 << 14;
        if let Some(known) = self.literals {
            return known;
        }
        let strings = self.reach.strings.clone();
        let total: usize = strings
            .iter()
            .map(|s| self.unit.strings[*s].units.len())
            .sum();
        let mut array = None;
        if total <= MOST {
            let int = self.pool.int_sort();
            let (sort, zero) = (self.pool.array_sort(int, int), self.pool.int(0));
            let mut text = self.pool.const_array(sort, zero);
            for s in strings {
                let key = crate::c::lower::reach::ObjectKey::String(s);
                if let Some(&Address::Fixed(at)) = self.memory.addresses.get(&key) {
                    for (i, &unit) in self.unit.strings[s].units.iter().enumerate() {
                        let (index, unit) = (self.pool.int(at + i as u64), self.pool.int(unit));
                        text = self.pool.store(text, index, unit);
                    }
                }
            }
            array = Some(text);
        }
        self.literals = Some(array);
        array
    }

    pub(in crate::c) fn no_skip() -> FxHashSet<VarId> {
        FxHashSet::default()
    }
}
