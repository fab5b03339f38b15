//! Types of allocations that are only bytes: rustc writes `alloca [24 x i8]` for every aggregate.
//!
//! The accesses at constant offsets say what is inside. If they do not overlap, the object is a record
//! of them, and a plain one if its address goes nowhere. Objects copied to each other as a whole share
//! their accesses.

use super::super::module::{Function, Op, Ty, Type, Typed, Value, ValueId};
use super::Translator;
use base::FxHashMap;
use std::collections::BTreeMap;

/// Accesses of one object: offset to type.
type Accesses = BTreeMap<u64, Ty>;

impl<'t> Translator<'_, 't> {
    /// Records for the byte arrays that the function allocates.
    pub(super) fn recovered(&mut self, f: &Function<'t>) -> FxHashMap<ValueId, Vec<(u64, Ty)>> {
        let defs = self.f.defs.clone();
        let mut class: FxHashMap<ValueId, ValueId> = FxHashMap::default();
        for (v, def) in defs.iter().enumerate() {
            if let Some(Op::Alloca(ty, None)) = def
                && self.is_bytes(*ty)
            {
                let v = ValueId(v as u32);
                class.insert(v, v);
            }
        }
        if class.is_empty() {
            return FxHashMap::default();
        }
        let mut found: Vec<(ValueId, u64, Ty)> = Vec::new();
        for inst in f.blocks.iter().flat_map(|b| &b.instructions) {
            match &inst.op {
                Op::Load(ty, p) => found.extend(self.byte_access(&class, p, *ty)),
                Op::Store(v, p) => found.extend(self.byte_access(&class, p, v.ty)),
                Op::Call(call) | Op::Invoke(call, ..) => {
                    if let (Value::Global(name), [a, b, n, ..]) =
                        (&call.callee, call.args.as_slice())
                        && (name.starts_with("llvm.memcpy") || name.starts_with("llvm.memmove"))
                    {
                        self.join_copies(&mut class, a, b, n);
                    }
                }
                _ => {}
            }
        }
        let mut accesses: BTreeMap<ValueId, Option<Accesses>> = BTreeMap::new();
        for (v, offset, ty) in found {
            let root = root(&class, v);
            let entry = accesses
                .entry(root)
                .or_insert_with(|| Some(Accesses::new()));
            if let Some(list) = entry
                && !self.add(list, offset, ty)
            {
                *entry = None;
            }
        }
        let mut out = FxHashMap::default();
        for &v in class.keys() {
            if let Some(Some(list)) = accesses.get(&root(&class, v)) {
                out.insert(v, list.iter().map(|(o, t)| (*o, *t)).collect());
            }
        }
        out
    }

    pub(super) fn is_bytes(&self, ty: Ty) -> bool {
        matches!(self.module.get(ty), Type::Array(_, e) if self.module.int_bits(*e) == Some(8))
    }

    /// Adds an access; `false` if it overlaps another one.
    fn add(&self, list: &mut Accesses, offset: u64, ty: Ty) -> bool {
        let size = self.size(ty);
        if let Some(&known) = list.get(&offset) {
            return self.size(known) == size;
        }
        let before = list.range(..offset).next_back();
        let after = list.range(offset..).next();
        if before.is_some_and(|(o, t)| o + self.size(*t) > offset)
            || after.is_some_and(|(o, _)| offset + size > *o)
        {
            return false;
        }
        list.insert(offset, ty);
        true
    }

    fn byte_access(
        &self,
        class: &FxHashMap<ValueId, ValueId>,
        p: &Value<'t>,
        ty: Ty,
    ) -> Option<(ValueId, u64, Ty)> {
        let (v, offset) = self.byte_root(p, 0)?;
        class.contains_key(&v).then_some((v, offset, ty))
    }

    /// The allocation and constant offset that an address is.
    fn byte_root(&self, p: &Value<'t>, depth: u32) -> Option<(ValueId, u64)> {
        let Value::Local(v) = p else { return None };
        match self.f.defs[v.0 as usize]? {
            Op::Alloca(..) => Some((*v, 0)),
            Op::Gep { base, args, .. } if depth < 16 => {
                let (v, at) = self.byte_root(&args.first()?.value, depth + 1)?;
                let [
                    _,
                    Typed {
                        value: Value::Int(n),
                        ..
                    },
                ] = args.as_slice()
                else {
                    return None;
                };
                let offset = u64::try_from(*n).ok()? * self.size(*base);
                Some((v, at + offset))
            }
            Op::Cast("bitcast", _, a, _) => self.byte_root(&a.value, depth + 1),
            _ => None,
        }
    }

    fn join_copies(
        &self,
        class: &mut FxHashMap<ValueId, ValueId>,
        a: &Typed<'t>,
        b: &Typed<'t>,
        n: &Typed<'t>,
    ) {
        let (Some((x, 0)), Some((y, 0))) =
            (self.byte_root(&a.value, 0), self.byte_root(&b.value, 0))
        else {
            return;
        };
        let whole = |v: ValueId| match (self.f.defs[v.0 as usize], &n.value) {
            (Some(Op::Alloca(ty, _)), Value::Int(n)) => self.size(*ty) as i128 == *n,
            _ => false,
        };
        if !class.contains_key(&x) || !class.contains_key(&y) || !whole(x) || !whole(y) {
            return;
        }
        let (x, y) = (root(class, x), root(class, y));
        let (low, high) = (x.min(y), x.max(y));
        class.insert(high, low);
    }
}

fn root(class: &FxHashMap<ValueId, ValueId>, v: ValueId) -> ValueId {
    let mut at = v;
    while let Some(&next) = class.get(&at) {
        if next == at {
            break;
        }
        at = next;
    }
    at
}
