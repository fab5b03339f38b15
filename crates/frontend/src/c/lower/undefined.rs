//! Undefined behaviour that is checked on demand, and what each check looked at.
//!
//! ```text
//!   int x; if (c) x = 1; f(x);       init.x := 0 at the declaration, := 1 with every write; read: init.x = 1
//!   int f(void) { }  y = f();        missing.f := 1 where control falls off the end, 0 at `return`
//! ```
//! A variable whose address is never taken is undefined to read before it is written (C11 6.3.2.1p2); what
//! is in memory is only indeterminate, and not checked. Pointers of a type keep its alignment, so that only
//! conversions to pointers of stricter alignment are checked. The model aligns all objects: declared ones that
//! need not be aligned so far are told apart by their addresses, and a pointer to one gives doubt, not a proof.

use super::super::hir::{self, Expr, LocalId, StmtKind};
use super::super::memory::constraints::ObjectKind;
use super::super::memory::regions::Address;
use super::reach::ObjectKey;
use super::scalar::scalar_of;
use super::{Lower, Shape};
use crate::builder::VarSpec;
use logic::{Rational, TermId};
use program::{Access, AccessKind, ErrorTag, Property, Span, Stmt, VarId, VarKind};

impl Lower<'_> {
    /// As [`Lower::check`], saying what was looked at.
    pub(in crate::c) fn check_of(
        &mut self,
        cond: TermId,
        property: Property,
        message: &str,
        span: Span,
        access: Access,
    ) {
        let guard = self.guard();
        let not = self.pool.not(cond);
        let bad = self.pool.and2(guard, not);
        let tag = ErrorTag {
            property,
            span,
            message: message.into(),
        };
        if let Some(error) = self.b.error_if(self.pool, bad, tag) {
            self.b.memory.accesses.insert(error, access);
        }
    }

    /// A condition on a number, checked with its property, else assumed.
    pub(in crate::c) fn check_number(
        &mut self,
        cond: TermId,
        number: TermId,
        property: Property,
        message: &str,
        span: Span,
    ) {
        let access = Access {
            kind: AccessKind::Number,
            value: number,
            extent: None,
        };
        self.check_of(cond, property, message, span, access);
    }

    fn flag(&mut self, name: &str, kind: VarKind) -> VarId {
        let sort = self.pool.int_sort();
        let spec = VarSpec {
            name,
            sort,
            range: Some((Rational::ZERO, Rational::from(1))),
            kind,
            source_name: None,
            source_type: None,
            span: Span::unknown(),
        };
        self.b.var(self.pool, spec)
    }

    /// A local that is no object in memory begins without a value.
    pub(in crate::c) fn begins_unwritten(&mut self, local: LocalId, span: Span) {
        if !self.checks(Property::NoUninit) {
            return;
        }
        let scalar = scalar_of(&self.unit.types, self.unit.locals[local].ty).is_some();
        let split = self.split(ObjectKey::Local(local));
        let slots: Vec<VarId> = split.slots.values().map(|s| s.var).collect();
        if let (true, [var]) = (scalar, slots.as_slice()) {
            let flag = match self.written.get(var) {
                Some(&flag) => flag,
                None => {
                    let name = format!("init.{}", self.b.vars[*var].name);
                    let flag = self.flag(&name, VarKind::Local);
                    self.written.insert(*var, flag);
                    flag
                }
            };
            let zero = self.pool.int(0);
            self.b.assign(vec![(flag, zero)], span);
        }
    }

    /// A variable is read.
    pub(in crate::c) fn check_written(&mut self, var: VarId, span: Span) {
        if let Some(&flag) = self.written.get(&var) {
            let (flag, one) = (self.var_term(flag), self.pool.int(1));
            let fine = self.pool.eq(flag, one);
            let name = self.b.vars[var].source_name.clone().unwrap_or_default();
            let message = format!("`{name}` is read before it was written");
            self.check(fine, Property::NoUninit, &message, span);
        }
    }

    /// Every statement of the function that writes a variable says so. `first`: its edges begin here.
    pub(in crate::c) fn note_writes(&mut self, first: usize) {
        if self.written.is_empty() {
            return;
        }
        let one = self.pool.int(1);
        for i in first..self.b.edges.len() {
            let id = base::Id::from_index(i);
            let edge = self.b.edges[id].clone();
            let flags = |vars: &mut dyn Iterator<Item = VarId>| -> Vec<(VarId, TermId)> {
                let flags = vars.filter_map(|v| self.written.get(&v));
                flags.map(|&flag| (flag, one)).collect()
            };
            match edge.stmt {
                Stmt::Assign(mut pairs) => {
                    let more = flags(&mut pairs.iter().map(|p| p.0));
                    if !more.is_empty() {
                        pairs.extend(more);
                        self.b.edges[id].stmt = Stmt::Assign(pairs);
                    }
                }
                Stmt::Havoc(vars, _) | Stmt::Call { results: vars, .. } => {
                    let more = flags(&mut vars.iter().copied());
                    if !more.is_empty() {
                        let middle = self.b.new_loc(edge.span);
                        self.b.edges[id].to = middle;
                        let stmt = Stmt::Assign(more);
                        self.b.edge(middle, edge.to, stmt, edge.span);
                    }
                }
                Stmt::Skip | Stmt::Assume(_) => {}
            }
        }
    }

    /// The flag of a function that may end without a value, if that is checked.
    pub(in crate::c) fn missing(&mut self, f: hir::FuncId) -> Option<VarId> {
        let function = &self.unit.functions[f];
        let body = function.body.as_ref()?;
        let ends = body.block.stmts.last();
        let returns = ends.is_some_and(|s| matches!(s.kind, StmtKind::Return(Some(_))));
        let value = self.unit.types.function(function.ty);
        let value = value.is_some_and(|t| !self.unit.types.is_void(t.ret));
        if returns || !value || function.source_name == "main" || function.library {
            return None;
        }
        if !self.options.properties.contains(&Property::NoMissingReturn) {
            return None;
        }
        if let Some(&flag) = self.missing.get(&f) {
            return Some(flag);
        }
        let name = format!("missing.{}", function.name);
        let flag = self.flag(&name, VarKind::Global);
        self.missing.insert(f, flag);
        Some(flag)
    }

    /// The function ends here, without a value or with one.
    pub(in crate::c) fn note_missing_return(&mut self, without: bool, span: Span) {
        if let Some(flag) = self.frame.missing {
            let value = self.pool.int(i64::from(without));
            self.b.assign(vec![(flag, value)], span);
        } else if without && self.checks(Property::NoMissingReturn) && self.frame.name != "main" {
            // A `return` without a value in a function whose last statement has one.
            if !matches!(self.frame.ret, None | Some(Shape::Nothing)) {
                let (never, message) = (self.pool.ff(), "a function may end without its value");
                self.perhaps(never, Property::NoMissingReturn, message, span);
            }
        }
    }

    /// The value of a call is used.
    pub(in crate::c) fn check_missing_return(&mut self, f: hir::FuncId, span: Span) {
        if let Some(flag) = self.missing(f) {
            let (flag, zero) = (self.var_term(flag), self.pool.int(0));
            let fine = self.pool.eq(flag, zero);
            let name = &self.unit.functions[f].source_name;
            let message = format!("`{name}` ended without a value, which is used");
            self.check(fine, Property::NoMissingReturn, &message, span);
        }
    }

    /// Pointer arithmetic from `from` to `to` stays inside an object, or one past its end.
    pub(in crate::c) fn check_pointer_step(&mut self, from: TermId, to: TermId, span: Span) {
        let Some(s) = self.safety else { return };
        if !self.checks(Property::NoPointerArith) || self.frame.library || from == to {
            return;
        }
        let (number, _) = self.block_of(s, from);
        let start = self.pool.mul_const(&Rational::from(s.block), number);
        let offset = self.pool.sub(to, start);
        let sizes = self.var_term(s.size);
        let size = self.pool.select(sizes, number);
        let zero = self.pool.int(0);
        let inside = [self.pool.le(zero, offset), self.pool.le(offset, size)];
        let inside = self.pool.and(&inside);
        // Nothing is added to a null pointer.
        let stays = self.pool.eq(from, to);
        let fine = self.pool.or2(inside, stays);
        let access = Access {
            kind: AccessKind::Arithmetic,
            value: to,
            extent: Some(from),
        };
        let message = "pointer arithmetic leaves the object";
        self.check_of(fine, Property::NoPointerArith, message, span, access);
    }

    /// A pointer that becomes one to another type has the alignment of that type (C11 6.3.2.3p7).
    pub(in crate::c) fn check_alignment(&mut self, from: &Expr, address: TermId, e: &Expr) {
        let align = |ty| match self.unit.types.pointee(ty) {
            Some(to) => self.unit.types.align_of(to),
            None => 1,
        };
        let (old, align) = (align(from.ty), align(e.ty));
        if !self.checks(Property::NoMisaligned) || align <= old {
            return;
        }
        let span = e.span;
        let (n, zero) = (self.pool.int(align), self.pool.int(0));
        let rest = self.pool.modulo(address, n);
        let fine = self.pool.eq(rest, zero);
        let message = format!("an address is not a multiple of {align}");
        self.check_number(fine, address, Property::NoMisaligned, &message, span);
        let Some(cell) = self.memory.points.target_of(from) else {
            return;
        };
        let mut apart = Vec::new();
        for i in 0..self.memory.points.objects.len() {
            let object = self.memory.points.objects[i];
            if self.memory.points.graph.find(object.cell).0 != cell.0 {
                continue;
            }
            let key = match object.kind {
                ObjectKind::Declared(key) if self.declared_alignment(key) < align => key,
                ObjectKind::Heap(promise) if self.promised_by(promise) < align => {
                    apart.push(self.pool.ff());
                    continue;
                }
                _ => continue,
            };
            match (self.memory.addresses.get(&key), self.safety) {
                (Some(&Address::Fixed(a)), Some(s)) => {
                    let (number, _) = self.block_of(s, address);
                    let own = self.pool.int(a / s.block);
                    let same = self.pool.eq(number, own);
                    apart.push(self.pool.not(same));
                }
                _ => apart.push(self.pool.ff()),
            }
        }
        let apart = self.pool.and(&apart);
        let message = "an object may not be aligned for the access";
        self.perhaps(apart, Property::NoMisaligned, message, span);
    }

    fn declared_alignment(&self, key: ObjectKey) -> u64 {
        match key {
            ObjectKey::Local(l) => self.unit.align_of_local(l),
            ObjectKey::Global(g) => self.unit.align_of_global(g),
            ObjectKey::String(_) => 1,
        }
    }
}
