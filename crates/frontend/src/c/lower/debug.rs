//! Debug information of the lowered program: types, objects and functions as reports name them.

use super::super::hir;
use super::super::memory::regions::Address;
use super::super::types::{ArrayLen, FloatKind, IntKind, Type, TypeId, Types};
use super::reach::ObjectKey;
use super::scalar::{Scalar, ScalarKind};
use super::{Lower, RegionVars};
use base::FxHashMap;
use logic::TermId;
use program::{DebugField, DebugInfo, DebugObject, DebugType, DebugTypeId, VarId};
use std::collections::BTreeMap;

/// Types and variables noted while the program is built.
#[derive(Default)]
pub(in crate::c) struct Noted {
    vars: Vec<(TermId, TypeId)>,
    scalars: Vec<(TermId, Scalar)>,
    bases: Vec<(TermId, hir::LocalId)>,
}

impl Noted {
    /// The variable holds a value of the type.
    pub(in crate::c) fn typed(&mut self, var: TermId, ty: TypeId) {
        self.vars.push((var, ty));
    }

    /// The variable has no name in the source, but its values have a kind.
    pub(in crate::c) fn scalar(&mut self, var: TermId, scalar: Scalar) {
        self.scalars.push((var, scalar));
    }

    /// The variable holds the address of the local.
    pub(in crate::c) fn base(&mut self, var: TermId, local: hir::LocalId) {
        self.bases.push((var, local));
    }
}

/// Translates types; records may contain pointers to themselves.
struct Translation<'a> {
    types: &'a Types,
    known: FxHashMap<TypeId, DebugTypeId>,
    out: DebugInfo,
}

impl Translation<'_> {
    fn ty(&mut self, ty: TypeId) -> DebugTypeId {
        if let Some(&known) = self.known.get(&ty) {
            return known;
        }
        let id = self.out.types.push(DebugType::Opaque);
        self.known.insert(ty, id);
        let made = self.made(ty);
        self.out.types[id] = made;
        id
    }

    fn made(&mut self, ty: TypeId) -> DebugType {
        let types = self.types;
        match types.get(ty) {
            Type::Int(IntKind::Bool) => DebugType::Bool,
            Type::Int(kind) => DebugType::Int {
                bits: kind.bits(types.model),
                signed: kind.is_signed(),
                char: *kind == IntKind::Char,
            },
            Type::Float(kind) => DebugType::Float {
                bits: match kind {
                    FloatKind::F32 => 32,
                    FloatKind::F64 => 64,
                    FloatKind::F80 => 80,
                    FloatKind::F128 => 128,
                },
            },
            Type::Enum(e) => {
                let data = &types.enums[*e];
                DebugType::Enum {
                    name: data.tag.clone(),
                    constants: data.constants.clone(),
                }
            }
            Type::Pointer(to) => DebugType::Pointer(self.ty(*to)),
            Type::Array(element, len) => DebugType::Array {
                element: self.ty(*element),
                size: types.size_of(*element).unwrap_or(0),
                count: match len {
                    ArrayLen::Fixed(n) => *n,
                    _ => 0,
                },
            },
            Type::Record(r) => self.record(ty, *r),
            _ => DebugType::Opaque,
        }
    }

    fn record(&mut self, ty: TypeId, r: super::super::types::RecordId) -> DebugType {
        let types = self.types;
        let record = &types.records[r];
        let fields = record.fields.iter().map(|f| DebugField {
            name: f.name.clone().unwrap_or_default(),
            offset: f.offset,
            size: match f.bits {
                Some(bits) => u64::from(bits.width.div_ceil(8)),
                None => types.size_of(f.ty).unwrap_or(0),
            },
            ty: self.ty(f.ty),
        });
        DebugType::Record {
            fields: fields.collect(),
            name: types.display(ty),
            size: record.size,
        }
    }

    fn of_scalar(&mut self, scalar: Scalar) -> DebugTypeId {
        let made = match scalar.kind {
            ScalarKind::Int => DebugType::Int {
                bits: scalar.bits,
                signed: scalar.signed,
                char: false,
            },
            ScalarKind::Bool => DebugType::Bool,
            ScalarKind::Float => DebugType::Float { bits: scalar.bits },
            ScalarKind::Pointer => DebugType::Pointer(self.out.types.push(DebugType::Opaque)),
        };
        let same = |(_, t): &(DebugTypeId, &DebugType)| **t == made;
        let known = self
            .out
            .types
            .iter_enumerated()
            .find(same)
            .map(|(id, _)| id);
        known.unwrap_or_else(|| self.out.types.push(made))
    }
}

impl Lower<'_> {
    /// Notes that a variable with a source type was made.
    pub(in crate::c) fn note_type(
        &mut self,
        var: VarId,
        ty: Option<TypeId>,
        scalar: Option<Scalar>,
    ) {
        let term = self.var_term(var);
        match (ty, scalar) {
            (Some(ty), _) => self.noted.typed(term, ty),
            (None, Some(scalar)) => self.noted.scalar(term, scalar),
            (None, None) => {}
        }
    }

    /// Debug information of all that was lowered.
    pub(in crate::c) fn debug_info(&mut self) -> DebugInfo {
        let noted = std::mem::take(&mut self.noted);
        let mut t = Translation {
            types: &self.unit.types,
            known: FxHashMap::default(),
            out: DebugInfo::default(),
        };
        for (var, ty) in noted.vars {
            let ty = t.ty(ty);
            t.out.vars.insert(var, ty);
        }
        for (var, scalar) in noted.scalars {
            let ty = t.of_scalar(scalar);
            t.out.vars.insert(var, ty);
        }
        for (var, local) in noted.bases {
            let object = self.debug_object(&mut t, ObjectKey::Local(local));
            t.out.bases.insert(var, object);
        }
        let fixed = self.memory.addresses.iter();
        let fixed = fixed.filter_map(|(&key, address)| match address {
            Address::Fixed(at) => Some((*at, key)),
            Address::Dynamic => None,
        });
        for (at, key) in fixed.collect::<BTreeMap<u64, ObjectKey>>() {
            let object = self.debug_object(&mut t, key);
            t.out.objects.insert(at, object);
        }
        for (&f, &at) in &self.memory.functions {
            let name = self.unit.functions[f].source_name.clone();
            t.out.functions.insert(at, name);
        }
        let memory = &mut t.out.memory;
        for vars in self.region_vars.values() {
            if let RegionVars::Array(v) = vars {
                memory.cells.insert(self.b.vars[*v].term);
            }
        }
        memory.start = self.memory.heap;
        memory.top = self.alloc_top.map(|v| self.b.vars[v].term);
        if let Some(s) = self.safety {
            memory.block = Some(s.block);
            memory.sizes = Some(self.b.vars[s.size].term);
            memory.heap = Some(self.b.vars[s.heap].term);
            memory.live = Some(self.b.vars[s.live].term);
        }
        t.out
    }

    fn debug_object(&self, t: &mut Translation<'_>, key: ObjectKey) -> DebugObject {
        let unit = self.unit;
        let ty = self.type_of_object(key);
        let (name, span, function, text) = match key {
            ObjectKey::Global(g) => {
                let global = &unit.globals[g];
                let name = global.source_name.clone().unwrap_or_default();
                (name, global.span, None, None)
            }
            ObjectKey::Local(l) => {
                let local = &unit.locals[l];
                let function = unit.functions[local.function].name.clone();
                (local.name.clone(), local.span, Some(function), None)
            }
            ObjectKey::String(s) => {
                let literal = &unit.strings[s];
                let units = &literal.units;
                let text = units[..units.len().saturating_sub(1)].to_vec();
                (String::new(), literal.span, None, Some(text))
            }
        };
        DebugObject {
            name,
            size: unit.types.size_of(ty).unwrap_or(0),
            ty: t.ty(ty),
            span,
            function,
            text,
        }
    }

    /// The scalar type at a bit of a type.
    pub(in crate::c) fn leaf_type(&self, ty: TypeId, bit: u64) -> TypeId {
        let types = &self.unit.types;
        let (mut ty, mut bit) = (ty, bit);
        for _ in 0..32 {
            match types.get(ty) {
                Type::Array(element, _) => {
                    bit %= types.size_of(*element).unwrap_or(1).max(1) * 8;
                    ty = *element;
                }
                Type::Record(r) => {
                    let field = types.records[*r].fields.iter().find(|f| match f.bits {
                        Some(b) => (b.bit_offset..b.bit_offset + u64::from(b.width)).contains(&bit),
                        None => {
                            let low = f.offset * 8;
                            (low..low + types.size_of(f.ty).unwrap_or(0) * 8).contains(&bit)
                        }
                    });
                    let Some(field) = field else { break };
                    ty = field.ty;
                    if field.bits.is_some() {
                        break;
                    }
                    bit -= field.offset * 8;
                }
                _ => break,
            }
        }
        ty
    }
}
