//! Where the statement or full expression around a place begins: the targets of witnesses are
//! there. Found by walking back over the tokens of the line's file.
//!
//! ```text
//! if (a + b > 0) { x = f(y + 1); }
//!     ^ for a place in the condition; ^ `x` for one in the assignment
//! ```

use frontend::c::syntax::lexer::{Interner, T, Token, lex};
use program::{FileId, SourceMap, Span};
use std::collections::BTreeMap;

/// Characters of a statement shown at most.
const SHOWN: usize = 160;

/// The first character of the statement, or of the condition, that holds the place.
pub fn statement_start(sources: &SourceMap, place: Span) -> Option<Span> {
    Lexed::new(sources.files.get(place.file)?.text.as_str()).start(place)
}

/// Statements of many places, each file read once.
#[derive(Default)]
pub struct Statements<'a> {
    files: BTreeMap<FileId, Lexed<'a>>,
    known: BTreeMap<Span, Option<(Span, String)>>,
}

impl<'a> Statements<'a> {
    /// Where the statement around a place begins, and its text on one line.
    pub fn at(&mut self, sources: &'a SourceMap, place: Span) -> Option<(Span, String)> {
        if let Some(known) = self.known.get(&place) {
            return known.clone();
        }
        let text = sources.files.get(place.file)?.text.as_str();
        let lexed = self
            .files
            .entry(place.file)
            .or_insert_with(|| Lexed::new(text));
        let found = lexed.start(place).and_then(|start| {
            let text = lexed.text(start)?;
            Some((start, text))
        });
        self.known.insert(place, found.clone());
        found
    }
}

/// A file with its tokens.
struct Lexed<'a> {
    text: &'a str,
    /// Where lines begin.
    starts: Vec<usize>,
    tokens: Vec<Token>,
}

impl<'a> Lexed<'a> {
    fn new(text: &'a str) -> Self {
        let mut starts = vec![0usize];
        starts.extend(text.match_indices('\n').map(|(i, _)| i + 1));
        let tokens = lex(text, &mut Interner::new()).tokens;
        Lexed {
            text,
            starts,
            tokens,
        }
    }

    /// The token at or behind a place.
    fn token(&self, place: Span) -> Option<usize> {
        let line = (place.line as usize).checked_sub(1)?;
        let offset = self.starts.get(line)? + (place.column as usize).saturating_sub(1);
        Some(self.tokens.partition_point(|t| (t.end as usize) <= offset))
    }

    fn start(&self, place: Span) -> Option<Span> {
        let at = self.token(place)?;
        let first = self.tokens.get(begins(&self.tokens, at)?)?;
        let line = self.starts.partition_point(|&s| s <= first.start as usize);
        let column = first.start as usize - self.starts.get(line.checked_sub(1)?)? + 1;
        Some(Span {
            file: place.file,
            line: u32::try_from(line).ok()?,
            column: u32::try_from(column).ok()?,
            len: first.end - first.start,
        })
    }

    /// The statement that begins at a place, with the keyword of a condition before it.
    fn text(&self, start: Span) -> Option<String> {
        let first = self.token(start)?;
        let kind = |i: usize| self.tokens.get(i).map(|t| t.kind);
        let mut open = 0usize;
        let mut last = first;
        for i in first..self.tokens.len() {
            match self.tokens[i].kind {
                T::LParen | T::LBracket | T::LBrace => open += 1,
                T::RParen | T::RBracket | T::RBrace if open == 0 => break,
                T::RParen | T::RBracket => open -= 1,
                T::RBrace => {
                    open -= 1;
                    // The end of a block, unless it is an initialiser.
                    if open == 0 && !matches!(kind(i + 1), Some(T::Semi | T::Comma)) {
                        last = i;
                        break;
                    }
                }
                T::Semi if open == 0 => {
                    last = i;
                    break;
                }
                _ => {}
            }
            last = i;
        }
        let from = self.tokens.get(first)?.start as usize;
        let until = self.tokens.get(last)?.end as usize;
        let words: Vec<&str> = self.text.get(from..until)?.split_whitespace().collect();
        let mut text = words.join(" ");
        if text.chars().count() > SHOWN {
            text = text.chars().take(SHOWN).collect::<String>() + " …";
        }
        let word = |i: usize| match kind(i)? {
            T::If => Some("if"),
            T::While => Some("while"),
            T::Switch => Some("switch"),
            _ => None,
        };
        let before = first
            .checked_sub(2)
            .filter(|i| kind(i + 1) == Some(T::LParen));
        Some(match before.and_then(word) {
            Some(word) => format!("{word} ({text})"),
            None => text,
        })
    }
}

/// The index of the first token of what holds token `at`.
fn begins(tokens: &[Token], at: usize) -> Option<usize> {
    let kind = |i: usize| tokens.get(i).map(|t| t.kind);
    let mut i = at.min(tokens.len().checked_sub(1)?);
    while i > 0 {
        let before = i - 1;
        match kind(before)? {
            T::Semi | T::LBrace | T::RBrace | T::Else | T::Do => return Some(i),
            T::LParen => match before.checked_sub(1).and_then(kind) {
                Some(T::If | T::While | T::Switch | T::For) => return Some(i),
                _ => i = before,
            },
            T::RParen => {
                let open = opening(tokens, before)?;
                match open.checked_sub(1).and_then(kind) {
                    Some(T::If | T::While | T::Switch | T::For) => return Some(i),
                    _ => i = open,
                }
            }
            T::Colon if !in_conditional(tokens, before) => return Some(i),
            _ => i = before,
        }
    }
    Some(0)
}

/// The parenthesis that the one at `close` closes.
fn opening(tokens: &[Token], close: usize) -> Option<usize> {
    let mut depth = 0usize;
    for i in (0..=close).rev() {
        match tokens[i].kind {
            T::RParen => depth += 1,
            T::LParen => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(i);
        }
    }
    None
}

/// Does the colon belong to `? :` and not to a label?
fn in_conditional(tokens: &[Token], colon: usize) -> bool {
    let before = tokens[..colon].iter().rev();
    before
        .take_while(|t| !matches!(t.kind, T::Semi | T::LBrace | T::RBrace | T::Case))
        .any(|t| t.kind == T::Question)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use base::Id;

    fn start(text: &str, needle: &str) -> String {
        let mut sources = SourceMap::default();
        sources.add("a.c", text);
        let offset = text.find(needle).unwrap();
        let line = text[..offset].matches('\n').count();
        let column = offset - text[..offset].rfind('\n').map_or(0, |i| i + 1);
        let place = Span {
            file: FileId::from_index(0),
            line: line as u32 + 1,
            column: column as u32 + 1,
            len: 1,
        };
        let s = statement_start(&sources, place).unwrap();
        let row = text.lines().nth(s.line as usize - 1).unwrap();
        row[s.column as usize - 1..].to_string()
    }

    #[test]
    fn statements_and_conditions() {
        assert!(start("int f() {\n  x = g(y + 1);\n}", "+").starts_with("x = g"));
        assert!(start("int f() { int x = y + 1; }", "+").starts_with("int x"));
        assert!(start("int f() { if (a + b > 0) x = 1; }", "+").starts_with("a + b"));
        assert!(start("int f() { if (a) x = b + 1; }", "+").starts_with("x = b"));
        assert!(
            start("int f() { for (i = 0; i < n; i++) x = b + 1; }", "+ 1").starts_with("x = b")
        );
        assert!(start("int f() { L: x = b + 1; }", "+").starts_with("x = b"));
        assert!(start("int f() { x = a ? c : b + 1; }", "+").starts_with("x = a"));
        assert!(start("int f() { switch (x) { case 1: y = b + 1; } }", "+").starts_with("y = b"));
        assert!(start("int f() { if (a) ; else x = b + 1; }", "+").starts_with("x = b"));
        assert!(start("int f() { x = (a + b) * 2; }", "+").starts_with("x = (a"));
        assert!(start("int f() {\n  reach_error();\n}", "reach").starts_with("reach_error"));
    }
}
