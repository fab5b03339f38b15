//! Sizes, alignments and offsets, as the System V ABIs for i386 and x86-64 (and gcc) have them.

use crate::c::types::{
    ArrayLen, BitField, DataModel, Field, FloatKind, IntKind, RecordId, Type, TypeId, Types,
};

/// A member as declared, before it has a place.
#[derive(Clone, Debug)]
pub struct Member {
    pub name: Option<String>,
    pub ty: TypeId,
    /// Width of a bit-field; an unnamed one only pads (0: to the next storage unit).
    pub width: Option<u32>,
    /// `_Alignas` / `aligned(n)` on the member.
    pub align: Option<u64>,
    pub packed: bool,
}

/// Attributes of a record that move its members.
#[derive(Clone, Copy, Debug, Default)]
pub struct RecordAttributes {
    pub packed: bool,
    pub align: Option<u64>,
    /// `#pragma pack(n)`.
    pub max_align: Option<u64>,
    pub transparent: bool,
}

pub fn round_up(value: u64, align: u64) -> u64 {
    match value % align.max(1) {
        0 => value,
        rest => value.saturating_add(align - rest),
    }
}

fn float_layout(kind: FloatKind, model: DataModel) -> (u64, u64) {
    match (kind, model) {
        (FloatKind::F32, _) => (4, 4),
        (FloatKind::F64, _) => (8, 8),
        (FloatKind::F80, DataModel::Ilp32) => (12, 4),
        (FloatKind::F80, DataModel::Lp64) | (FloatKind::F128, _) => (16, 16),
    }
}

impl Types {
    pub fn pointer_size(&self) -> u64 {
        match self.model {
            DataModel::Ilp32 => 4,
            DataModel::Lp64 => 8,
        }
    }

    /// Bytes of an object of this type; `None` if incomplete or of variable length. `void` and
    /// functions have size 1 (GNU).
    pub fn size_of(&self, id: TypeId) -> Option<u64> {
        match *self.get(id) {
            Type::Void | Type::Function(_) => Some(1),
            Type::Int(kind) => Some(kind.size(self.model)),
            Type::Float(kind) => Some(float_layout(kind, self.model).0),
            Type::Pointer(_) => Some(self.pointer_size()),
            Type::Array(element, ArrayLen::Fixed(n)) => self.size_of(element)?.checked_mul(n),
            Type::Vector(element, n) => self.size_of(element)?.checked_mul(n),
            Type::Array(..) => None,
            Type::Record(r) => self.records[r].complete.then_some(self.records[r].size),
            Type::Enum(e) => self.enums[e]
                .complete
                .then_some(self.enums[e].underlying.size(self.model)),
            Type::Error => Some(4),
        }
    }

    /// Natural alignment of a complete object (what gcc's `__alignof__` gives).
    pub fn align_of(&self, id: TypeId) -> u64 {
        match *self.get(id) {
            Type::Void | Type::Function(_) => 1,
            Type::Int(kind) => kind.size(self.model),
            Type::Float(kind) => float_layout(kind, self.model).1,
            Type::Pointer(_) => self.pointer_size(),
            Type::Array(element, _) => self.align_of(element),
            Type::Vector(element, n) => self
                .size_of(element)
                .and_then(|s| s.checked_mul(n)?.checked_next_power_of_two())
                .unwrap_or(1),
            Type::Record(r) => self.records[r].align.max(1),
            Type::Enum(e) => self.enums[e].underlying.size(self.model),
            Type::Error => 4,
        }
    }

    /// Alignment inside a record: i386 caps 8-byte scalars at 4.
    pub fn member_align(&self, id: TypeId) -> u64 {
        let align = self.align_of(id);
        if self.model == DataModel::Lp64 {
            return align;
        }
        let mut base = id;
        while let Type::Array(element, _) = *self.get(base) {
            base = element;
        }
        match *self.get(base) {
            Type::Int(IntKind::LongLong | IntKind::ULongLong)
            | Type::Float(FloatKind::F64)
            | Type::Enum(_) => align.min(4),
            Type::Record(_) if self.complex_part(base).is_some() => align.min(4),
            _ => align,
        }
    }

    /// Places the members of `record` and completes it. `Err`: the record grows past `2^61` bytes.
    pub fn complete_record(
        &mut self,
        record: RecordId,
        members: Vec<Member>,
        attributes: RecordAttributes,
    ) -> Result<(), TooLarge> {
        let is_union = self.records[record].is_union;
        let mut place = Placement {
            is_union,
            bits: 0,
            end: 0,
            align: 1,
            fields: Vec::with_capacity(members.len()),
        };
        for member in members {
            let packed = attributes.packed || member.packed;
            let natural = self.member_align(member.ty);
            // gcc: under `#pragma pack` a packed bit-field keeps the (cut) alignment of its type.
            let kept = member.width.is_some() && attributes.max_align.is_some();
            let mut align = if packed && !kept { 1 } else { natural };
            if let Some(wanted) = member.align {
                align = align.max(wanted);
            }
            // `#pragma pack` also cuts what `aligned` asks for, and lets bit-fields cross units.
            if let Some(max) = attributes.max_align {
                align = align.min(max.max(1));
            }
            let packed = packed || attributes.max_align.is_some();
            let size = self.size_of(member.ty).unwrap_or(0);
            match member.width {
                Some(0) => place.close_unit(natural),
                Some(width) => place.bit_field(member, width, size, align, packed),
                None => place.member(member, size, align)?,
            }
        }
        let align = place.align.max(attributes.align.unwrap_or(1));
        let size = round_up(place.end.div_ceil(8), align);
        let target = &mut self.records[record];
        target.fields = place.fields;
        target.size = size;
        target.align = align;
        target.complete = true;
        target.transparent = attributes.transparent;
        Ok(())
    }

    /// Finds a member by name, through anonymous members: the field indices on the way.
    pub fn find_field(&self, record: RecordId, name: &str) -> Option<Vec<(RecordId, u32)>> {
        for (index, field) in self.records[record].fields.iter().enumerate() {
            let here = (record, index as u32);
            match &field.name {
                Some(n) if n == name => return Some(vec![here]),
                Some(_) => {}
                None => {
                    if let Type::Record(inner) = *self.get(field.ty)
                        && let Some(mut path) = self.find_field(inner, name)
                    {
                        path.insert(0, here);
                        return Some(path);
                    }
                }
            }
        }
        None
    }
}

/// A record too large for the address space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

struct Placement {
    is_union: bool,
    /// Next free bit.
    bits: u64,
    /// Largest end so far, in bits.
    end: u64,
    align: u64,
    fields: Vec<Field>,
}

impl Placement {
    fn member(&mut self, member: Member, size: u64, align: u64) -> Result<(), TooLarge> {
        let offset = round_up(self.bits.div_ceil(8), align);
        self.align = self.align.max(align);
        let end = offset
            .checked_add(size)
            .filter(|&end| end < 1 << 60)
            .ok_or(TooLarge)?;
        self.advance(end * 8);
        self.fields.push(Field {
            name: member.name,
            ty: member.ty,
            offset,
            bits: None,
        });
        Ok(())
    }

    /// `: 0` goes on at the next boundary of its declared type, even in packed records.
    fn close_unit(&mut self, align: u64) {
        if !self.is_union {
            self.bits = round_up(self.bits, align * 8);
            self.end = self.end.max(self.bits);
        }
    }

    /// A bit-field starts at the next free bit unless it would cross its type's storage unit.
    fn bit_field(&mut self, member: Member, width: u32, size: u64, align: u64, packed: bool) {
        let unit = size * 8;
        if let Some(wanted) = member.align {
            self.bits = round_up(self.bits, wanted * 8);
        }
        // On i386 the unit of a 64-bit field lies on 4-byte boundaries: the field must not cross
        // its own size counted from an aligned start.
        let bound = align * 8;
        if !packed && unit > 0 {
            let start = self.bits / bound * bound;
            if self.bits + u64::from(width) > start + unit {
                self.bits = round_up(self.bits, bound);
            }
        }
        let bit_offset = self.bits;
        self.advance(bit_offset + u64::from(width));
        if member.name.is_some() {
            // Unnamed bit-fields pad but do not raise the record's alignment.
            self.align = self.align.max(align);
            self.fields.push(Field {
                name: member.name,
                ty: member.ty,
                offset: bit_offset / 8,
                bits: Some(BitField { bit_offset, width }),
            });
        }
    }

    fn advance(&mut self, end: u64) {
        self.end = self.end.max(end);
        self.bits = if self.is_union { 0 } else { end };
    }
}
