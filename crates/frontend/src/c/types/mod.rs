//! C types, interned: equal types have equal ids.
//!
//! Qualifiers are not part of a type (they live on declarations). Records and enums are nominal:
//! each definition has its own id, completed in place when its body is read. Sizes and offsets
//! are computed once per record for the unit's data model, see `layout`.

pub mod layout;

use super::hir::LocalId;
use base::FxHashMap;
use base::{IndexVec, new_id};

new_id!(
    /// An interned type.
    pub TypeId, "t");
new_id!(
    /// A struct or union.
    pub RecordId, "rec");
new_id!(
    /// An enumeration.
    pub EnumId, "enum");

/// How the tags of complex numbers begin.
const COMPLEX: &str = "_Complex ";

/// Sizes of `long` and pointers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DataModel {
    /// 32-bit `int`, `long` and pointers (i386).
    Ilp32,
    /// 32-bit `int`, 64-bit `long` and pointers (x86-64).
    Lp64,
}

/// The integer types, in no order; rank is [`IntKind::rank`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum IntKind {
    Bool,
    /// Plain `char`, signed here as on x86.
    Char,
    SChar,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    LongLong,
    ULongLong,
    Int128,
    UInt128,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FloatKind {
    F32,
    F64,
    /// x87 extended `long double`; constants carry their 80-bit pattern.
    F80,
    /// `__float128`.
    F128,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ArrayLen {
    Fixed(u64),
    /// `[]`, also a flexible array member.
    Incomplete,
    /// A VLA: the local (of type `size_t`) holds the element count from its declaration on.
    Variable(LocalId),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FunctionType {
    pub ret: TypeId,
    pub params: Vec<TypeId>,
    pub variadic: bool,
    /// `int f()`: nothing is known about the parameters; `params` is empty.
    pub unprototyped: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    Void,
    Int(IntKind),
    Float(FloatKind),
    Pointer(TypeId),
    Array(TypeId, ArrayLen),
    Function(FunctionType),
    Record(RecordId),
    Enum(EnumId),
    /// GNU `vector_size`: element and count.
    Vector(TypeId, u64),
    /// Stands where an error was already reported; suppresses follow-ups. Never in a good unit.
    Error,
}

/// Where a bit-field lies: bits `[bit_offset, bit_offset + width)` counted from the record's start,
/// little-endian.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BitField {
    pub bit_offset: u64,
    pub width: u32,
}

#[derive(Clone, Debug)]
pub struct Field {
    /// `None`: an anonymous struct/union member (unnamed bit-fields are not kept as fields).
    pub name: Option<String>,
    pub ty: TypeId,
    /// Bytes from the record's start; for a bit-field, of the byte that holds its first bit.
    pub offset: u64,
    pub bits: Option<BitField>,
}

#[derive(Clone, Debug)]
pub struct Record {
    /// The tag; `None` for an anonymous record.
    pub tag: Option<String>,
    pub is_union: bool,
    pub fields: Vec<Field>,
    pub complete: bool,
    pub size: u64,
    pub align: u64,
    pub transparent: bool,
}

#[derive(Clone, Debug)]
pub struct Enum {
    pub tag: Option<String>,
    pub complete: bool,
    /// `Int`, `UInt`, or a 64-bit kind, chosen as gcc does.
    pub underlying: IntKind,
    pub constants: Vec<(String, i128)>,
}

/// All types of a unit.
#[derive(Clone, Debug)]
pub struct Types {
    pub model: DataModel,
    types: IndexVec<TypeId, Type>,
    ids: FxHashMap<Type, TypeId>,
    pub records: IndexVec<RecordId, Record>,
    pub enums: IndexVec<EnumId, Enum>,
}

impl IntKind {
    pub fn is_signed(self) -> bool {
        use IntKind::*;
        matches!(self, Char | SChar | Short | Int | Long | LongLong | Int128)
    }

    /// Conversion rank (6.3.1.1).
    pub fn rank(self) -> u8 {
        use IntKind::*;
        match self {
            Bool => 0,
            Char | SChar | UChar => 1,
            Short | UShort => 2,
            Int | UInt => 3,
            Long | ULong => 4,
            LongLong | ULongLong => 5,
            Int128 | UInt128 => 6,
        }
    }

    /// Width in bits; `_Bool` has 1 value bit but occupies 8.
    pub fn bits(self, model: DataModel) -> u32 {
        self.size(model) as u32 * 8
    }

    /// Size in bytes.
    pub fn size(self, model: DataModel) -> u64 {
        use IntKind::*;
        match self {
            Bool | Char | SChar | UChar => 1,
            Short | UShort => 2,
            Int | UInt => 4,
            Long | ULong => match model {
                DataModel::Ilp32 => 4,
                DataModel::Lp64 => 8,
            },
            LongLong | ULongLong => 8,
            Int128 | UInt128 => 16,
        }
    }

    pub fn to_unsigned(self) -> IntKind {
        use IntKind::*;
        match self {
            Char | SChar => UChar,
            Short => UShort,
            Int => UInt,
            Long => ULong,
            LongLong => ULongLong,
            Int128 => UInt128,
            other => other,
        }
    }

    pub fn to_signed(self) -> IntKind {
        use IntKind::*;
        match self {
            Char | UChar | Bool => SChar,
            UShort => Short,
            UInt => Int,
            ULong => Long,
            ULongLong => LongLong,
            UInt128 => Int128,
            other => other,
        }
    }

    /// Least and greatest value. `UInt128`'s greatest is cut to `i128::MAX`.
    pub fn range(self, model: DataModel) -> (i128, i128) {
        match self {
            IntKind::Bool => (0, 1),
            IntKind::Int128 => (i128::MIN, i128::MAX),
            IntKind::UInt128 => (0, i128::MAX),
            _ => {
                let bits = self.bits(model);
                if self.is_signed() {
                    (-(1 << (bits - 1)), (1 << (bits - 1)) - 1)
                } else {
                    (0, (1 << bits) - 1)
                }
            }
        }
    }

    /// The value of this type congruent to `value` (conversion 6.3.1.3; `_Bool` tests for zero).
    pub fn convert(self, value: i128, model: DataModel) -> i128 {
        if self == IntKind::Bool {
            return i128::from(value != 0);
        }
        let bits = self.bits(model);
        if bits == 128 {
            return value;
        }
        let low = value & ((1i128 << bits) - 1);
        if self.is_signed() && low >> (bits - 1) != 0 {
            low - (1i128 << bits)
        } else {
            low
        }
    }

    pub fn name(self) -> &'static str {
        use IntKind::*;
        match self {
            Bool => "_Bool",
            Char => "char",
            SChar => "signed char",
            UChar => "unsigned char",
            Short => "short",
            UShort => "unsigned short",
            Int => "int",
            UInt => "unsigned int",
            Long => "long",
            ULong => "unsigned long",
            LongLong => "long long",
            ULongLong => "unsigned long long",
            Int128 => "__int128",
            UInt128 => "unsigned __int128",
        }
    }
}

impl Types {
    pub fn new(model: DataModel) -> Types {
        Types {
            model,
            types: IndexVec::new(),
            ids: FxHashMap::default(),
            records: IndexVec::new(),
            enums: IndexVec::new(),
        }
    }

    pub fn intern(&mut self, ty: Type) -> TypeId {
        if let Some(&id) = self.ids.get(&ty) {
            return id;
        }
        let id = self.types.push(ty.clone());
        self.ids.insert(ty, id);
        id
    }

    pub fn get(&self, id: TypeId) -> &Type {
        &self.types[id]
    }

    pub fn len(&self) -> usize {
        self.types.len()
    }

    pub fn is_empty(&self) -> bool {
        self.types.is_empty()
    }

    pub fn void(&mut self) -> TypeId {
        self.intern(Type::Void)
    }

    pub fn int(&mut self, kind: IntKind) -> TypeId {
        self.intern(Type::Int(kind))
    }

    pub fn float(&mut self, kind: FloatKind) -> TypeId {
        self.intern(Type::Float(kind))
    }

    pub fn pointer(&mut self, to: TypeId) -> TypeId {
        self.intern(Type::Pointer(to))
    }

    pub fn array(&mut self, element: TypeId, len: u64) -> TypeId {
        self.intern(Type::Array(element, ArrayLen::Fixed(len)))
    }

    pub fn size_t_kind(&self) -> IntKind {
        match self.model {
            DataModel::Ilp32 => IntKind::UInt,
            DataModel::Lp64 => IntKind::ULong,
        }
    }

    pub fn ptrdiff_kind(&self) -> IntKind {
        self.size_t_kind().to_signed()
    }

    pub fn size_t(&mut self) -> TypeId {
        self.int(self.size_t_kind())
    }

    /// `__builtin_va_list`: `char *` on i386, an array of one register-save record on x86-64.
    pub fn va_list(&mut self) -> TypeId {
        if self.model == DataModel::Ilp32 {
            let char = self.int(IntKind::Char);
            return self.pointer(char);
        }
        let known = self
            .records
            .iter_enumerated()
            .find(|(_, r)| r.tag.as_deref() == Some("__va_list_tag"))
            .map(|(id, _)| id);
        let record = known.unwrap_or_else(|| {
            let uint = self.int(IntKind::UInt);
            let void = self.void();
            let pointer = self.pointer(void);
            let field = |name: &str, ty, offset| Field {
                name: Some(name.into()),
                ty,
                offset,
                bits: None,
            };
            self.records.push(Record {
                tag: Some("__va_list_tag".into()),
                is_union: false,
                fields: vec![
                    field("gp_offset", uint, 0),
                    field("fp_offset", uint, 4),
                    field("overflow_arg_area", pointer, 8),
                    field("reg_save_area", pointer, 16),
                ],
                complete: true,
                size: 24,
                align: 8,
                transparent: false,
            })
        });
        let record = self.intern(Type::Record(record));
        self.array(record, 1)
    }

    /// The complex numbers with parts of this type: a record of both, whose tag no program can have.
    pub fn complex(&mut self, part: TypeId) -> TypeId {
        let tag = format!("{COMPLEX}{}", self.display(part));
        let records = self.records.iter_enumerated();
        let known = records
            .filter(|(_, r)| r.tag.as_deref() == Some(tag.as_str()))
            .map(|(id, _)| id)
            .next();
        if let Some(id) = known {
            return self.intern(Type::Record(id));
        }
        let size = self.size_of(part).unwrap_or(0);
        let field = |name: &str, offset| Field {
            name: Some(name.into()),
            ty: part,
            offset,
            bits: None,
        };
        let record = self.records.push(Record {
            tag: Some(tag),
            is_union: false,
            fields: vec![field("__real__", 0), field("__imag__", size)],
            complete: true,
            size: 2 * size,
            align: self.align_of(part),
            transparent: false,
        });
        self.intern(Type::Record(record))
    }

    /// The type of both parts of a complex number.
    pub fn complex_part(&self, id: TypeId) -> Option<TypeId> {
        let record = &self.records[self.record(id)?];
        let tag = record.tag.as_deref()?;
        let first = record.fields.first();
        first.filter(|_| tag.starts_with(COMPLEX)).map(|f| f.ty)
    }

    pub fn is_array(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Array(..))
    }

    /// The integer kind of an integer or enum type.
    pub fn int_kind(&self, id: TypeId) -> Option<IntKind> {
        match *self.get(id) {
            Type::Int(kind) => Some(kind),
            Type::Enum(e) => Some(self.enums[e].underlying),
            _ => None,
        }
    }

    pub fn is_integer(&self, id: TypeId) -> bool {
        self.int_kind(id).is_some()
    }

    pub fn is_float(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Float(_))
    }

    pub fn is_arithmetic(&self, id: TypeId) -> bool {
        self.is_integer(id) || self.is_float(id)
    }

    pub fn is_pointer(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Pointer(_))
    }

    pub fn is_scalar(&self, id: TypeId) -> bool {
        self.is_arithmetic(id) || self.is_pointer(id)
    }

    pub fn is_void(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Void)
    }

    pub fn is_error(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Error)
    }

    pub fn pointee(&self, id: TypeId) -> Option<TypeId> {
        match *self.get(id) {
            Type::Pointer(to) => Some(to),
            _ => None,
        }
    }

    pub fn element(&self, id: TypeId) -> Option<TypeId> {
        match *self.get(id) {
            Type::Array(element, _) | Type::Vector(element, _) => Some(element),
            _ => None,
        }
    }

    pub fn function(&self, id: TypeId) -> Option<&FunctionType> {
        match self.get(id) {
            Type::Function(f) => Some(f),
            _ => None,
        }
    }

    pub fn record(&self, id: TypeId) -> Option<RecordId> {
        match *self.get(id) {
            Type::Record(r) => Some(r),
            _ => None,
        }
    }

    /// The type as C writes it, for people.
    pub fn display(&self, id: TypeId) -> String {
        self.declare(id, String::new(), 0)
    }

    /// The declaration of a name of the type.
    pub fn declaration(&self, id: TypeId, name: &str) -> String {
        self.declare(id, name.to_string(), 0)
    }

    /// `declarator` wrapped in the type: `int (*f)(char)`.
    fn declare(&self, id: TypeId, declarator: String, depth: u32) -> String {
        let space = if declarator.is_empty() { "" } else { " " };
        if depth > 64 {
            return format!("…{space}{declarator}");
        }
        match self.get(id) {
            Type::Void => format!("void{space}{declarator}"),
            Type::Int(kind) => format!("{}{space}{declarator}", kind.name()),
            Type::Float(kind) => format!("{}{space}{declarator}", float_name(*kind)),
            Type::Error => format!("<error>{space}{declarator}"),
            Type::Vector(element, n) => {
                format!("vector({}, {n}){space}{declarator}", self.display(*element))
            }
            Type::Record(r) => {
                let record = &self.records[*r];
                if self.complex_part(id).is_some() {
                    let tag = record.tag.as_deref().unwrap_or_default();
                    return format!("{tag}{space}{declarator}");
                }
                let word = if record.is_union { "union" } else { "struct" };
                let tag = record.tag.as_deref().unwrap_or("<anonymous>");
                format!("{word} {tag}{space}{declarator}")
            }
            Type::Enum(e) => {
                let tag = self.enums[*e].tag.as_deref().unwrap_or("<anonymous>");
                format!("enum {tag}{space}{declarator}")
            }
            Type::Pointer(to) => {
                let inner = match self.get(*to) {
                    Type::Array(..) | Type::Function(_) => format!("(*{declarator})"),
                    _ => format!("*{declarator}"),
                };
                self.declare(*to, inner, depth + 1)
            }
            Type::Array(element, len) => {
                let len = match len {
                    ArrayLen::Fixed(n) => n.to_string(),
                    ArrayLen::Incomplete => String::new(),
                    ArrayLen::Variable(_) => "*".into(),
                };
                self.declare(*element, format!("{declarator}[{len}]"), depth + 1)
            }
            Type::Function(f) => {
                let mut params: Vec<String> = f.params.iter().map(|&p| self.display(p)).collect();
                if f.variadic {
                    params.push("...".into());
                } else if params.is_empty() && !f.unprototyped {
                    params.push("void".into());
                }
                self.declare(
                    f.ret,
                    format!("{declarator}({})", params.join(", ")),
                    depth + 1,
                )
            }
        }
    }
}

fn float_name(kind: FloatKind) -> &'static str {
    match kind {
        FloatKind::F32 => "float",
        FloatKind::F64 => "double",
        FloatKind::F80 => "long double",
        FloatKind::F128 => "__float128",
    }
}
