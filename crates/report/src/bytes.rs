//! A number that a program keeps as bytes is one value to its reader.
//!
//! Objects that are read in other parts than they were written in are arrays of bytes in the model: one assignment of a
//! pointer writes eight of them. A step that writes all bytes of a scalar is read as one change of that scalar.

use crate::trace::number;
use crate::words::Words;
use logic::{Rational, Value};
use program::interp::Change;
use program::{DebugInfo, DebugType, VarId};
use std::borrow::Cow;

/// The changes of a step, bytes of one scalar put together. `is_memory` says which variables are cells of memory.
pub(crate) fn whole<'a>(
    changes: &'a [Change],
    words: &Words<'_>,
    debug: &DebugInfo,
    pointer: u64,
    is_memory: impl Fn(VarId) -> bool,
) -> Vec<Cow<'a, Change>> {
    let mut out = Vec::with_capacity(changes.len());
    let mut rest = changes;
    while let Some((first, after)) = rest.split_first() {
        let joined = is_memory(first.var)
            .then(|| scalar(rest, words, debug, pointer))
            .flatten();
        match joined {
            Some((size, value)) => {
                out.push(Cow::Owned(Change {
                    value,
                    ..first.clone()
                }));
                rest = &rest[size..];
            }
            None => {
                out.push(Cow::Borrowed(first));
                rest = after;
            }
        }
    }
    out
}

/// The scalar whose bytes the first changes are, in order and all of them: how many, and its value.
fn scalar(
    changes: &[Change],
    words: &Words<'_>,
    debug: &DebugInfo,
    pointer: u64,
) -> Option<(usize, Value)> {
    let first = changes.first()?;
    let start = first.index.as_ref().and_then(number)?;
    let ty = words.type_at(&words.find(start)?)?;
    let signed = match &debug.types[ty] {
        DebugType::Int { signed, .. } => *signed,
        DebugType::Enum { .. } => true,
        DebugType::Float { .. } | DebugType::Pointer(_) => false,
        _ => return None,
    };
    let size = usize::try_from(debug.size_of(ty, pointer)).ok()?;
    if !(2..=16).contains(&size) {
        return None;
    }
    let mut sum = Rational::ZERO;
    let byte = Rational::power_of_two(8);
    for (k, change) in changes.get(..size)?.iter().enumerate() {
        let address = change.index.as_ref().and_then(number)?;
        if change.var != first.var || Some(address) != start.checked_add(k as u64) {
            return None;
        }
        let part = change.value.as_num()?.rem_euclid(&byte);
        sum = sum.mul_add(&part, &Rational::power_of_two(8 * k));
    }
    if signed && sum >= Rational::power_of_two(8 * size - 1) {
        sum -= &Rational::power_of_two(8 * size);
    }
    Some((size, Value::Num(sum)))
}
