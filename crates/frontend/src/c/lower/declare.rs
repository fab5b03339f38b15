//! Variables: which objects are split into them, their names and ranges, functions and their
//! parameters.

use super::super::hir::{self, Unit};
use super::super::memory::regions::{Address, RegionId};
use super::super::types::{ArrayLen, Type, TypeId, Types};
use super::ranges::Interval;
use super::reach::{ObjectKey, Reach};
use super::scalar::{Leaf, Scalar, bitfield_scalar, has_union, leaves, scalar_of};
use super::{Callable, Lower, RegionVars, Shape, Slot, Split};
use crate::builder::VarSpec;
use base::{FxHashSet, Id};
use logic::{Rational, TermId};
use program::{Span, VarId, VarKind};
use std::rc::Rc;

/// Split objects have at most this many variables.
const SLOT_LIMIT: usize = 512;
/// Arrays indexed by constants only are kept element by element up to this many scalars.
const ELEMENT_LIMIT: usize = 64;
/// Records of more leaves are not passed by value.
const PASS_LIMIT: usize = 64;

fn object_type(unit: &Unit, key: ObjectKey) -> TypeId {
    match key {
        ObjectKey::Global(g) => unit.globals[g].ty,
        ObjectKey::Local(l) => unit.locals[l].ty,
        ObjectKey::String(s) => unit.strings[s].ty,
    }
}

/// A slot to be: bit, scalar, type, dimensions.
type SlotSpec = (u64, Scalar, TypeId, Vec<(u64, u64)>);

/// Slots of a type with arrays folded: bit, scalar, dimensions. `false`: not possible.
fn folded_slots(
    types: &Types,
    ty: TypeId,
    bit: u64,
    dims: &mut Vec<(u64, u64)>,
    out: &mut Vec<SlotSpec>,
) -> bool {
    if let Some(scalar) = scalar_of(types, ty) {
        out.push((bit, scalar, ty, dims.clone()));
        return out.len() <= SLOT_LIMIT;
    }
    match *types.get(ty) {
        Type::Array(element, ArrayLen::Fixed(n)) | Type::Vector(element, n) => {
            let Some(size) = types.size_of(element).filter(|s| *s > 0) else {
                return false;
            };
            dims.push((size * 8, n));
            let fine = folded_slots(types, element, bit, dims, out);
            dims.pop();
            fine
        }
        Type::Record(r) => {
            let record = &types.records[r];
            record.complete
                && !record.is_union
                && record.fields.iter().all(|f| match f.bits {
                    Some(b) => {
                        let scalar = bitfield_scalar(types, f.ty, b.width);
                        out.push((bit + b.bit_offset, scalar, f.ty, dims.clone()));
                        true
                    }
                    None => folded_slots(types, f.ty, bit + f.offset * 8, dims, out),
                })
        }
        _ => false,
    }
}

/// Objects that cannot be plain variables: their address is used, or parts overlap, or there are
/// too many parts.
pub fn memory_objects(unit: &Unit, reach: &Reach) -> FxHashSet<ObjectKey> {
    let mut out: FxHashSet<ObjectKey> = reach
        .strings
        .iter()
        .map(|&s| ObjectKey::String(s))
        .collect();
    let globals = reach.globals.iter().map(|&g| ObjectKey::Global(g));
    let live: FxHashSet<hir::FuncId> = reach.functions.iter().copied().collect();
    let locals = unit
        .locals
        .iter_enumerated()
        .filter(|(_, l)| live.contains(&l.function))
        .map(|(id, _)| ObjectKey::Local(id));
    for key in globals.chain(locals) {
        let ty = object_type(unit, key);
        if scalar_of(&unit.types, ty).is_some() {
            if reach.escaping.contains(&key) {
                out.insert(key);
            }
            continue;
        }
        let elementwise =
            !reach.indexed.contains(&key) && leaves(&unit.types, ty, ELEMENT_LIMIT).is_some();
        if reach.escaping.contains(&key)
            || has_union(&unit.types, ty)
            || (!elementwise && !folded_slots(&unit.types, ty, 0, &mut Vec::new(), &mut Vec::new()))
        {
            out.insert(key);
        }
    }
    out
}

impl Lower<'_> {
    pub(in crate::c) fn interval_range(
        interval: Option<Interval>,
        bits: u32,
    ) -> (Rational, Rational) {
        match interval {
            Some((low, high)) => (Rational::from(low), Rational::from(high)),
            None => logic::machine::type_range(bits as u8, false),
        }
    }

    pub(in crate::c) fn scalar_range(scalar: Scalar) -> (Rational, Rational) {
        Self::interval_range(scalar.interval(), scalar.span())
    }

    /// A variable that holds a scalar.
    pub(in crate::c) fn scalar_var(
        &mut self,
        name: &str,
        scalar: Scalar,
        kind: VarKind,
        source: Option<(String, TypeId)>,
        span: Span,
    ) -> VarId {
        let sort = self.pool.int_sort();
        let ty = source.as_ref().map(|(_, ty)| *ty);
        let (source_name, source_type) = match source {
            Some((name, ty)) => (Some(name), Some(self.unit.types.display(ty))),
            None => (None, None),
        };
        let v = self.b.var(
            self.pool,
            VarSpec {
                name,
                sort,
                range: Some(Self::scalar_range(scalar)),
                kind,
                source_name,
                source_type,
                span,
            },
        );
        self.ranges.set(self.b.vars[v].term, scalar.interval());
        self.note_type(v, ty, Some(scalar));
        v
    }

    fn array_var(
        &mut self,
        name: &str,
        kind: VarKind,
        source: Option<(String, TypeId)>,
        span: Span,
    ) -> VarId {
        let int = self.pool.int_sort();
        let sort = self.pool.array_sort(int, int);
        let ty = source.as_ref().map(|(_, ty)| *ty);
        let (source_name, source_type) = match source {
            Some((name, ty)) => (Some(name), Some(self.unit.types.display(ty))),
            None => (None, None),
        };
        let v = self.b.var(
            self.pool,
            VarSpec {
                name,
                sort,
                range: None,
                kind,
                source_name,
                source_type,
                span,
            },
        );
        self.note_type(v, ty, None);
        v
    }

    /// A local that holds a scalar for a while.
    pub(in crate::c) fn temp(&mut self, scalar: Scalar, span: Span) -> VarId {
        let name = format!("{}::tmp", self.frame.name);
        let v = self.scalar_var(&name, scalar, VarKind::Local, None, span);
        self.temporaries.insert(self.var_term(v));
        v
    }

    pub(in crate::c) fn var_term(&self, v: VarId) -> TermId {
        self.b.vars[v].term
    }

    /// Has the object a name of the program, or one that people know?
    fn is_written(&self, key: ObjectKey) -> bool {
        match key {
            ObjectKey::Local(l) => !self.unit.locals[l].name.is_empty(),
            // Objects of the library's models are not told of, but what they lead to has their type.
            ObjectKey::Global(g) => !self.unit.globals[g].name.starts_with("craig."),
            ObjectKey::String(_) => true,
        }
    }

    pub(super) fn object_name(&self, key: ObjectKey) -> (String, String, Span) {
        match key {
            ObjectKey::Global(g) => {
                let global = &self.unit.globals[g];
                let source = global
                    .source_name
                    .clone()
                    .unwrap_or_else(|| "literal".into());
                (global.name.clone(), source, global.span)
            }
            ObjectKey::Local(l) => {
                let local = &self.unit.locals[l];
                let name = if local.name.is_empty() {
                    "_"
                } else {
                    &local.name
                };
                let function = &self.unit.functions[local.function].name;
                (format!("{function}::{name}"), name.into(), local.span)
            }
            ObjectKey::String(s) => {
                let n = format!("string{}", s.index());
                (n.clone(), n, self.unit.strings[s].span)
            }
        }
    }

    /// The path to a bit of a type, as C writes it: `.next`, `[3].x`.
    pub(in crate::c) fn path_name(&self, ty: TypeId, bit: u64) -> String {
        let types = &self.unit.types;
        let (mut ty, mut bit, mut out) = (ty, bit, String::new());
        for _ in 0..32 {
            match *types.get(ty) {
                Type::Array(element, _) | Type::Vector(element, _) => {
                    let size = types.size_of(element).unwrap_or(1).max(1) * 8;
                    out.push_str(&format!("[{}]", bit / size));
                    bit %= size;
                    ty = element;
                }
                Type::Record(r) => {
                    let fields = &types.records[r].fields;
                    let Some(f) = fields.iter().find(|f| {
                        let (low, size) = match f.bits {
                            Some(b) => (b.bit_offset, u64::from(b.width)),
                            None => (f.offset * 8, types.size_of(f.ty).unwrap_or(0) * 8),
                        };
                        low <= bit && bit < low + size
                    }) else {
                        return format!("{out}@{bit}");
                    };
                    if let Some(name) = &f.name {
                        out.push('.');
                        out.push_str(name);
                    }
                    if f.bits.is_some() {
                        return out;
                    }
                    bit -= f.offset * 8;
                    ty = f.ty;
                }
                _ => break,
            }
        }
        out
    }

    /// The variables of an object that is not in memory.
    pub(in crate::c) fn split(&mut self, key: ObjectKey) -> Rc<Split> {
        if let Some(s) = self.splits.get(&key) {
            return s.clone();
        }
        let kind = match key {
            ObjectKey::Local(_) => VarKind::Local,
            _ => VarKind::Global,
        };
        let split = Rc::new(self.make_split(key, kind));
        self.splits.insert(key, split.clone());
        split
    }

    fn make_split(&mut self, key: ObjectKey, kind: VarKind) -> Split {
        let ty = object_type(self.unit, key);
        let (name, source, span) = self.object_name(key);
        let elementwise = if self.reach.indexed.contains(&key) {
            None
        } else {
            leaves(&self.unit.types, ty, ELEMENT_LIMIT)
        };
        let folded = elementwise.is_none();
        let slots = match elementwise {
            Some(all) => all
                .into_iter()
                .map(|l| (l.bit, l.scalar, l.ty, Vec::new()))
                .collect(),
            None => {
                let mut out = Vec::new();
                folded_slots(&self.unit.types, ty, 0, &mut Vec::new(), &mut out);
                out
            }
        };
        let mut split = Split {
            folded,
            ..Split::default()
        };
        for (bit, scalar, leaf_ty, dims) in slots {
            let mut path = self.path_name(ty, bit);
            if folded {
                path = path.replace("[0]", "[]");
            }
            let (full, written) = (format!("{name}{path}"), format!("{source}{path}"));
            let told = self.is_written(key).then_some((written, leaf_ty));
            let var = if dims.is_empty() {
                self.scalar_var(&full, scalar, kind, told, span)
            } else {
                self.array_var(&full, kind, told, span)
            };
            split.slots.insert(bit, Slot { var, scalar, dims });
        }
        split
    }

    pub(in crate::c) fn is_in_memory(&self, key: ObjectKey) -> bool {
        self.in_memory.contains(&key)
    }

    pub(in crate::c) fn type_of_object(&self, key: ObjectKey) -> TypeId {
        object_type(self.unit, key)
    }

    /// The address of an object in memory.
    pub(in crate::c) fn object_address(&mut self, key: ObjectKey) -> TermId {
        match (self.memory.addresses.get(&key), key) {
            (Some(&Address::Fixed(a)), _) => self.pool.int(a),
            (_, ObjectKey::Local(l)) => {
                let v = self.base_var(l);
                self.var_term(v)
            }
            _ => self.pool.int(0),
        }
    }

    /// The variable with the current address of a local that moves.
    pub(in crate::c) fn base_var(&mut self, l: hir::LocalId) -> VarId {
        if let Some(&v) = self.frame.bases.get(&l) {
            return v;
        }
        let (name, _, span) = self.object_name(ObjectKey::Local(l));
        let pointer = self.pointer_scalar();
        let v = self.scalar_var(&format!("&{name}"), pointer, VarKind::Local, None, span);
        self.frame.bases.insert(l, v);
        self.noted.base(self.b.vars[v].term, l);
        v
    }

    pub(in crate::c) fn pointer_scalar(&self) -> Scalar {
        Scalar {
            bits: self.unit.types.pointer_size() as u32 * 8,
            signed: false,
            kind: super::scalar::ScalarKind::Pointer,
        }
    }

    pub(in crate::c) fn region_vars(&mut self, id: RegionId) -> RegionVars {
        if let Some(v) = self.region_vars.get(&id) {
            return v.clone();
        }
        let region = self.memory.regions[id.index()].clone();
        let vars = match (&region.cells, region.scalar) {
            (Some(cells), Some(scalar)) => {
                let mut out = Vec::new();
                for c in cells {
                    let ty = object_type(self.unit, c.key);
                    let path = self.path_name(ty, c.bit);
                    let (name, source, span) = self.object_name(c.key);
                    let leaf = self.leaf_type(ty, c.bit);
                    let v = self.scalar_var(
                        &format!("{name}{path}"),
                        scalar,
                        VarKind::Global,
                        (self.is_written(c.key) && !matches!(c.key, ObjectKey::String(_)))
                            .then(|| (format!("{source}{path}"), leaf)),
                        span,
                    );
                    out.push((c.address, v));
                }
                out.sort_unstable();
                RegionVars::Cells(Rc::new(out))
            }
            _ => {
                let name = match region.scalar {
                    Some(_) => format!("mem.{}", id.index()),
                    None => format!("bytes.{}", id.index()),
                };
                RegionVars::Array(self.array_var(&name, VarKind::Global, None, Span::unknown()))
            }
        };
        self.region_vars.insert(id, vars.clone());
        vars
    }

    /// The first address not yet used by allocation.
    pub(in crate::c) fn alloc_top(&mut self) -> VarId {
        if let Some(v) = self.alloc_top {
            return v;
        }
        let pointer = self.pointer_scalar();
        let v = self.scalar_var("alloc.top", pointer, VarKind::Global, None, Span::unknown());
        self.alloc_top = Some(v);
        v
    }

    // ---- functions ----

    fn shape(&self, ty: TypeId) -> Shape {
        if self.unit.types.is_void(ty) {
            return Shape::Nothing;
        }
        match scalar_of(&self.unit.types, ty) {
            Some(s) => Shape::Scalar(s),
            None => match leaves(&self.unit.types, ty, PASS_LIMIT) {
                Some(all) => Shape::Leaves(Rc::new(all)),
                None => Shape::Opaque,
            },
        }
    }

    pub(in crate::c) fn declare_functions(&mut self) {
        for f in self.reach.functions.clone() {
            let function = &self.unit.functions[f];
            if super::is_error(self.unit, self.options, f) {
                continue;
            }
            let Some(body) = &function.body else { continue };
            let id = self.b.declare(&function.name, function.span, body.end);
            let params = body
                .params
                .iter()
                .map(|&p| self.shape(self.unit.locals[p].ty))
                .collect();
            let ret = self
                .unit
                .types
                .function(function.ty)
                .map_or(Shape::Nothing, |t| self.shape(t.ret));
            self.functions.insert(f, Callable { id, params, ret });
            self.declare_signature(f);
        }
    }

    /// Makes the parameter and return variables, so that calls know them.
    fn declare_signature(&mut self, f: hir::FuncId) {
        let callable = self.functions[&f].clone();
        let unit = self.unit;
        let function = &unit.functions[f];
        let Some(body) = &function.body else { return };
        self.b.enter(callable.id);
        for (&p, shape) in body.params.iter().zip(&callable.params) {
            let key = ObjectKey::Local(p);
            let (name, source, span) = self.object_name(key);
            let ty = unit.locals[p].ty;
            let kept: Vec<Leaf> = match shape {
                Shape::Scalar(scalar) => vec![Leaf {
                    bit: 0,
                    scalar: *scalar,
                    ty,
                    bitfield: false,
                }],
                Shape::Leaves(all) => all.to_vec(),
                _ => Vec::new(),
            };
            let in_memory = self.is_in_memory(key);
            let direct = !in_memory && matches!(shape, Shape::Scalar(_));
            for leaf in kept {
                let path = self.path_name(ty, leaf.bit);
                let suffix = if direct { "" } else { ".in" };
                let var = self.scalar_var(
                    &format!("{name}{path}{suffix}"),
                    leaf.scalar,
                    VarKind::Param,
                    Some((format!("{source}{path}"), leaf.ty)),
                    span,
                );
                if direct {
                    let mut split = Split::default();
                    split.slots.insert(
                        0,
                        Slot {
                            var,
                            scalar: leaf.scalar,
                            dims: Vec::new(),
                        },
                    );
                    self.splits.insert(key, Rc::new(split));
                }
            }
        }
        let ret: Vec<(u64, Scalar)> = match &callable.ret {
            Shape::Scalar(s) => vec![(0, *s)],
            Shape::Leaves(all) => all.iter().map(|l| (l.bit, l.scalar)).collect(),
            _ => Vec::new(),
        };
        for (bit, scalar) in ret {
            let name = match bit {
                0 => format!("{}::return", function.name),
                _ => format!("{}::return@{bit}", function.name),
            };
            self.scalar_var(&name, scalar, VarKind::Return, None, function.span);
        }
    }
}
