//! States of a run that can be gone back to. Arrays are shared until one of both sides writes.

use super::code::Slot;
use super::machine::{Call, Interpreter};
use super::value::Val;
use super::{Limits, Oracle, Run};
use crate::{LocId, VarId};

/// A state between two steps.
pub struct Snapshot {
    at: LocId,
    globals: Vec<Val>,
    stack: Vec<Val>,
    calls: Vec<Call>,
}

impl Interpreter<'_> {
    /// The state in which the last run ended at this location.
    pub fn snapshot(&self, at: LocId) -> Snapshot {
        Snapshot {
            at,
            globals: self.globals.clone(),
            stack: self.stack.clone(),
            calls: self.calls.clone(),
        }
    }

    /// Goes on from a state.
    pub fn resume<O: Oracle + ?Sized>(
        &mut self,
        from: &Snapshot,
        oracle: &mut O,
        limits: &Limits,
    ) -> Run {
        self.globals.clone_from(&from.globals);
        self.stack.clone_from(&from.stack);
        self.calls.clone_from(&from.calls);
        self.go_on(from.at, oracle, limits)
    }

    /// How much there is in the present state: variables, and entries of arrays.
    pub fn size(&self) -> u64 {
        self.count_cells()
    }

    /// The value of a variable of the function that runs, or of a global, if it is a small number or a truth value.
    pub fn small(&self, var: VarId) -> Option<i128> {
        let value = match *self.slots.get(&var)? {
            Slot::Global(i) => self.globals.get(i as usize)?,
            Slot::Frame(i) => self.stack.get(self.calls.last()?.base + i as usize)?,
        };
        match value {
            Val::Int(n) => Some(*n),
            Val::Bool(b) => Some(i128::from(*b)),
            _ => None,
        }
    }
}
