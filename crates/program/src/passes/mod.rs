//! Program transformations, each with its way back.
//!
//! Every pass returns the program it made together with a [`WayBack`] ([`Transformed`], or a type of
//! its own that says more); what is found out about the last program of a chain goes home through
//! the composition of the ways ([`back_translation`]). `slice`, `slice_with_calls`, `constants`, `bounds`, `dead_code`,
//! `split_values`, `merge_errors` and `scalar_replacement` keep the variables and their terms, `cone` all ids too;
//! `inline`, `loops`, `globals`, `error_flag` and `leaves` make new ones.

pub mod back_translation;
mod bounds;
mod cone;
mod constants;
mod dead_code;
pub mod error_flag;
pub mod globals;
pub mod inline;
pub mod leaves;
pub mod loops;
mod merge_errors;
mod scalar_replacement;
mod slice;
#[cfg(test)]
mod tests;
mod value_splitting;
mod variable_abstraction;

pub use back_translation::WayBack;
pub use bounds::bounds;
pub use cone::{Detail, cone};
pub use constants::{constants, constants_within};
pub use dead_code::dead_code;
pub use globals::globals_to_params;
pub use loops::loops_to_recursion;
pub use merge_errors::merge_errors;
pub use scalar_replacement::scalar_replacement;
pub use slice::{slice, slice_with_calls};
pub use value_splitting::{SplitLimits, SplitProgram, split_values};
pub use variable_abstraction::abstract_variables;

use crate::Program;
use back_translation::Leg;

/// A program and the way back to the one it was made from.
#[derive(Clone, Debug)]
pub struct Transformed {
    pub program: Program,
    pub back: WayBack,
}

impl Transformed {
    /// What a pass made.
    pub fn new(program: Program, leg: Leg) -> Self {
        Transformed {
            back: leg.close(&program),
            program,
        }
    }

    /// The program as it is, nothing changed yet.
    pub fn nothing(program: Program) -> Self {
        Transformed {
            program,
            back: WayBack::default(),
        }
    }

    /// Runs one more pass.
    pub fn then(self, pass: impl FnOnce(&Program) -> Transformed) -> Self {
        let next = pass(&self.program);
        Transformed {
            back: self.back.then(&next.back),
            program: next.program,
        }
    }

    /// Runs one more pass, which may not come to its end.
    pub fn try_then<E>(
        self,
        pass: impl FnOnce(&Program) -> Result<Transformed, E>,
    ) -> Result<Self, E> {
        let next = pass(&self.program)?;
        Ok(self.then(|_| next))
    }
}
