//! Debug information: places in the user's files, names and signs of variables and members.
//!
//! Metadata stays text until somebody asks. A definition is one line, `!7 = !DILocation(line: 3, …)`;
//! fields are found by their key.

use super::module::Module;
use base::{FxHashMap, Id};
use program::{FileId, SourceMap, Span};

/// What debug information says of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberKind {
    Signed,
    Unsigned,
    Bool,
}

pub struct Debug<'m, 't> {
    module: &'m Module<'t>,
    text: &'m str,
    lines: Vec<u32>,
    own: FileId,
    files: FxHashMap<u32, FileId>,
    scopes: FxHashMap<u32, Option<u32>>,
    spans: FxHashMap<u32, Span>,
}

/// The value behind a key: up to the next comma outside of quotes.
pub fn field<'x>(text: &'x str, key: &str) -> Option<&'x str> {
    let mut from = 0;
    loop {
        let at = from + text[from..].find(key)?;
        from = at + key.len();
        let before = text[..at].bytes().last();
        let rest = &text[from..];
        if matches!(before, Some(b'(' | b' ')) && rest.starts_with(": ") {
            let value = &rest[2..];
            if let Some(quoted) = value.strip_prefix('"') {
                return quoted.split('"').next();
            }
            let end = value.find([',', ')']).unwrap_or(value.len());
            return Some(&value[..end]);
        }
    }
}

/// The number of `!12`.
pub fn reference(text: &str) -> Option<u32> {
    text.strip_prefix('!')?.parse().ok()
}

/// The numbers in `!{!1, !2}`.
pub fn references(text: &str) -> Vec<u32> {
    let inner = text.split_once('{').map_or("", |(_, r)| r);
    let inner = inner.split('}').next().unwrap_or("");
    inner
        .split(',')
        .filter_map(|r| reference(r.trim()))
        .collect()
}

impl<'m, 't> Debug<'m, 't> {
    pub fn new(module: &'m Module<'t>, name: &str, text: &'m str, sources: &mut SourceMap) -> Self {
        let mut lines = vec![0];
        let ends = text.bytes().enumerate().filter(|&(_, b)| b == b'\n');
        lines.extend(ends.map(|(i, _)| i as u32 + 1));
        let own = file_named(sources, name, text);
        Debug {
            module,
            text,
            lines,
            own,
            files: FxHashMap::default(),
            scopes: FxHashMap::default(),
            spans: FxHashMap::default(),
        }
    }

    pub fn get(&self, number: u32) -> Option<&'t str> {
        self.module.metadata.get(&number).copied()
    }

    fn follow(&self, text: &str, key: &str) -> Option<u32> {
        reference(field(text, key)?)
    }

    /// A place of the assembly itself.
    pub fn text_span(&self, start: usize, end: usize) -> Span {
        let start = start as u32;
        let line = self.lines.partition_point(|&s| s <= start).max(1) as u32;
        Span {
            file: self.own,
            line,
            column: start - self.lines[line as usize - 1] + 1,
            len: (end as u32).saturating_sub(start).max(1),
        }
    }

    /// The place of an instruction: the user's, if debug information knows it.
    pub fn span(&mut self, at: u32, location: Option<u32>, sources: &mut SourceMap) -> Span {
        let Some(number) = location else {
            let rest = &self.text[at as usize..];
            let len = rest.find('\n').unwrap_or(rest.len());
            return self.text_span(at as usize, at as usize + len);
        };
        if let Some(&span) = self.spans.get(&number) {
            return span;
        }
        let mut text = self.get(number).unwrap_or("");
        // What of a library was put into the user's code is told where it is called.
        for _ in 0..64 {
            match self.follow(text, "inlinedAt") {
                Some(caller) if self.is_outside(text) => text = self.get(caller).unwrap_or(""),
                _ => break,
            }
        }
        let number_of = |key| field(text, key).and_then(|n| n.parse().ok()).unwrap_or(0);
        let (line, column): (u32, u32) = (number_of("line"), number_of("column"));
        let file = self
            .follow(text, "scope")
            .and_then(|s| self.scope_file(s))
            .map_or(self.own, |f| self.file(f, sources));
        let span = Span {
            file,
            line,
            column: column.max(1),
            len: 1,
        };
        self.spans.insert(number, span);
        span
    }

    /// Is the location in the standard library of Rust, or in the crate for harnesses?
    fn is_outside(&mut self, location: &str) -> bool {
        let scope = self.follow(location, "scope");
        let file = scope.and_then(|s| self.scope_file(s));
        let Some(text) = file.and_then(|f| self.get(f)) else {
            return false;
        };
        let starts = |key, with| field(text, key).is_some_and(|n| n.starts_with(with));
        ["directory", "filename"]
            .iter()
            .any(|key| starts(key, "/rustc/") || starts(key, "<craig>"))
    }

    /// The place of a function's or variable's declaration.
    pub fn declared(&mut self, number: u32, sources: &mut SourceMap) -> Option<Span> {
        let text = self.get(number)?;
        let file = self.follow(text, "file")?;
        let line = field(text, "line")?.parse().ok()?;
        let file = self.file(file, sources);
        Some(Span {
            file,
            line,
            column: 1,
            len: 1,
        })
    }

    fn scope_file(&mut self, scope: u32) -> Option<u32> {
        if let Some(&known) = self.scopes.get(&scope) {
            return known;
        }
        let mut at = scope;
        let mut found = None;
        for _ in 0..256 {
            let Some(text) = self.get(at) else { break };
            if let Some(file) = self.follow(text, "file") {
                found = Some(file);
                break;
            }
            match self.follow(text, "scope") {
                Some(next) => at = next,
                None => break,
            }
        }
        self.scopes.insert(scope, found);
        found
    }

    fn file(&mut self, number: u32, sources: &mut SourceMap) -> FileId {
        if let Some(&id) = self.files.get(&number) {
            return id;
        }
        let text = self.get(number).unwrap_or("");
        let name = field(text, "filename").unwrap_or("");
        let id = if name.is_empty() {
            self.own
        } else {
            file_named(sources, name, "")
        };
        self.files.insert(number, id);
        id
    }

    /// The name of a variable, member or function.
    pub fn name(&self, number: u32) -> Option<&'t str> {
        field(self.get(number)?, "name").filter(|n| !n.is_empty())
    }

    /// The variable behind a global's expression.
    pub fn variable_of(&self, number: u32) -> u32 {
        let text = self.get(number).unwrap_or("");
        if text.contains("!DIGlobalVariableExpression") {
            return self.follow(text, "var").unwrap_or(number);
        }
        number
    }

    /// What the numbers in a variable, member or type are: of arrays the elements.
    pub fn number_kind(&self, number: u32) -> Option<NumberKind> {
        let mut at = number;
        for _ in 0..64 {
            let text = self.get(at)?;
            if text.contains("!DIBasicType") {
                return match field(text, "encoding")? {
                    "DW_ATE_boolean" => Some(NumberKind::Bool),
                    "DW_ATE_signed" | "DW_ATE_signed_char" => Some(NumberKind::Signed),
                    "DW_ATE_unsigned" | "DW_ATE_unsigned_char" | "DW_ATE_UTF" => {
                        Some(NumberKind::Unsigned)
                    }
                    _ => None,
                };
            }
            let composite = text.contains("!DICompositeType");
            let kind = field(text, "tag");
            if text.contains("!DISubroutineType") || kind.is_some_and(|k| k.contains("pointer")) {
                return None;
            }
            if composite && !matches!(kind, Some("DW_TAG_array_type" | "DW_TAG_enumeration_type")) {
                return None;
            }
            let next = self
                .follow(text, "baseType")
                .or_else(|| self.follow(text, "type"));
            match next {
                Some(next) => at = next,
                None if kind == Some("DW_TAG_enumeration_type") => {
                    return Some(NumberKind::Unsigned);
                }
                None => return None,
            }
        }
        None
    }

    /// Members of a record type: name, bit offset, number of the member.
    pub fn members(&self, text: &str) -> Vec<(&'t str, u64, u32)> {
        let Some(list) = self.follow(text, "elements").and_then(|e| self.get(e)) else {
            return Vec::new();
        };
        let mut out = Vec::new();
        for number in references(list) {
            let Some(member) = self.get(number) else {
                continue;
            };
            if field(member, "tag") == Some("DW_TAG_member")
                && !member.contains("DIFlagStaticMember")
            {
                let offset = field(member, "offset").and_then(|o| o.parse().ok());
                let name = field(member, "name").unwrap_or("");
                out.push((name, offset.unwrap_or(0), number));
            }
        }
        out
    }

    /// Parameters and result of a function, by number of their types; the result first.
    pub fn signature(&self, subprogram: u32) -> Vec<Option<u32>> {
        let Some(text) = self.get(subprogram) else {
            return Vec::new();
        };
        let ty = self.follow(text, "type").and_then(|t| self.get(t));
        let list = ty
            .and_then(|t| self.follow(t, "types"))
            .and_then(|t| self.get(t));
        let inner = list.and_then(|l| l.split_once('{')).map_or("", |(_, r)| r);
        let inner = inner.split('}').next().unwrap_or("");
        inner.split(',').map(|r| reference(r.trim())).collect()
    }
}

fn file_named(sources: &mut SourceMap, name: &str, text: &str) -> FileId {
    let known = sources.files.iter().position(|f| f.name == name);
    known.map_or_else(|| sources.add(name, text), FileId::from_index)
}
