//! Lifetimes of block-scope objects, for the memory properties: an object ends when control leaves the
//! block that it was declared in, by whatever way: the end of the block, `break`, `continue`, `goto`.
//! (`return` ends all objects of the function, see `safety::locals_end`.)
//!
//! ```text
//!   int *p; { int x; p = &x; }  *p        size[x] := 0 at the brace: the dereference is invalid
//! ```
//! A `goto` is lowered when all labels of the function have been met: only then is it known which blocks
//! it leaves, and which ones it enters: objects of these that were declared before the label begin with the jump
//! (`switch (n) { int x; case 0: x = 1; … }`). An object that has not begun has no size or, if it moves, the base
//! address 0; ending it changes nothing. A `longjmp` lands behind the body with all objects alive and goes on from there
//! to its `setjmp`: then those of all blocks but the ones around it end, and none begins.

use super::super::hir::visit::{self, Visitor};
use super::super::hir::{self, Block, Callee, ExprKind, LabelId, LocalId, Unit};
use super::super::library::table::{self, Meaning};
use super::super::memory::constraints::ObjectKind;
use super::super::memory::regions::Address;
use super::Lower;
use super::reach::ObjectKey;
use super::safety::Safety;
use logic::TermId;
use program::{LocId, Property, Span, VarId};

/// A block that control is in: which one, and the objects that began in it.
#[derive(Clone, Debug)]
pub(in crate::c) struct OpenBlock {
    serial: usize,
    locals: Vec<LocalId>,
}

/// The open blocks of the function at hand.
#[derive(Clone, Debug, Default)]
pub(in crate::c) struct Lifetimes {
    open: Vec<OpenBlock>,
    serials: usize,
    /// Blocks that have ended.
    closed: Vec<OpenBlock>,
    /// Blocks around each label, with what was declared before it.
    labels: Vec<(LabelId, Vec<OpenBlock>)>,
    gotos: Vec<Goto>,
    /// Control is where jumps out of other functions land.
    landing: bool,
}

#[derive(Clone, Debug)]
struct Goto {
    from: LocId,
    to: LabelId,
    /// What is open where it stands.
    open: Vec<OpenBlock>,
    /// It goes on with a jump out of another function.
    landing: bool,
    span: Span,
}

impl Lifetimes {
    pub(in crate::c) fn depth(&self) -> usize {
        self.open.len()
    }
}

impl Lower<'_> {
    /// Lowers what is in a block; its objects end with [`Lower::close_block`].
    pub(in crate::c) fn open_block(&mut self, b: &Block) {
        self.open_scope();
        b.stmts.iter().for_each(|s| self.stmt(s));
    }

    /// A block begins; its objects end with [`Lower::close_block`].
    pub(in crate::c) fn open_scope(&mut self) {
        let serial = self.frame.lifetimes.serials;
        self.frame.lifetimes.serials += 1;
        self.frame.lifetimes.open.push(OpenBlock {
            serial,
            locals: Vec::new(),
        });
    }

    pub(in crate::c) fn close_block(&mut self, span: Span) {
        if let Some(block) = self.frame.lifetimes.open.pop() {
            self.end_locals(&block.locals, span);
            self.frame.lifetimes.closed.push(block);
        }
    }

    /// An object in memory begins.
    pub(in crate::c) fn in_open_block(&mut self, local: LocalId) {
        if self.safety.is_some()
            && let Some(block) = self.frame.lifetimes.open.last_mut()
            && !block.locals.contains(&local)
        {
            block.locals.push(local);
        }
    }

    /// Ends the objects of all blocks but the outermost `depth` ones, which stay open.
    pub(in crate::c) fn leave_blocks(&mut self, depth: usize, span: Span) {
        let left = self.frame.lifetimes.open.iter().skip(depth);
        let locals: Vec<LocalId> = left.flat_map(|b| b.locals.iter().copied()).collect();
        self.end_locals(&locals, span);
    }

    pub(in crate::c) fn label_met(&mut self, label: LabelId) {
        let lifetimes = &mut self.frame.lifetimes;
        lifetimes.labels.push((label, lifetimes.open.clone()));
        lifetimes.landing = self.unit.labels[label].landing;
    }

    pub(in crate::c) fn goto(&mut self, label: LabelId, span: Span) {
        let to = self.goto_target(label, span);
        self.b.jump(to, span);
    }

    /// A jump that is taken under a condition; the cursor stays.
    pub(in crate::c) fn goto_if(&mut self, cond: TermId, label: LabelId, span: Span) {
        let to = self.goto_target(label, span);
        let taken = program::Stmt::Assume(cond);
        self.b.edge(self.b.at, to, taken, span);
    }

    /// Where a jump from here goes: the label, or a place on the way to it where objects end.
    fn goto_target(&mut self, label: LabelId, span: Span) -> LocId {
        if self.safety.is_none() || self.unit.labels[label].landing {
            return self.label(label);
        }
        let from = self.b.new_loc(span);
        let lifetimes = &mut self.frame.lifetimes;
        lifetimes.gotos.push(Goto {
            from,
            to: label,
            open: lifetimes.open.clone(),
            landing: lifetimes.landing,
            span,
        });
        from
    }

    /// Lowers the jumps of the function: all labels are known.
    pub(in crate::c) fn settle_gotos(&mut self) {
        for goto in std::mem::take(&mut self.frame.lifetimes.gotos) {
            let lifetimes = &self.frame.lifetimes;
            let mut labels = lifetimes.labels.iter();
            let around = labels.find(|(l, _)| *l == goto.to);
            let around = around.map(|(_, blocks)| blocks.clone()).unwrap_or_default();
            let has = |all: &[OpenBlock], b: &OpenBlock| all.iter().any(|o| o.serial == b.serial);
            let left = match goto.landing {
                true => lifetimes.closed.iter(),
                false => goto.open.iter(),
            };
            let left: Vec<LocalId> = locals_of(left.filter(|b| !has(&around, b)));
            self.b.at = goto.from;
            self.end_locals(&left, goto.span);
            if !goto.landing {
                for l in locals_of(around.iter().filter(|b| !has(&goto.open, b))) {
                    self.begin_skipped(l, goto.span);
                }
            }
            let to = self.label(goto.to);
            self.b.jump(to, goto.span);
        }
    }

    /// An object whose declaration is jumped over: it lives, with any value. (No jump leads into the scope of
    /// an array of variable length.)
    fn begin_skipped(&mut self, l: LocalId, span: Span) {
        let ty = self.unit.locals[l].ty;
        if self.unit.types.size_of(ty).is_some() {
            self.begin_local(l, None, span);
        }
    }

    pub(in crate::c) fn end_locals(&mut self, locals: &[LocalId], span: Span) {
        let Some(s) = self.safety else { return };
        let mut sizes = self.var_term(s.size());
        let before = sizes;
        for &l in locals {
            sizes = self.without_object(s, sizes, l);
        }
        if sizes != before {
            self.b.assign(vec![(s.size(), sizes)], span);
        }
    }

    /// Objects of the function that move have the base address 0 until they begin.
    pub(in crate::c) fn no_bases_yet(&mut self, f: hir::FuncId, span: Span) {
        if self.safety.is_none() {
            return;
        }
        let zero = self.pool.int(0);
        let mut pairs = Vec::new();
        for i in 0..self.memory.points.objects.len() {
            let ObjectKind::Declared(key @ ObjectKey::Local(l)) =
                self.memory.points.objects[i].kind
            else {
                continue;
            };
            let moves = self.memory.addresses.get(&key) == Some(&Address::Dynamic);
            if moves && self.unit.locals[l].function == f && self.is_in_memory(key) {
                pairs.push((self.base_var(l), zero));
            }
        }
        if !pairs.is_empty() {
            self.b.assign(pairs, span);
        }
    }
}

fn locals_of<'b>(blocks: impl Iterator<Item = &'b OpenBlock>) -> Vec<LocalId> {
    blocks.flat_map(|b| b.locals.iter().copied()).collect()
}

/// The calls of `alloca` in a function.
#[derive(Default)]
struct StackCalls(Vec<hir::ExprId>);

impl<'h> Visitor<'h> for (&Unit, &mut StackCalls) {
    fn expr(&mut self, e: &'h hir::Expr) {
        let name = match &e.kind {
            ExprKind::Intrinsic { name, .. } => name,
            ExprKind::Call {
                callee: Callee::Direct(f),
                ..
            } => &self.0.functions[*f].source_name,
            _ => return,
        };
        if matches!(
            table::meaning(name),
            Some(Meaning::Allocate { stack: true, .. })
        ) {
            self.1.0.push(e.id);
        }
    }
}

impl Lower<'_> {
    /// Memory of the stack ends with the function that asked for it (models of the library hand it on).
    pub(in crate::c) fn nothing_stacked_yet(&mut self, body: &Block, span: Span) {
        if self.safety.is_none() || self.frame.library || !self.checks(Property::ValidDeref) {
            return;
        }
        let mut calls = StackCalls::default();
        visit::shared::block(&mut (self.unit, &mut calls), body);
        let (zero, pointer) = (self.pool.int(0), self.pointer_scalar());
        let mut pairs = Vec::new();
        for call in calls.0 {
            let v = self.temp(pointer, span);
            self.frame.stacked.insert(call, v);
            pairs.push((v, zero));
        }
        if !pairs.is_empty() {
            self.b.assign(pairs, span);
        }
    }

    /// New memory of the stack. One call that is made several times keeps its earlier memory until the function
    /// ends; which that was is not known any more then.
    pub(in crate::c) fn stacked(&mut self, call: hir::ExprId, memory: VarId, span: Span) {
        let Some(&last) = self.frame.stacked.get(&call) else {
            return;
        };
        let (zero, address) = (self.pool.int(0), self.var_term(last));
        let first = self.pool.eq(address, zero);
        let message =
            "memory of `alloca` from an earlier call may be used after its function returned";
        self.perhaps(first, Property::ValidDeref, message, span);
        let new = self.var_term(memory);
        self.b.assign(vec![(last, new)], span);
    }

    /// The sizes without the memory that calls of `alloca` gave.
    pub(in crate::c) fn without_stacked(&mut self, s: Safety, mut sizes: TermId) -> TermId {
        let mut all: Vec<VarId> = self.frame.stacked.values().copied().collect();
        all.sort_unstable();
        let zero = self.pool.int(0);
        for v in all {
            let address = self.var_term(v);
            let (number, _) = self.block_of(s, address);
            sizes = self.pool.store(sizes, number, zero);
        }
        sizes
    }
}
