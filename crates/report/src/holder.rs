//! Which pointer variable a reader would write to reach an object: `n` for the object that `n` points to.

use crate::Subject;
use crate::trace::number;
use base::FxHashMap;
use logic::Value;
use program::{DebugType, DebugTypeId, VarId};
use std::collections::BTreeMap;

/// The name of a pointer variable that holds the address: the last declared local first, then globals.
pub fn holder(
    subject: &Subject<'_>,
    types: &FxHashMap<VarId, Option<DebugTypeId>>,
    locals: Option<&BTreeMap<VarId, Value>>,
    globals: &BTreeMap<VarId, Value>,
    address: u64,
) -> Option<String> {
    let fits = |(var, value): &(&VarId, &Value)| {
        let pointer = types[*var].is_some_and(|t| {
            matches!(subject.debug.types[t], DebugType::Pointer(to)
                if subject.debug.types[to] != DebugType::Opaque)
        });
        pointer && number(value) == Some(address)
    };
    let name = |(var, _): (&VarId, &Value)| subject.program.vars[*var].source_name.clone();
    let mut local = locals.into_iter().flatten().rev().filter(fits);
    let mut global = globals.iter().rev().filter(fits);
    local.find_map(name).or_else(|| global.find_map(name))
}
