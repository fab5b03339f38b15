//! YAML text to a tree of nodes that know their place.
//!
//! Scanning is `saphyr-parser`'s: witnesses of other tools use block, flow, quoted and folded forms
//! freely. Here only the tree is built, without recursion; anchors and very deep nesting, which no
//! witness needs, are refused.

use program::{Diagnostic, FileId, Severity, Span};
use saphyr_parser::{Event, Parser, ScalarStyle};

/// Deepest nesting.
const MAX_DEPTH: usize = 100;

/// A value with its place.
#[derive(Clone, Debug)]
pub struct Node {
    /// Where it begins.
    pub span: Span,
    /// What it is.
    pub data: Data,
    /// A scalar in quotes: a text to every reader of YAML, whatever it looks like.
    pub quoted: bool,
}

/// The three kinds of values.
#[derive(Clone, Debug)]
pub enum Data {
    /// Any single value, as text.
    Scalar(String),
    /// A sequence.
    List(Vec<Node>),
    /// Keys with their own places, in the order of the text.
    Map(Vec<(Node, Node)>),
}

impl Node {
    /// The text of a scalar.
    pub fn text(&self) -> Option<&str> {
        match &self.data {
            Data::Scalar(text) => Some(text),
            _ => None,
        }
    }

    /// The items of a sequence.
    pub fn list(&self) -> Option<&[Node]> {
        match &self.data {
            Data::List(items) => Some(items),
            _ => None,
        }
    }

    /// The entries of a mapping.
    pub fn map(&self) -> Option<&[(Node, Node)]> {
        match &self.data {
            Data::Map(entries) => Some(entries),
            _ => None,
        }
    }

    /// The value of a key of a mapping.
    pub fn get(&self, key: &str) -> Option<&Node> {
        let mut entries = self.map()?.iter();
        entries.find(|(k, _)| k.text() == Some(key)).map(|(_, v)| v)
    }

    /// What is wrong at this node.
    pub fn complain(&self, message: impl Into<String>) -> Diagnostic {
        complaint(self.span, message)
    }
}

/// A diagnostic at a place.
pub fn complaint(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic {
        severity: Severity::Error,
        span,
        message: message.into(),
        help: None,
    }
}

/// A collection under construction; a mapping holds its keys and values alternately.
struct Open {
    span: Span,
    items: Vec<Node>,
    is_map: bool,
}

/// The first document of the text.
pub fn parse(text: &str, file: FileId) -> Result<Node, Diagnostic> {
    let place = |line: usize, column: usize| Span {
        file,
        line: u32::try_from(line).unwrap_or(0),
        column: u32::try_from(column).map_or(0, |c| c.saturating_add(1)),
        len: 1,
    };
    let mut stack: Vec<Open> = Vec::new();
    for event in Parser::new_from_str(text) {
        let (event, range) = event.map_err(|e| {
            let at = place(e.marker().line(), e.marker().col());
            complaint(at, format!("this is no YAML: {}", e.info()))
        })?;
        let span = place(range.start.line(), range.start.col());
        let node = match event {
            Event::Scalar(value, style, ..) => Node {
                span,
                data: Data::Scalar(value.into_owned()),
                quoted: style != ScalarStyle::Plain,
            },
            Event::SequenceStart(..) | Event::MappingStart(..) => {
                if stack.len() >= MAX_DEPTH {
                    return Err(complaint(span, "nested too deep"));
                }
                stack.push(Open {
                    span,
                    items: Vec::new(),
                    is_map: matches!(event, Event::MappingStart(..)),
                });
                continue;
            }
            Event::SequenceEnd | Event::MappingEnd => match stack.pop() {
                Some(open) => close(open),
                None => continue,
            },
            Event::Alias(_) => return Err(complaint(span, "witnesses have no aliases")),
            _ => continue,
        };
        match stack.last_mut() {
            Some(open) => open.items.push(node),
            None => return Ok(node),
        }
    }
    Err(complaint(place(1, 0), "the file is empty"))
}

fn close(open: Open) -> Node {
    let data = if open.is_map {
        let mut entries = Vec::new();
        let mut items = open.items.into_iter();
        while let (Some(key), Some(value)) = (items.next(), items.next()) {
            entries.push((key, value));
        }
        Data::Map(entries)
    } else {
        Data::List(open.items)
    };
    Node {
        span: open.span,
        data,
        quoted: false,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use base::Id;

    fn read(text: &str) -> Result<Node, Diagnostic> {
        parse(text, FileId::from_index(0))
    }

    #[test]
    fn forms_of_scalars() {
        let node = read(
            "- a: 1\n  b: \"x \\\" y\"\n  c: 'it''s'\n  d: >-\n    one\n    two\n- {e: [1, 2]}\n",
        )
        .unwrap();
        let items = node.list().unwrap();
        assert_eq!(items[0].get("b").unwrap().text(), Some("x \" y"));
        assert_eq!(items[0].get("c").unwrap().text(), Some("it's"));
        assert_eq!(items[0].get("d").unwrap().text(), Some("one two"));
        assert_eq!(items[1].get("e").unwrap().list().unwrap().len(), 2);
        let b = items[0].get("b").unwrap().span;
        assert_eq!((b.line, b.column), (2, 6));
    }

    #[test]
    fn bad_text_has_a_place() {
        assert!(read("a: [1, 2").unwrap_err().span.line > 0);
        assert!(read("").is_err());
        assert!(read("a: &x 1\nb: *x\n").is_err());
        assert!(read(&"[".repeat(100_000)).is_err());
        assert!(read(&"- ".repeat(100_000)).is_err());
        for text in [
            "\t- a",
            "a: b: c",
            "- 'x",
            "\u{0}",
            "? : - {",
            "%YAML 9\n---\n",
            "!!",
            "&",
        ] {
            let _ = read(text);
        }
    }
}
