//! Scalars and leaves: how C types look as integers of the logic.
//!
//! Every scalar value is an Int: integers and enums by value, pointers by address, floats by bit
//! pattern. A record or array is its leaves, the scalars at known bit offsets. Bytes of a union
//! belong to the leaves of a member that covers it, else to single bytes.

use super::super::types::{ArrayLen, IntKind, Type, TypeId, Types};
use super::ranges::{Interval, type_interval};

/// What a scalar's integer stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ScalarKind {
    Int,
    /// `_Bool`: 0 or 1 in its storage.
    Bool,
    Pointer,
    /// An IEEE bit pattern, of 32, 64, 80 (x87) or 128 bits.
    Float,
}

/// The bits of an address.
pub const POINTER_SPAN: u32 = 64;

/// A scalar type as the logic sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Scalar {
    pub bits: u32,
    pub signed: bool,
    pub kind: ScalarKind,
}

impl Scalar {
    pub const BYTE: Scalar = Scalar {
        bits: 8,
        signed: false,
        kind: ScalarKind::Int,
    };

    pub const FLAG: Scalar = Scalar {
        kind: ScalarKind::Bool,
        ..Scalar::BYTE
    };

    /// The values the scalar takes; `None` only for 128-bit unsigned.
    pub fn interval(self) -> Option<Interval> {
        match self.kind {
            ScalarKind::Bool => Some((0, 1)),
            _ => type_interval(self.span(), self.signed),
        }
    }

    /// The bits of its values. Addresses of a 32-bit machine are wider than what is stored of them: no
    /// address is used twice, so a program that frees what it allocates must not run out of them. What
    /// makes an integer of an address says so, see `address_as_integer`.
    pub fn span(self) -> u32 {
        match self.kind {
            ScalarKind::Pointer => POINTER_SPAN,
            _ => self.bits,
        }
    }

    pub fn is_float(self) -> bool {
        self.kind == ScalarKind::Float
    }
}

/// One scalar of an aggregate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leaf {
    /// From the start of the aggregate.
    pub bit: u64,
    pub scalar: Scalar,
    pub ty: TypeId,
    pub bitfield: bool,
}

fn int_scalar(types: &Types, kind: IntKind) -> Scalar {
    Scalar {
        bits: kind.bits(types.model),
        signed: kind.is_signed(),
        kind: if kind == IntKind::Bool {
            ScalarKind::Bool
        } else {
            ScalarKind::Int
        },
    }
}

/// The scalar of a scalar type; `None` for records, arrays, void and functions.
pub fn scalar_of(types: &Types, ty: TypeId) -> Option<Scalar> {
    match *types.get(ty) {
        Type::Int(kind) => Some(int_scalar(types, kind)),
        Type::Enum(e) => Some(int_scalar(types, types.enums[e].underlying)),
        Type::Pointer(_) => Some(Scalar {
            bits: types.pointer_size() as u32 * 8,
            signed: false,
            kind: ScalarKind::Pointer,
        }),
        Type::Float(kind) => Some(Scalar {
            bits: kind.bits(),
            signed: false,
            kind: ScalarKind::Float,
        }),
        _ => None,
    }
}

/// The scalar of a bit-field of the given declared type and width.
pub fn bitfield_scalar(types: &Types, ty: TypeId, width: u32) -> Scalar {
    let declared = scalar_of(types, ty).unwrap_or(Scalar::BYTE);
    if declared.kind == ScalarKind::Bool {
        return Scalar {
            bits: width,
            ..declared
        };
    }
    Scalar {
        bits: width,
        signed: declared.signed,
        kind: ScalarKind::Int,
    }
}

/// The leaves of a type, in order of offset; `None` if there are more than `limit` or the size is
/// not fixed. A flexible array member has no leaves.
pub fn leaves(types: &Types, ty: TypeId, limit: usize) -> Option<Vec<Leaf>> {
    let mut out = Vec::new();
    collect(types, ty, 0, limit, &mut out).then_some(out)
}

fn collect(types: &Types, ty: TypeId, bit: u64, limit: usize, out: &mut Vec<Leaf>) -> bool {
    if let Some(scalar) = scalar_of(types, ty) {
        out.push(Leaf {
            bit,
            scalar,
            ty,
            bitfield: false,
        });
        return out.len() <= limit;
    }
    match *types.get(ty) {
        Type::Array(element, ArrayLen::Fixed(n)) | Type::Vector(element, n) => {
            let Some(size) = types.size_of(element) else {
                return false;
            };
            if n as usize > limit {
                return false;
            }
            (0..n).all(|i| collect(types, element, bit + i * size * 8, limit, out))
        }
        Type::Array(_, ArrayLen::Incomplete) => true,
        Type::Record(r) => {
            let record = &types.records[r];
            if !record.complete {
                return false;
            }
            if record.is_union {
                return union_leaves(types, ty, bit, limit, out);
            }
            record.fields.iter().all(|f| match f.bits {
                Some(b) => {
                    out.push(Leaf {
                        bit: bit + b.bit_offset,
                        scalar: bitfield_scalar(types, f.ty, b.width),
                        ty: f.ty,
                        bitfield: true,
                    });
                    out.len() <= limit
                }
                None => collect(types, f.ty, bit + f.offset * 8, limit, out),
            })
        }
        Type::Void => true,
        _ => false,
    }
}

/// A member whose leaves leave no gap, else single bytes: either way a copy by leaves is exact.
fn union_leaves(types: &Types, ty: TypeId, bit: u64, limit: usize, out: &mut Vec<Leaf>) -> bool {
    let Type::Record(r) = *types.get(ty) else {
        return false;
    };
    let record = &types.records[r];
    // One member only: what lies beside its bits is nobody's.
    if let [f] = record.fields.as_slice()
        && let Some(b) = f.bits
    {
        out.push(Leaf {
            bit: bit + b.bit_offset,
            scalar: bitfield_scalar(types, f.ty, b.width),
            ty: f.ty,
            bitfield: true,
        });
        return out.len() <= limit;
    }
    for f in record.fields.iter().filter(|f| f.bits.is_none()) {
        let mut inner = Vec::new();
        if collect(types, f.ty, 0, limit, &mut inner) {
            let covered: u64 = inner.iter().map(|l| u64::from(l.scalar.bits)).sum();
            if covered == record.size * 8 {
                out.extend(inner.into_iter().map(|l| Leaf {
                    bit: bit + l.bit,
                    ..l
                }));
                return out.len() <= limit;
            }
        }
    }
    if record.size as usize > limit {
        return false;
    }
    out.extend((0..record.size).map(|i| Leaf {
        bit: bit + i * 8,
        scalar: Scalar::BYTE,
        ty,
        bitfield: false,
    }));
    out.len() <= limit
}

/// Whether a union occurs in the type.
pub fn has_union(types: &Types, ty: TypeId) -> bool {
    match *types.get(ty) {
        Type::Array(element, _) => has_union(types, element),
        Type::Record(r) => {
            let record = &types.records[r];
            record.is_union || record.fields.iter().any(|f| has_union(types, f.ty))
        }
        _ => false,
    }
}
