//! Ends of blocks: jumps with the assignments of phis, branches, switches, returns.

use super::super::module::{BlockId, Op, Typed, Value};
use super::Translator;
use super::function::operands;
use crate::c::hir::{Case, Expr, Stmt, StmtKind};
use crate::c::types::IntKind;

impl<'t> Translator<'_, 't> {
    fn goto(&mut self, from: BlockId, to: BlockId) -> Vec<Stmt> {
        let before = std::mem::take(&mut self.f.stmts);
        self.edge(from, to);
        let label = self.f.labels[to.0 as usize];
        self.emit(StmtKind::Goto(label));
        std::mem::replace(&mut self.f.stmts, before)
    }

    fn goto_stmt(&mut self, from: BlockId, to: BlockId) -> Box<Stmt> {
        let mut stmts = self.goto(from, to);
        let span = self.f.span;
        if stmts.len() == 1 {
            return Box::new(stmts.remove(0));
        }
        Box::new(self.stmt(StmtKind::Block(crate::c::hir::Block { stmts, span })))
    }

    pub(super) fn jump(&mut self, from: BlockId, to: BlockId) {
        let stmts = self.goto(from, to);
        self.f.stmts.extend(stmts);
    }

    pub(super) fn branch(&mut self, cond: Expr, from: BlockId, yes: BlockId, no: BlockId) {
        // Values that both ways or later blocks use are computed once, before.
        self.flush(&|r| r.traps);
        let then = self.goto_stmt(from, yes);
        let els = self.goto_stmt(from, no);
        self.emit(StmtKind::If {
            cond,
            then,
            els: Some(els),
        });
    }

    pub(super) fn terminator(&mut self, op: &Op<'t>, block: BlockId) {
        match op {
            Op::Branch(to) => {
                self.jump(block, *to);
            }
            Op::CondBranch(cond, yes, no) => {
                let cond = self.truth(cond);
                if yes == no {
                    self.jump(block, *yes);
                } else {
                    self.branch(cond, block, *yes, *no);
                }
            }
            Op::Switch(v, default, cases) => self.switch(v, *default, cases, block),
            Op::Return(None) => {
                self.flush(&|r| r.traps);
                self.emit(StmtKind::Return(None));
            }
            Op::Return(Some(v)) => self.return_value(v),
            Op::Unreachable => {
                self.flush(&|r| r.traps);
                let void = self.unit.types.void();
                let e = self.intrinsic("__builtin_unreachable", Vec::new(), void);
                self.emit_expr(e);
            }
            Op::Resume(_) => self.resume(),
            Op::IndirectBranch(address, list) => {
                let to = self.f.pointer_ty;
                let e = self.scalar(address, to, false);
                for b in list {
                    self.edge(block, *b);
                    let label = self.f.labels[b.0 as usize];
                    if !self.f.address_labels.contains(&label) {
                        self.f.address_labels.push(label);
                    }
                }
                self.emit(StmtKind::ComputedGoto(e));
            }
            Op::Unsupported(word, targets) => {
                let span = self.f.span;
                self.note(span, format!("`{word}` goes to any of its targets"));
                let bool = self.unit.types.int(IntKind::Bool);
                for (k, to) in targets.iter().enumerate() {
                    if k + 1 == targets.len() {
                        self.jump(block, *to);
                    } else {
                        let cond = self.approximation(bool, word);
                        let then = self.goto_stmt(block, *to);
                        self.emit(StmtKind::If {
                            cond,
                            then,
                            els: None,
                        });
                    }
                }
            }
            _ => {
                let mut left = Vec::new();
                operands(op, &mut |v| left.push(v));
                left.into_iter().for_each(|v| self.fix_operands(v));
            }
        }
    }

    fn return_value(&mut self, v: &Typed<'t>) {
        let ret = self
            .unit
            .types
            .function(self.unit.functions[self.f.id].ty)
            .map(|t| t.ret);
        let Some(ret) = ret else { return };
        if self.is_aggregate(v.ty) {
            let mut place = self.aggregate(v);
            if place.ty != ret {
                let local = self.new_local("", ret, crate::c::hir::LocalKind::Auto);
                let to = self.local_place(local);
                self.copy(&to, &place);
                place = to;
            }
            let e = self.load(place);
            self.emit(StmtKind::Return(Some(e)));
            return;
        }
        let signed = self.sign_in(ret);
        let e = self.scalar(&v.value, v.ty, signed);
        let e = self.cast(e, ret);
        self.flush(&|r| r.traps);
        self.emit(StmtKind::Return(Some(e)));
    }

    fn switch(
        &mut self,
        v: &Typed<'t>,
        default: BlockId,
        cases: &[(i128, BlockId)],
        block: BlockId,
    ) {
        let bits = self.module.int_bits(v.ty).unwrap_or(32);
        let signed = self.sign_of(&v.value).unwrap_or(true);
        let mut e = self.scalar(&v.value, v.ty, signed);
        if bits < 32 {
            let int = self.unit.types.int(IntKind::Int);
            e = self.cast(e, int);
        }
        self.flush(&|r| r.traps);
        let span = self.f.span;
        let mut list = Vec::new();
        let mut body = Vec::new();
        let mut known: Vec<(BlockId, crate::c::hir::LabelId)> = Vec::new();
        let waiting = self.fixed_for_edges(block, cases.iter().map(|c| c.1).chain([default]));
        let _ = waiting;
        let mut arm = |t: &mut Self, to: BlockId| {
            if let Some((_, label)) = known.iter().find(|(b, _)| *b == to) {
                return *label;
            }
            let label = t.unit.labels.push(crate::c::hir::Label {
                name: None,
                span,
                landing: false,
            });
            body.push(t.stmt(StmtKind::Label(label)));
            body.extend(t.goto(block, to));
            known.push((to, label));
            label
        };
        for (n, to) in cases {
            let label = arm(self, *to);
            let n = super::value::truncate(*n, bits, signed && bits > 1);
            list.push(Case {
                low: n,
                high: n,
                label,
                span,
            });
        }
        let default = Some(arm(self, default));
        let block = crate::c::hir::Block { stmts: body, span };
        let body = Box::new(self.stmt(StmtKind::Block(block)));
        self.emit(StmtKind::Switch {
            value: e,
            cases: list,
            default,
            body,
        });
    }

    /// Values that edges use are put into locals before a jump with many targets.
    fn fixed_for_edges(&mut self, from: BlockId, targets: impl Iterator<Item = BlockId>) -> usize {
        let module = self.module;
        let mut values = Vec::new();
        for to in targets {
            let block = &module.functions[self.f.index].blocks[to.0 as usize];
            for inst in &block.instructions {
                let Op::Phi(_, list) = &inst.op else { break };
                for (v, b) in list {
                    if let (Value::Local(v), true) = (v, *b == from) {
                        values.push(*v);
                    }
                }
            }
        }
        let count = values.len();
        values.into_iter().for_each(|v| self.fix_operands(v));
        count
    }
}
