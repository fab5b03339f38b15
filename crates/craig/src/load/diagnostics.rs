//! Drawing diagnostics with their source line and a caret.

use ariadne::{Color, Config, IndexType, Label, Report, ReportKind, Source};
use program::{Diagnostic, Severity, SourceMap};

/// All diagnostics as text for a terminal.
pub fn draw(diagnostics: &[Diagnostic], sources: &SourceMap, color: bool) -> String {
    let mut out = Vec::new();
    for d in diagnostics {
        if !draw_one(d, sources, color, &mut out) {
            let word = match d.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
            };
            let place = sources.place(d.span);
            out.extend_from_slice(format!("{place}: {word}: {}\n", d.message).as_bytes());
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// False if the text of the line is not at hand.
fn draw_one(d: &Diagnostic, sources: &SourceMap, color: bool, out: &mut Vec<u8>) -> bool {
    let Some(file) = sources.files.get(d.span.file) else {
        return false;
    };
    let Some(start) = offset(&file.text, d.span.line, d.span.column) else {
        return false;
    };
    let end = (start + d.span.len.max(1) as usize).min(file.text.len().max(start));
    let (kind, paint) = match d.severity {
        Severity::Error => (ReportKind::Error, Color::Red),
        Severity::Warning => (ReportKind::Warning, Color::Yellow),
    };
    let mut label = Label::new((file.name.as_str(), start..end)).with_color(paint);
    label = label.with_message(d.help.as_deref().unwrap_or("here"));
    let config = Config::default()
        .with_color(color)
        .with_index_type(IndexType::Byte);
    Report::build(kind, (file.name.as_str(), start..end))
        .with_config(config)
        .with_message(&d.message)
        .with_label(label)
        .finish()
        .write((file.name.as_str(), Source::from(file.text.as_str())), out)
        .is_ok()
}

/// The byte offset of a place.
fn offset(text: &str, line: u32, column: u32) -> Option<usize> {
    let mut start = 0;
    for (i, l) in text.split_inclusive('\n').enumerate() {
        if i + 1 == line as usize {
            let at = start + (column as usize).saturating_sub(1).min(l.len());
            return text.is_char_boundary(at).then_some(at);
        }
        start += l.len();
    }
    None
}
