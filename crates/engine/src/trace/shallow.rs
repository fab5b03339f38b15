//! Shallow errors beside the algorithm: random runs, and a bounded search on the inlined program as
//! long as that is small. Most bugs are shallow, and refuting their neighbours by interpolants takes
//! longer than finding them. Proofs never come from here.

use super::{Halt, Search};
use crate::core::path::Versions;
use crate::prepare::{self, Prepared};
use crate::presolve::search_errors;
use program::passes::inline::size_within;

/// The bounded search and when it runs next.
#[derive(Default)]
pub struct Shallow {
    inlined: Option<Prepared>,
    versions: Versions,
    next_refinement: u64,
    opened: bool,
}

impl Search<'_, '_> {
    /// Looks for an error now and then, with more effort the longer the run.
    pub(super) fn search_shallow(&mut self) -> Result<(), Halt> {
        if !self.task.options.aids || self.refinements < self.shallow.next_refinement {
            return Ok(());
        }
        self.shallow.next_refinement = self.refinements.max(2) * 2;
        let limits = &self.task.options.limits;
        let calls = limits.cegar.bmc_calls_after(self.refinements);
        if !self.shallow.opened {
            let limits = &limits.trace;
            self.shallow.opened = true;
            let small = self.automata.copies() <= limits.inlined_copies
                && size_within(self.task.program, limits.inlined_edges).is_ok();
            self.shallow.inlined = match small {
                true => prepare::prepare(self.task).ok(),
                false => None,
            };
        }
        let Some(prepared) = &self.shallow.inlined else {
            return Ok(());
        };
        match search_errors(self.task, prepared, &mut self.shallow.versions, calls)? {
            Some(cex) => Err(Halt::Error(cex)),
            None => Ok(()),
        }
    }
}
