//! The C front end: text → tokens → syntax tree → typed tree.
//!
//! ```text
//! lexer ─tokens→ parser ─ast→ sema ─hir→ (lowering) ─→ program::Program
//! ```
//! [`hir`] is the contract with the lowering: names resolved, types known, conversions explicit.

pub mod contracts;
pub mod entry;
pub mod hir;
mod library;
pub mod lower;
pub mod memory;
pub mod sema;
pub mod syntax;
pub mod types;

use hir::Unit;
use program::{Diagnostic, Severity, SourceMap};
use sema::claims::{self, Claim};
use sema::{Sema, place::Places};
use std::borrow::Cow;
pub use syntax::encoding::decode;
pub use syntax::lexer::needs_preprocessing;
use syntax::lexer::{self, Interner};
use syntax::parser;
use types::DataModel;

/// The functions of the library that are known, by name.
pub fn library_functions() -> Vec<&'static str> {
    library::table::rows().map(|row| row.name).collect()
}

/// Reads the models of the library, which is done once; in another thread it costs the program's own no time.
pub fn read_library() {
    library::read::read();
}

/// The models of the library, as the C text that is read.
pub fn library_text() -> &'static str {
    library::models::text()
}

/// How to read C.
#[derive(Clone, Copy, Debug)]
pub struct COptions {
    pub data_model: DataModel,
    /// Report places by `# line "file"` markers (the user's files) instead of the given text.
    pub line_markers: bool,
    /// The program is to be run: models take the outside as it is, byte by byte.
    pub running: bool,
}

impl Default for COptions {
    fn default() -> Self {
        COptions {
            data_model: DataModel::Lp64,
            line_markers: true,
            running: false,
        }
    }
}

/// Reads and links preprocessed files: the program and its warnings, or what is wrong with it.
///
/// Files the markers name are added to `sources`, with empty text unless already there.
pub fn parse_and_check(
    files: &[(&str, &str)],
    options: &COptions,
    sources: &mut SourceMap,
) -> Result<(Unit, Vec<Diagnostic>), Vec<Diagnostic>> {
    parse_with_claims(files, options, &[], sources)
}

/// As [`parse_and_check`], with [`claims`] read at their places. Their texts are added to `sources`
/// under the names of their origins.
pub fn parse_with_claims(
    files: &[(&str, &str)],
    options: &COptions,
    claims: &[Claim],
    sources: &mut SourceMap,
) -> Result<(Unit, Vec<Diagnostic>), Vec<Diagnostic>> {
    base::deep_stack("parse", || {
        parse_and_check_here(files, options, claims, sources)
    })
    .unwrap_or_else(|| Err(vec![failure("cannot start the parser: no thread")]))
}

/// Links a unit that another front end made with the models of the library.
pub(crate) fn link_unit(
    unit: Unit,
    destructors: Vec<(i128, hir::FuncId)>,
) -> Result<(Unit, Vec<Diagnostic>), Vec<Diagnostic>> {
    let options = COptions {
        data_model: unit.types.model,
        line_markers: false,
        running: false,
    };
    let models = library::read::read();
    let mut names = models.names.clone();
    let nothing = lexer::lex("", &mut names);
    let mut sources = SourceMap::default();
    let places = Places::new("<built-in>", "", &nothing, false, &mut sources);
    let mut sema = Sema::new(&options, &names, "", &nothing, &places);
    sema.adopt(unit, destructors);
    sema.library(&models.tree, models.text, &models.lexed, &places);
    let (unit, diagnostics) = sema.finish();
    if diagnostics.iter().any(|d| d.severity == Severity::Error) {
        Err(diagnostics)
    } else {
        Ok((unit, diagnostics))
    }
}

fn failure(message: &str) -> Diagnostic {
    Diagnostic {
        severity: Severity::Error,
        span: program::Span::unknown(),
        message: message.into(),
        help: None,
    }
}

fn parse_and_check_here(
    files: &[(&str, &str)],
    options: &COptions,
    claims: &[Claim],
    sources: &mut SourceMap,
) -> Result<(Unit, Vec<Diagnostic>), Vec<Diagnostic>> {
    let texts: Vec<Cow<'_, str>> = files
        .iter()
        .map(|&(_, text)| match claims {
            [] => Cow::Borrowed(text),
            _ => Cow::Owned(claims::appended(text, claims)),
        })
        .collect();
    let mut placed = vec![false; claims.len()];
    let models = library::read::read();
    let mut names: Interner<'_> = models.names.clone();
    let mut diagnostics = Vec::new();
    let mut lexed_files = Vec::new();
    for ((name, plain), text) in files.iter().zip(&texts) {
        if text.len() >= u32::MAX as usize {
            return Err(vec![failure(&format!("{name} is larger than 4 GiB"))]);
        }
        let mut lexed = lexer::lex(text, &mut names);
        let mut places = Places::new(name, text, &lexed, options.line_markers, sources);
        if !claims.is_empty() {
            claims::weave(
                &claims::Weave {
                    text: plain,
                    claims,
                    names: &names,
                },
                &mut placed,
                &mut lexed,
                &mut places,
                sources,
                &mut diagnostics,
            );
        }
        Sema::lexical_errors(&lexed, &places, &mut diagnostics);
        lexed_files.push((text.as_ref(), lexed, places));
    }
    diagnostics.extend(claims::unplaced(claims, &placed, sources));
    let mut trees = Vec::new();
    for (_, lexed, places) in &lexed_files {
        let (tree, errors) = parser::parse(lexed, &names);
        // After a lexical error the rest of the line often makes no sense; say only the former.
        for error in errors.into_iter().filter(|_| lexed.errors.is_empty()) {
            diagnostics.push(Diagnostic {
                severity: Severity::Error,
                span: places.span(&lexed.tokens[error.at as usize]),
                message: error.message,
                help: error.help,
            });
        }
        trees.push(tree);
    }
    // What follows from a syntax error is no news.
    if !diagnostics.is_empty() {
        return Err(diagnostics);
    }
    let Some((text, lexed, places)) = lexed_files.first() else {
        return Err(vec![failure("no input files")]);
    };
    let mut sema = Sema::new(options, &names, text, lexed, places);
    for (tree, (text, lexed, places)) in trees.iter().zip(&lexed_files) {
        sema.file(tree, text, lexed, places);
    }
    if let Some(error) = models.errors.first() {
        let token = &models.lexed.tokens[error.at as usize];
        let line = models.text[..token.start as usize].lines().count();
        return Err(vec![failure(&format!(
            "model of the library, line {line}: {}",
            error.message
        ))]);
    }
    sema.library(&models.tree, models.text, &models.lexed, places);
    let (unit, diagnostics) = sema.finish();
    if diagnostics.iter().any(|d| d.severity == Severity::Error) {
        Err(diagnostics)
    } else {
        Ok((unit, diagnostics))
    }
}
