//! Statements and function bodies: control flow to locations and edges.

use super::super::hir::{
    self, Asm, Block, Body, Case, Expr, ExprKind, Init, LabelId, LocalId, Stmt, StmtKind,
};
use super::super::memory::regions::Address;
use super::super::types::{DataModel, TypeId};
use super::call::Want;
use super::reach::ObjectKey;
use super::scalar::Scalar;
use super::{Callable, Frame, Lower, RegionVars, Shape};
use base::Id;
use logic::TermId;
use program::{InputKind, LocId, Span, VarId};

impl Lower<'_> {
    /// Lowers the body of a function; `start`: execution begins here, so initialise globals first.
    pub(in crate::c) fn function(
        &mut self,
        f: hir::FuncId,
        body: &Body,
        callable: &Callable,
        start: bool,
    ) {
        let first = self.b.edges.len();
        self.b.enter(callable.id);
        self.frame = Frame {
            name: self.unit.functions[f].name.clone(),
            library: self.unit.functions[f].library,
            ret: Some(callable.ret.clone()),
            returns: self.b.functions[callable.id].returns.clone(),
            ..Frame::default()
        };
        if start {
            self.global_initialisers();
        }
        self.no_bases_yet(f, body.block.span);
        if !start {
            self.nothing_stacked_yet(&body.block, body.block.span);
        }
        let mut incoming = self.b.functions[callable.id].params.clone().into_iter();
        for (&p, shape) in body.params.iter().zip(&callable.params) {
            let count = match shape {
                Shape::Scalar(_) => 1,
                Shape::Leaves(all) => all.len(),
                _ => 0,
            };
            let vars: Vec<VarId> = incoming.by_ref().take(count).collect();
            self.receive(p, shape, &vars);
            if let (true, "main", Shape::Scalar(s), [v]) = (
                start && p == body.params[0],
                self.unit.functions[f].source_name.as_str(),
                shape,
                vars.as_slice(),
            ) && s.signed
            {
                // The number of arguments.
                let (zero, argc) = (self.pool.int(0), self.var_term(*v));
                let fine = self.pool.le(zero, argc);
                self.b.assume(self.pool, fine, body.block.span);
            }
        }
        let exit = self.b.functions[callable.id].exit;
        let last = match self.safety {
            Some(_) => self.b.new_loc(body.end),
            None => exit,
        };
        self.frame.last = Some(last);
        self.frame.missing = self.missing(f);
        self.open_block(&body.block);
        if self.unit.functions[f].source_name == "main" {
            // Reaching the end of main returns 0.
            if let (Shape::Scalar(_), [r]) = (&callable.ret, self.frame.returns.as_slice()) {
                let (r, zero) = (*r, self.pool.int(0));
                self.b.assign(vec![(r, zero)], body.end);
            }
        }
        self.note_missing_return(true, body.end);
        self.b.jump(last, body.end);
        self.settle_gotos();
        self.note_writes(first);
        if self.safety.is_some() {
            self.b.at = last;
            self.locals_end(f, start, body.end);
            self.b.jump(exit, body.end);
            self.endless_leaks(first);
        }
    }

    /// Copies what was passed into the parameter's object.
    fn receive(&mut self, p: LocalId, shape: &Shape, vars: &[VarId]) {
        let key = ObjectKey::Local(p);
        let span = self.unit.locals[p].span;
        if !self.is_in_memory(key) && matches!(shape, Shape::Scalar(_)) {
            return;
        }
        self.begin_local(p, None, span);
        let at = self.object_at(key, span);
        let mut batch = super::access::Batch::default();
        match shape {
            Shape::Scalar(s) => {
                let t = self.var_term(vars[0]);
                let part = at.part(0, *s);
                self.write_in(&mut batch, &part, t);
            }
            Shape::Leaves(all) => {
                for (leaf, &v) in all.iter().zip(vars) {
                    let t = self.var_term(v);
                    let part = at.part(leaf.bit, leaf.scalar);
                    self.write_in(&mut batch, &part, t);
                }
            }
            Shape::Opaque => {
                self.b
                    .note(span, "large record passed by value: any content");
                self.havoc_aggregate(&at, span);
            }
            Shape::Nothing => {}
        }
        self.commit(batch, span);
    }

    pub(in crate::c) fn block(&mut self, b: &Block) {
        self.open_block(b);
        self.close_block(b.span);
    }

    pub(in crate::c) fn label(&mut self, l: LabelId) -> LocId {
        if let Some(&at) = self.frame.labels.get(&l) {
            return at;
        }
        let at = self.b.new_loc(self.unit.labels[l].span);
        self.frame.labels.insert(l, at);
        at
    }

    pub(in crate::c) fn stmt(&mut self, s: &Stmt) {
        let span = s.span;
        match &s.kind {
            StmtKind::Empty => {}
            StmtKind::Expr(e) => self.discard(e),
            StmtKind::Decl { local, init } => self.begin_local(*local, init.as_ref(), span),
            StmtKind::Block(b) => self.block(b),
            StmtKind::If { cond, then, els } => {
                let (yes, no) = (self.b.new_loc(then.span), self.b.new_loc(span));
                self.branch_on(cond, yes, no, cond.span);
                self.b.at = yes;
                self.stmt(then);
                if let Some(els) = els {
                    let end = self.b.new_loc(span);
                    self.b.jump(end, span);
                    self.b.at = no;
                    self.stmt(els);
                    self.b.jump(end, span);
                    self.b.at = end;
                } else {
                    self.b.jump(no, span);
                    self.b.at = no;
                }
            }
            StmtKind::While { cond, body } => self.while_loop(Some(cond), None, body, span),
            StmtKind::For {
                init,
                cond,
                step,
                body,
            } => {
                // What is declared in the head ends with the loop.
                self.open_scope();
                init.iter().for_each(|s| self.stmt(s));
                self.while_loop(cond.as_ref(), step.as_ref(), body, span);
                self.close_block(span);
            }
            StmtKind::DoWhile { body, cond } => self.do_while(body, cond, span),
            StmtKind::Switch {
                value,
                cases,
                default,
                body,
            } => self.switch(value, cases, *default, body, span),
            StmtKind::Label(l) => {
                let at = self.label(*l);
                self.label_met(*l);
                self.b.jump(at, span);
                self.b.at = at;
            }
            StmtKind::Goto(l) => self.goto(*l, span),
            StmtKind::ComputedGoto(e) => self.computed_goto(e, span),
            StmtKind::Return(e) => self.return_stmt(e.as_ref(), span),
            StmtKind::Break => {
                if let Some(&(at, depth)) = self.frame.breaks.last() {
                    self.leave_blocks(depth, span);
                    self.b.jump(at, span);
                }
            }
            StmtKind::Continue => {
                if let Some(&(at, depth)) = self.frame.continues.last() {
                    self.leave_blocks(depth, span);
                    self.b.jump(at, span);
                }
            }
            StmtKind::Asm(a) => self.asm(a, span),
        }
    }

    fn while_loop(&mut self, cond: Option<&Expr>, step: Option<&Expr>, body: &Stmt, span: Span) {
        let head = self.b.new_loc(span);
        self.b.locations[head].loop_head = Some(span);
        let (inside, end) = (self.b.new_loc(body.span), self.b.new_loc(span));
        self.b.jump(head, span);
        self.b.at = head;
        match cond {
            Some(c) => self.branch_on(c, inside, end, c.span),
            None => self.b.jump(inside, span),
        }
        let next = match step {
            Some(e) => self.b.new_loc(e.span),
            None => head,
        };
        let depth = self.frame.lifetimes.depth();
        self.frame.breaks.push((end, depth));
        let depth = self.frame.lifetimes.depth();
        self.frame.continues.push((next, depth));
        self.b.at = inside;
        self.stmt(body);
        self.frame.breaks.pop();
        self.frame.continues.pop();
        self.b.jump(next, span);
        if let Some(e) = step {
            self.b.at = next;
            self.discard(e);
            self.b.jump(head, e.span);
        }
        self.b.at = end;
    }

    fn do_while(&mut self, body: &Stmt, cond: &Expr, span: Span) {
        let (head, test, end) = (
            self.b.new_loc(span),
            self.b.new_loc(cond.span),
            self.b.new_loc(span),
        );
        let once = cond.as_int() == Some(0);
        if !once {
            self.b.locations[head].loop_head = Some(span);
        }
        self.b.jump(head, span);
        let depth = self.frame.lifetimes.depth();
        self.frame.breaks.push((end, depth));
        let depth = self.frame.lifetimes.depth();
        self.frame.continues.push((test, depth));
        self.b.at = head;
        self.stmt(body);
        self.frame.breaks.pop();
        self.frame.continues.pop();
        self.b.jump(test, span);
        self.b.at = test;
        self.branch_on(cond, head, end, cond.span);
        self.b.at = end;
    }

    fn switch(
        &mut self,
        value: &Expr,
        cases: &[Case],
        default: Option<LabelId>,
        body: &Stmt,
        span: Span,
    ) {
        let v = self.term(value);
        let end = self.b.new_loc(span);
        let mut none = Vec::new();
        for c in cases {
            let (low, high) = (self.pool.int(c.low), self.pool.int(c.high));
            let hit = if c.low == c.high {
                self.pool.eq(v, low)
            } else {
                let parts = [self.pool.le(low, v), self.pool.le(v, high)];
                self.pool.and(&parts)
            };
            if hit != self.pool.ff() {
                self.goto_if(hit, c.label, c.span);
            }
            none.push(self.pool.not(hit));
        }
        let none = self.pool.and(&none);
        match default {
            _ if none == self.pool.ff() => {}
            Some(l) => self.goto_if(none, l, span),
            None => {
                let taken = program::Stmt::Assume(none);
                self.b.edge(self.b.at, end, taken, span);
            }
        }
        self.b.at = self.b.new_loc(span);
        let depth = self.frame.lifetimes.depth();
        self.frame.breaks.push((end, depth));
        self.stmt(body);
        self.frame.breaks.pop();
        self.b.jump(end, span);
        self.b.at = end;
    }

    fn computed_goto(&mut self, e: &Expr, span: Span) {
        let v = self.term(e);
        let function = self
            .unit
            .functions
            .iter()
            .find(|f| f.name == self.frame.name);
        let labels: Vec<LabelId> = function
            .and_then(|f| f.body.as_ref())
            .map(|b| b.address_labels.clone())
            .unwrap_or_default();
        for l in labels {
            let n = self.pool.int(l.index() as i64 + 1);
            let hit = self.pool.eq(v, n);
            self.goto_if(hit, l, span);
        }
        self.b.stop(span);
    }

    fn return_stmt(&mut self, e: Option<&Expr>, span: Span) {
        let exit = self
            .frame
            .last
            .unwrap_or(self.b.functions[self.b.func].exit);
        let shape = self.frame.ret.clone();
        match (e, shape) {
            (Some(e), Some(Shape::Scalar(scalar))) => {
                let v = match (&e.kind, self.frame.returns.first()) {
                    (ExprKind::Call { callee, args }, Some(&r)) => {
                        self.call(e, callee, args, Want::Into(r))
                    }
                    _ => self.expr(e),
                };
                let t = if v.pending.is_some_and(|p| p.interval() == scalar.interval()) {
                    v.term
                } else {
                    self.settle(v, span)
                };
                if let [r] = *self.frame.returns.as_slice() {
                    self.b.assign(vec![(r, t)], span);
                }
            }
            (Some(e), Some(Shape::Leaves(all))) => {
                let at = self.aggregate(e);
                let mut pairs = Vec::new();
                for (leaf, r) in all.iter().zip(self.frame.returns.clone()) {
                    let part = at.part(leaf.bit, leaf.scalar);
                    let v = self.read(&part);
                    pairs.push((r, self.settle(v, span)));
                }
                self.b.assign(pairs, span);
            }
            (Some(e), _) => self.discard(e),
            (None, _) => {}
        }
        self.note_missing_return(e.is_none(), span);
        self.b.jump(exit, span);
    }

    /// Outputs become any value, and with a clobber of memory what the inputs point to; other memory is taken as
    /// unchanged, said as an assumption.
    fn asm(&mut self, a: &Asm, span: Span) {
        for e in &a.inputs {
            self.discard(e);
        }
        if !a.outputs.is_empty() {
            self.b.note(span, "inline assembly: outputs get any value");
        }
        if a.clobbers.iter().any(|c| c == "memory") {
            let what =
                "inline assembly changes nothing but its outputs and what its inputs point to";
            self.b.assumption(span, what);
            for e in &a.inputs {
                let Some(cell) = self.memory.points.target_of(e) else {
                    continue;
                };
                self.b.note(
                    span,
                    "inline assembly: what its inputs point to gets any value",
                );
                for region in self.memory.node_regions(cell) {
                    self.havoc_region(region, span);
                }
            }
        }
        for o in &a.outputs {
            let at = self.place(&o.place);
            match at.scalar {
                Some(s) => {
                    let t = self.any(s, InputKind::Approximation, span);
                    self.write(&at, t, span);
                }
                None => self.havoc_aggregate(&at, span),
            }
        }
        for &l in &a.labels {
            let to = self.label(l);
            self.b.note(span, "inline assembly: it may jump, or not");
            let flag = self.any(Scalar::FLAG, InputKind::Approximation, span);
            let one = self.pool.int(1);
            let jumps = self.pool.eq(flag, one);
            let (yes, no) = self.b.branch(self.pool, jumps, span);
            self.b.at = yes;
            self.b.jump(to, span);
            self.b.at = no;
        }
    }

    /// The object of a declaration begins: any value, then the initialiser.
    pub(in crate::c) fn begin_local(&mut self, local: LocalId, init: Option<&Init>, span: Span) {
        let key = ObjectKey::Local(local);
        if self.is_in_memory(key) {
            self.begin_in_memory(local, init, span);
        } else {
            let split = self.split(key);
            // A whole-scalar initialiser leaves nothing arbitrary.
            let whole = init.is_some_and(|i| {
                i.zero_rest || (split.slots.len() == 1 && !split.folded && i.items.len() == 1)
            });
            if !whole {
                let vars: Vec<VarId> = split.slots.values().map(|s| s.var).collect();
                if !vars.is_empty() {
                    self.b
                        .emit(program::Stmt::Havoc(vars, InputKind::Unknown), span);
                }
                if init.is_none() {
                    self.begins_unwritten(local, span);
                }
            }
        }
        if let Some(init) = init {
            self.initialise(key, init, span);
        }
    }

    /// A length that is negative is none: no element can be used.
    fn no_negative_size(&mut self, ty: TypeId, size: TermId) -> TermId {
        if self.safety.is_none() || self.unit.types.size_of(ty).is_some() {
            return size;
        }
        let zero = self.pool.int(0);
        let half = match self.unit.types.model {
            DataModel::Lp64 => self.pool.int(1_i128 << 63),
            DataModel::Ilp32 => self.pool.int(1_i128 << 31),
        };
        let fine = self.pool.lt(size, half);
        self.pool.ite(fine, size, zero)
    }

    fn begin_in_memory(&mut self, local: LocalId, init: Option<&Init>, span: Span) {
        let key = ObjectKey::Local(local);
        let ty = self.unit.locals[local].ty;
        self.in_open_block(local);
        if let Some(&Address::Fixed(address)) = self.memory.addresses.get(&key) {
            self.local_begins(address, ty, span);
        }
        if self.memory.addresses.get(&key) == Some(&Address::Dynamic) {
            let size = self.size_term(ty);
            let size = self.no_negative_size(ty, size);
            let base = self.base_var(local);
            // Never-used addresses hold arbitrary values.
            let align = self.unit.align_of_local(local);
            self.allocate(base, size, align, false, span);
            return;
        }
        if self.once.contains(&local) || init.is_some_and(|i| i.zero_rest) {
            return;
        }
        let Some(o) = self.memory.points.object(key) else {
            return;
        };
        let cell = self.memory.points.objects[o as usize].cell;
        let bits = self.unit.types.size_of(ty).unwrap_or(0) * 8;
        let address = self.object_address(key);
        let cells = self.memory.cells_in(cell, bits, 4096).unwrap_or_default();
        for (bit, region) in cells {
            let kind = self.memory.regions[region.index()].scalar;
            let scalar = kind.unwrap_or(Scalar::BYTE);
            let offset = self.pool.int(bit / 8);
            let at = self.pool.add2(address, offset);
            match self.region_vars(region) {
                RegionVars::Cells(cells) => {
                    for &(a, v) in cells.iter() {
                        let a = self.pool.int(a);
                        if a == at {
                            self.b.havoc(v, InputKind::Unknown, span);
                        }
                    }
                }
                RegionVars::Array(v) => {
                    let t: TermId = self.any(scalar, InputKind::Unknown, span);
                    let array = self.var_term(v);
                    let stored = self.pool.store(array, at, t);
                    self.b.assign(vec![(v, stored)], span);
                }
            }
        }
    }
}
