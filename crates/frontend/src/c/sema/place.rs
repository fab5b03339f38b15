//! Tokens to places in the user's files, by line starts and line markers.

use super::columns::{Shift, align};
use crate::c::syntax::lexer::{Lexed, Token};
use base::{FxHashMap, Id};
use program::{FileId, SourceMap, Span};

/// Answers where an offset of one input text lies in the user's source.
pub struct Places {
    file: FileId,
    /// Offset of each line of the text.
    line_starts: Vec<u32>,
    /// From this line of the text on (0-based): file, and the number of that line.
    segments: Vec<(u32, FileId, u32)>,
    /// Lines of the text that the preprocessor changed: where their tokens are in the user's line.
    shifts: FxHashMap<u32, Vec<Shift>>,
}

impl Places {
    pub fn new(
        name: &str,
        text: &str,
        lexed: &Lexed,
        honour_markers: bool,
        sources: &mut SourceMap,
    ) -> Places {
        let mut line_starts = vec![0];
        line_starts.extend(
            text.bytes()
                .enumerate()
                .filter(|&(_, b)| b == b'\n')
                .map(|(i, _)| i as u32 + 1),
        );
        let named = lexed.markers.iter().any(|m| m.file.is_some());
        let marked = honour_markers && named;
        // With markers the line numbers are those of other texts.
        let file = file_named(sources, name, if marked { "" } else { text });
        let mut places = Places {
            file,
            line_starts,
            segments: Vec::new(),
            shifts: FxHashMap::default(),
        };
        if honour_markers {
            let mut current = file;
            for marker in &lexed.markers {
                if let Some(other) = &marker.file {
                    current = file_named(sources, other, "");
                }
                let next = places.text_line(marker.at) + 1;
                // `# 0 "file"`: a place needs a line.
                places.segments.push((next, current, marker.line.max(1)));
            }
            places.align(text, sources);
        }
        places
    }

    /// Compares the text with the files as the user wrote them, where they are at hand.
    fn align(&mut self, text: &str, sources: &SourceMap) {
        let written: Vec<Vec<&str>> = sources
            .files
            .iter()
            .map(|f| f.text.lines().collect())
            .collect();
        for (line, preprocessed) in text.lines().enumerate() {
            let (file, number) = self.source_line(line as u32);
            let of_file = number.checked_sub(1).zip(written.get(file.index()));
            let Some(original) = of_file.and_then(|(n, lines)| lines.get(n as usize)) else {
                continue;
            };
            if preprocessed.trim_end() != original.trim_end() && !preprocessed.trim().is_empty() {
                self.shifts
                    .insert(line as u32, align(preprocessed, original));
            }
        }
    }

    /// The file and line number of a line of the text (0-based).
    fn source_line(&self, line: u32) -> (FileId, u32) {
        let index = self.segments.partition_point(|s| s.0 <= line);
        match index.checked_sub(1).map(|i| self.segments[i]) {
            Some((from, file, number)) => (file, number.saturating_add(line - from)),
            None => (self.file, line + 1),
        }
    }

    /// From these lines of the text on (0-based, growing) it is the text of another file, from its
    /// first line.
    pub fn add_texts(&mut self, texts: &[(u32, FileId)]) {
        for &(line, file) in texts {
            self.segments.push((line, file, 0));
        }
    }

    /// 0-based line of the text that holds `offset`.
    pub(in crate::c) fn text_line(&self, offset: u32) -> u32 {
        self.line_starts.partition_point(|&s| s <= offset) as u32 - 1
    }

    pub fn span(&self, token: &Token) -> Span {
        self.range(token.start, token.end)
    }

    pub fn range(&self, start: u32, end: u32) -> Span {
        let line = self.text_line(start);
        let column = start - self.line_starts[line as usize];
        let (file, number) = self.source_line(line);
        let shifts = self.shifts.get(&line).map_or(&[][..], Vec::as_slice);
        // The last token that begins at this column or before it.
        let shifted = |column| {
            let after = shifts.partition_point(|s| s.from <= column);
            after.checked_sub(1).map(|i| shifts[i])
        };
        let last = column + (end - start).saturating_sub(1);
        let (column, len) = match (shifted(column), shifted(last)) {
            (Some(first), Some(last)) => {
                let end = (last.to + last.len).max(first.to + first.len);
                (first.to, end - first.to)
            }
            _ => (column, end - start),
        };
        Span {
            file,
            line: number,
            column: column + 1,
            len: len.max(1),
        }
    }
}

fn file_named(sources: &mut SourceMap, name: &str, text: &str) -> FileId {
    let known = sources.files.iter().position(|f| f.name == name);
    known.map_or_else(|| sources.add(name, text), FileId::from_index)
}
