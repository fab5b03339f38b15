//! Initialisers (6.7.9): nested lists, designators and brace elision, flattened to items.
//!
//! A cursor runs over the entries of one braced list. An aggregate without its own braces takes
//! entries from the cursor until it is full; a designator ends all unbraced levels.

use super::super::hir::{Expr, Init, InitItem, InitValue, PlaceKind, Step};
use super::super::types::{ArrayLen, IntKind, RecordId, Type, TypeId};
use super::{Operand, Sema};
use crate::c::syntax::ast::{self, Designator, InitEntry, Initializer};
use program::Span;

/// Most items one initialiser may expand to (ranges).
const MAX_ITEMS: usize = 1 << 22;

/// A part of the object.
#[derive(Clone)]
struct Target {
    path: Vec<Step>,
    offset: u64,
    ty: TypeId,
}

struct Cursor<'e> {
    entries: &'e [InitEntry],
    pos: usize,
    /// The value of the current entry, if it was already evaluated to see its type.
    ready: Option<Expr>,
}

/// The next part of an aggregate.
enum Parts {
    Array(TypeId, Option<u64>),
    Struct(RecordId),
    Union(RecordId),
}

impl Sema<'_, '_> {
    /// Flattens `init` for an object of type `ty`; completes the length of an unsized array.
    pub(super) fn initializer(
        &mut self,
        ty: TypeId,
        init: &Initializer,
        span: Span,
    ) -> (TypeId, Init) {
        let mut out = Init {
            zero_rest: false,
            items: Vec::new(),
        };
        let target = Target {
            path: Vec::new(),
            offset: 0,
            ty,
        };
        let aggregate = matches!(
            self.types().get(ty),
            Type::Array(..) | Type::Record(_) | Type::Vector(..)
        );
        out.zero_rest = aggregate && !matches!(init, Initializer::Expr(_));
        let length = self.init_object(&target, init, &mut out, span);
        self.in_member_order(&mut out);
        let mut ty = ty;
        if let (Type::Array(element, ArrayLen::Incomplete), Some(n)) =
            (self.types().get(ty).clone(), length)
        {
            ty = self.unit.types.array(element, n);
            for item in &mut out.items {
                if item.path.is_empty() {
                    item.ty = ty;
                }
            }
        }
        if self.types().is_array(ty) {
            out.zero_rest = true;
        }
        (ty, out)
    }

    /// Parts are evaluated in the order of members, as gcc has it, where none overwrites another.
    fn in_member_order(&self, init: &mut Init) {
        let first = |i: &InitItem| i.offset;
        if init.items.is_sorted_by_key(first) {
            return;
        }
        let mut sorted: Vec<(u64, u64)> = Vec::new();
        for item in &init.items {
            let size = self.types().size_of(item.ty).unwrap_or(u64::MAX / 2);
            sorted.push((item.offset, item.offset + size.max(1)));
        }
        sorted.sort_unstable();
        if sorted.windows(2).all(|w| w[0].1 <= w[1].0) {
            init.items.sort_by_key(first);
        }
    }

    /// Initialises `target`; for arrays, how many elements it has.
    fn init_object(
        &mut self,
        target: &Target,
        init: &Initializer,
        out: &mut Init,
        span: Span,
    ) -> Option<u64> {
        match init {
            Initializer::Expr(e) => {
                if let Some(n) = self.init_string(target, e, out) {
                    return Some(n);
                }
                if self.types().is_array(target.ty) {
                    return self.init_array_from(target, e, out, span);
                }
                let value = self.value(e);
                self.init_scalar(target, value, out);
                None
            }
            Initializer::List(at, entries) => {
                let span = self.span(*at);
                // `char s[] = {"text"}`
                if let [InitEntry { designators, value }] = &entries[..]
                    && designators.is_empty()
                    && let Initializer::Expr(e) = value
                    && let Some(n) = self.init_string(target, e, out)
                {
                    return Some(n);
                }
                if self.parts_of(target.ty).is_none() {
                    self.init_braced_scalar(target, entries, out, span);
                    return None;
                }
                let mut cursor = Cursor {
                    entries,
                    pos: 0,
                    ready: None,
                };
                let length = self.init_aggregate(target, &mut cursor, 0, true, out);
                if cursor.pos < entries.len() && !self.types().is_error(target.ty) {
                    self.warn(span, "more initialisers than the object has parts");
                }
                length
            }
        }
    }

    fn init_braced_scalar(
        &mut self,
        target: &Target,
        entries: &[InitEntry],
        out: &mut Init,
        span: Span,
    ) {
        match entries.first() {
            None => {
                // GNU / C23 `{}`.
                let zero = self.int_expr(0, IntKind::Int, span);
                self.init_scalar(target, zero, out);
            }
            Some(first) => {
                if !first.designators.is_empty() {
                    self.error(span, "a scalar has no parts to designate");
                }
                self.init_object(target, &first.value, out, span);
                if entries.len() > 1 {
                    self.warn(span, "more than one initialiser for a scalar");
                }
            }
        }
    }

    fn init_scalar(&mut self, target: &Target, value: Expr, out: &mut Init) {
        let span = value.span;
        let value = self.assign_convert(value, target.ty, "initialisation");
        self.push_item(target, InitValue::Expr(value), span, out);
    }

    fn push_item(&mut self, target: &Target, value: InitValue, span: Span, out: &mut Init) {
        out.items.push(InitItem {
            path: target.path.clone(),
            offset: target.offset,
            ty: target.ty,
            value,
            span,
        });
    }

    /// A string literal for an array of a fitting character type: its length.
    fn init_string(&mut self, target: &Target, e: &ast::Expr, out: &mut Init) -> Option<u64> {
        let ast::ExprKind::Strings(count) = e.kind else {
            return None;
        };
        let Type::Array(element, len) = *self.types().get(target.ty) else {
            return None;
        };
        let kind = self.types().int_kind(element)?;
        let (literal, units) = self.string_units(e.at, count);
        let model = self.types().model;
        if kind.size(model) != literal.size(model) {
            return None;
        }
        let span = self.span(e.at);
        let n = units.len() as u64;
        let id = self.new_string(units, literal, span);
        let mut target = target.clone();
        if len == ArrayLen::Incomplete {
            target.ty = self.unit.types.array(element, n);
        }
        self.push_item(&target, InitValue::String(id), span, out);
        Some(n)
    }

    /// GNU: an array from a compound literal of array type.
    fn init_array_from(
        &mut self,
        target: &Target,
        e: &ast::Expr,
        out: &mut Init,
        span: Span,
    ) -> Option<u64> {
        if let ast::ExprKind::CompoundLiteral(parts) = &e.kind {
            return self.init_object(target, &parts.1, out, span);
        }
        if let Operand::Place(place) = self.expr(e)
            && let PlaceKind::String(id) = place.kind
        {
            // `__func__` or a literal in parentheses.
            let n = self.unit.strings[id].units.len() as u64;
            self.push_item(target, InitValue::String(id), span, out);
            return Some(n);
        }
        if !self.types().is_error(target.ty) {
            self.error(span, "an array is initialised by a list in braces");
        }
        Some(1)
    }

    fn parts_of(&self, ty: TypeId) -> Option<Parts> {
        match *self.types().get(ty) {
            Type::Array(element, ArrayLen::Fixed(n)) | Type::Vector(element, n) => {
                Some(Parts::Array(element, Some(n)))
            }
            Type::Array(element, _) => Some(Parts::Array(element, None)),
            Type::Record(_) if self.complex_part(ty).is_some() => None,
            Type::Record(r) if self.types().records[r].is_union => Some(Parts::Union(r)),
            Type::Record(r) => Some(Parts::Struct(r)),
            _ => None,
        }
    }

    /// Part number `index` of `target`, or `None` past its end.
    fn part(&self, target: &Target, parts: &Parts, index: u64) -> Option<Target> {
        let (step, offset, ty) = match *parts {
            Parts::Array(element, length) => {
                if length.is_some_and(|n| index >= n) {
                    return None;
                }
                let size = self.types().size_of(element)?;
                (Step::Index(index), size.checked_mul(index)?, element)
            }
            Parts::Struct(r) | Parts::Union(r) => {
                let fields = &self.types().records[r].fields;
                let field = fields.get(usize::try_from(index).ok()?)?;
                (Step::Field(r, index as u32), field.offset, field.ty)
            }
        };
        let mut path = target.path.clone();
        path.push(step);
        Some(Target {
            path,
            offset: target.offset.checked_add(offset)?,
            ty,
        })
    }

    /// Fills `target` from the cursor; the first entry's first `skip` designators are used up.
    /// Returns the element count of an array.
    fn init_aggregate(
        &mut self,
        target: &Target,
        cursor: &mut Cursor,
        skip: usize,
        braced: bool,
        out: &mut Init,
    ) -> Option<u64> {
        let parts = self.parts_of(target.ty)?;
        let entries = cursor.entries;
        let mut index = 0u64;
        let mut length = 0u64;
        let mut used = skip;
        let mut first = true;
        while let Some(entry) = entries.get(cursor.pos) {
            let designators = if first { used } else { 0 };
            let rest = &entry.designators[designators.min(entry.designators.len())..];
            let mut last = None;
            if let Some(designator) = rest.first() {
                if !first && !braced {
                    break;
                }
                let Some((from, to, deeper)) = self.designated(target.ty, &parts, designator)
                else {
                    cursor.pos += 1;
                    cursor.ready = None;
                    first = false;
                    continue;
                };
                index = from;
                last = Some(to);
                used = designators + if deeper { 0 } else { 1 };
            } else {
                used = entry.designators.len();
            }
            let Some(part) = self.part(target, &parts, index) else {
                if rest.is_empty() {
                    break;
                }
                let span = self.entry_span(entry);
                self.error(span, "the designated element lies outside the array");
                cursor.pos += 1;
                first = false;
                continue;
            };
            let start = out.items.len();
            self.init_part(&part, cursor, used, out);
            if let Some(last) = last
                && last > index
            {
                self.repeat(target.path.len(), start, index, last, &part, out);
                index = last;
            }
            index += 1;
            length = length.max(index);
            first = false;
            if matches!(parts, Parts::Union(_)) && !(braced && self.next_designated(cursor)) {
                break;
            }
        }
        matches!(parts, Parts::Array(..)).then_some(length)
    }

    fn next_designated(&self, cursor: &Cursor) -> bool {
        cursor
            .entries
            .get(cursor.pos)
            .is_some_and(|e| !e.designators.is_empty())
    }

    fn entry_span(&self, entry: &InitEntry) -> Span {
        match &entry.value {
            Initializer::Expr(e) => self.span(e.at),
            Initializer::List(at, _) => self.span(*at),
        }
    }

    /// Which part a designator names: first and last index, and whether it goes on inside an
    /// anonymous member.
    fn designated(
        &mut self,
        ty: TypeId,
        parts: &Parts,
        designator: &Designator,
    ) -> Option<(u64, u64, bool)> {
        match (parts, designator) {
            (Parts::Struct(r) | Parts::Union(r), Designator::Field(at, name)) => {
                let path = self.types().find_field(*r, self.names.name(*name));
                let Some(path) = path else {
                    let (span, text, shown) = (self.span(*at), self.text(*name), self.show(ty));
                    self.error(span, format!("`{shown}` has no member `{text}`"));
                    return None;
                };
                let index = u64::from(path[0].1);
                Some((index, index, path.len() > 1))
            }
            (Parts::Array(..), Designator::Index(e)) => {
                let index = self.constant(e, "the index")?;
                let index = self.checked_index(index, e.at)?;
                Some((index, index, false))
            }
            (Parts::Array(..), Designator::Range(from, to)) => {
                let low = self.constant(from, "the index")?;
                let high = self.constant(to, "the index")?;
                let low_index = self.checked_index(low, from.at)?;
                let high_index = self.checked_index(high, to.at)?;
                if high_index < low_index || high_index - low_index > MAX_ITEMS as u64 {
                    let span = self.span(from.at);
                    self.error(span, "the index range is empty or too long");
                    return None;
                }
                Some((low_index, high_index, false))
            }
            (_, Designator::Field(at, _)) => {
                let (span, shown) = (self.span(*at), self.show(ty));
                self.error(span, format!("`{shown}` has no members"));
                None
            }
            (_, Designator::Index(e) | Designator::Range(e, _)) => {
                let (span, shown) = (self.span(e.at), self.show(ty));
                self.error(span, format!("`{shown}` has no elements"));
                None
            }
        }
    }

    fn checked_index(&mut self, index: i128, at: ast::At) -> Option<u64> {
        let checked = u64::try_from(index).ok().filter(|&i| i < 1 << 40);
        if checked.is_none() {
            let span = self.span(at);
            self.error(span, format!("the index {index} is out of bounds"));
        }
        checked
    }

    /// Initialises one part from the current entry, with or without braces of its own.
    fn init_part(&mut self, part: &Target, cursor: &mut Cursor, used: usize, out: &mut Init) {
        let entry = &cursor.entries[cursor.pos];
        if entry.designators.len() > used {
            if self.parts_of(part.ty).is_none() {
                let span = self.entry_span(entry);
                self.error(span, "a scalar has no parts to designate");
                cursor.pos += 1;
                return;
            }
            self.init_aggregate(part, cursor, used, false, out);
            return;
        }
        let e = match &entry.value {
            Initializer::List(at, _) => {
                let span = self.span(*at);
                self.init_object(part, &entry.value, out, span);
                cursor.pos += 1;
                return;
            }
            Initializer::Expr(e) => e,
        };
        if cursor.ready.is_none() && self.init_string(part, e, out).is_some() {
            cursor.pos += 1;
            return;
        }
        if self.parts_of(part.ty).is_none() {
            let value = match cursor.ready.take() {
                Some(value) => value,
                None => self.value(e),
            };
            self.init_scalar(part, value, out);
            cursor.pos += 1;
            return;
        }
        // A record may come as a whole; else its parts come one by one.
        let literal = matches!(
            e.kind,
            ast::ExprKind::Number | ast::ExprKind::Char | ast::ExprKind::Strings(_)
        );
        let whole = self.types().record(part.ty).is_some() || self.vector_parts(part.ty).is_some();
        if whole && !literal {
            let value = match cursor.ready.take() {
                Some(value) => value,
                None => self.value(e),
            };
            if self.compatible(value.ty, part.ty, 0) {
                self.init_scalar(part, value, out);
                cursor.pos += 1;
                return;
            }
            cursor.ready = Some(value);
        }
        let before = cursor.pos;
        self.init_aggregate(part, cursor, used, false, out);
        if cursor.pos == before {
            // An empty aggregate takes nothing; step on to make progress.
            let empty = self.types().size_of(part.ty) == Some(0);
            if !empty || cursor.entries[before].designators.len() >= used && used > 0 {
                cursor.pos += 1;
                cursor.ready = None;
            }
        }
    }

    /// Copies the items of the element at `index` to the elements up to `last`.
    fn repeat(
        &mut self,
        level: usize,
        start: usize,
        index: u64,
        last: u64,
        part: &Target,
        out: &mut Init,
    ) {
        let size = self.types().size_of(part.ty).unwrap_or(0);
        let pattern: Vec<InitItem> = out.items[start..].to_vec();
        for i in index + 1..=last {
            if out.items.len() + pattern.len() > MAX_ITEMS {
                let span = pattern.first().map_or_else(Span::unknown, |p| p.span);
                self.error(span, "the initialiser is too large");
                return;
            }
            for item in &pattern {
                let mut copy = item.clone();
                copy.path[level] = Step::Index(i);
                copy.offset += size * (i - index);
                out.items.push(copy);
            }
        }
    }
}
