//! Values on their way to their use: an expression waits for its one use in the same block, is computed before
//! a write that it could see, or goes into a local; merged values are assigned on the edges between blocks.

use super::super::module::{BlockId, Op, Ty, Typed, Value, ValueId};
use super::Translator;
use super::function::{operands, operands_of};
use crate::c::hir::{Expr, LocalId, LocalKind, StmtKind};

/// What an expression that waits for its use depends on.
#[derive(Clone, Debug, Default)]
pub(super) struct Reads {
    /// Memory that a call or a store through a pointer may change.
    pub memory: bool,
    /// Locals that only stores to them change.
    pub objects: Vec<LocalId>,
    /// It may be undefined, so it must not pass the end of the program.
    pub traps: bool,
}

impl Reads {
    pub(super) fn add(&mut self, other: &Reads) {
        self.memory |= other.memory;
        self.traps |= other.traps;
        for o in &other.objects {
            if !self.objects.contains(o) {
                self.objects.push(*o);
            }
        }
    }
}

/// An expression that waits for its one use.
pub(super) struct Waiting {
    pub expr: Expr,
    pub reads: Reads,
}

impl<'t> Translator<'_, 't> {
    /// The value of an earlier instruction.
    pub(super) fn operand(&mut self, v: ValueId) -> Expr {
        if let Some(waiting) = self.f.waiting.remove(&v) {
            self.f.queue.retain(|q| *q != v);
            self.f.reads.add(&waiting.reads);
            self.f.spent.insert(v);
            return waiting.expr;
        }
        match self.f.locals[v.0 as usize] {
            Some(local) => {
                let place = self.local_place(local);
                self.load(place)
            }
            // Sound because a value that was moved to its one use is not known at another.
            None if self.f.spent.contains(&v) => {
                let local = self.local_of(v);
                let ty = self.unit.locals[local].ty;
                self.f.locals[v.0 as usize] = None;
                self.approximation(ty, "value used twice")
            }
            None => {
                let local = self.local_of(v);
                let place = self.local_place(local);
                self.load(place)
            }
        }
    }

    /// The local that holds a value.
    pub(super) fn local_of(&mut self, v: ValueId) -> LocalId {
        if let Some(local) = self.f.locals[v.0 as usize] {
            return local;
        }
        let ty = self.module.functions[self.f.index].values[v.0 as usize].ty;
        let signed = self.signs.value(self.f.index, v);
        let ty = match ty {
            Some(ty) => self.ty(ty, signed),
            None => self.void_pointer(),
        };
        let name = self.value_name(v);
        let local = self.new_local(&name, ty, LocalKind::Auto);
        self.f.locals[v.0 as usize] = Some(local);
        local
    }

    /// A value was computed: it waits for its one use, or goes into its local.
    pub(super) fn define(&mut self, v: ValueId, expr: Expr) {
        let reads = std::mem::take(&mut self.f.reads);
        let i = v.0 as usize;
        self.f.spent.remove(&v);
        if self.f.uses[i] == 1 && self.f.only_here[i] {
            self.f.waiting.insert(v, Waiting { expr, reads });
            self.f.queue.push(v);
            return;
        }
        if self.f.uses[i] == 0 {
            if reads.traps {
                self.emit_expr(expr);
            }
            return;
        }
        self.settle(v, expr);
    }

    fn settle(&mut self, v: ValueId, expr: Expr) {
        let local = self.local_of(v);
        let place = self.local_place(local);
        let expr = self.cast(expr, place.ty);
        let span = expr.span;
        let here = std::mem::replace(&mut self.f.span, span);
        self.emit_assign(place, expr);
        self.f.span = here;
    }

    /// Computes now what waits and fulfils the condition.
    pub(super) fn flush(&mut self, which: &dyn Fn(&Reads) -> bool) {
        let queue = std::mem::take(&mut self.f.queue);
        let mut rest = Vec::new();
        for v in queue {
            let hit = self.f.waiting.get(&v).is_some_and(|w| which(&w.reads));
            if !hit {
                rest.push(v);
                continue;
            }
            if let Some(w) = self.f.waiting.remove(&v) {
                self.settle(v, w.expr);
            }
        }
        self.f.queue = rest;
    }

    pub(super) fn flush_all(&mut self) {
        self.flush(&|_| true);
    }

    /// Puts the operands of an address into locals: it will be computed more than once.
    pub(super) fn fix_operands(&mut self, v: ValueId) {
        if let Some(w) = self.f.waiting.remove(&v) {
            self.f.queue.retain(|q| *q != v);
            self.settle(v, w.expr);
            return;
        }
        if !self.is_symbolic(v) {
            return;
        }
        let mut inner = Vec::new();
        if let Some(op) = self.f.defs[v.0 as usize] {
            operands(op, &mut |o| inner.push(o));
        }
        for o in inner {
            self.fix_operands(o);
        }
    }

    // ---- merges

    /// Assigns the merged values of a block on the edge from another.
    pub(super) fn edge(&mut self, from: BlockId, to: BlockId) {
        let module = self.module;
        let block = &module.functions[self.f.index].blocks[to.0 as usize];
        let mut moves: Vec<(ValueId, Ty, &Value<'t>)> = Vec::new();
        for inst in &block.instructions {
            let (Op::Phi(ty, list), Some(r)) = (&inst.op, inst.result) else {
                break;
            };
            if self.f.uses[r.0 as usize] == 0 {
                continue;
            }
            if let Some((v, _)) = list.iter().find(|(_, b)| *b == from) {
                moves.push((r, *ty, v));
            }
        }
        let merged: Vec<ValueId> = moves.iter().map(|m| m.0).collect();
        let mut late = Vec::new();
        for (k, (r, ty, v)) in moves.iter().enumerate() {
            let local = self.local_of(*r);
            let place = self.local_place(local);
            if self.is_aggregate(*ty) {
                let typed = Typed {
                    ty: *ty,
                    value: (*v).clone(),
                };
                // A later move may read what this one overwrites.
                let again = moves[k + 1..].iter().any(|m| self.mentions(m.2, *r));
                if again {
                    let temp = self.new_local("", place.ty, LocalKind::Auto);
                    let temp = self.local_place(temp);
                    self.fill_from(&temp, &typed);
                    late.push((place, temp));
                } else {
                    self.fill_from(&place, &typed);
                }
                continue;
            }
            if matches!(v, Value::Undef | Value::Poison) {
                self.emit(StmtKind::Decl { local, init: None });
                continue;
            }
            let signed = self.sign_in(place.ty);
            let e = self.scalar(v, *ty, signed);
            let e = self.cast(e, place.ty);
            // A later move may read what this one overwrites.
            let again = moves[k + 1..].iter().any(|m| self.mentions(m.2, *r));
            if again && merged.len() > 1 {
                let temp = self.new_local("", place.ty, LocalKind::Auto);
                let temp = self.local_place(temp);
                self.emit_assign(temp.clone(), e);
                late.push((place, temp));
            } else {
                self.emit_assign(place, e);
            }
        }
        for (place, temp) in late {
            self.copy(&place, &temp);
        }
    }

    /// Does computing the value read the merged one?
    fn mentions(&self, v: &Value<'t>, merged: ValueId) -> bool {
        let mut work = Vec::new();
        operands_of(v, &mut |o| work.push(o));
        let mut seen = Vec::new();
        while let Some(o) = work.pop() {
            if o == merged {
                return true;
            }
            if seen.contains(&o) {
                continue;
            }
            seen.push(o);
            let deeper = self.is_symbolic(o) || self.f.waiting.contains_key(&o);
            if let Some(op) = self.f.defs[o.0 as usize].filter(|_| deeper) {
                operands(op, &mut |x| work.push(x));
            }
        }
        false
    }

    pub(super) fn fill_from(&mut self, place: &crate::c::hir::Place, v: &Typed<'t>) {
        match &v.value {
            Value::Local(_) => {
                let from = self.aggregate(v);
                self.copy(place, &from);
            }
            value => self.fill(place, value, v.ty),
        }
    }
}
