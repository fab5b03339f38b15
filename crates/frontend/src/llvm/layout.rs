//! Sizes and offsets by the module's data layout.

use super::module::{FloatType, Module, Ty, Type};

/// Bytes and alignment of a type; an opaque type has none.
pub fn size_align(module: &Module<'_>, ty: Ty) -> (u64, u64) {
    let narrow = is_32(module);
    match module.get(ty) {
        Type::Int(bits) => {
            let limit = match (narrow, module.layout.contains("i128:128")) {
                (true, _) => 4,
                (false, true) => 16,
                (false, false) => 8,
            };
            let bytes = match u64::from(*bits).div_ceil(8) {
                wide @ 17.. => wide.next_multiple_of(limit),
                bytes => bytes.max(1).next_power_of_two(),
            };
            (bytes.max(1), bytes.min(limit))
        }
        Type::Float(kind) => match kind {
            FloatType::Half | FloatType::BFloat => (2, 2),
            FloatType::Float => (4, 4),
            FloatType::Double => (8, if narrow { 4 } else { 8 }),
            FloatType::X86Fp80 if narrow => (12, 4),
            FloatType::X86Fp80 | FloatType::Fp128 => (16, 16),
        },
        Type::Pointer | Type::Function { .. } => {
            if narrow {
                (4, 4)
            } else {
                (8, 8)
            }
        }
        Type::Array(n, e) => {
            let (size, align) = size_align(module, *e);
            (size.saturating_mul(*n), align)
        }
        Type::Vector(n, e) => {
            let bits = match module.get(*e) {
                Type::Int(bits) => u64::from(*bits),
                _ => size_align(module, *e).0 * 8,
            };
            let size = (bits * n).div_ceil(8).max(1).next_power_of_two();
            (size, size)
        }
        Type::Struct { fields, packed } => {
            let (mut at, mut most) = (0, 1);
            for &f in fields {
                let (size, align) = size_align(module, f);
                let align = if *packed { 1 } else { align };
                at = round_up(at, align) + size;
                most = most.max(align);
            }
            (round_up(at, most), most)
        }
        Type::Void | Type::Named(_) | Type::Other | Type::Metadata => (0, 1),
    }
}

/// Byte offsets of the fields of a struct.
pub fn offsets(module: &Module<'_>, ty: Ty) -> Vec<u64> {
    let Type::Struct { fields, packed } = module.get(ty) else {
        return Vec::new();
    };
    let mut at = 0;
    let mut out = Vec::with_capacity(fields.len());
    for &f in fields {
        let (size, align) = size_align(module, f);
        at = round_up(at, if *packed { 1 } else { align });
        out.push(at);
        at += size;
    }
    out
}

/// Are pointers of 32 bits?
pub fn is_32(module: &Module<'_>) -> bool {
    module
        .layout
        .split('-')
        .any(|part| part.starts_with("p:32"))
}

fn round_up(value: u64, align: u64) -> u64 {
    value.div_ceil(align.max(1)) * align.max(1)
}
