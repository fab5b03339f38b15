//! From the typed tree to constraints of the points-to graph: one walk over the reachable part.
//!
//! Every scalar expression that may carry a pointer has a value class, also integers (a pointer
//! may travel through them); record expressions have a value that points to their cell.
//!
//! // Sound because every flow of a scalar from one place to another joins their classes, and
//! // every access is recorded with its size, so that cells seen with two sizes are found.

use super::super::hir::{
    Block, CastKind, Expr, ExprId, ExprKind, FuncId, Init, InitValue, LocalId, LocalKind, SizeOf,
    Step, Stmt, StmtKind, Unit,
};
use super::super::lower::reach::{ObjectKey, Reach};
use super::super::lower::scalar::{Scalar, ScalarKind, bitfield_scalar, leaves, scalar_of};
use super::super::types::{ArrayLen, Type, TypeId};
use super::unify::{Cell, Graph, NodeId, ObjectId, ValueId};
use base::{FxHashMap, Id, IndexVec};

/// Arrays up to this many elements keep their elements apart.
pub const SMALL_ARRAY: u64 = 16;
/// Copies of more leaves than this merge source and target instead.
const COPY_LIMIT: usize = 128;
/// "Any length": behind every object.
const ENDLESS: i64 = 1 << 44;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ObjectKind {
    Declared(ObjectKey),
    /// Allocated by a call; many objects.
    Heap(Promise),
}

/// The alignment that an allocation is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Promise {
    /// That of every type.
    Usual,
    Bytes(u64),
    /// What the parameter of a model says.
    Parameter(LocalId),
}

#[derive(Clone, Copy, Debug)]
pub struct Object {
    pub kind: ObjectKind,
    pub cell: Cell,
    /// Bytes, if fixed.
    pub size: Option<u64>,
}

/// The solved analysis: the graph and how the tree maps to it.
pub struct PointsTo {
    pub graph: Graph,
    pub objects: Vec<Object>,
    pub(super) by_key: FxHashMap<ObjectKey, ObjectId>,
    /// Values of expressions, by address in the tree (which outlives the lowering).
    pub(super) exprs: IndexVec<ExprId, Option<ValueId>>,
    pub(super) functions: FxHashMap<FuncId, NodeId>,
    pub(super) returns: IndexVec<FuncId, Option<ValueId>>,
}

pub(super) struct Generator<'h> {
    pub(super) unit: &'h Unit,
    pub(super) out: PointsTo,
    pub(super) current: FuncId,
    /// What calls pass through `...` and `va_arg` takes out.
    pub(super) varargs: ValueId,
    /// Functions whose bodies are not looked at (the lowering models them).
    pub(super) modelled: &'h dyn Fn(FuncId) -> bool,
    /// Functions of the library that nobody modelled: what they return may be what they were given.
    pub(super) unmodelled: &'h dyn Fn(FuncId) -> bool,
}

/// Bits of an array an index may range over; members of no or one element may be longer than
/// declared.
pub(super) fn array_bits(unit: &Unit, ty: TypeId) -> i64 {
    match *unit.types.get(ty) {
        Type::Array(element, ArrayLen::Fixed(n)) if n > 1 => {
            (n * unit.types.size_of(element).unwrap_or(1) * 8) as i64
        }
        _ => ENDLESS,
    }
}

pub(super) fn element_bits(unit: &Unit, ty: TypeId) -> i64 {
    unit.types
        .element(ty)
        .and_then(|e| unit.types.size_of(e))
        .map_or(8, |s| (s * 8).max(8) as i64)
}

pub(super) fn step_bits(size: &SizeOf) -> i64 {
    if size.lengths.is_empty() {
        (size.factor * 8).max(8) as i64
    } else {
        // A row of a VLA: any number of innermost elements.
        (size.factor * 8).max(8) as i64
    }
}

/// Runs the analysis over what is reachable.
pub fn analyse(
    unit: &Unit,
    reach: &Reach,
    modelled: &dyn Fn(FuncId) -> bool,
    unmodelled: &dyn Fn(FuncId) -> bool,
) -> PointsTo {
    let mut graph = Graph::default();
    let varargs = graph.value();
    let mut g = Generator {
        unit,
        varargs,
        out: PointsTo {
            graph,
            objects: Vec::new(),
            by_key: FxHashMap::default(),
            exprs: IndexVec::filled(None, unit.exprs),
            functions: FxHashMap::default(),
            returns: IndexVec::filled(None, unit.functions.len()),
        },
        current: FuncId::from_index(0),
        modelled,
        unmodelled,
    };
    for &id in &reach.globals {
        g.global(id);
    }
    for &f in &reach.functions {
        if !modelled(f) {
            g.function(f);
        }
    }
    if let Some(body) = reach
        .functions
        .first()
        .and_then(|&f| unit.functions[f].body.as_ref())
    {
        // The arguments of the program come from outside.
        for &p in &body.params {
            let object = g.object(ObjectKey::Local(p));
            let v = g.out.graph.content(object);
            if unit.types.is_pointer(unit.locals[p].ty) {
                g.external(v);
            }
        }
    }
    g.out
}

impl PointsTo {
    pub fn object(&self, key: ObjectKey) -> Option<ObjectId> {
        self.by_key.get(&key).copied()
    }

    /// What the result of a function points to.
    pub fn returned(&mut self, f: FuncId) -> Option<Cell> {
        let value = self.returns[f]?;
        self.graph.target(value)
    }

    /// The cell a pointer expression points to.
    pub fn target_of(&mut self, e: &Expr) -> Option<Cell> {
        let v = self.exprs[e.id]?;
        self.graph.target(v)
    }

    /// The functions a pointer expression may call.
    pub fn callees(&mut self, e: &Expr) -> Vec<FuncId> {
        match self.target_of(e) {
            Some((root, _)) => self
                .graph
                .root_data(root)
                .functions
                .iter()
                .copied()
                .collect(),
            None => Vec::new(),
        }
    }
}

impl<'h> Generator<'h> {
    pub(super) fn graph(&mut self) -> &mut Graph {
        &mut self.out.graph
    }

    pub(super) fn object(&mut self, key: ObjectKey) -> Cell {
        if let Some(&o) = self.out.by_key.get(&key) {
            return self.out.objects[o as usize].cell;
        }
        let ty = match key {
            ObjectKey::Global(g) => self.unit.globals[g].ty,
            ObjectKey::Local(l) => self.unit.locals[l].ty,
            ObjectKey::String(s) => self.unit.strings[s].ty,
        };
        let cell = self.new_object(ObjectKind::Declared(key), self.unit.types.size_of(ty));
        self.out
            .by_key
            .insert(key, self.out.objects.len() as ObjectId - 1);
        self.fold_large(cell, ty);
        cell
    }

    pub(super) fn new_object(&mut self, kind: ObjectKind, size: Option<u64>) -> Cell {
        let cell = (self.graph().node(), 0);
        let id = self.out.objects.len() as ObjectId;
        self.out.objects.push(Object { kind, cell, size });
        self.graph().add_object(cell, id);
        cell
    }

    /// Large arrays are folded from the start, so that initialisers stay small.
    pub(super) fn fold_large(&mut self, cell: Cell, ty: TypeId) {
        match *self.unit.types.get(ty) {
            Type::Array(element, len) => {
                self.fold_large(cell, element);
                if !matches!(len, ArrayLen::Fixed(n) if n <= SMALL_ARRAY) {
                    let (bits, step) = (array_bits(self.unit, ty), element_bits(self.unit, ty));
                    self.graph().fold(cell, Some(bits), step);
                }
            }
            Type::Record(r) if !self.unit.types.records[r].is_union => {
                for f in &self.unit.types.records[r].fields {
                    if matches!(self.unit.types.get(f.ty), Type::Array(..) | Type::Record(_)) {
                        self.fold_large((cell.0, cell.1 + (f.offset * 8) as i64), f.ty);
                    }
                }
            }
            _ => {}
        }
    }

    /// The value points to memory the program did not make.
    pub(super) fn external(&mut self, v: ValueId) {
        let cell = self.graph().deref(v);
        self.graph().set_external(cell);
    }

    pub(super) fn global(&mut self, id: super::super::hir::GlobalId) {
        let cell = self.object(ObjectKey::Global(id));
        let global = &self.unit.globals[id];
        if let Some(init) = &global.init {
            self.init(cell, global.ty, init);
        } else if !global.defined {
            for leaf in leaves(&self.unit.types, global.ty, COPY_LIMIT).unwrap_or_default() {
                if leaf.scalar.kind == ScalarKind::Pointer {
                    let v = self.graph().content((cell.0, cell.1 + leaf.bit as i64));
                    self.external(v);
                }
            }
        }
    }

    pub(super) fn function(&mut self, f: FuncId) {
        self.current = f;
        if let Some(body) = &self.unit.functions[f].body {
            self.block(&body.block);
        }
    }

    pub(super) fn function_node(&mut self, f: FuncId) -> NodeId {
        if let Some(&n) = self.out.functions.get(&f) {
            return n;
        }
        let node = self.graph().node();
        self.out.functions.insert(f, node);
        let params = self.params(f);
        let ret = self.returned(f);
        self.graph().add_function(node, f, params, ret);
        node
    }

    pub(super) fn params(&mut self, f: FuncId) -> Vec<ValueId> {
        let Some(body) = &self.unit.functions[f].body else {
            return Vec::new();
        };
        body.params
            .iter()
            .map(|&p| {
                let cell = self.object(ObjectKey::Local(p));
                let ty = self.unit.locals[p].ty;
                match scalar_of(&self.unit.types, ty) {
                    Some(scalar) => {
                        self.graph().access(cell, scalar);
                        self.graph().content(cell)
                    }
                    None => {
                        // The callee's entry writes every leaf.
                        self.touch(cell, ty);
                        self.pointer_to(cell)
                    }
                }
            })
            .collect()
    }

    pub(super) fn returned(&mut self, f: FuncId) -> ValueId {
        if let Some(v) = self.out.returns[f] {
            return v;
        }
        let v = self.graph().value();
        self.out.returns[f] = Some(v);
        if self.unit.functions[f].body.is_none() {
            let ret = self
                .unit
                .types
                .function(self.unit.functions[f].ty)
                .map(|t| t.ret);
            if ret.is_some_and(|t| self.unit.types.is_pointer(t)) {
                self.external(v);
            }
        }
        v
    }

    pub(super) fn pointer_to(&mut self, cell: Cell) -> ValueId {
        let v = self.graph().value();
        self.graph().point(v, cell, None);
        v
    }

    /// Records accesses to all leaves.
    pub(super) fn touch(&mut self, cell: Cell, ty: TypeId) {
        if let Some(all) = leaves(&self.unit.types, ty, COPY_LIMIT) {
            for leaf in all {
                self.graph()
                    .access((cell.0, cell.1 + leaf.bit as i64), leaf.scalar);
            }
        }
    }

    pub(super) fn copy(&mut self, to: Cell, from: Cell, ty: TypeId) {
        match leaves(&self.unit.types, ty, COPY_LIMIT) {
            Some(all) => {
                for leaf in all {
                    let bit = leaf.bit as i64;
                    let (t, f) = ((to.0, to.1 + bit), (from.0, from.1 + bit));
                    self.graph().access(t, leaf.scalar);
                    self.graph().access(f, leaf.scalar);
                    let (a, b) = (self.graph().content(t), self.graph().content(f));
                    self.graph().join(a, b);
                }
            }
            None => self.graph().unify(to, from),
        }
    }

    // ---- statements ----

    pub(super) fn block(&mut self, b: &'h Block) {
        b.stmts.iter().for_each(|s| self.stmt(s));
    }

    pub(super) fn stmt(&mut self, s: &'h Stmt) {
        match &s.kind {
            StmtKind::Empty
            | StmtKind::Label(_)
            | StmtKind::Goto(_)
            | StmtKind::Break
            | StmtKind::Continue => {}
            StmtKind::Expr(e) | StmtKind::ComputedGoto(e) => {
                self.value(e);
            }
            StmtKind::Decl { local, init } => {
                let cell = self.object(ObjectKey::Local(*local));
                if self.unit.locals[*local].kind == LocalKind::VlaLength
                    && let Some(s) = scalar_of(&self.unit.types, self.unit.locals[*local].ty)
                {
                    self.graph().access(cell, s);
                }
                if let Some(i) = init {
                    self.init(cell, self.unit.locals[*local].ty, i);
                }
            }
            StmtKind::Block(b) => self.block(b),
            StmtKind::If { cond, then, els } => {
                self.value(cond);
                self.stmt(then);
                if let Some(e) = els {
                    self.stmt(e);
                }
            }
            StmtKind::While { cond, body } | StmtKind::DoWhile { body, cond } => {
                self.value(cond);
                self.stmt(body);
            }
            StmtKind::For {
                init,
                cond,
                step,
                body,
            } => {
                init.iter().for_each(|s| self.stmt(s));
                for e in cond.iter().chain(step) {
                    self.value(e);
                }
                self.stmt(body);
            }
            StmtKind::Switch { value, body, .. } => {
                self.value(value);
                self.stmt(body);
            }
            StmtKind::Return(e) => {
                if let Some(v) = e.as_ref().and_then(|e| self.value(e)) {
                    let r = self.returned(self.current);
                    self.graph().join(r, v);
                }
            }
            StmtKind::Asm(a) => {
                for e in &a.inputs {
                    self.value(e);
                }
                for o in &a.outputs {
                    let cell = self.place(&o.place);
                    if let Some(s) = self.place_scalar(&o.place) {
                        self.graph().access(cell, s);
                        let v = self.graph().content(cell);
                        if s.kind == ScalarKind::Pointer {
                            self.external(v);
                        }
                    }
                }
            }
        }
    }

    pub(super) fn init(&mut self, object: Cell, _ty: TypeId, init: &'h Init) {
        for item in &init.items {
            let (bits, scalar) = item_bits(self.unit, item);
            let cell = (object.0, object.1 + bits);
            match &item.value {
                InitValue::Expr(e) => {
                    let v = self.value(e);
                    match scalar {
                        Some(s) => {
                            self.graph().access(cell, s);
                            if let Some(v) = v {
                                let c = self.graph().content(cell);
                                self.graph().join(c, v);
                            }
                        }
                        None => {
                            if let Some(v) = v {
                                let from = self.graph().deref(v);
                                self.copy(cell, from, item.ty);
                            }
                        }
                    }
                }
                InitValue::String(_) => {}
            }
        }
    }
}

/// The type a pointer argument points to, conversions to `void *` looked through.
pub fn pointee(unit: &Unit, e: &Expr) -> Option<TypeId> {
    let mut e = e;
    while let ExprKind::Cast(CastKind::PointerToPointer | CastKind::Same, inner) = &e.kind {
        if !unit.types.is_pointer(inner.ty) {
            break;
        }
        e = inner;
    }
    unit.types.pointee(e.ty)
}

/// Bit offset of an initialiser item in its object, and its scalar if it is one.
pub fn item_bits(unit: &Unit, item: &super::super::hir::InitItem) -> (i64, Option<Scalar>) {
    if let Some(Step::Field(r, i)) = item.path.last() {
        let f = &unit.types.records[*r].fields[*i as usize];
        if let Some(b) = f.bits {
            let start = item.offset * 8;
            let within = b.bit_offset - f.offset * 8;
            return (
                (start + within) as i64,
                Some(bitfield_scalar(&unit.types, f.ty, b.width)),
            );
        }
    }
    ((item.offset * 8) as i64, scalar_of(&unit.types, item.ty))
}
