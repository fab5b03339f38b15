//! Records and enums: tags, members, attributes, values.

use super::super::types::{ArrayLen, Enum, EnumId, IntKind, Record, Type, TypeId};
use super::{Binding, Sema};
use crate::c::syntax::ast::*;
use crate::c::types::layout::{Member, RecordAttributes};
use program::Span;

impl Sema<'_, '_> {
    pub(super) fn record_type(&mut self, spec: &RecordSpec) -> TypeId {
        let Some(members) = &spec.members else {
            let Some(tag) = spec.tag else {
                return self.error_type();
            };
            if let Some(ty) = self.tags.get(tag) {
                if self.variable_records.contains_key(&ty) {
                    return ty;
                }
                let fits = self
                    .types()
                    .record(ty)
                    .is_some_and(|r| self.types().records[r].is_union == spec.is_union);
                if fits {
                    return ty;
                }
                let (span, text) = (self.span(spec.at), self.text(tag));
                self.error(span, format!("`{text}` is another kind of tag"));
                return self.error_type();
            }
            return self.new_record(spec);
        };
        let depth = self.depth();
        let known = spec.tag.and_then(|tag| self.tags.get_at(tag, depth));
        let ty = match known.and_then(|ty| self.types().record(ty).map(|r| (ty, r))) {
            Some((ty, record)) if !self.types().records[record].complete => ty,
            Some(_) => {
                let span = self.span(spec.at);
                let text = spec.tag.map_or("", |tag| self.text(tag));
                self.error(span, format!("`{text}` is defined again"));
                self.new_record(spec)
            }
            None => self.new_record(spec),
        };
        let Some(record) = self.types().record(ty) else {
            return ty;
        };
        let mut list = Vec::new();
        for member in members {
            match member {
                MemberDecl::StaticAssert(assert) => self.static_assert(assert),
                MemberDecl::Members(specs, declarators) => {
                    self.members(specs, declarators, &mut list);
                }
            }
        }
        self.check_duplicate_members(&list, spec.at);
        let attributes = self.record_attributes(&spec.attributes, spec.at);
        if list.iter().any(|m| self.is_variable_array(m.ty)) {
            let span = self.span(spec.at);
            if spec.is_union {
                let message = "a union with a member of variable length is not supported";
                self.error(span, message);
            }
            let ty = self.variable_record(list, attributes, span);
            if let Some(tag) = spec.tag {
                let depth = self.depth();
                self.tags.bind(tag, ty, depth);
            }
            return ty;
        }
        let placed = self.unit.types.complete_record(record, list, attributes);
        if placed.is_err() {
            let span = self.span(spec.at);
            self.error(span, "the record is too large");
        }
        ty
    }

    fn new_record(&mut self, spec: &RecordSpec) -> TypeId {
        let record = self.unit.types.records.push(Record {
            tag: spec.tag.map(|tag| self.names.name(tag).into()),
            is_union: spec.is_union,
            fields: Vec::new(),
            complete: false,
            size: 0,
            align: 1,
            transparent: false,
        });
        let ty = self.unit.types.intern(Type::Record(record));
        if let Some(tag) = spec.tag {
            let depth = self.depth();
            self.tags.bind(tag, ty, depth);
        }
        ty
    }

    fn record_attributes(&mut self, attributes: &[Attribute], at: At) -> RecordAttributes {
        let offset = self.file.lexed.tokens[at as usize].start;
        let packs = &self.file.lexed.packs;
        let index = packs.partition_point(|p| p.0 <= offset);
        let mut out = RecordAttributes {
            max_align: index.checked_sub(1).and_then(|i| packs[i].1),
            ..RecordAttributes::default()
        };
        self.refuse(attributes);
        out.align = self.alignment(attributes);
        for attribute in attributes {
            match attribute {
                Attribute::Packed => out.packed = true,
                Attribute::TransparentUnion => out.transparent = true,
                _ => {}
            }
        }
        out
    }

    /// The greatest alignment asked for.
    pub(super) fn alignment(&mut self, attributes: &[Attribute]) -> Option<u64> {
        let mut align = None;
        for attribute in attributes {
            let value = match attribute {
                Attribute::Aligned(None) => 16,
                Attribute::Aligned(Some(e)) => {
                    let value = self.constant(e, "the alignment").unwrap_or(1);
                    match u64::try_from(value) {
                        Ok(v) if v.is_power_of_two() && v <= 1 << 28 => v,
                        Ok(0) => 1,
                        _ => {
                            let span = self.span(e.at);
                            self.error(span, "the alignment is not a small power of two");
                            1
                        }
                    }
                }
                Attribute::AlignedAs(name) => {
                    let ty = self.type_name(name);
                    self.types().align_of(ty)
                }
                _ => continue,
            };
            align = align.max(Some(value));
        }
        align
    }

    fn members(
        &mut self,
        specs: &Specifiers,
        declarators: &[MemberDeclarator],
        out: &mut Vec<Member>,
    ) {
        let base = self.specifiers(specs);
        let packed = |a: &[Attribute]| a.iter().any(|x| matches!(x, Attribute::Packed));
        if declarators.is_empty() {
            if matches!(self.types().get(base), Type::Record(_)) {
                let align = self.alignment(&specs.attributes);
                out.push(Member {
                    name: None,
                    ty: base,
                    width: None,
                    align,
                    packed: packed(&specs.attributes),
                });
            }
            return;
        }
        for member in declarators {
            let declarator = &member.declarator;
            let span = self.span(declarator.at);
            let outer = std::mem::take(&mut self.in_prototype);
            let mut ty = self.declared_type(base, declarator);
            self.in_prototype = outer;
            let flexible = matches!(self.types().get(ty), Type::Array(_, ArrayLen::Incomplete));
            let variable = self.is_variable_array(ty);
            let function = matches!(self.types().get(ty), Type::Function(_) | Type::Void);
            if function || (!flexible && !variable && self.types().size_of(ty).is_none()) {
                let shown = self.show(ty);
                self.error(span, format!("a member cannot have type `{shown}`"));
                ty = self.error_type();
            }
            let width = match &member.width {
                Some(e) => self.bit_width(e, ty, declarator.name.is_some(), span),
                None => None,
            };
            if declarator.name.is_none() && width.is_none() {
                continue;
            }
            let align = self.alignment(&declarator.attributes);
            let mut align = align.max(self.alignment(&specs.attributes));
            let mut packed = packed(&declarator.attributes) || packed(&specs.attributes);
            if declarator.parts.iter().all(|p| matches!(p, Part::Array(_)))
                && let Some(own) = self.typedef_alignment(specs)
            {
                // The type's own alignment, which may also be less than that of its values.
                packed |= own < self.types().align_of(ty);
                align = align.max(Some(own));
            }
            out.push(Member {
                name: declarator.name.map(|n| self.names.name(n).into()),
                ty,
                width,
                align,
                packed,
            });
        }
    }

    /// The alignment that a typedef gives to its type.
    pub(super) fn typedef_alignment(&self, specs: &Specifiers) -> Option<u64> {
        let TypeSpec::Typedef(name) = specs.ty else {
            return None;
        };
        let depth = self.ordinary.depth_of(name)?;
        self.typedef_aligns.get(&(name, depth)).copied()
    }

    fn bit_width(&mut self, e: &Expr, ty: TypeId, named: bool, span: Span) -> Option<u32> {
        let width = self.constant(e, "the bit-field width")?;
        let Some(kind) = self.types().int_kind(ty) else {
            if !self.types().is_error(ty) {
                let shown = self.show(ty);
                self.error(span, format!("a bit-field cannot have type `{shown}`"));
            }
            return None;
        };
        let most = if kind == IntKind::Bool {
            1
        } else {
            kind.bits(self.types().model)
        };
        if width > i128::from(most) && kind != IntKind::Bool {
            // Kernel sources for 64 bits read as 32-bit ones.
            self.warn(
                span,
                format!("a bit-field of {width} bits is cut to the {most} of its type"),
            );
            return Some(most);
        }
        if width < 0 || width > i128::from(most) || width == 0 && named {
            self.error(
                span,
                format!("a width of {width} does not fit the bit-field's type"),
            );
            return Some(1);
        }
        Some(width as u32)
    }

    fn check_duplicate_members(&mut self, members: &[Member], at: At) {
        let mut seen = base::FxHashSet::default();
        for member in members {
            if let Some(name) = &member.name
                && !seen.insert(name.as_str())
            {
                let span = self.span(at);
                self.error(span, format!("two members are named `{name}`"));
            }
        }
    }

    // ------------------------------------------------------------ enums

    pub(super) fn enum_type(&mut self, spec: &EnumSpec) -> TypeId {
        let Some(constants) = &spec.constants else {
            let Some(tag) = spec.tag else {
                return self.error_type();
            };
            return match self.tags.get(tag) {
                Some(ty) if matches!(self.types().get(ty), Type::Enum(_)) => ty,
                _ => self.new_enum(spec).0,
            };
        };
        let depth = self.depth();
        let known = spec.tag.and_then(|tag| self.tags.get_at(tag, depth));
        let (ty, id) = match known.map(|ty| (ty, self.types().get(ty).clone())) {
            Some((ty, Type::Enum(id))) if !self.types().enums[id].complete => (ty, id),
            Some(_) => {
                let span = self.span(spec.at);
                let text = spec.tag.map_or("", |tag| self.text(tag));
                self.error(span, format!("`{text}` is defined again"));
                self.new_enum(spec)
            }
            None => self.new_enum(spec),
        };
        let mut next = 0i128;
        let (mut list, mut names) = (Vec::new(), Vec::new());
        for constant in constants {
            if let Some(e) = &constant.value
                && let Some(value) = self.constant(e, "the enum value")
            {
                next = value;
            }
            let kind = self.enum_constant_kind(next);
            let const_ty = self.unit.types.int(kind);
            let name = constant.name;
            if self.ordinary.get_at(name, depth).is_some() {
                let (span, text) = (self.span(constant.at), self.text(name));
                self.error(span, format!("`{text}` is defined again"));
            }
            self.bind(name, Binding::EnumConstant(next, const_ty));
            list.push((self.text(name).to_string(), next));
            names.push((name, next, kind));
            next += 1;
        }
        let packed = spec
            .attributes
            .iter()
            .any(|a| matches!(a, Attribute::Packed));
        let underlying = self.underlying(&list, packed);
        // Those that do not fit in int have the type of the whole enum, once it is known.
        let wide = self.unit.types.int(underlying);
        for (name, value, kind) in names {
            if kind != IntKind::Int {
                self.bind(name, Binding::EnumConstant(value, wide));
            }
        }
        let target = &mut self.unit.types.enums[id];
        target.constants = list;
        target.underlying = underlying;
        target.complete = true;
        ty
    }

    fn new_enum(&mut self, spec: &EnumSpec) -> (TypeId, EnumId) {
        let id = self.unit.types.enums.push(Enum {
            tag: spec.tag.map(|tag| self.names.name(tag).into()),
            complete: false,
            underlying: IntKind::UInt,
            constants: Vec::new(),
        });
        let ty = self.unit.types.intern(Type::Enum(id));
        if let Some(tag) = spec.tag {
            let depth = self.depth();
            self.tags.bind(tag, ty, depth);
        }
        (ty, id)
    }

    /// Enum constants are int; gcc widens those that do not fit.
    fn enum_constant_kind(&self, value: i128) -> IntKind {
        let model = self.types().model;
        let fits = |kind: IntKind| {
            let (low, high) = kind.range(model);
            (low..=high).contains(&value)
        };
        [
            IntKind::Int,
            IntKind::UInt,
            IntKind::Long,
            IntKind::ULong,
            IntKind::LongLong,
        ]
        .into_iter()
        .find(|&k| fits(k))
        .unwrap_or(IntKind::ULongLong)
    }

    fn underlying(&self, constants: &[(String, i128)], packed: bool) -> IntKind {
        let model = self.types().model;
        let low = constants.iter().map(|c| c.1).min().unwrap_or(0).min(0);
        let high = constants.iter().map(|c| c.1).max().unwrap_or(0);
        use IntKind::*;
        let narrow: &[IntKind] = &[UChar, SChar, UShort, Short];
        let wide: &[IntKind] = &[UInt, Int, ULong, Long, ULongLong, LongLong];
        let narrow = if packed { narrow } else { &[] };
        narrow
            .iter()
            .chain(wide)
            .copied()
            .find(|k| {
                let (least, most) = k.range(model);
                low >= least && high <= most
            })
            .unwrap_or(LongLong)
    }
}
