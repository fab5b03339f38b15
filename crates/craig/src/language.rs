//! The front ends behind one signature.

use crate::load::{SourceOptions, SourceText, Trouble};
use logic::Pool;
use program::{Diagnostic, Program, SourceMap};
use std::path::PathBuf;

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

pub fn horn(pool: &mut Pool, texts: &[SourceText]) -> Result<Front, Trouble> {
    let [text] = texts else {
        return Err(Trouble::Message(
            "Horn clauses are read from one file at a time".into(),
        ));
    };
    let mut sources = SourceMap::default();
    match frontend::horn::read(pool, &text.name, &text.text, &mut sources) {
        Ok(horn) => Ok(Front {
            program: horn.program,
            sources,
            warnings: Vec::new(),
        }),
        Err(diagnostics) => Err(Trouble::Input {
            diagnostics,
            sources,
        }),
    }
}

/// The text form of the program model; errors have a line.
pub fn model(pool: &mut Pool, texts: &[SourceText]) -> Result<Front, Trouble> {
    let [text] = texts else {
        return Err(Trouble::Message(
            "the text form takes one file at a time".into(),
        ));
    };
    let program = program::text::parse(pool, &text.text)
        .map_err(|e| Trouble::Message(format!("{}: {e}", text.name)))?;
    let mut sources = SourceMap::default();
    sources.add(&text.name, &text.text);
    Ok(Front {
        program,
        sources,
        warnings: Vec::new(),
    })
}

/// The tokens of C files, one a line.
pub fn show_tokens(_files: &[PathBuf], _options: &SourceOptions) -> Result<String, Trouble> {
    Err(Trouble::Message("tokens are not shown yet".into()))
}

/// The typed tree of a C program.
pub fn show_tree(_files: &[PathBuf], _options: &SourceOptions) -> Result<String, Trouble> {
    Err(Trouble::Message("the tree is not shown yet".into()))
}
