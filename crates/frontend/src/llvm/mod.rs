//! LLVM assembly: what clang and rustc write, to a program.
//!
//! ```text
//! text ─parse→ module ─translate→ typed tree of C ─link→ with the library ─lower→ Program
//! ```
//! The tree of the C front end is the contract: memory, library, checks and findings are shared with C.

pub mod debug;
pub mod layout;
pub mod lex;
pub mod module;
pub mod parse;
mod signs;
mod translate;
mod verify;

use crate::c::hir::Unit;
use program::{Diagnostic, FileId, Severity, SourceMap, Span};

/// A module as a typed tree.
pub struct Read {
    pub unit: Unit,
    /// The function where execution starts, by its name in the source.
    pub entry: String,
    /// Pointers of 32 bits.
    pub bits32: bool,
    pub warnings: Vec<Diagnostic>,
}

/// Reads a module, and links it with the models of the C library.
///
/// Files that debug information names are added to `sources`, with empty text.
///
/// # Errors
/// The text is no LLVM assembly: one diagnostic with its place.
pub fn read(
    name: &str,
    text: &str,
    entry: &str,
    sources: &mut SourceMap,
) -> Result<Read, Vec<Diagnostic>> {
    base::deep_stack("llvm", || read_here(name, text, entry, sources)).unwrap_or_else(|| {
        Err(vec![Diagnostic {
            severity: Severity::Error,
            span: Span::unknown(),
            message: "cannot start the reader: no thread".into(),
            help: None,
        }])
    })
}

fn read_here(
    name: &str,
    text: &str,
    entry: &str,
    sources: &mut SourceMap,
) -> Result<Read, Vec<Diagnostic>> {
    let module = match parse::parse(text) {
        Ok(module) => module,
        Err(e) => return Err(vec![syntax_error(name, text, &e, sources)]),
    };
    if let Err(e) = verify::verify(&module) {
        return Err(vec![syntax_error(name, text, &e, sources)]);
    }
    let bits32 = layout::is_32(&module);
    let translated = translate::translate(&module, name, text, entry, sources);
    let (unit, warnings) = crate::c::link_unit(translated.unit, translated.destructors)?;
    Ok(Read {
        unit,
        entry: translated.entry,
        bits32,
        warnings,
    })
}

fn syntax_error(
    name: &str,
    text: &str,
    e: &parse::SyntaxError,
    sources: &mut SourceMap,
) -> Diagnostic {
    let known = sources.files.iter().position(|f| f.name == name);
    let file: FileId = known.map_or_else(|| sources.add(name, text), base::Id::from_index);
    let before = &text[..e.start];
    let line_start = before.rfind('\n').map_or(0, |n| n + 1);
    Diagnostic {
        severity: Severity::Error,
        span: Span {
            file,
            line: before.matches('\n').count() as u32 + 1,
            column: (e.start - line_start) as u32 + 1,
            len: (e.end - e.start).max(1) as u32,
        },
        message: e.message.clone(),
        help: None,
    }
}
