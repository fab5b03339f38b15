//! From the typed tree to constraints of the points-to graph: one walk over the reachable part.
//!
//! Every scalar expression that may carry a pointer has a value class, also integers (a pointer
//! may travel through them); record expressions have a value that points to their cell.
//!
//! // Sound because every flow of a scalar from one place to another joins their classes, and
//! // every access is recorded with its size, so that cells seen with two sizes are found.

use super::super::hir::{
    Block, Callee, CastKind, Expr, ExprKind, FuncId, Init, InitValue, LocalKind, Place, PlaceKind,
    SizeOf, Step, Stmt, StmtKind, UnaryOp, Unit,
};
use super::super::lower::reach::{Direct, ObjectKey, Reach, direct};
use super::super::lower::scalar::{Scalar, ScalarKind, bitfield_scalar, leaves, scalar_of};
use super::super::types::{ArrayLen, Type, TypeId};
use super::library::{Effect, effect};
use super::unify::{Cell, Graph, NodeId, ObjectId, ValueId};
use logic::{FxHashMap, Id, IndexVec};

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
    Heap,
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
    by_key: FxHashMap<ObjectKey, ObjectId>,
    /// Values of expressions, by address in the tree (which outlives the lowering).
    exprs: FxHashMap<*const Expr, ValueId>,
    functions: FxHashMap<FuncId, NodeId>,
    returns: IndexVec<FuncId, Option<ValueId>>,
}

struct Generator<'h> {
    unit: &'h Unit,
    out: PointsTo,
    current: FuncId,
    /// What calls pass through `...` and `va_arg` takes out.
    varargs: ValueId,
    /// Functions whose bodies are not looked at (the lowering models them).
    modelled: &'h dyn Fn(FuncId) -> bool,
}

/// Bits of an array an index may range over; members of no or one element may be longer than
/// declared.
fn array_bits(unit: &Unit, ty: TypeId) -> i64 {
    match *unit.types.get(ty) {
        Type::Array(element, ArrayLen::Fixed(n)) if n > 1 => {
            (n * unit.types.size_of(element).unwrap_or(1) * 8) as i64
        }
        _ => ENDLESS,
    }
}

fn element_bits(unit: &Unit, ty: TypeId) -> i64 {
    unit.types
        .element(ty)
        .and_then(|e| unit.types.size_of(e))
        .map_or(8, |s| (s * 8).max(8) as i64)
}

fn step_bits(size: &SizeOf) -> i64 {
    if size.lengths.is_empty() {
        (size.factor * 8).max(8) as i64
    } else {
        // A row of a VLA: any number of innermost elements.
        (size.factor * 8).max(8) as i64
    }
}

/// Runs the analysis over what is reachable.
pub fn analyse(unit: &Unit, reach: &Reach, modelled: &dyn Fn(FuncId) -> bool) -> PointsTo {
    let mut graph = Graph::default();
    let varargs = graph.value();
    let mut g = Generator {
        unit,
        varargs,
        out: PointsTo {
            graph,
            objects: Vec::new(),
            by_key: FxHashMap::default(),
            exprs: FxHashMap::default(),
            functions: FxHashMap::default(),
            returns: IndexVec::filled(None, unit.functions.len()),
        },
        current: FuncId::from_index(0),
        modelled,
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

    /// The cell a pointer expression points to.
    pub fn target_of(&mut self, e: &Expr) -> Option<Cell> {
        let v = *self.exprs.get(&std::ptr::from_ref(e))?;
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
    fn graph(&mut self) -> &mut Graph {
        &mut self.out.graph
    }

    fn object(&mut self, key: ObjectKey) -> Cell {
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

    fn new_object(&mut self, kind: ObjectKind, size: Option<u64>) -> Cell {
        let cell = (self.graph().node(), 0);
        let id = self.out.objects.len() as ObjectId;
        self.out.objects.push(Object { kind, cell, size });
        self.graph().add_object(cell, id);
        cell
    }

    /// Large arrays are folded from the start, so that initialisers stay small.
    fn fold_large(&mut self, cell: Cell, ty: TypeId) {
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
    fn external(&mut self, v: ValueId) {
        let cell = self.graph().deref(v);
        self.graph().set_external(cell);
    }

    fn global(&mut self, id: super::super::hir::GlobalId) {
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

    fn function(&mut self, f: FuncId) {
        self.current = f;
        if let Some(body) = &self.unit.functions[f].body {
            self.block(&body.block);
        }
    }

    fn function_node(&mut self, f: FuncId) -> NodeId {
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

    fn params(&mut self, f: FuncId) -> Vec<ValueId> {
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

    fn returned(&mut self, f: FuncId) -> ValueId {
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

    fn pointer_to(&mut self, cell: Cell) -> ValueId {
        let v = self.graph().value();
        self.graph().point(v, cell, None);
        v
    }

    /// Records accesses to all leaves.
    fn touch(&mut self, cell: Cell, ty: TypeId) {
        if let Some(all) = leaves(&self.unit.types, ty, COPY_LIMIT) {
            for leaf in all {
                self.graph()
                    .access((cell.0, cell.1 + leaf.bit as i64), leaf.scalar);
            }
        }
    }

    fn copy(&mut self, to: Cell, from: Cell, ty: TypeId) {
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

    fn block(&mut self, b: &'h Block) {
        b.stmts.iter().for_each(|s| self.stmt(s));
    }

    fn stmt(&mut self, s: &'h Stmt) {
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
                if self.unit.locals[*local].kind == LocalKind::VlaLength {
                    if let Some(s) = scalar_of(&self.unit.types, self.unit.locals[*local].ty) {
                        self.graph().access(cell, s);
                    }
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

    fn init(&mut self, object: Cell, _ty: TypeId, init: &'h Init) {
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

    // ---- places ----

    fn place_scalar(&self, p: &Place) -> Option<Scalar> {
        if let PlaceKind::Field { record, field, .. } = &p.kind {
            let f = &self.unit.types.records[*record].fields[*field as usize];
            if let Some(b) = f.bits {
                return Some(bitfield_scalar(&self.unit.types, f.ty, b.width));
            }
        }
        scalar_of(&self.unit.types, p.ty)
    }

    fn place(&mut self, p: &'h Place) -> Cell {
        match &p.kind {
            PlaceKind::Global(g) => self.object(ObjectKey::Global(*g)),
            PlaceKind::Local(l) => self.object(ObjectKey::Local(*l)),
            PlaceKind::String(s) => self.object(ObjectKey::String(*s)),
            PlaceKind::CompoundLiteral { local, init } => {
                let cell = self.object(ObjectKey::Local(*local));
                self.init(cell, self.unit.locals[*local].ty, init);
                cell
            }
            PlaceKind::Deref(e) => match direct(self.unit, p) {
                Some(Direct::Same(q)) => self.place(q),
                Some(Direct::Element(q, i)) => self.element(q, i),
                None => match self.value(e) {
                    Some(v) => self.graph().deref(v),
                    None => {
                        // A constant address.
                        let v = self.graph().value();
                        self.external(v);
                        self.out.exprs.insert(std::ptr::from_ref(e), v);
                        self.graph().deref(v)
                    }
                },
            },
            PlaceKind::Temporary(e) => match self.value(e) {
                Some(v) => self.graph().deref(v),
                None => (self.graph().node(), 0),
            },
            PlaceKind::Field {
                base,
                record,
                field,
            } => {
                let (node, off) = self.place(base);
                let f = &self.unit.types.records[*record].fields[*field as usize];
                let bit = f.bits.map_or(f.offset * 8, |b| b.bit_offset);
                (node, off + bit as i64)
            }
            PlaceKind::Index { base, index } => self.element(base, Some(index)),
        }
    }

    fn element(&mut self, base: &'h Place, index: Option<&'h Expr>) -> Cell {
        let (node, off) = self.place(base);
        let step = element_bits(self.unit, base.ty);
        match index {
            None => (node, off),
            Some(i) => {
                self.value(i);
                match i.as_int() {
                    Some(k) => (node, off + k as i64 * step),
                    None => {
                        let bits = array_bits(self.unit, base.ty);
                        self.graph().fold((node, off), Some(bits), step);
                        (node, off)
                    }
                }
            }
        }
    }

    // ---- expressions ----

    fn value(&mut self, e: &'h Expr) -> Option<ValueId> {
        let v = self.value_inner(e)?;
        self.out.exprs.insert(std::ptr::from_ref(e), v);
        Some(v)
    }

    /// The value, made up if the expression is a constant.
    fn some_value(&mut self, e: &'h Expr) -> ValueId {
        match self.value(e) {
            Some(v) => v,
            None => self.graph().value(),
        }
    }

    fn value_inner(&mut self, e: &'h Expr) -> Option<ValueId> {
        match &e.kind {
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::LabelAddress(_) => None,
            ExprKind::Load(p) => {
                let cell = self.place(p);
                match self.place_scalar(p) {
                    Some(s) => {
                        self.graph().access(cell, s);
                        (!s.is_float()).then(|| self.graph().content(cell))
                    }
                    None => Some(self.pointer_to(cell)),
                }
            }
            ExprKind::AddressOf(p) => {
                let cell = self.place(p);
                let v = self.graph().value();
                let extent = self.extent(p);
                self.graph().point(v, cell, extent);
                Some(v)
            }
            ExprKind::FunctionAddress(f) => {
                let node = self.function_node(*f);
                Some(self.pointer_to((node, 0)))
            }
            ExprKind::Unary(op, a) => {
                let v = self.value(a)?;
                (*op != UnaryOp::Not).then(|| self.mangled(v))
            }
            ExprKind::Binary(op, a, b) => {
                let (x, y) = (self.value(a), self.value(b));
                if op.is_comparison() || self.unit.types.is_float(e.ty) {
                    return None;
                }
                let v = self.either(x, y)?;
                Some(self.mangled(v))
            }
            ExprKind::PointerOffset {
                pointer,
                index,
                subtract,
                size,
            } => {
                let v = self.some_value(pointer);
                self.value(index);
                let index = index.as_int().map(|k| if *subtract { -k } else { k });
                Some(self.offset(v, index, step_bits(size), size.lengths.is_empty()))
            }
            ExprKind::PointerDifference { left, right, .. } => {
                self.value(left);
                self.value(right);
                None
            }
            ExprKind::Cast(kind, a) => self.cast(*kind, a),
            ExprKind::Assign { place, value } => {
                let cell = self.place(place);
                let v = self.value(value);
                match self.place_scalar(place) {
                    Some(s) => {
                        self.graph().access(cell, s);
                        let c = self.graph().content(cell);
                        if let Some(v) = v {
                            self.graph().join(c, v);
                        }
                        (!s.is_float()).then_some(c)
                    }
                    None => {
                        if let Some(v) = v {
                            let from = self.graph().deref(v);
                            self.copy(cell, from, place.ty);
                        }
                        Some(self.pointer_to(cell))
                    }
                }
            }
            ExprKind::CompoundAssign { place, value, .. } => {
                let cell = self.place(place);
                let v = self.value(value);
                let s = self.place_scalar(place)?;
                self.graph().access(cell, s);
                let c = self.graph().content(cell);
                if let Some(v) = v {
                    self.graph().join(c, v);
                }
                Some(self.mangled(c))
            }
            ExprKind::PointerAssign {
                place, index, size, ..
            } => {
                let cell = self.place(place);
                self.value(index);
                let s = self.place_scalar(place)?;
                self.graph().access(cell, s);
                let c = self.graph().content(cell);
                self.graph().arithmetic(c, step_bits(size));
                Some(c)
            }
            ExprKind::IncDec { place, size, .. } => {
                let cell = self.place(place);
                let s = self.place_scalar(place)?;
                self.graph().access(cell, s);
                let c = self.graph().content(cell);
                let step = size.as_ref().map_or(8, |s| step_bits(s));
                self.graph().arithmetic(c, step);
                Some(c)
            }
            ExprKind::LogicalAnd(a, b) | ExprKind::LogicalOr(a, b) => {
                self.value(a);
                self.value(b);
                None
            }
            ExprKind::Conditional { cond, then, els } => {
                self.value(cond);
                let (a, b) = (self.value(then), self.value(els));
                self.either(a, b)
            }
            ExprKind::Elvis { cond, els } => {
                let (a, b) = (self.value(cond), self.value(els));
                self.either(a, b)
            }
            ExprKind::Comma(a, b) => {
                self.value(a);
                self.value(b)
            }
            ExprKind::Call { callee, args } => self.call(e, callee, args),
            ExprKind::Intrinsic { name, args } => {
                let values: Vec<_> = args.iter().map(|a| self.value(a)).collect();
                self.intrinsic(name, e, args, &values)
            }
            ExprKind::VaArg(p) => {
                self.place(p);
                self.external(self.varargs);
                Some(self.varargs)
            }
            ExprKind::StmtExpr { block, value } => {
                self.block(block);
                value.as_ref().and_then(|e| self.value(e))
            }
            ExprKind::UnionOf { value, .. } => {
                let v = self.value(value);
                let cell = (self.graph().node(), 0);
                if let (Some(v), Some(s)) = (v, scalar_of(&self.unit.types, value.ty)) {
                    self.graph().access(cell, s);
                    let c = self.graph().content(cell);
                    self.graph().join(c, v);
                }
                Some(self.pointer_to(cell))
            }
        }
    }

    /// Where arithmetic on `&place` stays.
    fn extent(&self, p: &Place) -> Option<(i64, i64)> {
        match &p.kind {
            PlaceKind::Index { base, index } => {
                let bits = array_bits(self.unit, base.ty);
                match index.as_int() {
                    Some(k) => {
                        let before = k as i64 * element_bits(self.unit, base.ty);
                        Some((before, bits - before))
                    }
                    None => Some((0, bits)),
                }
            }
            _ if self.unit.types.element(p.ty).is_some() => Some((0, array_bits(self.unit, p.ty))),
            _ => None,
        }
    }

    fn either(&mut self, a: Option<ValueId>, b: Option<ValueId>) -> Option<ValueId> {
        if let (Some(a), Some(b)) = (a, b) {
            self.graph().join(a, b);
        }
        a.or(b)
    }

    /// Integer arithmetic: a pointer in it may move by any number of bytes.
    fn mangled(&mut self, v: ValueId) -> ValueId {
        self.graph().arithmetic(v, 8);
        v
    }

    fn offset(&mut self, v: ValueId, index: Option<i128>, step: i64, fixed: bool) -> ValueId {
        match index {
            Some(0) => v,
            // A byte offset: `container_of` and friends.
            Some(k) if step == 8 && fixed && k.unsigned_abs() > 1 && k.unsigned_abs() < 1 << 30 => {
                let (node, off) = self.graph().deref(v);
                let shift = k as i64 * 8;
                let extent = self.graph().extent(v).and_then(|(before, after)| {
                    let inside = before + shift >= 0 && after - shift > 0;
                    inside.then_some((before + shift, after - shift))
                });
                let moved = self.graph().value();
                self.graph().point(moved, (node, off + shift), extent);
                moved
            }
            _ => {
                self.graph().arithmetic(v, step);
                v
            }
        }
    }

    fn cast(&mut self, kind: CastKind, a: &'h Expr) -> Option<ValueId> {
        let v = self.value(a);
        match kind {
            CastKind::IntToPointer => match (v, a.as_int()) {
                (None, Some(0)) => None,
                (v, _) => {
                    let v = match v {
                        Some(v) => v,
                        None => self.graph().value(),
                    };
                    self.external(v);
                    Some(v)
                }
            },
            CastKind::IntToInt
            | CastKind::PointerToInt
            | CastKind::PointerToPointer
            | CastKind::Same => v,
            CastKind::IntToFloat
            | CastKind::FloatToInt
            | CastKind::FloatToFloat
            | CastKind::ToBool
            | CastKind::ToVoid => None,
        }
    }

    // ---- calls ----

    fn call(&mut self, e: &'h Expr, callee: &'h Callee, args: &'h [Expr]) -> Option<ValueId> {
        match callee {
            Callee::Direct(f) => {
                let values: Vec<_> = args.iter().map(|a| self.value(a)).collect();
                let function = &self.unit.functions[*f];
                if function.body.is_some() && !(self.modelled)(*f) {
                    let params = self.params(*f);
                    for (i, v) in values.iter().enumerate() {
                        let p = params.get(i).copied().unwrap_or(self.varargs);
                        if let Some(v) = v {
                            self.graph().join(p, *v);
                        }
                    }
                    return Some(self.returned(*f));
                }
                if function.body.is_some() {
                    return None;
                }
                match effect(&function.source_name) {
                    Effect::Unknown => {
                        let ty = &self.unit.types;
                        let record = scalar_of(ty, e.ty).is_none() && !ty.is_void(e.ty);
                        let pointer = ty.is_pointer(e.ty);
                        (pointer || record).then(|| self.returned(*f))
                    }
                    known => self.library(known, args, &values),
                }
            }
            Callee::Indirect(pointer) => {
                let v = self.some_value(pointer);
                self.out.exprs.insert(std::ptr::from_ref(&**pointer), v);
                let values: Vec<_> = args.iter().map(|a| self.some_value(a)).collect();
                let ty = pointee(self.unit, pointer).and_then(|t| self.unit.types.function(t));
                if let Some(t) = ty.filter(|t| t.variadic) {
                    for &v in values.iter().skip(t.params.len()) {
                        let varargs = self.varargs;
                        self.graph().join(varargs, v);
                    }
                }
                let ret = self.graph().value();
                let cell = self.graph().deref(v);
                self.graph().call(cell, values, Some(ret));
                if self.unit.types.is_pointer(e.ty) {
                    // No candidate, or one without a body: the result may be from outside.
                    self.graph().deref(ret);
                }
                Some(ret)
            }
        }
    }

    fn intrinsic(
        &mut self,
        name: &str,
        e: &'h Expr,
        args: &'h [Expr],
        values: &[Option<ValueId>],
    ) -> Option<ValueId> {
        if name.contains("sync_") || name.contains("atomic_") {
            // Reads and writes through the first argument.
            let pointer = values.first().copied().flatten()?;
            let cell = self.graph().deref(pointer);
            if let Some(s) = args
                .first()
                .and_then(|a| pointee(self.unit, a))
                .and_then(|t| scalar_of(&self.unit.types, t))
            {
                self.graph().access(cell, s);
            }
            let c = self.graph().content(cell);
            for v in values.iter().skip(1).flatten() {
                self.graph().join(c, *v);
            }
            return Some(self.mangled(c));
        }
        match name {
            "__builtin_expect" | "__builtin_constant_p" | "__builtin_assume_aligned" => {
                values.first().copied().flatten()
            }
            _ => match effect(name) {
                Effect::Unknown if self.unit.types.is_pointer(e.ty) => {
                    let v = self.graph().value();
                    self.external(v);
                    Some(v)
                }
                Effect::Unknown => None,
                known => self.library(known, args, values),
            },
        }
    }

    fn library(
        &mut self,
        effect: Effect,
        args: &'h [Expr],
        values: &[Option<ValueId>],
    ) -> Option<ValueId> {
        let arg = |i: usize| values.get(i).copied().flatten();
        const CHAR: Scalar = Scalar {
            bits: 8,
            signed: true,
            kind: ScalarKind::Int,
        };
        match effect {
            Effect::Allocate { size, .. } => {
                let fixed = size.iter().try_fold(1u64, |n, &i| {
                    let k = args.get(i)?.as_int()?;
                    n.checked_mul(u64::try_from(k).ok()?)
                });
                let cell = self.new_object(ObjectKind::Heap, fixed);
                Some(self.pointer_to(cell))
            }
            Effect::Reallocate => {
                let cell = self.new_object(ObjectKind::Heap, None);
                let v = self.pointer_to(cell);
                if let Some(old) = arg(0) {
                    self.graph().join(v, old);
                }
                Some(v)
            }
            Effect::Duplicate => {
                let cell = self.new_object(ObjectKind::Heap, None);
                let v = self.pointer_to(cell);
                if let Some(old) = arg(0) {
                    self.graph().join(v, old);
                }
                self.characters(v, CHAR);
                Some(v)
            }
            Effect::CopyBytes => {
                if let (Some(a), Some(b)) = (arg(0), arg(1)) {
                    let (a, b) = (self.graph().deref(a), self.graph().deref(b));
                    self.graph().unify(a, b);
                }
                arg(0)
            }
            Effect::SetBytes => {
                if let Some(a) = arg(0) {
                    self.graph().deref(a);
                }
                arg(0)
            }
            Effect::CopyString | Effect::AppendString => {
                for i in 0..2 {
                    if let Some(v) = arg(i) {
                        self.characters(v, CHAR);
                    }
                }
                arg(0)
            }
            Effect::ReadString => {
                for i in 0..2.min(values.len()) {
                    if let (Some(v), true) = (arg(i), self.unit.types.is_pointer(args[i].ty)) {
                        self.characters(v, CHAR);
                    }
                }
                None
            }
            Effect::PointerIntoFirst => {
                if let Some(v) = arg(0) {
                    self.characters(v, CHAR);
                }
                arg(0)
            }
            Effect::Scan => {
                for (i, a) in args.iter().enumerate().skip(1) {
                    let scalar = pointee(self.unit, a).and_then(|t| scalar_of(&self.unit.types, t));
                    if let (Some(v), Some(s)) = (arg(i), scalar) {
                        let cell = self.graph().deref(v);
                        self.graph().access(cell, s);
                    }
                }
                None
            }
            Effect::Free | Effect::Print | Effect::Unknown => None,
        }
    }

    /// The value points to characters and walks over them.
    fn characters(&mut self, v: ValueId, scalar: Scalar) {
        let cell = self.graph().deref(v);
        self.graph().arithmetic(v, 8);
        self.graph().access(cell, scalar);
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
