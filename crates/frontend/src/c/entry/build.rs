//! The statements of a caller (see the folder's `mod.rs`), from the types of what it fills.

use super::casts::{Casts, Inside, Keeper};
use super::uses::Uses;
use super::watch::{Contract, Watched};
use super::{Description, ENTRY, Environment, Lead, Requires, has_pointer};
use crate::c::hir::{
    BinaryOp, Block, Body, Callee, CastKind, Expr, ExprKind, FuncId, Function, Linkage, Local,
    LocalId, LocalKind, Place, PlaceKind, SizeOf, Stmt, StmtKind, Unit,
};
use crate::c::lower::reach;
use crate::c::types::{ArrayLen, FunctionType, IntKind, Type, TypeId};
use base::FxHashSet;
use program::{FileId, Span};
use std::collections::{BTreeMap, BTreeSet};

/// Arrays of more elements keep what they hold.
const MOST_ELEMENTS: u64 = 16;
/// No object of a caller is larger, in bytes.
pub(super) const LARGEST: u64 = 1 << 31;

pub(super) struct Build<'u> {
    pub(super) unit: &'u mut Unit,
    pub(super) environment: &'u Environment,
    pub(super) target: FuncId,
    pub(super) entry: FuncId,
    pub(super) span: Span,
    pub(super) out: Description,
    /// What tells which places may change, and those that are looked at.
    pub(super) contract: Option<Contract>,
    pub(super) watched: Vec<Watched>,
    /// How many elements the pointer of this name leads to.
    pub(super) counts: BTreeMap<String, LocalId>,
    /// Where pointers are, and how far they are behind the start of another one's elements.
    pub(super) places: BTreeMap<String, Place>,
    pub(super) offsets: BTreeMap<String, LocalId>,
    /// The member that a union holds, by its number, and the members.
    pub(super) choices: BTreeMap<String, (LocalId, Vec<String>)>,
    /// Lengths of arrays that arguments may be indices of.
    pub(super) lengths: BTreeSet<u64>,
    /// What the function without a body is asked for whose body is being made.
    pub(super) asked: Option<Expr>,
    /// The records that are being filled, with the inner ones last.
    pub(super) around: Vec<(String, Place)>,
    /// Pointers that others may be equal to.
    pub(super) shared: Vec<(String, Place)>,
    /// Functions whose address the program uses.
    pub(super) taken: Vec<FuncId>,
    /// Whose body is being made.
    pub(super) owner: FuncId,
    /// What the program takes pointers for.
    pub(super) casts: Casts,
    /// The parameters that locals of the caller are handed to.
    params: BTreeMap<LocalId, LocalId>,
}

impl<'u> Build<'u> {
    pub(super) fn new(unit: &'u mut Unit, environment: &'u Environment, target: FuncId) -> Self {
        let span = unit.functions[target].span;
        let taken = Uses::new(unit).taken();
        let casts = Casts::new(unit, target, &taken);
        let void = unit.types.void();
        let ty = unit.types.intern(Type::Function(FunctionType {
            ret: void,
            params: Vec::new(),
            variadic: false,
            unprototyped: false,
        }));
        let entry = unit.functions.push(Function {
            name: ENTRY.into(),
            source_name: ENTRY.into(),
            ty,
            span,
            linkage: Linkage::Internal,
            is_noreturn: false,
            is_weak: false,
            implicit: false,
            library: false,
            body: None,
        });
        let mut build = Build {
            unit,
            environment,
            target,
            entry,
            span,
            out: Description::default(),
            contract: None,
            watched: Vec::new(),
            counts: BTreeMap::new(),
            places: BTreeMap::new(),
            offsets: BTreeMap::new(),
            choices: BTreeMap::new(),
            lengths: BTreeSet::new(),
            asked: None,
            around: Vec::new(),
            shared: Vec::new(),
            taken,
            owner: entry,
            casts,
            params: BTreeMap::new(),
        };
        build.contract = build.contract();
        build
    }

    /// Makes the caller's body.
    pub(super) fn finish(mut self, system: &FxHashSet<FileId>) -> Description {
        let mut stmts = Vec::new();
        let ty = self.unit.functions[self.target].ty;
        self.out.signature = self.prototype(ty);
        if let Some(f) = self.unit.types.function(ty) {
            let (mut seen, mut found) = (Vec::new(), Vec::new());
            for &t in f.params.iter().chain([&f.ret]) {
                self.define(t, &mut seen, &mut found);
            }
            self.out.definitions = found;
        }
        let params = match &self.unit.functions[self.target].body {
            Some(body) => body.params.clone(),
            None => Vec::new(),
        };
        if !self.environment.plain && !self.is_harness() {
            self.outside(system);
            self.globals(&mut stmts);
        }
        let mut args = Vec::new();
        let mut numbers = BTreeMap::new();
        let mut beside = Vec::new();
        for (i, p) in params.into_iter().enumerate() {
            let (ty, mut name) = (self.unit.locals[p].ty, self.unit.locals[p].name.clone());
            if name.is_empty() {
                name = format!("argument {}", i + 1);
            }
            let local = self.local(&name, ty);
            self.declare(local, &mut stmts);
            self.params.insert(local, p);
            let place = self.place(PlaceKind::Local(local), ty);
            if self.unit.types.is_integer(ty) {
                self.out.counts.push(name.clone());
                if matches!(self.unit.types.get(ty), Type::Int(k) if k.is_signed()) {
                    self.out.signed.push(name.clone());
                }
                numbers.insert(name.clone(), local);
            }
            let depth = self.environment.depth;
            if self.is_object_pointer(ty) {
                self.out.pointers.push(name.clone());
                beside.push((name.clone(), ty));
            }
            self.fill(place.clone(), &name, depth, &mut stmts);
            args.push(self.load(place));
        }
        self.pair(&beside);
        for (name, &local) in &numbers {
            for &length in &self.lengths {
                self.out.bounded.push((name.clone(), length));
            }
            let n = self.place(PlaceKind::Local(local), self.unit.locals[local].ty);
            self.below(name, &n, &mut stmts);
        }
        for r in self.environment.requires.clone() {
            self.require(&r, &numbers, &mut stmts);
        }
        let ret = match self.unit.types.function(ty) {
            Some(f) => f.ret,
            None => self.unit.types.void(),
        };
        let (first, before, after) = self.looks(&args);
        stmts.splice(0..0, first);
        stmts.extend(before);
        let callee = Callee::Direct(self.target);
        let call = self.expr(ExprKind::Call { callee, args }, ret);
        stmts.push(self.stmt(StmtKind::Expr(call)));
        stmts.extend(after);
        if self.environment.reach_end {
            let void = self.unit.types.void();
            let name = "__builtin_craig_end".into();
            let args = Vec::new();
            let end = self.expr(ExprKind::Intrinsic { name, args }, void);
            stmts.push(self.stmt(StmtKind::Expr(end)));
        }
        let span = self.span;
        self.unit.functions[self.entry].body = Some(Body {
            params: Vec::new(),
            address_labels: Vec::new(),
            block: Block { stmts, span },
            end: span,
        });
        self.out
    }

    /// The function's prototype, if plain words say it.
    fn prototype(&self, ty: TypeId) -> Option<String> {
        let f = self.unit.types.function(ty)?;
        let body = self.unit.functions[self.target].body.as_ref()?;
        let mut params = Vec::new();
        for p in &body.params {
            let local = &self.unit.locals[*p];
            params.push(format!(
                "{} {}",
                self.unit.types.display(local.ty),
                local.name
            ));
        }
        if params.is_empty() {
            params.push("void".into());
        }
        let name = &self.environment.function;
        let text = format!(
            "{} {name}({});",
            self.unit.types.display(f.ret),
            params.join(", ")
        );
        let plain = text.matches('(').count() == 1 && !text.contains(['[', '<']);
        plain.then_some(text)
    }

    /// What the types of the parameters are made of, as far as it has names; parts first.
    fn define(&self, ty: TypeId, seen: &mut Vec<TypeId>, out: &mut Vec<String>) {
        if seen.contains(&ty) {
            return;
        }
        seen.push(ty);
        match self.unit.types.get(ty) {
            Type::Pointer(to) | Type::Array(to, _) => self.define(*to, seen, out),
            Type::Record(r) => {
                let record = &self.unit.types.records[*r];
                let mut text = format!("{} {{ ", self.unit.types.display(ty));
                for field in &record.fields {
                    self.define(field.ty, seen, out);
                    let name = field.name.as_deref().unwrap_or("<none>");
                    text += &self.unit.types.declaration(field.ty, name);
                    text += &match &field.bits {
                        Some(b) => format!(" : {}; ", b.width),
                        None => "; ".into(),
                    };
                }
                if record.complete && !text.contains('<') {
                    out.push(text + "};");
                }
            }
            Type::Enum(e) => {
                let constants: Vec<String> = self.unit.types.enums[*e]
                    .constants
                    .iter()
                    .map(|(name, value)| format!("{name} = {value}"))
                    .collect();
                let name = self.unit.types.display(ty);
                if !constants.is_empty() && !name.contains('<') {
                    out.push(format!("{name} {{ {} }};", constants.join(", ")));
                }
            }
            _ => {}
        }
    }

    /// Does the function choose its inputs itself? Then it starts with the initial globals.
    fn is_harness(&self) -> bool {
        use crate::c::hir::visit::{Visitor, shared};
        struct Find(bool);
        impl<'h> Visitor<'h> for Find {
            fn expr(&mut self, e: &'h Expr) {
                if let ExprKind::Intrinsic { name, .. } = &e.kind {
                    self.0 |= name == "__VERIFIER_assume";
                }
            }
        }
        // Behind the doors of a contract.
        let inner = format!("{}{}", crate::c::contracts::BODY, self.environment.function);
        let inner = self.unit.functions.iter().find(|f| f.source_name == inner);
        let function = inner.unwrap_or(&self.unit.functions[self.target]);
        let Some(body) = &function.body else {
            return false;
        };
        let mut find = Find(false);
        shared::block(&mut find, &body.block);
        body.params.is_empty() && find.0
    }

    /// What the program changes elsewhere may hold anything by now.
    fn globals(&mut self, stmts: &mut Vec<Stmt>) {
        let mut found = reach::reach(self.unit, self.target).globals;
        for &g in &found {
            if let Type::Array(_, ArrayLen::Fixed(n @ 2..)) =
                self.unit.types.get(self.unit.globals[g].ty)
            {
                self.lengths.insert(*n);
            }
        }
        let uses = Uses::new(self.unit);
        found.retain(|&g| !uses.keeps(g));
        for g in found {
            let global = &self.unit.globals[g];
            let Some(name) = global.source_name.clone() else {
                continue;
            };
            let ours = name.starts_with("craig_") || name.starts_with("__craig_");
            if global.is_const || !global.defined || ours {
                continue;
            }
            let (ty, global_of_file) = (global.ty, global.function.is_none());
            let place = self.place(PlaceKind::Global(g), ty);
            if global_of_file {
                self.watch(&place, &name, false, stmts);
            }
            if self.unit.types.is_array(ty) && self.elements(ty) > MOST_ELEMENTS {
                let line = format!("global `{name}` holds what it was initialised with");
                self.out.assumed.push(line);
                continue;
            }
            let depth = self.environment.depth;
            self.fill(place, &name, depth, stmts);
        }
    }

    fn elements(&self, ty: TypeId) -> u64 {
        match self.unit.types.get(ty) {
            Type::Array(_, ArrayLen::Fixed(n)) => *n,
            _ => u64::MAX,
        }
    }

    pub(super) fn is_object_pointer(&self, ty: TypeId) -> bool {
        let pointee = self.unit.types.pointee(ty);
        pointee.is_some_and(|t| self.unit.types.function(t).is_none())
    }

    /// The place gets any value of its type.
    pub(super) fn fill(&mut self, place: Place, path: &str, depth: u32, stmts: &mut Vec<Stmt>) {
        let ty = place.ty;
        match self.unit.types.get(ty).clone() {
            Type::Int(_) | Type::Enum(_) | Type::Float(_) => {
                let value = self.input(ty, path);
                stmts.push(self.assign(place, value));
            }
            Type::Pointer(to) => match self.unit.types.function(to) {
                Some(_) => self.function_pointer(place, to, path, stmts),
                None => self.pointer(place, to, path, depth, stmts),
            },
            Type::Record(r) if self.unit.types.records[r].is_union => {
                self.union(&place, r, path, depth, stmts);
            }
            Type::Record(r) => {
                let data = self.unit.types.records[r].clone();
                self.around.push((path.to_string(), place.clone()));
                let mut numbers = BTreeMap::new();
                let (mut pointers, mut beside) = (Vec::new(), Vec::new());
                let (mut unions, mut lengths) = (Vec::new(), BTreeSet::new());
                for (i, field) in data.fields.iter().enumerate() {
                    let kind = PlaceKind::Field {
                        base: Box::new(place.clone()),
                        record: r,
                        field: i as u32,
                    };
                    // Pointers that nobody looks at need lead nowhere.
                    // Sound because a member that is not filled may hold any value.
                    let unused = !self.casts.names(r, i as u32);
                    if unused && has_pointer(self.unit, field.ty) {
                        continue;
                    }
                    let inner = match &field.name {
                        Some(name) => format!("{path}.{name}"),
                        None => path.to_string(),
                    };
                    let part = self.place(kind, field.ty);
                    if self.unit.types.is_integer(field.ty) && field.bits.is_none() {
                        numbers.insert(inner.clone(), part.clone());
                    } else if self.is_object_pointer(field.ty) && depth > 0 {
                        pointers.push(inner.clone());
                        beside.push((inner.clone(), field.ty));
                    } else if self.unit.types.is_array(field.ty) {
                        match self.elements(field.ty) {
                            // The end of the record, which may be longer.
                            _ if self.counts.contains_key(&inner) => pointers.push(inner.clone()),
                            n if (2..u64::MAX).contains(&n) => _ = lengths.insert(n),
                            _ => {}
                        }
                    }
                    self.fill(part, &inner, depth, stmts);
                    if self.choices.contains_key(&inner) {
                        unions.push(inner);
                    }
                }
                self.members(&pointers, &numbers, !lengths.is_empty(), stmts);
                self.pair(&beside);
                self.tags(&unions, &numbers, stmts);
                for (name, n) in &numbers {
                    let constants = self.constants(n.ty);
                    for length in lengths.iter().copied().chain(constants) {
                        self.out.bounded.push((name.clone(), length));
                    }
                    self.below(name, n, stmts);
                }
                self.lengths.extend(lengths);
                self.around.pop();
            }
            Type::Array(element, _) => {
                let n = self.elements(ty);
                if n > MOST_ELEMENTS {
                    if has_pointer(self.unit, element) {
                        let line = format!("the pointers in `{path}` are valid");
                        self.out.assumed.push(line);
                    }
                    return;
                }
                let long = self.unit.types.int(IntKind::Long);
                for i in 0..n {
                    let index = self.expr(ExprKind::Int(i128::from(i)), long);
                    let kind = PlaceKind::Index {
                        base: Box::new(place.clone()),
                        index: Box::new(index),
                    };
                    let part = self.place(kind, element);
                    self.fill(part, &format!("{path}[{i}]"), depth, stmts);
                }
            }
            _ => {}
        }
    }

    /// Null, or the first of some elements in fresh memory.
    pub(super) fn pointer(
        &mut self,
        place: Place,
        to: TypeId,
        path: &str,
        depth: u32,
        stmts: &mut Vec<Stmt>,
    ) {
        let ty = place.ty;
        let null = self.expr(ExprKind::Int(0), ty);
        let set_null = self.assign(place.clone(), null);
        let deeper = Requires::NonNull(path.to_string());
        let deeper = self.environment.requires.contains(&deeper);
        // What is required to lead somewhere is followed once more.
        let depth = if deeper { depth.max(1) } else { depth };
        if depth == 0 {
            if self.back(&place, to, path, stmts) {
                return;
            }
            stmts.push(set_null);
            self.out.cut.push(path.to_string());
            let line = format!("`{path}` is null: structures are followed to a depth");
            self.out.assumed.push(line);
            return;
        }
        if self.within(&place, path, stmts) {
            return;
        }
        self.places.insert(path.to_string(), place.clone());
        let mut object = Vec::new();
        if self.environment.sharing && depth == self.environment.depth {
            self.shared.push((path.to_string(), place.clone()));
        }
        self.objects(&place, to, path, depth, &mut object);
        for (other, there) in self.shared.clone() {
            if there.ty == ty && other != path {
                let same = self.load(there);
                let mut same = self.assign(place.clone(), same);
                if let (Some(&mine), Some(&theirs)) =
                    (self.counts.get(path), self.counts.get(&other))
                {
                    let size_t = self.unit.types.size_t();
                    let [mine, theirs] =
                        [mine, theirs].map(|l| self.place(PlaceKind::Local(l), size_t));
                    let count = self.assign(mine, self.load(theirs));
                    same = self.block(vec![same, count]);
                }
                object = self.either(&format!("{path} is {other}"), same, object);
            }
        }
        let required = Requires::NonNull(path.to_string());
        if self.environment.requires.contains(&required) {
            stmts.extend(object);
            return;
        }
        // Null leads to no element.
        if let Some(&count) = self.counts.get(path) {
            let size_t = self.unit.types.size_t();
            let counter = self.place(PlaceKind::Local(count), size_t);
            let none = self.expr(ExprKind::Int(0), size_t);
            stmts.push(self.assign(counter, none));
        }
        let choice = self.either(&format!("{path} is null"), set_null, object);
        stmts.extend(choice);
    }

    /// An input decides between a statement and others.
    pub(super) fn either(&mut self, what: &str, then: Stmt, els: Vec<Stmt>) -> Vec<Stmt> {
        let bool = self.unit.types.int(IntKind::Bool);
        let cond = self.input(bool, what);
        let els = Some(Box::new(self.block(els)));
        let then = Box::new(self.block(vec![then]));
        vec![self.stmt(StmtKind::If { cond, then, els })]
    }

    /// A fresh object of the pointer's type, or of one of the records that the program takes it for.
    fn objects(
        &mut self,
        place: &Place,
        to: TypeId,
        path: &str,
        depth: u32,
        stmts: &mut Vec<Stmt>,
    ) {
        if self.unit.types.is_void(to) {
            self.out.untyped.push(path.to_string());
        }
        let keeper = match &place.kind {
            PlaceKind::Local(l) => self.params.get(l).map(|&p| Keeper::Local(p)),
            PlaceKind::Field { record, field, .. } => Some(Keeper::Member(*record, *field)),
            _ => None,
        };
        let found = keeper.map_or_else(Vec::new, |k| self.casts.of(self.unit, k, to));
        let Some((&last, others)) = found.split_last() else {
            let rows = matches!(self.unit.types.get(to), Type::Pointer(_));
            let single = has_pointer(self.unit, to) && !rows;
            let target = format!("(*{path})");
            return self.object(place, to, path, &target, depth, single, stmts);
        };
        let names: Vec<String> = found.iter().map(|i| self.inside_text(*i)).collect();
        let line = format!("`{path}` is null or leads to {}", names.join(" or "));
        self.out.assumed.push(line);
        self.out.cast.push(path.to_string());
        let mut object = Vec::new();
        let mut leads = Vec::new();
        let lead = self.inside(place, to, last, path, depth, &mut object);
        leads.extend(lead);
        for (&inside, name) in others.iter().zip(&names) {
            let mut other = Vec::new();
            let lead = self.inside(place, to, inside, path, depth, &mut other);
            leads.extend(lead);
            let other = self.block(other);
            object = self.either(&format!("{path} leads to {name}"), other, object);
        }
        stmts.extend(object);
        if leads.len() > 1 {
            self.out.leads.push((path.to_string(), leads));
        }
    }

    /// Records without a name go by their first members.
    fn record_name(&self, ty: TypeId) -> String {
        let name = self.unit.types.display(ty);
        let Type::Record(r) = self.unit.types.get(ty) else {
            return name;
        };
        if !name.contains('<') {
            return name;
        }
        let fields = self.unit.types.records[*r].fields.iter();
        let mut names = fields.filter_map(|f| f.name.as_deref());
        let first: Vec<&str> = names.by_ref().take(3).collect();
        let more = if names.next().is_some() { "; …" } else { "" };
        format!("struct {{ {}{more} }}", first.join("; "))
    }

    pub(super) fn inside_text(&self, inside: Inside) -> String {
        let name = self.record_name(inside.record);
        let number = !matches!(self.unit.types.get(inside.record), Type::Record(_));
        match inside.offset {
            _ if number => format!("elements of type `{name}`"),
            0 => format!("a `{name}`"),
            n => format!("byte {n} of a `{name}`"),
        }
    }

    /// A fresh record, and the pointer to where the program expects it.
    fn inside(
        &mut self,
        place: &Place,
        to: TypeId,
        inside: Inside,
        path: &str,
        depth: u32,
        stmts: &mut Vec<Stmt>,
    ) -> Option<Lead> {
        let ty = self.unit.types.pointer(inside.record);
        let base = self.local("", ty);
        self.declare(base, stmts);
        let base = self.place(PlaceKind::Local(base), ty);
        let untyped = self.unit.types.size_of(to).is_none_or(|n| n <= 1);
        let rows = matches!(self.unit.types.get(inside.record), Type::Pointer(_));
        let record = has_pointer(self.unit, inside.record) && !rows;
        let single = record || inside.offset > 0 || !untyped;
        let name = self.record_name(inside.record);
        let target = match inside.offset {
            0 => format!("(*({name} *){path})"),
            n => format!("(*({name} *)((char *){path} - {n}))"),
        };
        self.object(&base, inside.record, path, &target, depth, single, stmts);
        let lead = match single {
            true => self.lead(&base, inside, path, &target, stmts),
            false => None,
        };
        let mut pointer = self.load(base);
        if inside.offset > 0 {
            let char = self.unit.types.int(IntKind::Char);
            let bytes = self.unit.types.pointer(char);
            let long = self.unit.types.int(IntKind::Long);
            let cast = ExprKind::Cast(CastKind::PointerToPointer, Box::new(pointer));
            let offset = ExprKind::PointerOffset {
                pointer: Box::new(self.expr(cast, bytes)),
                index: Box::new(self.expr(ExprKind::Int(i128::from(inside.offset)), long)),
                subtract: false,
                size: Box::new(SizeOf {
                    factor: 1,
                    lengths: Vec::new(),
                }),
            };
            pointer = self.expr(offset, bytes);
        }
        let cast = ExprKind::Cast(CastKind::PointerToPointer, Box::new(pointer));
        let pointer = self.expr(cast, place.ty);
        stmts.push(self.assign(place.clone(), pointer));
        lead
    }

    #[allow(clippy::too_many_arguments)]
    fn object(
        &mut self,
        place: &Place,
        to: TypeId,
        path: &str,
        target_path: &str,
        depth: u32,
        single: bool,
        stmts: &mut Vec<Stmt>,
    ) {
        let size = self.unit.types.size_of(to).unwrap_or(1).max(1);
        let size_t = self.unit.types.size_t();
        let tail = self.tail(to, target_path);
        let single = single || tail.is_some();
        // Other records that the pointer may lead to are counted in the same place.
        let count = match self.counts.get(path) {
            Some(&count) => count,
            None => self.local("", size_t),
        };
        let counter = self.place(PlaceKind::Local(count), size_t);
        let number = match single {
            true => self.expr(ExprKind::Int(1), size_t),
            false => self.input(size_t, &format!("elements of {path}")),
        };
        stmts.push(self.assign(counter.clone(), number));
        let one = self.expr(ExprKind::Int(1), size_t);
        let most = self.expr(ExprKind::Int(i128::from(LARGEST / size)), size_t);
        let n = self.load(counter.clone());
        let enough = self.compare(BinaryOp::Le, one, n.clone());
        stmts.push(self.assume(enough));
        let few = self.compare(BinaryOp::Le, n.clone(), most);
        stmts.push(self.assume(few));
        self.counts.insert(path.to_string(), count);
        self.at_least(path, counter.clone(), stmts);
        if !single {
            self.out.arrays.push(path.to_string());
        }
        let factor = self.expr(ExprKind::Int(i128::from(size)), size_t);
        let product = ExprKind::Binary(BinaryOp::Mul, Box::new(n), Box::new(factor));
        let mut bytes = self.expr(product, size_t);
        if let Some(tail) = &tail {
            let more = self.lengthen(tail, stmts);
            bytes = self.sum(bytes, more);
        }
        if let Some(asked) = self.asked.clone().filter(|_| path.ends_with("()")) {
            self.out.allocators.push(path.to_string());
            let required = Requires::Allocates(path.to_string());
            if self.environment.requires.contains(&required) {
                self.fits(asked, count, stmts);
            }
        }
        let void = self.unit.types.void();
        let raw = self.unit.types.pointer(void);
        // Of pointers the first is filled like others, the rest is null.
        let rows = !single && matches!(self.unit.types.get(to), Type::Pointer(_));
        let (name, args) = match rows {
            true => {
                let one = self.expr(ExprKind::Int(1), size_t);
                ("__builtin_calloc", vec![bytes, one])
            }
            false => ("__builtin_malloc", vec![bytes]),
        };
        let name = name.into();
        let memory = self.expr(ExprKind::Intrinsic { name, args }, raw);
        let cast = ExprKind::Cast(CastKind::PointerToPointer, Box::new(memory));
        let memory = self.expr(cast, place.ty);
        stmts.push(self.assign(place.clone(), memory));
        if !single {
            self.watch_elements(place, to, counter.clone(), path, stmts);
        }
        if !single && !rows {
            self.first(place, to, target_path, stmts);
        }
        if rows {
            let pointer = self.load(place.clone());
            let first = self.place(PlaceKind::Deref(Box::new(pointer)), to);
            self.fill(first, target_path, depth - 1, stmts);
            let line = format!("the pointers behind the first one that `{path}` leads to are null");
            self.out.assumed.push(line);
        }
        if single {
            let pointer = self.load(place.clone());
            let target = self.place(PlaceKind::Deref(Box::new(pointer)), to);
            self.watch(&target, target_path, true, stmts);
            self.fill(target.clone(), target_path, depth - 1, stmts);
            if let Some(tail) = &tail {
                self.end_tail(tail, &target, stmts);
            }
        }
        let required = Requires::Terminated(path.to_string());
        if matches!(self.unit.types.get(to), Type::Int(IntKind::Char)) {
            self.terminate(self.load(place.clone()), to, counter, stmts);
            let line = format!("`{path}` is null or a string with its terminator");
            self.out.assumed.push(line);
        } else if matches!(
            self.unit.types.get(to),
            Type::Int(IntKind::SChar | IntKind::UChar)
        ) {
            self.out.bytes.push(path.to_string());
            if self.environment.requires.contains(&required) {
                self.terminate(self.load(place.clone()), to, counter, stmts);
            }
        }
    }

    /// Members of one record: a pointer leads to as many elements as a number says, where that is required.
    pub(super) fn members(
        &mut self,
        pointers: &[String],
        numbers: &BTreeMap<String, Place>,
        is_index: bool,
        stmts: &mut Vec<Stmt>,
    ) {
        let wide = self.unit.types.int(IntKind::Int128);
        for (count, number) in numbers {
            let places = !pointers.is_empty() || is_index;
            if matches!(self.unit.types.get(number.ty), Type::Int(k) if k.is_signed()) && places {
                self.out.signed.push(count.clone());
            }
            let least = [Requires::NotNegative, Requires::Positive];
            for (least, required) in (0..).zip(least.map(|r| r(count.clone()))) {
                if self.environment.requires.contains(&required) {
                    let n = self.load(number.clone());
                    let least = self.expr(ExprKind::Int(least), number.ty);
                    let enough = self.compare(BinaryOp::Le, least, n);
                    stmts.push(self.assume(enough));
                }
            }
        }
        if !pointers.is_empty() {
            self.smaller(numbers, stmts);
        }
        for pointer in pointers {
            for (count, number) in numbers {
                self.out.members.push((pointer.clone(), count.clone()));
                let Some(room) = self.counts.get(pointer).copied() else {
                    continue;
                };
                let required = Requires::Room {
                    pointer: pointer.clone(),
                    count: count.clone(),
                };
                if self.environment.requires.contains(&required) {
                    let n = self.load(number.clone());
                    self.fits(n, room, stmts);
                }
                let required = Requires::Less {
                    pointer: pointer.clone(),
                    index: count.clone(),
                };
                if self.environment.requires.contains(&required) {
                    let n = self.load(number.clone());
                    let (n, one) = (self.wide(n), self.expr(ExprKind::Int(1), wide));
                    let next = self.sum(n, one);
                    self.fits(next, room, stmts);
                }
            }
        }
    }

    pub(super) fn at_least(&mut self, path: &str, counter: Place, stmts: &mut Vec<Stmt>) {
        let least = self.environment.requires.iter().find_map(|r| match r {
            Requires::AtLeast { pointer, elements } if pointer == path => Some(*elements),
            _ => None,
        });
        if let Some(least) = least {
            let least = self.expr(ExprKind::Int(i128::from(least)), counter.ty);
            let n = self.load(counter);
            let enough = self.compare(BinaryOp::Le, least, n);
            stmts.push(self.assume(enough));
        }
    }

    /// The last character of a string is zero.
    pub(super) fn terminate(
        &mut self,
        pointer: Expr,
        char: TypeId,
        count: Place,
        stmts: &mut Vec<Stmt>,
    ) {
        let (size_t, ty) = (count.ty, pointer.ty);
        let n = self.load(count);
        let one = self.expr(ExprKind::Int(1), size_t);
        let last = ExprKind::Binary(BinaryOp::Sub, Box::new(n), Box::new(one));
        let last = self.expr(last, size_t);
        let offset = ExprKind::PointerOffset {
            pointer: Box::new(pointer),
            index: Box::new(last),
            subtract: false,
            size: Box::new(SizeOf {
                factor: 1,
                lengths: Vec::new(),
            }),
        };
        let end = self.expr(offset, ty);
        let target = self.place(PlaceKind::Deref(Box::new(end)), char);
        let zero = self.expr(ExprKind::Int(0), char);
        stmts.push(self.assign(target, zero));
    }

    fn require(
        &mut self,
        r: &Requires,
        numbers: &BTreeMap<String, LocalId>,
        stmts: &mut Vec<Stmt>,
    ) {
        let number = |build: &mut Self, name: &String| {
            let &n = numbers.get(name)?;
            let ty = build.unit.locals[n].ty;
            let n = build.load(build.place(PlaceKind::Local(n), ty));
            Some(build.wide(n))
        };
        let wide = self.unit.types.int(IntKind::Int128);
        let (n, room) = match r {
            Requires::Room { pointer, count } => (number(self, count), self.counts.get(pointer)),
            Requires::Less { pointer, index } => {
                let one = self.expr(ExprKind::Int(1), wide);
                let next = number(self, index).map(|n| self.sum(n, one));
                (next, self.counts.get(pointer))
            }
            Requires::Sum {
                pointer,
                first,
                second,
            } => {
                let parts = (number(self, first), number(self, second));
                let sum = match parts {
                    (Some(a), Some(b)) => Some(self.sum(a, b)),
                    _ => None,
                };
                (sum, self.counts.get(pointer))
            }
            Requires::Longer { pointer, other } => {
                let size_t = self.unit.types.size_t();
                let other = self.counts.get(other).copied();
                let other = other.filter(|&n| self.unit.locals[n].function == self.owner);
                let n = other.map(|n| {
                    let n = self.load(self.place(PlaceKind::Local(n), size_t));
                    self.wide(n)
                });
                (n, self.counts.get(pointer))
            }
            Requires::NotNegative(name) | Requires::Positive(name) => {
                if let Some(n) = number(self, name) {
                    let least = i128::from(matches!(r, Requires::Positive(_)));
                    let least = self.expr(ExprKind::Int(least), wide);
                    let enough = self.compare(BinaryOp::Le, least, n);
                    stmts.push(self.assume(enough));
                }
                return;
            }
            _ => return,
        };
        // Elements of what another function returns are counted there.
        if let (Some(n), Some(&room)) = (n, room)
            && self.unit.locals[room].function == self.owner
        {
            self.fits(n, room, stmts);
        }
    }

    /// The number in a type in which sums of such numbers are exact.
    pub(super) fn wide(&mut self, value: Expr) -> Expr {
        let wide = self.unit.types.int(IntKind::Int128);
        self.expr(ExprKind::Cast(CastKind::IntToInt, Box::new(value)), wide)
    }

    fn sum(&self, a: Expr, b: Expr) -> Expr {
        let ty = a.ty;
        self.expr(
            ExprKind::Binary(BinaryOp::Add, Box::new(a), Box::new(b)),
            ty,
        )
    }

    /// The number is at most that of the elements, whatever the types.
    pub(super) fn fits(&mut self, n: Expr, room: LocalId, stmts: &mut Vec<Stmt>) {
        let size_t = self.unit.types.size_t();
        let room = self.load(self.place(PlaceKind::Local(room), size_t));
        let [n, room] = [n, room].map(|value| self.wide(value));
        let fits = self.compare(BinaryOp::Le, n, room);
        stmts.push(self.assume(fits));
    }

    // ------------------------------------------------------------ small trees

    pub(super) fn expr(&self, kind: ExprKind, ty: TypeId) -> Expr {
        Expr::new(kind, ty, self.span)
    }

    pub(super) fn stmt(&self, kind: StmtKind) -> Stmt {
        let span = self.span;
        Stmt { kind, span }
    }

    pub(super) fn block(&self, stmts: Vec<Stmt>) -> Stmt {
        let span = self.span;
        self.stmt(StmtKind::Block(Block { stmts, span }))
    }

    pub(super) fn place(&self, kind: PlaceKind, ty: TypeId) -> Place {
        let span = self.span;
        Place { kind, ty, span }
    }

    pub(super) fn load(&self, place: Place) -> Expr {
        let ty = place.ty;
        self.expr(ExprKind::Load(Box::new(place)), ty)
    }

    pub(super) fn assign(&self, place: Place, value: Expr) -> Stmt {
        let ty = place.ty;
        let kind = ExprKind::Assign {
            place: Box::new(place),
            value: Box::new(value),
        };
        self.stmt(StmtKind::Expr(self.expr(kind, ty)))
    }

    pub(super) fn input(&self, ty: TypeId, what: &str) -> Expr {
        let name = format!("__builtin_craig_input_value:{what}");
        let args = Vec::new();
        self.expr(ExprKind::Intrinsic { name, args }, ty)
    }

    pub(super) fn compare(&mut self, op: BinaryOp, a: Expr, b: Expr) -> Expr {
        let int = self.unit.types.int(IntKind::Int);
        self.expr(ExprKind::Binary(op, Box::new(a), Box::new(b)), int)
    }

    pub(super) fn assume(&mut self, cond: Expr) -> Stmt {
        let void = self.unit.types.void();
        let name = "__VERIFIER_assume".into();
        let args = vec![cond];
        self.stmt(StmtKind::Expr(
            self.expr(ExprKind::Intrinsic { name, args }, void),
        ))
    }

    pub(super) fn local(&mut self, name: &str, ty: TypeId) -> LocalId {
        self.unit.locals.push(Local {
            name: name.into(),
            ty,
            span: self.span,
            kind: LocalKind::Auto,
            function: self.owner,
            is_const: false,
            is_volatile: false,
            address_taken: false,
        })
    }

    pub(super) fn declare(&self, local: LocalId, stmts: &mut Vec<Stmt>) {
        stmts.push(self.stmt(StmtKind::Decl { local, init: None }));
    }
}
