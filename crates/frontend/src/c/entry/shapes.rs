//! What callers keep about objects beyond their types: how parts of one record belong together.
//!
//! ```text
//! struct text { int n; char s[1]; };       `s` has any number of elements: `(*t).n <= elements of (*t).s`
//! struct span { char *from, *to; };        `(*s).to points into (*s).from`
//! struct buffer { int n, size; int *a; };   `(*b).n < (*b).size`
//! struct ring { int at; int slots[8]; };   `(*r).at < 8`
//! struct list { struct list *next; };       `(*(*l).next).next == l`
//! struct event { int kind; union … u; };   `(*e).u does not hold name if (*e).kind == 3`
//! (struct circle *)shape                   `shape does not lead to a struct circle if (*(struct circle *)shape).kind == 3`
//! void *get(size_t);                       `get() has as many bytes as it is asked for`
//! ```
//! Each is assumed only where it is required, but for the member of a union, which an input chooses among those that
//! the program names, and the end of a record, which an input makes longer.

use super::build::{Build, LARGEST};
use super::casts::Inside;
use super::{Lead, Requires, Union, has_pointer};
use crate::c::hir::{BinaryOp, Expr, ExprKind, LocalId, Place, PlaceKind, SizeOf, Stmt};
use crate::c::types::{ArrayLen, IntKind, RecordId, Type, TypeId};
use std::collections::{BTreeMap, BTreeSet};

/// Members of a union that are told apart.
const MOST_MEMBERS: usize = 8;

/// The array at the end of a record, which callers may allocate longer.
pub(super) struct Tail {
    record: RecordId,
    field: u32,
    array: TypeId,
    element: TypeId,
    pub(super) path: String,
    /// How many elements it has, and how many of them are part of the record's size.
    pub(super) count: LocalId,
    pub(super) inside: u64,
    /// Of one element, in bytes.
    pub(super) size: u64,
}

impl Build<'_> {
    /// The array of no, one or any number of elements at the end of the record, if the program names it.
    pub(super) fn tail(&mut self, ty: TypeId, target_path: &str) -> Option<Tail> {
        let &Type::Record(record) = self.unit.types.get(ty) else {
            return None;
        };
        let data = &self.unit.types.records[record];
        let field = data.fields.len().checked_sub(1)?;
        let last = &data.fields[field];
        let name = last.name.clone()?;
        let array = last.ty;
        let &Type::Array(element, len) = self.unit.types.get(array) else {
            return None;
        };
        let inside = match len {
            ArrayLen::Fixed(n @ 0..=1) => n,
            ArrayLen::Incomplete => 0,
            _ => return None,
        };
        let named = self.casts.names(record, field as u32);
        if data.is_union || !named || has_pointer(self.unit, element) {
            return None;
        }
        let size = self.unit.types.size_of(element)?.max(1);
        let path = format!("{target_path}.{name}");
        let size_t = self.unit.types.size_t();
        let count = match self.counts.get(&path) {
            Some(&count) => count,
            None => self.local("", size_t),
        };
        Some(Tail {
            record,
            field: field as u32,
            array,
            element,
            path,
            count,
            inside,
            size,
        })
    }

    /// Chooses how long the end of the record is; the bytes beyond the record's size.
    pub(super) fn lengthen(&mut self, tail: &Tail, stmts: &mut Vec<Stmt>) -> Expr {
        let size_t = self.unit.types.size_t();
        let counter = self.place(PlaceKind::Local(tail.count), size_t);
        let number = self.input(size_t, &format!("elements of {}", tail.path));
        stmts.push(self.assign(counter.clone(), number));
        let number = |build: &Self, n: u64| build.expr(ExprKind::Int(i128::from(n)), size_t);
        let n = self.load(counter.clone());
        let least = self.compare(BinaryOp::Le, number(self, tail.inside), n.clone());
        stmts.push(self.assume(least));
        let most = number(self, LARGEST / tail.size);
        let few = self.compare(BinaryOp::Le, n.clone(), most);
        stmts.push(self.assume(few));
        self.counts.insert(tail.path.clone(), tail.count);
        self.out.arrays.push(tail.path.clone());
        self.at_least(&tail.path, counter, stmts);
        if self.contract.is_some() {
            let line = format!("`{}` is not looked at for `assigns`", tail.path);
            self.out.assumed.push(line);
        }
        let more = ExprKind::Binary(
            BinaryOp::Sub,
            Box::new(n),
            Box::new(number(self, tail.inside)),
        );
        let more = self.expr(more, size_t);
        let size = number(self, tail.size);
        let bytes = ExprKind::Binary(BinaryOp::Mul, Box::new(more), Box::new(size));
        self.expr(bytes, size_t)
    }

    /// The characters at the end of a record are a string where that is required.
    pub(super) fn end_tail(&mut self, tail: &Tail, target: &Place, stmts: &mut Vec<Stmt>) {
        if self.unit.types.size_of(tail.element) != Some(1) {
            return;
        }
        self.out.bytes.push(tail.path.clone());
        let required = Requires::Terminated(tail.path.clone());
        if !self.environment.requires.contains(&required) {
            return;
        }
        let size_t = self.unit.types.size_t();
        let counter = self.place(PlaceKind::Local(tail.count), size_t);
        let one = self.expr(ExprKind::Int(1), size_t);
        let n = self.load(counter.clone());
        let some = self.compare(BinaryOp::Le, one, n);
        stmts.push(self.assume(some));
        let kind = PlaceKind::Field {
            base: Box::new(target.clone()),
            record: tail.record,
            field: tail.field,
        };
        let array = self.place(kind, tail.array);
        let ty = self.unit.types.pointer(tail.element);
        let start = self.expr(ExprKind::AddressOf(Box::new(array)), ty);
        self.terminate(start, tail.element, counter, stmts);
    }

    /// One member of a union: an input chooses it among those that the program names.
    pub(super) fn union(
        &mut self,
        place: &Place,
        record: RecordId,
        path: &str,
        depth: u32,
        stmts: &mut Vec<Stmt>,
    ) {
        let data = self.unit.types.records[record].clone();
        let size = |build: &Self, i: &u32| {
            let field = data.fields.get(*i as usize)?;
            build.unit.types.size_of(field.ty)
        };
        let all = 0..data.fields.len() as u32;
        let mut members: Vec<u32> = match has_pointer(self.unit, place.ty) {
            // Any bytes: the largest member has them all.
            false => {
                let largest = all.rev().max_by_key(|i| size(self, i));
                largest.into_iter().collect()
            }
            true => {
                let named: Vec<u32> = all.filter(|&i| self.casts.names(record, i)).collect();
                match named.is_empty() {
                    true => vec![0],
                    false => named,
                }
            }
        };
        members.truncate(MOST_MEMBERS);
        let int = self.unit.types.int(IntKind::Int);
        let choice = self.local("", int);
        if members.len() > 1 {
            self.declare(choice, stmts);
        }
        let mut names = Vec::new();
        let mut parts = Vec::new();
        for (k, &i) in members.iter().enumerate() {
            let Some(field) = data.fields.get(i as usize) else {
                continue;
            };
            let mut part = Vec::new();
            if members.len() > 1 {
                let chosen = self.place(PlaceKind::Local(choice), int);
                let k = self.expr(ExprKind::Int(k as i128), int);
                part.push(self.assign(chosen, k));
            }
            let (inner, name) = match &field.name {
                Some(name) => (format!("{path}.{name}"), name.clone()),
                None => (path.to_string(), format!("member {}", i + 1)),
            };
            let kind = PlaceKind::Field {
                base: Box::new(place.clone()),
                record,
                field: i,
            };
            let target = self.place(kind, field.ty);
            self.fill(target, &inner, depth, &mut part);
            names.push(name);
            parts.push(part);
        }
        if has_pointer(self.unit, place.ty) {
            let line = format!("the union `{path}` holds {}", names.join(" or "));
            self.out.assumed.push(line);
        }
        let Some(mut object) = parts.pop() else {
            return;
        };
        while let Some(part) = parts.pop() {
            let name = &names[parts.len()];
            let part = self.block(part);
            object = self.either(&format!("{path} holds {name}"), part, object);
        }
        stmts.extend(object);
        if names.len() > 1 && !self.choices.contains_key(path) {
            self.choices.insert(path.to_string(), (choice, names));
        }
    }

    /// A union beside numbers in a record: what one of them says about the member that it holds.
    pub(super) fn tags(
        &mut self,
        unions: &[String],
        numbers: &BTreeMap<String, Place>,
        stmts: &mut Vec<Stmt>,
    ) {
        let is_enum = |build: &Self, p: &Place| matches!(build.unit.types.get(p.ty), Type::Enum(_));
        let some_enum = numbers.values().any(|p| is_enum(self, p));
        for path in unions {
            let Some((choice, members)) = self.choices.get(path).cloned() else {
                continue;
            };
            let mut tags = Vec::new();
            for (tag, number) in numbers {
                if some_enum && !is_enum(self, number) {
                    continue;
                }
                tags.push(tag.clone());
                for r in self.environment.requires.clone() {
                    let Requires::Apart {
                        union,
                        member,
                        tag: of,
                        value,
                    } = r
                    else {
                        continue;
                    };
                    let k = members.iter().position(|m| *m == member);
                    let (true, Some(k)) = (union == *path && of == *tag, k) else {
                        continue;
                    };
                    let int = self.unit.types.int(IntKind::Int);
                    let chosen = self.load(self.place(PlaceKind::Local(choice), int));
                    let k = self.expr(ExprKind::Int(k as i128), int);
                    let other = self.compare(BinaryOp::Ne, chosen, k);
                    let n = self.load(number.clone());
                    let value = self.expr(ExprKind::Int(i128::from(value)), number.ty);
                    let differs = self.compare(BinaryOp::Ne, n, value);
                    let either = ExprKind::LogicalOr(Box::new(other), Box::new(differs));
                    let either = self.expr(either, int);
                    stmts.push(self.assume(either));
                }
            }
            self.out.unions.push(Union {
                path: path.clone(),
                members,
                tags,
            });
        }
    }

    /// A record that a pointer leads to, with the numbers at its start: where one of them has a value that is required
    /// not to go with this record, it is another record.
    pub(super) fn lead(
        &mut self,
        base: &Place,
        inside: Inside,
        pointer: &str,
        target: &str,
        stmts: &mut Vec<Stmt>,
    ) -> Option<Lead> {
        let text = self.inside_text(inside);
        let place = PlaceKind::Deref(Box::new(self.load(base.clone())));
        let mut place = self.place(place, inside.record);
        let mut path = target.to_string();
        let mut found = Vec::new();
        while let &Type::Record(record) = self.unit.types.get(place.ty) {
            let data = self.unit.types.records[record].clone();
            if data.is_union {
                break;
            }
            let mut first = None;
            for (i, field) in data.fields.iter().enumerate() {
                let kind = PlaceKind::Field {
                    base: Box::new(place.clone()),
                    record,
                    field: i as u32,
                };
                let inner = match &field.name {
                    Some(name) => format!("{path}.{name}"),
                    None => path.clone(),
                };
                let part = self.place(kind, field.ty);
                let number = self.unit.types.is_integer(field.ty);
                match i {
                    0 if !number => first = Some((inner, part)),
                    _ if number && field.bits.is_none() => found.push((inner, part)),
                    _ => {}
                }
            }
            let Some((inner, part)) = first else { break };
            (path, place) = (inner, part);
        }
        let is_enum = |build: &Self, p: &Place| matches!(build.unit.types.get(p.ty), Type::Enum(_));
        if found.iter().any(|(_, p)| is_enum(self, p)) {
            found.retain(|(_, p)| is_enum(self, p));
        }
        for r in self.environment.requires.clone() {
            let Requires::Other {
                pointer: of,
                record,
                tag,
                value,
            } = r
            else {
                continue;
            };
            let number = found.iter().find(|(name, _)| *name == tag);
            let (true, true, Some((_, number))) = (of == pointer, record == text, number) else {
                continue;
            };
            let n = self.load(number.clone());
            let value = self.expr(ExprKind::Int(i128::from(value)), number.ty);
            let differs = self.compare(BinaryOp::Ne, n, value);
            stmts.push(self.assume(differs));
        }
        let tags = found.into_iter().map(|(name, _)| name).collect();
        Some(Lead { text, tags })
    }

    /// A pointer where structures are not followed any more: it leads back to a record around it if that is required, as
    /// the last one of a circular list does.
    pub(super) fn back(
        &mut self,
        place: &Place,
        to: TypeId,
        path: &str,
        stmts: &mut Vec<Stmt>,
    ) -> bool {
        let around = self.around.iter().filter(|(_, p)| p.ty == to);
        let targets: Vec<(String, Place)> = around.cloned().collect();
        for (target, record) in targets {
            self.out.cycles.push((path.to_string(), target.clone()));
            let pointer = path.to_string();
            if self
                .environment
                .requires
                .contains(&Requires::Cycle { pointer, target })
            {
                let address = ExprKind::AddressOf(Box::new(record));
                let address = self.expr(address, place.ty);
                stmts.push(self.assign(place.clone(), address));
                return true;
            }
        }
        false
    }

    /// A pointer into the elements of another one, if that is required.
    pub(super) fn within(&mut self, place: &Place, path: &str, stmts: &mut Vec<Stmt>) -> bool {
        let requires = &self.environment.requires;
        let base = requires.iter().find_map(|r| match r {
            Requires::Within { base, pointer } if pointer == path => Some(base.clone()),
            _ => None,
        });
        let Some(base) = base else { return false };
        let (Some(there), Some(&room)) = (self.places.get(&base), self.counts.get(&base)) else {
            return false;
        };
        let there = there.clone();
        let size = self.unit.types.pointee(place.ty);
        let size = size.and_then(|t| self.unit.types.size_of(t));
        let (true, Some(factor)) = (there.ty == place.ty, size) else {
            return false;
        };
        let size_t = self.unit.types.size_t();
        let [offset, rest] = [(); 2].map(|()| self.local("", size_t));
        self.declare(offset, stmts);
        let [at, rest_place, room] =
            [offset, rest, room].map(|l| self.place(PlaceKind::Local(l), size_t));
        let number = self.input(size_t, &format!("elements from {base} to {path}"));
        stmts.push(self.assign(at.clone(), number));
        let inside = self.compare(BinaryOp::Le, self.load(at.clone()), self.load(room.clone()));
        stmts.push(self.assume(inside));
        let left = ExprKind::Binary(
            BinaryOp::Sub,
            Box::new(self.load(room)),
            Box::new(self.load(at.clone())),
        );
        let left = self.expr(left, size_t);
        stmts.push(self.assign(rest_place, left));
        let pointer = ExprKind::PointerOffset {
            pointer: Box::new(self.load(there)),
            index: Box::new(self.load(at.clone())),
            subtract: false,
            size: Box::new(SizeOf {
                factor,
                lengths: Vec::new(),
            }),
        };
        let pointer = self.expr(pointer, place.ty);
        stmts.push(self.assign(place.clone(), pointer));
        self.counts.insert(path.to_string(), rest);
        self.out.arrays.push(path.to_string());
        for r in self.environment.requires.clone() {
            let Requires::Ordered { low, high } = r else {
                continue;
            };
            let offsets = |l: &String| match l == path {
                true => Some(offset),
                false => self.offsets.get(l).copied(),
            };
            if low != path && high != path {
                continue;
            }
            if let (Some(low), Some(high)) = (offsets(&low), offsets(&high)) {
                let [low, high] =
                    [low, high].map(|l| self.load(self.place(PlaceKind::Local(l), size_t)));
                let ordered = self.compare(BinaryOp::Le, low, high);
                stmts.push(self.assume(ordered));
            }
        }
        self.offsets.insert(path.to_string(), offset);
        true
    }

    /// Pointers of one type beside each other: each may lead into the elements of the first one.
    pub(super) fn pair(&mut self, pointers: &[(String, TypeId)]) {
        for (i, (pointer, ty)) in pointers.iter().enumerate() {
            let first = pointers[..i].iter().find(|(_, other)| other == ty);
            if let Some((base, _)) = first {
                self.out.pairs.push((base.clone(), pointer.clone()));
            }
        }
    }

    /// The number is less than the bound that is required of it.
    pub(super) fn below(&mut self, name: &str, n: &Place, stmts: &mut Vec<Stmt>) {
        for r in self.environment.requires.clone() {
            let Requires::Below { number, bound } = r else {
                continue;
            };
            if number == name {
                let wide = self.unit.types.int(IntKind::Int128);
                let n = self.load(n.clone());
                let n = self.wide(n);
                let bound = self.expr(ExprKind::Int(i128::from(bound)), wide);
                let less = self.compare(BinaryOp::Lt, n, bound);
                stmts.push(self.assume(less));
            }
        }
    }

    /// Numbers beside each other: one is less than another where that is required.
    pub(super) fn smaller(&mut self, numbers: &BTreeMap<String, Place>, stmts: &mut Vec<Stmt>) {
        for (a, of_a) in numbers {
            for (b, of_b) in numbers.iter().filter(|(b, _)| *b != a) {
                self.out.beside.push((a.clone(), b.clone()));
                let required = Requires::Smaller {
                    low: a.clone(),
                    high: b.clone(),
                };
                if self.environment.requires.contains(&required) {
                    let [low, high] = [of_a, of_b].map(|n| {
                        let n = self.load(n.clone());
                        self.wide(n)
                    });
                    let less = self.compare(BinaryOp::Lt, low, high);
                    stmts.push(self.assume(less));
                }
            }
        }
    }

    /// How many constants an enumeration has, if they are 0, 1, 2 ….
    pub(super) fn constants(&self, ty: TypeId) -> Option<u64> {
        let Type::Enum(e) = self.unit.types.get(ty) else {
            return None;
        };
        let constants = &self.unit.types.enums[*e].constants;
        let mut values: Vec<i128> = constants.iter().map(|(_, v)| *v).collect();
        values.sort_unstable();
        values.dedup();
        let next = (0..).zip(&values).all(|(i, v)| i == *v);
        (next && !values.is_empty()).then_some(values.len() as u64)
    }

    /// The first of many records that have no pointers: numbers in it may be indices of arrays in it.
    pub(super) fn first(
        &mut self,
        place: &Place,
        to: TypeId,
        target_path: &str,
        stmts: &mut Vec<Stmt>,
    ) {
        let &Type::Record(record) = self.unit.types.get(to) else {
            return;
        };
        let data = self.unit.types.records[record].clone();
        let lengths = data.fields.iter().filter_map(|f| {
            let Type::Array(_, ArrayLen::Fixed(n @ 2..)) = self.unit.types.get(f.ty) else {
                return None;
            };
            Some(*n)
        });
        let lengths: BTreeSet<u64> = lengths.collect();
        if data.is_union || lengths.is_empty() {
            return;
        }
        let target = PlaceKind::Deref(Box::new(self.load(place.clone())));
        let target = self.place(target, to);
        let mut numbers = BTreeMap::new();
        for (i, field) in data.fields.iter().enumerate() {
            let is_number = self.unit.types.is_integer(field.ty) && field.bits.is_none();
            let (true, Some(name)) = (is_number, &field.name) else {
                continue;
            };
            let kind = PlaceKind::Field {
                base: Box::new(target.clone()),
                record,
                field: i as u32,
            };
            let path = format!("{target_path}.{name}");
            numbers.insert(path, self.place(kind, field.ty));
        }
        self.members(&[], &numbers, true, stmts);
        for (name, n) in &numbers {
            for &length in &lengths {
                self.out.bounded.push((name.clone(), length));
            }
            self.below(name, n, stmts);
        }
        self.lengths.extend(lengths);
    }

    /// What an allocator is asked for: its number, or the product of two.
    pub(super) fn asked_for(&mut self, params: &[LocalId], to: TypeId) -> Option<Expr> {
        let bytes = self.unit.types.is_void(to) || self.unit.types.size_of(to) == Some(1);
        let mut numbers = Vec::new();
        for &p in params {
            let ty = self.unit.locals[p].ty;
            if self.unit.types.is_integer(ty) {
                numbers.push(self.load(self.place(PlaceKind::Local(p), ty)));
            }
        }
        if !bytes || numbers.is_empty() || numbers.len() > 2 {
            return None;
        }
        let wide = self.unit.types.int(IntKind::Int128);
        let numbers: Vec<Expr> = numbers.into_iter().map(|n| self.wide(n)).collect();
        numbers.into_iter().reduce(|a, b| {
            let product = ExprKind::Binary(BinaryOp::Mul, Box::new(a), Box::new(b));
            self.expr(product, wide)
        })
    }
}
