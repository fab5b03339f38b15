//! `__sync_*` and `__atomic_*`: with one thread an atomic operation is plain C on its target, so each call
//! becomes a block that reads, computes and writes.
//!
//! ```text
//! __atomic_fetch_add(p, v, order)   =>   ({ t0 = p; t1 = v; t2 = *t0; *t0 = t2 + t1; t2; })
//! ```
//! Arithmetic wraps, so it is done in the unsigned type. A weak exchange does not fail without a reason, as on
//! x86.

use super::super::hir::{BinaryOp, Expr, ExprKind, UnaryOp};
use super::super::types::{IntKind, TypeId};
use super::Sema;
use super::steps::Work;
use crate::c::syntax::ast;
use program::Span;

/// What a function does to its target.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Action {
    /// Returns the value, or stores it through the second argument.
    Load {
        through: bool,
    },
    Store {
        through: bool,
    },
    /// Through pointers: value in the second, old value in the third argument.
    Exchange {
        through: bool,
    },
    /// Returns the old value or, `after`, the new one.
    Update {
        op: BinaryOp,
        inverted: bool,
        after: bool,
    },
    /// `__sync_bool_compare_and_swap` and `__sync_val_…`.
    Swap {
        says_whether: bool,
    },
    /// What was found goes to where the expected value came from.
    Compare {
        through: bool,
    },
    TestAndSet,
    Clear,
    Fence,
    LockFree,
}

fn action(name: &str) -> Option<Action> {
    let (sync, word) = match name.strip_prefix("__sync_") {
        Some(word) => (true, word),
        None => {
            let c11 = name.strip_prefix("__c11_atomic_");
            (false, c11.or_else(|| name.strip_prefix("__atomic_"))?)
        }
    };
    let through = !name.starts_with("__c11_");
    Some(match word {
        "synchronize" if sync => Action::Fence,
        "thread_fence" | "signal_fence" => Action::Fence,
        "lock_test_and_set" if sync => Action::Exchange { through: false },
        "lock_release" if sync => Action::Clear,
        "bool_compare_and_swap" => Action::Swap { says_whether: true },
        "val_compare_and_swap" => Action::Swap {
            says_whether: false,
        },
        "load" => Action::Load { through },
        "load_n" => Action::Load { through: false },
        "store" => Action::Store { through },
        "store_n" | "init" => Action::Store { through: false },
        "exchange" => Action::Exchange { through },
        "exchange_n" => Action::Exchange { through: false },
        "compare_exchange" => Action::Compare { through: true },
        "compare_exchange_n" | "compare_exchange_strong" | "compare_exchange_weak" => {
            Action::Compare { through: false }
        }
        "test_and_set" => Action::TestAndSet,
        "clear" => Action::Clear,
        "always_lock_free" | "is_lock_free" => Action::LockFree,
        _ => {
            let after = word.ends_with("_fetch");
            let op = word
                .strip_prefix("fetch_and_")
                .or_else(|| word.strip_prefix("fetch_"))
                .or_else(|| word.strip_suffix("_and_fetch"))
                .or_else(|| word.strip_suffix("_fetch"))?;
            let (op, inverted) = match op {
                "add" => (BinaryOp::Add, false),
                "sub" => (BinaryOp::Sub, false),
                "or" => (BinaryOp::BitOr, false),
                "xor" => (BinaryOp::BitXor, false),
                "and" => (BinaryOp::BitAnd, false),
                "nand" => (BinaryOp::BitAnd, true),
                _ => return None,
            };
            Action::Update {
                op,
                inverted,
                after,
            }
        }
    })
}

impl Sema<'_, '_> {
    /// The call as a block; `None` if it is none of these.
    pub(super) fn atomic_call(
        &mut self,
        name: &str,
        args: &[ast::Expr],
        span: Span,
    ) -> Option<Expr> {
        let action = action(name)?;
        let caller = self.func.as_ref()?.id;
        let mut work = Work::new(caller, span);
        let mut values = Vec::with_capacity(args.len());
        for arg in args {
            let value = self.value(arg);
            if self.types().is_error(value.ty) {
                return Some(value);
            }
            values.push(match value.as_int() {
                Some(_) => value,
                None => self.keep(&mut work, value),
            });
        }
        if matches!(action, Action::Fence | Action::LockFree) {
            let answer = self.int_expr(1, IntKind::Bool, span);
            let (value, ty) = match action {
                Action::LockFree => (Some(answer.clone()), answer.ty),
                _ => (None, self.unit.types.void()),
            };
            return Some(work.finish(value, ty));
        }
        let mut target = values.first()?.clone();
        let mut ty = self.types().pointee(target.ty)?;
        if matches!(action, Action::TestAndSet) || self.types().is_void(ty) {
            ty = self.unit.types.int(IntKind::UChar);
            let pointer = self.unit.types.pointer(ty);
            target = self.cast(target, pointer, span);
        }
        let value = self.atomic_action(&mut work, action, &target, ty, &values)?;
        let void = self.unit.types.void();
        let result = value.as_ref().map_or(void, |v| v.ty);
        Some(work.finish(value, result))
    }

    fn atomic_action(
        &mut self,
        work: &mut Work,
        action: Action,
        target: &Expr,
        ty: TypeId,
        args: &[Expr],
    ) -> Option<Option<Expr>> {
        let span = work.span;
        let arg = |i: usize| args.get(i).cloned();
        Some(match action {
            Action::Load { through } => {
                let value = self.load_at(target, ty);
                if through {
                    let to = self.pointed(&arg(1)?, ty);
                    self.store(work, to, value);
                    return Some(None);
                }
                Some(self.keep(work, value))
            }
            Action::Store { through } => {
                let value = self.atomic_value(arg(1)?, through, ty, span);
                self.store_at(work, target, ty, value);
                None
            }
            Action::Exchange { through } => {
                let old = self.load_at(target, ty);
                let old = self.keep(work, old);
                let value = self.atomic_value(arg(1)?, through, ty, span);
                self.store_at(work, target, ty, value);
                if through {
                    let to = self.pointed(&arg(2)?, ty);
                    self.store(work, to, old);
                    return Some(None);
                }
                Some(old)
            }
            Action::Update {
                op,
                inverted,
                after,
            } => {
                let old = self.load_at(target, ty);
                let old = self.keep(work, old);
                let new = self.wrapping(op, inverted, &old, arg(1)?, ty, span);
                let new = self.keep(work, new);
                self.store_at(work, target, ty, new.clone());
                Some(if after { new } else { old })
            }
            Action::Swap { says_whether } => {
                let expected = self.cast(arg(1)?, ty, span);
                let expected = self.keep(work, expected);
                let new = self.cast(arg(2)?, ty, span);
                let (old, hit) = self.compare_and_set(work, target, ty, &expected, new);
                Some(if says_whether { hit } else { old })
            }
            Action::Compare { through } => {
                let place = arg(1)?;
                let expected = self.load_at(&place, ty);
                let expected = self.keep(work, expected);
                let new = self.atomic_value(arg(2)?, through, ty, span);
                let (old, hit) = self.compare_and_set(work, target, ty, &expected, new);
                self.store_at(work, &place, ty, old);
                Some(hit)
            }
            Action::TestAndSet => {
                let old = self.load_at(target, ty);
                let bool = self.unit.types.int(IntKind::Bool);
                let old = self.cast(old, bool, span);
                let old = self.keep(work, old);
                let one = self.int_expr(1, IntKind::Int, span);
                let one = self.cast(one, ty, span);
                self.store_at(work, target, ty, one);
                Some(old)
            }
            Action::Clear => {
                let zero = self.int_expr(0, IntKind::Int, span);
                let zero = self.cast(zero, ty, span);
                self.store_at(work, target, ty, zero);
                None
            }
            Action::Fence | Action::LockFree => None,
        })
    }

    fn store_at(&mut self, work: &mut Work, pointer: &Expr, ty: TypeId, value: Expr) {
        let place = self.pointed(pointer, ty);
        self.store(work, place, value);
    }

    fn load_at(&mut self, pointer: &Expr, ty: TypeId) -> Expr {
        let place = self.pointed(pointer, ty);
        self.load(place)
    }

    /// The value itself, or what a pointer to it points to.
    fn atomic_value(&mut self, arg: Expr, through: bool, ty: TypeId, span: Span) -> Expr {
        if through {
            self.load_at(&arg, ty)
        } else {
            self.cast(arg, ty, span)
        }
    }

    /// The value before, and whether it was the expected one and the new one is stored.
    fn compare_and_set(
        &mut self,
        work: &mut Work,
        target: &Expr,
        ty: TypeId,
        expected: &Expr,
        new: Expr,
    ) -> (Expr, Expr) {
        let span = work.span;
        let old = self.load_at(target, ty);
        let old = self.keep(work, old);
        let int = self.int_type();
        let same = ExprKind::Binary(
            BinaryOp::Eq,
            Box::new(old.clone()),
            Box::new(expected.clone()),
        );
        let same = Expr::new(same, int, span);
        let bool = self.unit.types.int(IntKind::Bool);
        let hit = self.cast(same, bool, span);
        let hit = self.keep(work, hit);
        let value = ExprKind::Conditional {
            cond: Box::new(hit.clone()),
            then: Box::new(new),
            els: Box::new(old.clone()),
        };
        let value = Expr::new(value, ty, span);
        self.store_at(work, target, ty, value);
        (old, hit)
    }

    /// `old op value` without overflow.
    fn wrapping(
        &mut self,
        op: BinaryOp,
        inverted: bool,
        old: &Expr,
        value: Expr,
        ty: TypeId,
        span: Span,
    ) -> Expr {
        let kind = self.types().int_kind(ty);
        let size = self.types().size_t_kind();
        let kind = match kind.map_or(size, IntKind::to_unsigned) {
            IntKind::Bool | IntKind::Char | IntKind::UChar | IntKind::UShort => IntKind::UInt,
            other => other,
        };
        let compute = self.unit.types.int(kind);
        let left = self.cast(old.clone(), compute, span);
        let right = self.cast(value, compute, span);
        let kind = ExprKind::Binary(op, Box::new(left), Box::new(right));
        let mut result = Expr::new(kind, compute, span);
        if inverted {
            let kind = ExprKind::Unary(UnaryOp::BitNot, Box::new(result));
            result = Expr::new(kind, compute, span);
        }
        self.cast(result, ty, span)
    }
}
