//! Values in the words of the source: pointers by what they point to, floats as floats, characters, names of
//! enumeration constants and functions. Never an address of our memory model.
//!
//! [`Words`] knows the objects that live: those at fixed addresses from the start, others as an
//! execution makes them ([`Words::place`], [`Words::end`]).

use logic::Value;
use program::{DebugInfo, DebugObject, DebugType, DebugTypeId, SourceMap, Span};
use std::collections::BTreeMap;

/// An object of a function that the program does not name.
const UNNAMED: &str = "(temporary)";

/// Bytes behind an object that still count as it, where objects have no blocks.
const SLACK: u64 = 15;
/// Characters of a string literal shown at most.
const TEXT_LIMIT: usize = 40;

/// An object in memory.
#[derive(Clone, Debug)]
pub struct Object {
    /// Number in order of appearance.
    pub id: usize,
    pub kind: ObjectKind,
    pub address: u64,
    /// Bytes; zero where that is not known.
    pub size: u64,
    /// The type of the object or of its elements, once a pointer told it.
    pub ty: Option<DebugTypeId>,
    /// It was freed, or control left its scope.
    pub dead: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ObjectKind {
    /// A variable of the source.
    Named(String),
    /// A string literal.
    Text(String),
    /// Allocated; the text says where and which.
    Heap(String),
}

/// Where an address lies.
pub struct Found<'a> {
    pub object: &'a Object,
    pub offset: u64,
}

/// The words for values at one moment of an execution.
pub struct Words<'a> {
    debug: &'a DebugInfo,
    sources: &'a SourceMap,
    pointer: u64,
    objects: BTreeMap<u64, Object>,
    made: usize,
    /// How often each place allocated.
    allocations: BTreeMap<Span, usize>,
}

impl<'a> Words<'a> {
    /// With the objects that live from the start; `pointer` is the size of an address.
    pub fn new(debug: &'a DebugInfo, sources: &'a SourceMap, pointer: u64) -> Self {
        let mut words = Words {
            debug,
            sources,
            pointer,
            objects: BTreeMap::new(),
            made: 0,
            allocations: BTreeMap::new(),
        };
        for (&address, object) in &debug.objects {
            words.named(address, object);
        }
        words
    }

    /// A declared object lies at the address from now on.
    pub fn named(&mut self, address: u64, object: &DebugObject) -> usize {
        let kind = match &object.text {
            Some(text) => ObjectKind::Text(quoted(text)),
            None if object.name.is_empty() && object.function.is_some() => {
                ObjectKind::Named(UNNAMED.into())
            }
            None if object.name.is_empty() => ObjectKind::Named("literal".into()),
            None => ObjectKind::Named(object.name.clone()),
        };
        self.insert(address, object.size, Some(object.ty), kind)
    }

    /// An object was allocated at the place.
    pub fn allocated(&mut self, address: u64, size: u64, span: Span) -> usize {
        let count = self.allocations.entry(span).or_default();
        *count += 1;
        let file = self.sources.files.get(span.file);
        let file = file.map_or("", |f| f.name.rsplit('/').next().unwrap_or(&f.name));
        let call = self.sources.line_text(span).map_or("", allocator);
        let name = format!("{file}:{} {call} #{count}", span.line);
        self.insert(address, size, None, ObjectKind::Heap(name))
    }

    fn insert(
        &mut self,
        address: u64,
        size: u64,
        ty: Option<DebugTypeId>,
        kind: ObjectKind,
    ) -> usize {
        let id = self.made;
        self.made += 1;
        let object = Object {
            id,
            kind,
            address,
            size,
            ty,
            dead: false,
        };
        self.objects.insert(address, object);
        id
    }

    /// The object at the address has so many bytes.
    pub fn resize(&mut self, address: u64, size: u64) {
        if let Some(object) = self.objects.get_mut(&address) {
            object.size = size;
        }
    }

    /// The object at the address is no more.
    pub fn end(&mut self, address: u64) -> Option<(usize, ObjectKind)> {
        let object = self.objects.get_mut(&address)?;
        object.dead = true;
        Some((object.id, object.kind.clone()))
    }

    /// A pointer to `to` holds the address: allocated memory is of that type.
    pub fn learn(&mut self, address: u64, to: DebugTypeId) {
        let debug = self.debug;
        let vague = |ty: DebugTypeId| {
            matches!(
                debug.types[ty],
                DebugType::Opaque | DebugType::Int { bits: 8, .. }
            )
        };
        if matches!(debug.types[to], DebugType::Opaque) {
            return;
        }
        if let Some(object) = self.objects.get_mut(&address)
            && matches!(object.kind, ObjectKind::Heap(_))
            && object.ty.is_none_or(|old| vague(old) && !vague(to))
        {
            object.ty = Some(to);
        }
    }

    /// The object that an address lies in or just behind.
    pub fn find(&self, address: u64) -> Option<Found<'_>> {
        let (&base, object) = self.objects.range(..=address).next_back()?;
        let offset = address - base;
        let inside = match self.debug.memory.block {
            Some(block) => base / block == address / block,
            None => offset <= object.size.saturating_add(SLACK),
        };
        inside.then_some(Found { object, offset })
    }

    /// A value of the type, as C would write it.
    pub fn value(&self, value: &Value, ty: Option<DebugTypeId>) -> String {
        let number = match value {
            Value::Bool(b) => return b.to_string(),
            Value::Num(n) => n,
            other => return crate::show_value(other),
        };
        let Some(ty) = ty else {
            return number.to_string();
        };
        match &self.debug.types[ty] {
            DebugType::Bool => match number.to_i64() {
                Some(0) => "false".into(),
                Some(1) => "true".into(),
                _ => number.to_string(),
            },
            DebugType::Int { char: true, .. } => match number.to_i64() {
                Some(n) => character(n),
                None => number.to_string(),
            },
            DebugType::Float { bits } => match number.to_string().parse::<u128>() {
                Ok(pattern) => float(*bits, pattern),
                Err(_) => number.to_string(),
            },
            DebugType::Enum { constants, .. } => {
                let n = number.to_string().parse::<i128>().ok();
                let found = constants.iter().find(|(_, v)| Some(*v) == n);
                found.map_or_else(|| number.to_string(), |(name, _)| name.clone())
            }
            DebugType::Pointer(to) => match number.to_string().parse::<u64>() {
                Ok(address) => self.address(address, Some(*to)),
                Err(_) => number.to_string(),
            },
            _ => number.to_string(),
        }
    }

    /// A pointer to `to`, by what it points to.
    pub fn address(&self, address: u64, to: Option<DebugTypeId>) -> String {
        if address == 0 {
            return "NULL".into();
        }
        if let Some(function) = self.debug.functions.get(&address) {
            return function.clone();
        }
        let Some(Found { object, offset }) = self.find(address) else {
            return "an invalid pointer".into();
        };
        let dead = if object.dead { " (dead)" } else { "" };
        match &object.kind {
            ObjectKind::Text(text) if offset == 0 => text.clone(),
            ObjectKind::Text(text) => format!("{text} + {offset}"),
            ObjectKind::Heap(name) => {
                let dead = if object.dead { " (freed)" } else { "" };
                match offset {
                    0 => format!("{name}{dead}"),
                    _ => format!("{name} + {offset}{dead}"),
                }
            }
            ObjectKind::Named(name) => {
                let Some(ty) = object.ty else {
                    return format!("&{name}{dead}");
                };
                let path = self.path(ty, offset, to);
                format!("&{name}{path}{dead}")
            }
        }
    }

    /// The path from an object of type `ty` to the byte at `offset`: `.next`, `[3].x`. Stops at a part of
    /// type `until` there.
    pub fn path(&self, ty: DebugTypeId, offset: u64, until: Option<DebugTypeId>) -> String {
        let (mut ty, mut offset, mut out) = (ty, offset, String::new());
        for _ in 0..32 {
            if offset == 0 && until.is_some_and(|u| self.same(u, ty)) {
                return out;
            }
            match &self.debug.types[ty] {
                DebugType::Array { element, size, .. } if *size > 0 => {
                    out.push_str(&format!("[{}]", offset / size));
                    offset %= size;
                    ty = *element;
                }
                DebugType::Record { fields, .. } => {
                    let inside = fields
                        .iter()
                        .find(|f| f.offset <= offset && offset < f.offset + f.size.max(1));
                    let Some(field) = inside else { break };
                    if !field.name.is_empty() {
                        out.push('.');
                        out.push_str(&field.name);
                    }
                    offset -= field.offset;
                    ty = field.ty;
                }
                _ => break,
            }
        }
        if offset > 0 {
            out.push_str(&format!(" + {offset}"));
        }
        out
    }

    /// The type of what lies at an offset of an object; elements of heap arrays have the object's.
    pub fn type_at(&self, found: &Found<'_>) -> Option<DebugTypeId> {
        let mut ty = found.object.ty?;
        let mut offset = found.offset;
        if matches!(found.object.kind, ObjectKind::Heap(_)) {
            let size = self.debug.size_of(ty, self.pointer).max(1);
            offset %= size;
        }
        for _ in 0..32 {
            match &self.debug.types[ty] {
                DebugType::Array { element, size, .. } if *size > 0 => {
                    offset %= size;
                    ty = *element;
                }
                DebugType::Record { fields, .. } => {
                    let field = fields
                        .iter()
                        .find(|f| f.offset <= offset && offset < f.offset + f.size.max(1))?;
                    offset -= field.offset;
                    ty = field.ty;
                }
                _ => break,
            }
        }
        (offset == 0).then_some(ty)
    }

    /// The part of an object as its picture names it: `.next`, `[3]`, `+ 8`.
    pub fn part(&self, found: &Found<'_>) -> String {
        let Some(ty) = found.object.ty else {
            return format!("+ {}", found.offset);
        };
        if !matches!(found.object.kind, ObjectKind::Heap(_)) {
            return self.path(ty, found.offset, None);
        }
        let size = self.debug.size_of(ty, self.pointer).max(1);
        let rest = self.path(ty, found.offset % size, None);
        match found.object.size > size || found.offset >= size {
            true => format!("[{}]{rest}", found.offset / size),
            false => rest,
        }
    }

    /// The lvalue at an address; `holder` names a pointer variable that holds the start of an object.
    pub fn lvalue(&self, address: u64, holder: &dyn Fn(u64) -> Option<String>) -> Option<String> {
        let found = self.find(address)?;
        let part = self.part(&found);
        match &found.object.kind {
            // What nobody named is not worth a line.
            ObjectKind::Named(name) if name == UNNAMED => None,
            ObjectKind::Named(name) => Some(format!("{name}{part}")),
            ObjectKind::Text(text) => Some(format!("{text}[{}]", found.offset)),
            ObjectKind::Heap(name) => Some(match holder(found.object.address) {
                Some(pointer) => match part.strip_prefix('.') {
                    Some(field) => format!("{pointer}->{field}"),
                    None if part.is_empty() => format!("*{pointer}"),
                    None if part.starts_with('+') => format!("*({pointer} {part})"),
                    None => format!("{pointer}{part}"),
                },
                None if part == "+ 0" => format!("*({name})"),
                None => match part.strip_prefix('.') {
                    Some(field) => format!("({name})->{field}"),
                    None => format!("({name}){part}"),
                },
            }),
        }
    }

    /// Do both mean the same type? Files that were linked have copies.
    fn same(&self, a: DebugTypeId, b: DebugTypeId) -> bool {
        a == b || self.debug.types[a] == self.debug.types[b]
    }

    /// What a pointer of the type points to.
    pub fn pointee(&self, ty: DebugTypeId) -> Option<DebugTypeId> {
        match self.debug.types[ty] {
            DebugType::Pointer(to) => Some(to),
            _ => None,
        }
    }
}

/// The allocating function that a line calls.
fn allocator(line: &str) -> &'static str {
    let known = [
        "calloc",
        "realloc",
        "strdup",
        "strndup",
        "aligned_alloc",
        "alloca",
        "malloc",
    ];
    known
        .into_iter()
        .find(|n| line.contains(n))
        .unwrap_or("allocation")
}

/// A character constant; numbers that are none stay numbers.
fn character(n: i64) -> String {
    match u8::try_from(n) {
        Ok(b'\'') => "'\\''".into(),
        Ok(b'\\') => "'\\\\'".into(),
        Ok(b'\n') => "'\\n'".into(),
        Ok(b'\t') => "'\\t'".into(),
        Ok(b'\r') => "'\\r'".into(),
        Ok(0) => "'\\0'".into(),
        Ok(b @ 0x20..=0x7e) => format!("'{}'", b as char),
        _ => n.to_string(),
    }
}

fn quoted(units: &[u32]) -> String {
    let mut out = String::from("\"");
    for &unit in units.iter().take(TEXT_LIMIT) {
        match char::from_u32(unit) {
            Some('"') => out.push_str("\\\""),
            Some('\\') => out.push_str("\\\\"),
            Some('\n') => out.push_str("\\n"),
            Some('\t') => out.push_str("\\t"),
            Some(c) if unit >= 0x20 && !(0x7f..=0xff).contains(&unit) => out.push(c),
            _ => out.push_str(&format!("\\x{unit:02x}")),
        }
    }
    out.push_str(if units.len() > TEXT_LIMIT {
        "…\""
    } else {
        "\""
    });
    out
}

/// An IEEE pattern as a decimal number, the shortest that reads back the same (wider formats: nearest double).
pub fn float(bits: u32, pattern: u128) -> String {
    let number = match bits {
        32 => return shortest(format!("{:?}", f32::from_bits(pattern as u32))),
        64 => f64::from_bits(pattern as u64),
        80 => wide(pattern, 15, 64, true),
        _ => wide(pattern, 15, 113, false),
    };
    shortest(format!("{number:?}"))
}

/// Names of infinity and not-a-number as `math.h` has them.
fn shortest(text: String) -> String {
    match text.as_str() {
        "inf" => "INFINITY".into(),
        "-inf" => "-INFINITY".into(),
        "NaN" | "-NaN" => "NAN".into(),
        _ => text,
    }
}

/// The double nearest to a wide pattern; x87 writes the leading one.
fn wide(pattern: u128, exponent_bits: u32, precision: u32, explicit: bool) -> f64 {
    let fraction_bits = if explicit { precision } else { precision - 1 };
    let fraction = pattern & ((1 << fraction_bits) - 1);
    let exponent = (pattern >> fraction_bits) & ((1 << exponent_bits) - 1);
    let sign = match (pattern >> (fraction_bits + exponent_bits)) & 1 {
        0 => 1.0,
        _ => -1.0,
    };
    let bias = (1i32 << (exponent_bits - 1)) - 1;
    if exponent == (1 << exponent_bits) - 1 {
        let payload = if explicit {
            fraction & !(1 << 63)
        } else {
            fraction
        };
        return if payload == 0 {
            sign * f64::INFINITY
        } else {
            f64::NAN
        };
    }
    let hidden = if explicit || exponent == 0 {
        0
    } else {
        1 << fraction_bits
    };
    let scale = (exponent.max(1) as i32) - bias - (precision as i32 - 1);
    sign * ((fraction | hidden) as f64) * 2f64.powi(scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_and_characters() {
        assert_eq!(float(64, u128::from(0.1f64.to_bits())), "0.1");
        assert_eq!(float(32, u128::from(2.5f32.to_bits())), "2.5");
        assert_eq!(
            float(64, u128::from(f64::NEG_INFINITY.to_bits())),
            "-INFINITY"
        );
        assert_eq!(float(80, (0x3fff_u128 << 64) | 1 << 63), "1.0");
        assert_eq!(float(128, 0x4000_u128 << 112), "2.0");
        assert_eq!(character(97), "'a'");
        assert_eq!(character(0), "'\\0'");
        assert_eq!(character(-3), "-3");
        assert_eq!(quoted(&[104, 105, 34, 10]), "\"hi\\\"\\n\"");
    }
}
