//! Functions: which values are locals, blocks in order, merges of values at their edges.

use super::super::module::{BlockId, Function, Op, Ty, Type, Typed, Value, ValueId};
use super::Translator;
use crate::c::hir::{
    Block, Body, Expr, FuncId, Label, LabelId, LocalId, LocalKind, Stmt, StmtKind,
};
use base::{FxHashMap, FxHashSet, Id};
use program::Span;

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

/// The function at hand.
pub(super) struct Work<'m, 't> {
    pub index: usize,
    pub id: FuncId,
    pub span: Span,
    pub stmts: Vec<Stmt>,
    pub defs: Vec<Option<&'m Op<'t>>>,
    /// How often a value is used, and whether only in its own block.
    pub uses: Vec<u32>,
    pub only_here: Vec<bool>,
    pub vector: Vec<bool>,
    pub locals: Vec<Option<LocalId>>,
    /// Allocations.
    pub objects: FxHashMap<ValueId, LocalId>,
    pub waiting: FxHashMap<ValueId, Waiting>,
    /// Order in which they came.
    pub queue: Vec<ValueId>,
    /// Values that went to their use.
    pub spent: FxHashSet<ValueId>,
    /// What the expression under construction reads.
    pub reads: Reads,
    pub labels: Vec<LabelId>,
    pub address_labels: Vec<LabelId>,
    pub pointer_ty: Ty,
    pub access_sign: Option<bool>,
    pub names: FxHashMap<ValueId, &'t str>,
    /// Objects whose address goes somewhere.
    pub escaping: Vec<LocalId>,
    /// Objects of inner blocks: they begin where they are marked to.
    pub scoped: Vec<LocalId>,
    /// Lanes of vectors that are operands.
    pub lane_signs: FxHashMap<ValueId, bool>,
}

impl Default for Work<'_, '_> {
    fn default() -> Self {
        Work {
            index: 0,
            id: FuncId::from_index(0),
            span: Span::unknown(),
            stmts: Vec::new(),
            defs: Vec::new(),
            uses: Vec::new(),
            only_here: Vec::new(),
            vector: Vec::new(),
            locals: Vec::new(),
            objects: FxHashMap::default(),
            waiting: FxHashMap::default(),
            queue: Vec::new(),
            spent: FxHashSet::default(),
            reads: Reads::default(),
            labels: Vec::new(),
            address_labels: Vec::new(),
            pointer_ty: Ty(0),
            access_sign: None,
            names: FxHashMap::default(),
            escaping: Vec::new(),
            scoped: Vec::new(),
            lane_signs: FxHashMap::default(),
        }
    }
}

/// Is the instruction about debug information or lifetimes only?
pub(super) fn is_silent(op: &Op<'_>) -> bool {
    match op {
        Op::Debug(..) => true,
        Op::Call(call) => match &call.callee {
            Value::Global(name) => {
                name.starts_with("llvm.dbg.")
                    || name.starts_with("llvm.lifetime.")
                    || name.starts_with("llvm.invariant.")
                    || name.starts_with("llvm.experimental.noalias")
            }
            _ => false,
        },
        _ => false,
    }
}

impl<'m, 't> Translator<'m, 't> {
    pub(super) fn function(&mut self, index: usize) {
        let module = self.module;
        let f = &module.functions[index];
        let id = self
            .function_named(f.name)
            .expect("all functions are declared");
        let pointer_ty = module
            .type_ids
            .get(&Type::Pointer)
            .copied()
            .unwrap_or(Ty(0));
        self.f = Work {
            index,
            id,
            span: self.unit.functions[id].span,
            defs: vec![None; f.values.len()],
            uses: vec![0; f.values.len()],
            only_here: vec![true; f.values.len()],
            vector: vec![false; f.values.len()],
            locals: vec![None; f.values.len()],
            pointer_ty,
            ..Work::default()
        };
        for b in &f.blocks {
            let span = self.f.span;
            let label = self.unit.labels.push(Label { name: None, span });
            self.f.labels.push(label);
            for inst in &b.instructions {
                if let Some(r) = inst.result {
                    self.f.defs[r.0 as usize] = Some(&inst.op);
                    let ty = f.values[r.0 as usize].ty;
                    self.f.vector[r.0 as usize] =
                        ty.is_some_and(|t| matches!(module.get(t), Type::Vector(..)));
                }
            }
        }
        self.count_uses(f);
        self.debug_names(f);
        let params = self.parameters(index, f);
        self.allocations(f);
        self.find_escaping(f);
        for (i, b) in f.blocks.iter().enumerate() {
            if i > 0 {
                let label = self.f.labels[i];
                self.emit(StmtKind::Label(label));
            }
            for inst in &b.instructions {
                self.f.span = self.debug.span(inst.at, inst.location, self.sources);
                self.instruction(inst, BlockId(i as u32));
            }
            self.flush_all();
        }
        let span = self.unit.functions[id].span;
        let stmts = std::mem::take(&mut self.f.stmts);
        self.unit.functions[id].body = Some(Body {
            params,
            address_labels: std::mem::take(&mut self.f.address_labels),
            block: Block { stmts, span },
            end: span,
        });
    }

    fn parameters(&mut self, index: usize, f: &Function<'t>) -> Vec<LocalId> {
        let mut params = Vec::new();
        for p in &f.params {
            let Some(v) = p.value else { continue };
            let signed = self.signs.value(index, v);
            let ty = self.ty(p.ty, signed);
            let name = self.value_name(v);
            let local = self.new_local(&name, ty, LocalKind::Param);
            self.f.locals[v.0 as usize] = Some(local);
            params.push(local);
        }
        params
    }

    fn count_uses(&mut self, f: &Function<'t>) {
        let mut block_of = vec![u32::MAX; f.values.len()];
        for (i, b) in f.blocks.iter().enumerate() {
            for inst in &b.instructions {
                if let Some(r) = inst.result {
                    block_of[r.0 as usize] = i as u32;
                }
            }
        }
        for (i, b) in f.blocks.iter().enumerate() {
            for inst in &b.instructions {
                if is_silent(&inst.op) {
                    continue;
                }
                let Work {
                    uses, only_here, ..
                } = &mut self.f;
                let mut count = |v: ValueId, at: u32| {
                    uses[v.0 as usize] += 1;
                    only_here[v.0 as usize] &= block_of[v.0 as usize] == at;
                };
                if let Op::Phi(_, list) = &inst.op {
                    for (v, from) in list {
                        // At the end of the other block; addresses in it are wanted there.
                        operands_of(v, &mut |v| count(v, from.0));
                    }
                } else {
                    operands(&inst.op, &mut |v| count(v, i as u32));
                }
            }
        }
    }

    /// Names of variables that debug information gives to values and allocations.
    fn debug_names(&mut self, f: &Function<'t>) {
        for inst in f.blocks.iter().flat_map(|b| &b.instructions) {
            let (v, variable) = match &inst.op {
                Op::Debug(_, v, variable) => (v, *variable),
                Op::Call(call) => match (&call.callee, call.args.as_slice()) {
                    (
                        Value::Global(name),
                        [
                            v,
                            Typed {
                                value: Value::Metadata(variable),
                                ..
                            },
                            ..,
                        ],
                    ) if name.starts_with("llvm.dbg.") => (v, *variable),
                    _ => continue,
                },
                _ => continue,
            };
            if let (Value::Local(id), Some(number)) =
                (&v.value, super::super::debug::reference(variable))
                && let Some(name) = self.debug.name(number)
            {
                self.f.names.entry(*id).or_insert(name);
            }
        }
    }

    fn value_name(&self, v: ValueId) -> String {
        if let Some(name) = self.f.names.get(&v) {
            return name.to_string();
        }
        let name = self.module.functions[self.f.index].values[v.0 as usize].name;
        let name = name.strip_suffix(".addr").unwrap_or(name);
        if name.starts_with(|c: char| c.is_ascii_digit()) {
            format!("%{name}")
        } else {
            name.to_string()
        }
    }

    /// Allocations of the first block are locals of the function.
    fn allocations(&mut self, f: &Function<'t>) {
        let recovered = self.recovered(f);
        let mut declared = Vec::new();
        for (i, b) in f.blocks.iter().enumerate() {
            for inst in &b.instructions {
                let (Op::Alloca(ty, count), Some(v)) = (&inst.op, inst.result) else {
                    continue;
                };
                let n = match count.as_ref().map(|c| &c.value) {
                    None => 1,
                    Some(Value::Int(n)) => *n as u64,
                    Some(_) => continue,
                };
                if i > 0 && count.is_some() {
                    continue;
                }
                let ty = match recovered.get(&v) {
                    Some(parts) => self.recovered_type(v, *ty, parts),
                    None => self.object_type(v, *ty),
                };
                let ty = if n == 1 {
                    ty
                } else {
                    self.unit.types.array(ty, n)
                };
                let name = self.value_name(v);
                let local = self.new_local(&name, ty, LocalKind::Auto);
                self.f.objects.insert(v, local);
                if i > 0 {
                    self.f.scoped.push(local);
                }
                declared.push(local);
            }
        }
        self.find_scoped(f);
        for local in declared {
            if !self.f.scoped.contains(&local) {
                self.emit(StmtKind::Decl { local, init: None });
            }
        }
    }

    /// Objects whose lifetime begins in a later block, and in no way in the first.
    fn find_scoped(&mut self, f: &Function<'t>) {
        let mut first = Vec::new();
        for (i, b) in f.blocks.iter().enumerate() {
            for inst in &b.instructions {
                if let Op::Call(call) = &inst.op
                    && let Value::Global(name) = &call.callee
                    && name.starts_with("llvm.lifetime.start")
                    && let Some(Value::Local(p)) = call.args.last().map(|a| &a.value)
                    && let Some(local) = self.object_of(*p)
                {
                    if i == 0 {
                        first.push(local);
                    } else if !self.f.scoped.contains(&local) {
                        self.f.scoped.push(local);
                    }
                }
            }
        }
        self.f.scoped.retain(|l| !first.contains(l));
    }

    /// Objects whose address is used otherwise than to load and store.
    fn find_escaping(&mut self, f: &Function<'t>) {
        let mut found = Vec::new();
        for inst in f.blocks.iter().flat_map(|b| &b.instructions) {
            if is_silent(&inst.op) {
                continue;
            }
            match &inst.op {
                Op::Load(..) => {}
                Op::Store(v, _) => operands_of(&v.value, &mut |o| found.push(o)),
                Op::Gep { args, .. } if inst.result.is_some_and(|r| self.is_symbolic(r)) => {
                    args.iter()
                        .skip(1)
                        .for_each(|a| operands_of(&a.value, &mut |o| found.push(o)));
                }
                Op::Cast(..) if inst.result.is_some_and(|r| self.is_symbolic(r)) => {}
                op => operands(op, &mut |o| found.push(o)),
            }
        }
        let mut roots: Vec<LocalId> = Vec::new();
        while let Some(v) = found.pop() {
            if let Some(&local) = self.f.objects.get(&v) {
                roots.push(local);
                continue;
            }
            if !self.is_symbolic(v) {
                continue;
            }
            match self.f.defs[v.0 as usize] {
                Some(Op::Gep { args, .. }) => {
                    if let Some(a) = args.first() {
                        operands_of(&a.value, &mut |o| found.push(o));
                    }
                }
                Some(Op::Cast(_, _, a, _)) => operands_of(&a.value, &mut |o| found.push(o)),
                _ => {}
            }
        }
        roots.sort_unstable();
        roots.dedup();
        self.f.escaping = roots;
    }

    fn object_type(&mut self, v: ValueId, ty: Ty) -> crate::c::types::TypeId {
        let signed = self.signs.content(self.f.index, v);
        if self.module.int_bits(ty) == Some(8) && self.signs.is_bool(self.f.index, v) {
            return self.unit.types.int(crate::c::types::IntKind::Bool);
        }
        self.ty(ty, signed)
    }

    fn recovered_type(
        &mut self,
        v: ValueId,
        ty: Ty,
        parts: &[(u64, Ty)],
    ) -> crate::c::types::TypeId {
        let signed = self.signs.content(self.f.index, v);
        let size = self.size(ty);
        let mut fields = Vec::new();
        for &(offset, part) in parts {
            if offset + self.size(part) > size {
                return self.ty(ty, signed);
            }
            let scalar = match self.module.int_bits(part) {
                Some(8) if self.signs.is_bool(self.f.index, v) && parts.len() == 1 => {
                    self.unit.types.int(crate::c::types::IntKind::Bool)
                }
                _ => self.ty(part, signed),
            };
            fields.push((offset, scalar));
        }
        if let [(0, only)] = fields.as_slice()
            && self.unit.types.size_of(*only) == Some(size)
        {
            return *only;
        }
        self.record_of(&fields, size)
    }

    // ---- values that wait

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
                self.fill_from(&place, &typed);
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
            let value = self.load(temp);
            self.emit_assign(place, value);
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

/// The values that a constant or operand names.
pub(super) fn operands_of<'t>(v: &Value<'t>, f: &mut dyn FnMut(ValueId)) {
    match v {
        Value::Local(id) => f(*id),
        Value::Aggregate(list) => list.iter().for_each(|t| operands_of(&t.value, f)),
        _ => {}
    }
}

/// The values that an instruction uses.
pub(super) fn operands<'t>(op: &Op<'t>, f: &mut dyn FnMut(ValueId)) {
    let mut each = |v: &Value<'t>| operands_of(v, f);
    match op {
        Op::Binary(_, _, _, a, b) | Op::ICmp(_, _, a, b) | Op::FCmp(_, _, a, b) => {
            each(a);
            each(b);
        }
        Op::FNeg(_, a) | Op::Load(_, a) | Op::CondBranch(a, ..) | Op::IndirectBranch(a, _) => {
            each(a)
        }
        Op::Cast(_, _, a, _)
        | Op::ExtractValue(a, _)
        | Op::Freeze(a)
        | Op::VaArg(a, _)
        | Op::Resume(a)
        | Op::Switch(a, ..)
        | Op::Return(Some(a)) => each(&a.value),
        Op::Alloca(_, Some(a)) => each(&a.value),
        Op::Select(a, b, c) | Op::InsertElement(a, b, c) | Op::Shuffle(a, b, c) => {
            each(&a.value);
            each(&b.value);
            each(&c.value);
        }
        Op::Phi(_, list) => list.iter().for_each(|(v, _)| each(v)),
        Op::Store(v, p) | Op::AtomicRmw(_, p, v) => {
            each(&v.value);
            each(p);
        }
        Op::Gep { args, .. } => args.iter().for_each(|a| each(&a.value)),
        Op::Call(call) | Op::Invoke(call, ..) => {
            each(&call.callee);
            call.args.iter().for_each(|a| each(&a.value));
        }
        Op::InsertValue(a, b, _) | Op::ExtractElement(a, b) => {
            each(&a.value);
            each(&b.value);
        }
        Op::CompareExchange(p, a, b) => {
            each(p);
            each(&a.value);
            each(&b.value);
        }
        Op::Alloca(..)
        | Op::LandingPad { .. }
        | Op::Return(None)
        | Op::Branch(_)
        | Op::Unreachable
        | Op::Fence
        | Op::Debug(..)
        | Op::Unsupported(..) => {}
    }
}
