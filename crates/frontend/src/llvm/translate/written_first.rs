//! Objects that need no declaration, since they are written before anybody reads them.
//!
//! A declaration gives an object any value, which is an input that nobody sees if the next access is a store:
//! ```text
//!   %y = alloca i32
//!   store i32 %x, i32* %y          y := x
//!   %z = load i32, i32* %y
//! ```
//! Loops with such an input in each lap cannot be accelerated, and counterexamples list it.
//! Sound because these objects are scalars that are only loaded and stored, always as a whole, and in the block where
//! one begins the first access is a store, so that it comes before all others.

use super::super::module::{Function, Op, Ty, Type, Value, ValueId};
use super::Translator;
use super::function::{is_silent, operands};
use base::{FxHashMap, FxHashSet};

/// What was seen of an object so far.
#[derive(Default)]
struct Seen {
    /// The type of all accesses.
    ty: Option<Ty>,
    /// It has begun in this block, and was not written yet.
    open: bool,
    /// Something else is done with it.
    failed: bool,
}

impl<'t> Translator<'_, 't> {
    /// Finds them; those with a scope have to be known.
    pub(super) fn find_written_first(&mut self, f: &Function<'t>) {
        let mut seen: FxHashMap<ValueId, Seen> = FxHashMap::default();
        for (&v, local) in &self.f.objects {
            let state = Seen {
                open: !self.f.scoped.contains(local),
                ..Seen::default()
            };
            seen.insert(v, state);
        }
        let mut begun: Vec<ValueId> = seen.keys().copied().collect();
        for b in &f.blocks {
            for inst in &b.instructions {
                if let Some(v) = self.begins(&inst.op)
                    && let Some(object) = seen.get_mut(&v)
                {
                    object.open = true;
                    begun.push(v);
                }
                if !is_silent(&inst.op) {
                    self.first_access(&inst.op, inst.result, &mut seen);
                }
            }
            for v in begun.drain(..) {
                seen.entry(v)
                    .and_modify(|object| object.failed |= object.open);
            }
        }
        let found = seen.iter().filter(|(_, s)| !s.failed && s.ty.is_some());
        let found = found.map(|(v, _)| self.f.objects[v]);
        self.f.written_first = found.collect::<FxHashSet<_>>();
    }

    fn first_access(
        &self,
        op: &Op<'t>,
        result: Option<ValueId>,
        seen: &mut FxHashMap<ValueId, Seen>,
    ) {
        let accessed = match op {
            Op::Load(ty, Value::Local(p)) => Some((*p, *ty)),
            Op::Store(v, Value::Local(p)) if !matches!(v.value, Value::Local(x) if x == *p) => {
                Some((*p, v.ty))
            }
            // Only lifetimes are told this address.
            Op::Cast(..) if result.is_some_and(|r| self.f.uses[r.0 as usize] == 0) => return,
            _ => None,
        };
        operands(op, &mut |v| {
            let Some(object) = seen.get_mut(&v) else {
                return;
            };
            let Some((_, ty)) = accessed.filter(|(p, _)| *p == v) else {
                object.failed = true;
                return;
            };
            let whole = self.f.defs[v.0 as usize].is_some_and(
                |d| matches!(d, Op::Alloca(t, None) if self.size(*t) == self.size(ty)),
            );
            let scalar = matches!(
                self.module.get(ty),
                Type::Int(8 | 16 | 32 | 64) | Type::Pointer | Type::Float(_)
            );
            object.failed |= !whole || !scalar || object.ty.is_some_and(|t| t != ty);
            object.failed |= object.open && matches!(op, Op::Load(..));
            object.ty = Some(ty);
            object.open = false;
        });
    }

    /// The object whose lifetime begins here.
    fn begins(&self, op: &Op<'t>) -> Option<ValueId> {
        let Op::Call(call) = op else { return None };
        let Value::Global(name) = &call.callee else {
            return None;
        };
        if !name.starts_with("llvm.lifetime.start") {
            return None;
        }
        let mut address = &call.args.last()?.value;
        loop {
            let Value::Local(v) = address else {
                return None;
            };
            match self.f.defs[v.0 as usize]? {
                Op::Cast("bitcast", _, inner, _) => address = &inner.value,
                _ => return Some(*v),
            }
        }
    }
}
