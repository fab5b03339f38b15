//! Static initialisers that read other constants: `static const int k = 5; static int j = k + 1;`.
//!
//! gcc takes the initial value of an object for the object there. A read in a static initialiser is
//! replaced by what the other initialiser says; whole records are copied item by item. What remains
//! of a read is an error: no order of initialisation would give it a meaning.

use super::super::hir::{
    Expr, ExprKind, GlobalId, Init, InitItem, InitValue, Place, PlaceKind, Step, StringId, visit,
};
use super::super::types::{ArrayLen, Type, TypeId};
use super::Sema;
use program::Span;

/// Where the initial value of an object is written.
enum Source<'u> {
    Zero,
    Init(&'u Init),
    String(StringId),
}

impl Sema<'_, '_> {
    /// The initialiser of a static object, without reads.
    pub(super) fn static_initializer(&mut self, init: Init) -> Init {
        let mut items = Vec::with_capacity(init.items.len());
        for mut item in init.items {
            let InitValue::Expr(e) = &mut item.value else {
                items.push(item);
                continue;
            };
            if !self.types().is_scalar(e.ty)
                && let Some(parts) = self.copied_items(e, &item.path, item.offset)
            {
                items.extend(parts);
                continue;
            }
            let mut bad = None;
            let this = &*self;
            visit::rewrite_expr(e, &mut |e, _| this.fold_read(e, &mut bad));
            if let Some(span) = bad {
                self.error(span, "the initialiser of a static object is not constant");
            }
            items.push(item);
        }
        Init { items, ..init }
    }

    /// GNU: a static record whose flexible array member is initialised is as long as its
    /// initialiser says; `sizeof` does not count the elements.
    pub(super) fn lengthen(&mut self, id: GlobalId, init: &Init) {
        let ty = self.unit.globals[id].ty;
        let Some(record) = self.types().record(ty) else {
            return;
        };
        let fields = &self.types().records[record].fields;
        let Some(last) = fields.len().checked_sub(1) else {
            return;
        };
        let (member, start) = (fields[last].ty, fields[last].offset);
        let Type::Array(element, ArrayLen::Incomplete) = *self.types().get(member) else {
            return;
        };
        let step = Step::Field(record, last as u32);
        let inside = init.items.iter().filter(|i| i.path.first() == Some(&step));
        let ends = inside.map(|i| i.offset + self.types().size_of(i.ty).unwrap_or(0));
        let (Some(end), Some(size)) = (ends.max(), self.types().size_of(element)) else {
            return;
        };
        let count = end.saturating_sub(start).div_ceil(size.max(1));
        let array = self.unit.types.array(element, count);
        let mut longer = self.types().records[record].clone();
        longer.fields[last].ty = array;
        let whole = (start + count * size).next_multiple_of(longer.align.max(1));
        longer.size = longer.size.max(whole);
        let longer = self.unit.types.records.push(longer);
        self.unit.globals[id].ty = self.unit.types.intern(Type::Record(longer));
        self.lengthened.insert(id, ty);
    }

    /// The type an object was declared with.
    pub(super) fn declared_global(&self, id: GlobalId) -> TypeId {
        let known = self.lengthened.get(&id).copied();
        known.unwrap_or(self.unit.globals[id].ty)
    }

    fn fold_read(&self, e: &mut Expr, bad: &mut Option<Span>) {
        let ExprKind::Load(place) = &e.kind else {
            return;
        };
        match self.initial_value(place) {
            Some(kind) => e.kind = kind,
            None => *bad = Some(e.span),
        }
    }

    /// The object a place lies in and the way to it.
    fn source_of<'u>(&'u self, place: &'u Place) -> Option<(Source<'u>, Vec<Step>)> {
        match &place.kind {
            PlaceKind::Global(g) => {
                let global = &self.unit.globals[*g];
                let source = match &global.init {
                    Some(init) => Source::Init(init),
                    None if global.defined => Source::Zero,
                    None => return None,
                };
                Some((source, Vec::new()))
            }
            PlaceKind::String(s) => Some((Source::String(*s), Vec::new())),
            PlaceKind::CompoundLiteral { init, .. } => Some((Source::Init(init), Vec::new())),
            PlaceKind::Field {
                base,
                record,
                field,
            } => {
                let (source, mut path) = self.source_of(base)?;
                path.push(Step::Field(*record, *field));
                Some((source, path))
            }
            PlaceKind::Index { base, index } => {
                let (source, mut path) = self.source_of(base)?;
                path.push(Step::Index(u64::try_from(index.as_int()?).ok()?));
                Some((source, path))
            }
            _ => None,
        }
    }

    /// The initial value of a scalar place, as a constant.
    pub(super) fn initial_value(&self, place: &Place) -> Option<ExprKind> {
        let (source, path) = self.source_of(place)?;
        if self.place_bit_field(place).is_some() {
            return None;
        }
        let zero = match self.types().is_float(place.ty) {
            true => ExprKind::Float(0),
            false => ExprKind::Int(0),
        };
        let init = match source {
            Source::Zero => return Some(zero),
            Source::String(s) => return self.unit_of(s, *path.first()?, place),
            Source::Init(init) => init,
        };
        let mut found = None;
        for item in &init.items {
            let common = item.path.iter().zip(&path).take_while(|(a, b)| a == b);
            match (common.count(), &item.value) {
                (n, InitValue::Expr(e)) if n == item.path.len() && n == path.len() => {
                    found = Some(e.kind.clone());
                }
                (n, InitValue::String(s)) if n == item.path.len() && n + 1 == path.len() => {
                    found = Some(self.unit_of(*s, path[n], place)?);
                }
                // A part of a union, or of a record that is initialised as a whole.
                (n, _) if n == item.path.len() || n == path.len() => return None,
                (n, _) if self.is_union_step(&path[n]) => return None,
                _ => {}
            }
        }
        match found {
            Some(kind @ (ExprKind::Int(_) | ExprKind::Float(_))) => Some(kind),
            Some(_) => None,
            None => Some(zero),
        }
    }

    fn is_union_step(&self, step: &Step) -> bool {
        match *step {
            Step::Field(record, _) => self.types().records[record].is_union,
            Step::Index(_) => false,
        }
    }

    /// An element of a string literal.
    fn unit_of(&self, s: StringId, step: Step, place: &Place) -> Option<ExprKind> {
        let Step::Index(i) = step else {
            return None;
        };
        let kind = self.types().int_kind(place.ty)?;
        let unit = self.unit.strings[s].units.get(usize::try_from(i).ok()?);
        let unit = i128::from(unit.copied().unwrap_or(0));
        Some(ExprKind::Int(kind.convert(unit, self.types().model)))
    }

    /// A record that is copied from another object: the items of that, moved to `path`.
    fn copied_items(&self, e: &Expr, path: &[Step], offset: u64) -> Option<Vec<InitItem>> {
        let mut e = e;
        while let ExprKind::Cast(super::super::hir::CastKind::Same, inner) = &e.kind {
            e = inner;
        }
        let ExprKind::Load(place) = &e.kind else {
            return None;
        };
        let (source, from) = self.source_of(place)?;
        let init = match source {
            Source::Zero => return Some(Vec::new()),
            Source::String(_) => return None,
            Source::Init(init) => init,
        };
        let start = self.offset_of(&from)?;
        let inside = init.items.iter().filter(|i| i.path.starts_with(&from));
        let moved = inside.map(|i| InitItem {
            path: [path, &i.path[from.len()..]].concat(),
            offset: offset + i.offset - start,
            ..i.clone()
        });
        let shorter = |i: &InitItem| i.path.len() < from.len() && from.starts_with(&i.path);
        match init.items.iter().any(shorter) {
            true => None,
            false => Some(moved.collect()),
        }
    }

    /// Bytes from the start of an object along a path of fields; `None` with an index.
    fn offset_of(&self, path: &[Step]) -> Option<u64> {
        path.iter().try_fold(0, |at, step| match *step {
            Step::Field(r, f) => Some(at + self.types().records[r].fields[f as usize].offset),
            Step::Index(_) => None,
        })
    }
}
