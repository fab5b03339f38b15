//! Boogie 2 programs.
//!
//! ```text
//!   text ─lexer→ tokens ─parser→ trees (ast) ─lower→ program
//! ```
//! Execution starts at `ULTIMATE.start` if there is one, else at any procedure with a body, under
//! its preconditions. Assertions, postconditions, preconditions of calls and loop invariants are
//! the properties. A call of a procedure with a body runs the body; without one it obeys the
//! specification. `/` on integers is the quotient `div`, unless a real is wanted.
//!
//! What the model has no words for (quantified axioms, the order `<:`, functions of solvers) gets
//! any value; [`BoogieProgram::inexact`] then says why an error found may be none.

pub mod ast;
pub(crate) mod lexer;
pub(crate) mod lower;
pub(crate) mod parser;
pub mod print;
mod types;

use logic::Pool;
use program::{Diagnostic, FileId, Note, Program, SourceMap};

#[derive(Clone, Debug, Default)]
pub struct BoogieOptions {
    /// The procedure where execution starts.
    pub entry: Option<String>,
}

/// A Boogie program in the model.
pub struct BoogieProgram {
    pub program: Program,
    pub warnings: Vec<Diagnostic>,
    /// The program has more executions than the text, because of this.
    pub inexact: Option<Note>,
}

pub fn read(
    pool: &mut Pool,
    name: &str,
    text: &str,
    options: &BoogieOptions,
    sources: &mut SourceMap,
) -> Result<BoogieProgram, Vec<Diagnostic>> {
    let file = sources.add(name, text);
    let unit = parse(text, file)?;
    lower::lower(pool, &unit, options)
}

/// The tree of a text; names and types are not looked at.
pub fn parse(text: &str, file: FileId) -> Result<ast::Unit, Vec<Diagnostic>> {
    let (tokens, mut diagnostics) = lexer::lex(text, file);
    let mut parser = parser::Parser::new(text, tokens);
    let unit = parser.unit();
    diagnostics.append(&mut parser.diagnostics);
    match diagnostics.is_empty() {
        true => Ok(unit),
        false => Err(diagnostics),
    }
}
