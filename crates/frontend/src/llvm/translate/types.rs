//! Types of LLVM as types of the tree.

use super::super::layout::{offsets, size_align};
use super::super::module::{FloatType, Ty, Type};
use super::Translator;
use crate::c::types::{DataModel, Field, FloatKind, FunctionType, IntKind, Record, TypeId};

impl Translator<'_, '_> {
    /// The integer type that holds `bits` bits; other widths live in the next larger one.
    pub(super) fn int_kind(&self, bits: u32, signed: bool) -> IntKind {
        let kind = match bits {
            1 => return IntKind::Bool,
            0..=8 => IntKind::SChar,
            9..=16 => IntKind::Short,
            17..=32 => IntKind::Int,
            33..=64 => match self.unit.types.model {
                DataModel::Lp64 => IntKind::Long,
                DataModel::Ilp32 => IntKind::LongLong,
            },
            _ => IntKind::Int128,
        };
        if signed { kind } else { kind.to_unsigned() }
    }

    pub(super) fn int_type(&mut self, bits: u32, signed: bool) -> TypeId {
        let kind = self.int_kind(bits, signed);
        self.unit.types.int(kind)
    }

    pub(super) fn void_pointer(&mut self) -> TypeId {
        let void = self.unit.types.void();
        self.unit.types.pointer(void)
    }

    /// The type; integers outside of records have the sign.
    pub(super) fn ty(&mut self, ty: Ty, signed: bool) -> TypeId {
        if let Some(&t) = self.types.get(&(ty, signed)) {
            return t;
        }
        let module = self.module;
        let t = match module.get(ty) {
            Type::Void | Type::Named(_) | Type::Other | Type::Metadata => self.unit.types.void(),
            Type::Int(bits) if *bits > 128 => self.pieces_type(*bits),
            Type::Int(bits) => self.int_type(*bits, signed),
            Type::Float(kind) => match kind {
                FloatType::Half | FloatType::BFloat => self.int_type(16, false),
                FloatType::Float => self.unit.types.float(FloatKind::F32),
                FloatType::Double => self.unit.types.float(FloatKind::F64),
                FloatType::X86Fp80 => self.unit.types.float(FloatKind::F80),
                FloatType::Fp128 => self.unit.types.float(FloatKind::F128),
            },
            Type::Pointer => self.void_pointer(),
            Type::Array(n, e) => {
                let e = self.ty(*e, signed);
                self.unit.types.array(e, *n)
            }
            Type::Vector(n, e) => {
                let element = self.ty(*e, signed);
                let fields = (0..*n).map(|_| element).collect();
                let step = size_align(module, *e).0;
                let at: Vec<u64> = (0..*n).map(|i| i * step).collect();
                self.record(None, fields, &at, size_align(module, ty), ty)
            }
            Type::Struct { .. } => self.struct_type(ty),
            Type::Function {
                ret,
                params,
                variadic,
            } => {
                let ret = self.ty(*ret, signed);
                let params = params.iter().map(|&p| self.ty(p, signed)).collect();
                self.unit
                    .types
                    .intern(crate::c::types::Type::Function(FunctionType {
                        ret,
                        params,
                        variadic: *variadic,
                        unprototyped: false,
                    }))
            }
        };
        self.types.insert((ty, signed), t);
        t
    }

    fn struct_type(&mut self, ty: Ty) -> TypeId {
        if let Some(&t) = self.records.get(&ty) {
            return t;
        }
        let module = self.module;
        let Type::Struct { fields, .. } = module.get(ty) else {
            return self.unit.types.void();
        };
        let tag = match &module.types[ty.0 as usize] {
            Type::Named(name) => {
                let plain = name
                    .strip_prefix("struct.")
                    .or_else(|| name.strip_prefix("class."));
                Some(
                    plain
                        .or_else(|| name.strip_prefix("union."))
                        .unwrap_or(name)
                        .to_string(),
                )
            }
            _ => None,
        };
        let mut types = Vec::new();
        for (i, &f) in fields.iter().enumerate() {
            let signed = self.signs.field(ty, i as u32);
            types.push(self.ty(f, signed));
        }
        let t = self.record(tag, types, &offsets(module, ty), size_align(module, ty), ty);
        self.records.insert(ty, t);
        t
    }

    fn record(
        &mut self,
        tag: Option<String>,
        types: Vec<TypeId>,
        at: &[u64],
        (size, align): (u64, u64),
        origin: Ty,
    ) -> TypeId {
        let fields = types
            .into_iter()
            .zip(at)
            .enumerate()
            .map(|(i, (ty, &offset))| {
                let known = self.member_names.get(&(origin, i as u32));
                Field {
                    name: Some(known.map_or_else(|| i.to_string(), |n| n.to_string())),
                    ty,
                    offset,
                    bits: None,
                }
            })
            .collect();
        let record = self.unit.types.records.push(Record {
            tag,
            is_union: false,
            fields,
            complete: true,
            size,
            align,
            transparent: false,
        });
        self.unit
            .types
            .intern(crate::c::types::Type::Record(record))
    }

    /// A record of these scalars at these offsets, found by the accesses to it.
    pub(super) fn record_of(&mut self, parts: &[(u64, TypeId)], size: u64, align: u64) -> TypeId {
        let fields = parts
            .iter()
            .map(|&(offset, ty)| Field {
                name: Some(offset.to_string()),
                ty,
                offset,
                bits: None,
            })
            .collect();
        let record = self.unit.types.records.push(Record {
            tag: None,
            is_union: false,
            fields,
            complete: true,
            size,
            align,
            transparent: false,
        });
        self.unit
            .types
            .intern(crate::c::types::Type::Record(record))
    }

    pub(super) fn size(&self, ty: Ty) -> u64 {
        size_align(self.module, ty).0
    }

    pub(super) fn is_aggregate(&self, ty: Ty) -> bool {
        matches!(
            self.module.get(ty),
            Type::Struct { .. } | Type::Array(..) | Type::Vector(..)
        ) || self.is_wide(ty)
    }
}
