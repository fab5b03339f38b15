//! Where things are in the text the user wrote.

use base::{IndexVec, new_id};

new_id!(
    /// A source file as the user knows it (line markers honoured).
    pub FileId, "file");

/// A place in the user's source, 1-based; `line == 0` means no known place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    pub file: FileId,
    pub line: u32,
    pub column: u32,
    /// Length in bytes on that line, at least 1 when known.
    pub len: u32,
}

impl Span {
    pub fn unknown() -> Self {
        use base::Id;
        Span {
            file: FileId::from_index(0),
            line: 0,
            column: 0,
            len: 0,
        }
    }

    pub fn is_known(&self) -> bool {
        self.line != 0
    }
}

impl Default for Span {
    fn default() -> Self {
        Self::unknown()
    }
}

/// The files of a task: names, and the text where it was read.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    pub files: IndexVec<FileId, SourceFile>,
}

#[derive(Clone, Debug)]
pub struct SourceFile {
    pub name: String,
    /// The text with the line numbers that spans use; empty if it is not at hand.
    pub text: String,
}

impl SourceMap {
    pub fn add(&mut self, name: &str, text: &str) -> FileId {
        self.files.push(SourceFile {
            name: name.into(),
            text: text.into(),
        })
    }

    pub fn line_text(&self, span: Span) -> Option<&str> {
        let file = self.files.get(span.file)?;
        file.text.lines().nth((span.line as usize).checked_sub(1)?)
    }

    /// `file:line:column`.
    pub fn place(&self, span: Span) -> String {
        match self.files.get(span.file) {
            Some(f) if span.is_known() => format!("{}:{}:{}", f.name, span.line, span.column),
            _ => "<unknown place>".into(),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    Error,
    Warning,
}

/// Trouble with the user's input, as data; the `craig` crate draws it with a caret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    pub severity: Severity,
    pub span: Span,
    pub message: String,
    pub help: Option<String>,
}

/// Something the model over-approximates or assumes, with its place; printed with the verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    pub span: Span,
    pub message: String,
}
