//! Functions: which values are locals, blocks in order, merges of values at their edges.

use super::super::module::{BlockId, Function, Op, Ty, Type, Typed, Value, ValueId};
use super::Translator;
use super::waiting::{Reads, Waiting};
use crate::c::hir::{Block, Body, FuncId, Label, LabelId, LocalId, LocalKind, Stmt, StmtKind};
use base::{FxHashMap, FxHashSet, Id};
use program::Span;

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
    /// Objects whose first value nobody sees.
    pub written_first: FxHashSet<LocalId>,
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
            written_first: FxHashSet::default(),
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
            let label = self.unit.labels.push(Label {
                name: None,
                span,
                landing: false,
            });
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
                // What the compiler made itself belongs to what stands before it.
                if inst.location.is_some() || f.subprogram.is_none() {
                    self.f.span = self.debug.span(inst.at, inst.location, self.sources);
                }
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

    pub(super) fn value_name(&self, v: ValueId) -> String {
        if let Some(name) = self.f.names.get(&v) {
            return name.to_string();
        }
        if !self.f.names.is_empty() {
            // The compiler's own, where the user's variables are known.
            return String::new();
        }
        let name = self.module.functions[self.f.index].values[v.0 as usize].name;
        let name = name.strip_suffix(".addr").unwrap_or(name);
        if name.starts_with(|c: char| c.is_ascii_digit()) {
            format!("%{name}")
        } else {
            name.to_string()
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
