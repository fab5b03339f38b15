//! The front ends behind one signature.

use crate::load::{SourceOptions, SourceText, Trouble};
use logic::Pool;
use program::{Diagnostic, Program, SourceMap};

/// What a front end gives.
pub struct Front {
    pub program: Program,
    pub sources: SourceMap,
    pub warnings: Vec<Diagnostic>,
}

/// Whether C text has directives other than line markers.
pub fn needs_preprocessing(_text: &str) -> bool {
    true
}

pub fn c(
    _pool: &mut Pool,
    _texts: &[SourceText],
    _options: &SourceOptions,
) -> Result<Front, Trouble> {
    Err(Trouble::Message("C is not read yet".into()))
}

pub fn boogie(
    _pool: &mut Pool,
    _texts: &[SourceText],
    _options: &SourceOptions,
) -> Result<Front, Trouble> {
    Err(Trouble::Message("Boogie programs are not read yet".into()))
}

pub fn horn(
    _pool: &mut Pool,
    _texts: &[SourceText],
    _options: &SourceOptions,
) -> Result<Front, Trouble> {
    Err(Trouble::Message("Horn clauses are not read yet".into()))
}

pub fn model(_pool: &mut Pool, _texts: &[SourceText]) -> Result<Front, Trouble> {
    Err(Trouble::Message("the text form of programs is not read yet".into()))
}
