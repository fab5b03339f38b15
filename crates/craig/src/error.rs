//! What is wrong with the input or the command line, as data.

use program::{Diagnostic, SourceMap};

/// Why a program cannot be checked at all.
#[derive(Debug)]
pub enum Error {
    /// A message for the user.
    Message(String),
    /// The front end refused the text.
    Input {
        /// What it says, with places.
        diagnostics: Vec<Diagnostic>,
        /// The files that the places belong to.
        sources: SourceMap,
    },
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Error::Message(text) => f.write_str(text),
            Error::Input {
                diagnostics,
                sources,
            } => f.write_str(&crate::diagnostics::draw(diagnostics, sources, false)),
        }
    }
}

impl std::error::Error for Error {}

impl From<String> for Error {
    fn from(text: String) -> Self {
        Error::Message(text)
    }
}
