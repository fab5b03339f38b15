//! Forms that glibc's headers give to calls: macros of ctype.h that look into a table, `puts` by name.

use super::super::hir::{self, Callee, Expr, ExprKind, FuncId};
use super::Sema;

impl Sema<'_, '_> {
    /// `puts` stays as it is; its text must be one.
    pub(super) fn link_puts(&mut self, caller: FuncId, e: &mut Expr) {
        let span = e.span;
        let ExprKind::Call {
            callee: Callee::Direct(f),
            args,
        } = &mut e.kind
        else {
            return;
        };
        let function = &self.unit.functions[*f];
        if function.source_name != "puts" || function.body.is_some() || args.len() != 1 {
            return;
        }
        let Some(copy) = self
            .names
            .get("craig_text")
            .and_then(|name| self.copy_for(caller, name, span))
        else {
            return;
        };
        if let Some(text) = args.pop() {
            let ty = text.ty;
            let callee = Callee::Direct(copy);
            let kind = ExprKind::Call {
                callee,
                args: vec![text],
            };
            args.push(Expr::new(kind, ty, span));
        }
    }

    /// glibc's macros of ctype.h: `(*__ctype_b_loc())[c] & mask` is a call of the model's.
    pub(super) fn link_class(&mut self, caller: FuncId, e: &mut Expr) -> bool {
        let ExprKind::Binary(hir::BinaryOp::BitAnd, left, right) = &mut e.kind else {
            return false;
        };
        let (Some(mask), Some(index)) = (right.as_int(), self.class_index(left)) else {
            return false;
        };
        let Some(name) = self.names.get("craig_ctype") else {
            return false;
        };
        let Some(copy) = self.copy_for(caller, name, e.span) else {
            return false;
        };
        let int = self.int_type();
        let index = self.cast(index, int, e.span);
        let mask = Expr::new(ExprKind::Int(mask), int, e.span);
        let callee = Callee::Direct(copy);
        let args = vec![index, mask];
        let call = Expr::new(ExprKind::Call { callee, args }, int, e.span);
        *e = self.cast(call, e.ty, e.span);
        true
    }

    fn class_index(&self, e: &Expr) -> Option<Expr> {
        let mut e = e;
        while let ExprKind::Cast(_, inner) = &e.kind {
            e = inner;
        }
        let ExprKind::Load(p) = &e.kind else {
            return None;
        };
        let hir::PlaceKind::Deref(pointer) = &p.kind else {
            return None;
        };
        let ExprKind::PointerOffset {
            pointer,
            index,
            subtract: false,
            ..
        } = &pointer.kind
        else {
            return None;
        };
        let ExprKind::Load(table) = &pointer.kind else {
            return None;
        };
        let hir::PlaceKind::Deref(call) = &table.kind else {
            return None;
        };
        let mut call = &**call;
        while let ExprKind::Cast(_, inner) = &call.kind {
            call = inner;
        }
        let ExprKind::Call {
            callee: Callee::Direct(f),
            ..
        } = &call.kind
        else {
            return None;
        };
        // Children come first: the call went to its model already.
        let known = self.unit.functions[*f].source_name == "__ctype_b_loc";
        known.then(|| (**index).clone())
    }
}
