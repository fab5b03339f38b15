//! Allocations as locals of a function: their types, how long they live, and whether their address goes somewhere.

use super::super::module::{Function, Op, Ty, Value, ValueId};
use super::Translator;
use super::function::{is_silent, operands, operands_of};
use crate::c::hir::{LocalId, LocalKind, StmtKind};
use crate::c::types::{IntKind, TypeId};

impl<'t> Translator<'_, 't> {
    /// Allocations of the first block are locals of the function.
    pub(super) fn allocations(&mut self, f: &Function<'t>) {
        let recovered = self.recovered(f);
        let mut declared = Vec::new();
        for (i, b) in f.blocks.iter().enumerate() {
            for inst in &b.instructions {
                let (Op::Alloca(ty, count), Some(v)) = (&inst.op, inst.result) else {
                    continue;
                };
                let n = match count.as_ref().map(|c| &c.value) {
                    None => 1,
                    Some(Value::Int(n)) => *n as u64,
                    Some(_) => continue,
                };
                if i > 0 && count.is_some() {
                    continue;
                }
                let ty = match recovered.get(&v) {
                    Some(parts) => self.recovered_type(v, *ty, parts),
                    None => self.object_type(v, *ty),
                };
                let ty = if n == 1 {
                    ty
                } else {
                    self.unit.types.array(ty, n)
                };
                let name = self.value_name(v);
                let local = self.new_local(&name, ty, LocalKind::Auto);
                if let Some(align) = inst.align.filter(|a| a.is_power_of_two()) {
                    self.unit.alignments.locals.insert(local, align);
                }
                self.f.objects.insert(v, local);
                if i > 0 {
                    self.f.scoped.push(local);
                }
                declared.push(local);
            }
        }
        self.find_scoped(f);
        self.find_written_first(f);
        for local in declared {
            if !self.f.scoped.contains(&local) && !self.f.written_first.contains(&local) {
                self.emit(StmtKind::Decl { local, init: None });
            }
        }
    }

    /// Objects whose lifetime begins in a later block, and in no way in the first.
    fn find_scoped(&mut self, f: &Function<'t>) {
        let mut first = Vec::new();
        for (i, b) in f.blocks.iter().enumerate() {
            for inst in &b.instructions {
                if let Op::Call(call) = &inst.op
                    && let Value::Global(name) = &call.callee
                    && name.starts_with("llvm.lifetime.start")
                    && let Some(Value::Local(p)) = call.args.last().map(|a| &a.value)
                    && let Some(local) = self.object_of(*p)
                {
                    if i == 0 {
                        first.push(local);
                    } else if !self.f.scoped.contains(&local) {
                        self.f.scoped.push(local);
                    }
                }
            }
        }
        self.f.scoped.retain(|l| !first.contains(l));
    }

    /// Objects whose address is used otherwise than to load and store.
    pub(super) fn find_escaping(&mut self, f: &Function<'t>) {
        let mut found = Vec::new();
        for inst in f.blocks.iter().flat_map(|b| &b.instructions) {
            if is_silent(&inst.op) {
                continue;
            }
            match &inst.op {
                Op::Load(..) => {}
                Op::Store(v, _) => operands_of(&v.value, &mut |o| found.push(o)),
                Op::Gep { args, .. } if inst.result.is_some_and(|r| self.is_symbolic(r)) => {
                    args.iter()
                        .skip(1)
                        .for_each(|a| operands_of(&a.value, &mut |o| found.push(o)));
                }
                Op::Cast(..) if inst.result.is_some_and(|r| self.is_symbolic(r)) => {}
                op => operands(op, &mut |o| found.push(o)),
            }
        }
        let mut roots: Vec<LocalId> = Vec::new();
        while let Some(v) = found.pop() {
            if let Some(&local) = self.f.objects.get(&v) {
                roots.push(local);
                continue;
            }
            if !self.is_symbolic(v) {
                continue;
            }
            match self.f.defs[v.0 as usize] {
                Some(Op::Gep { args, .. }) => {
                    if let Some(a) = args.first() {
                        operands_of(&a.value, &mut |o| found.push(o));
                    }
                }
                Some(Op::Cast(_, _, a, _)) => operands_of(&a.value, &mut |o| found.push(o)),
                _ => {}
            }
        }
        roots.sort_unstable();
        roots.dedup();
        self.f.escaping = roots;
    }

    fn object_type(&mut self, v: ValueId, ty: Ty) -> TypeId {
        let signed = self.signs.content(self.f.index, v);
        if self.module.int_bits(ty) == Some(8) && self.signs.is_bool(self.f.index, v) {
            return self.unit.types.int(IntKind::Bool);
        }
        self.ty(ty, signed)
    }

    fn recovered_type(&mut self, v: ValueId, ty: Ty, parts: &[(u64, Ty)]) -> TypeId {
        let signed = self.signs.content(self.f.index, v);
        let size = self.size(ty);
        let mut fields = Vec::new();
        for &(offset, part) in parts {
            if offset + self.size(part) > size {
                return self.ty(ty, signed);
            }
            let scalar = match self.module.int_bits(part) {
                Some(8) if self.signs.is_bool(self.f.index, v) && parts.len() == 1 => {
                    self.unit.types.int(IntKind::Bool)
                }
                _ => self.ty(part, signed),
            };
            fields.push((offset, scalar));
        }
        if let [(0, only)] = fields.as_slice()
            && self.unit.types.size_of(*only) == Some(size)
        {
            return *only;
        }
        let covered: u64 = parts.iter().map(|(_, part)| self.size(*part)).sum();
        let record = self.record_of(&fields, size, 8);
        if covered < size {
            self.incomplete.insert(record);
        }
        record
    }
}
