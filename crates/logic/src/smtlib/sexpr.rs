//! S-expressions with positions: the reader under everything that speaks SMT-LIB.
//!
//! A top-level expression is read into a flat [`Tree`]: its nodes in pre-order, each with the index
//! after its last descendant. So there is no nesting of Rust values, a million open parentheses cost
//! a million nodes and no stack, and the memory of one command serves the next.

use base::{Budget, Stop};
use std::fmt;

/// Where in a text: both counted from 1, the column in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    pub line: u32,
    pub column: u32,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// A fault in the user's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    pub position: Position,
    pub message: String,
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.position, self.message)
    }
}

impl std::error::Error for SyntaxError {}

/// What an atom is; the text of quoted symbols and strings is without their quotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    List,
    Symbol,
    /// `|…|`
    Quoted,
    /// `:name`
    Keyword,
    Numeral,
    Decimal,
    /// `#x…` or `#b…`
    Bits,
    /// `"…"`, with `""` still standing for one quote.
    String,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    kind: Kind,
    /// Bytes in the source.
    start: u32,
    stop: u32,
    /// Index after the last descendant.
    end: u32,
}

/// One top-level expression.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    nodes: Vec<Node>,
    /// Where the root starts, to find positions without going back to the start of the text.
    base: Option<(u32, Position)>,
}

/// A node of a [`Tree`], together with the text it was read from.
#[derive(Clone, Copy)]
pub struct SExpr<'t> {
    source: &'t str,
    tree: &'t Tree,
    index: u32,
}

impl Tree {
    /// The root of a tree that was read from `source`.
    pub fn root<'t>(&'t self, source: &'t str) -> SExpr<'t> {
        assert!(!self.nodes.is_empty(), "a tree that was read has a root");
        SExpr {
            source,
            tree: self,
            index: 0,
        }
    }
}

impl<'t> SExpr<'t> {
    fn node(&self) -> &'t Node {
        &self.tree.nodes[self.index as usize]
    }

    pub fn kind(&self) -> Kind {
        self.node().kind
    }

    pub fn is_list(&self) -> bool {
        self.kind() == Kind::List
    }

    /// The text: of an atom without quotes, of a list with its parentheses.
    pub fn text(&self) -> &'t str {
        &self.source[self.node().start as usize..self.node().stop as usize]
    }

    /// The text with the quotes of a symbol.
    pub(super) fn source_text(&self) -> std::borrow::Cow<'t, str> {
        match self.kind() {
            Kind::Quoted => format!("|{}|", self.text()).into(),
            _ => self.text().into(),
        }
    }

    /// The name, if this is a symbol, quoted or not.
    pub fn symbol(&self) -> Option<&'t str> {
        matches!(self.kind(), Kind::Symbol | Kind::Quoted).then(|| self.text())
    }

    /// Is it this unquoted symbol?
    pub fn is_symbol(&self, name: &str) -> bool {
        self.kind() == Kind::Symbol && self.text() == name
    }

    pub fn keyword(&self) -> Option<&'t str> {
        (self.kind() == Kind::Keyword).then(|| self.text())
    }

    /// The elements of a list; nothing for an atom.
    pub fn children(&self) -> Children<'t> {
        Children {
            next: SExpr {
                index: self.index + 1,
                ..*self
            },
            end: self.node().end,
        }
    }

    /// The first element of a list.
    pub fn head(&self) -> Option<SExpr<'t>> {
        self.children().next()
    }

    /// The index in pre-order of this node; children come after their parents.
    pub(super) fn index(&self) -> u32 {
        self.index
    }

    pub(super) fn end(&self) -> u32 {
        self.node().end
    }

    pub(super) fn at(&self, index: u32) -> SExpr<'t> {
        SExpr { index, ..*self }
    }

    pub fn position(&self) -> Position {
        let mut start = self.node().start as usize;
        if matches!(self.kind(), Kind::Quoted | Kind::String) {
            start -= 1;
        }
        let (from, position) = self
            .tree
            .base
            .unwrap_or((0, Position { line: 1, column: 1 }));
        advance(position, &self.source[from as usize..start])
    }

    pub fn error(&self, message: impl Into<String>) -> SyntaxError {
        SyntaxError {
            position: self.position(),
            message: message.into(),
        }
    }
}

/// Iterator over the elements of a list.
#[derive(Clone)]
pub struct Children<'t> {
    next: SExpr<'t>,
    end: u32,
}

impl<'t> Iterator for Children<'t> {
    type Item = SExpr<'t>;

    fn next(&mut self) -> Option<SExpr<'t>> {
        if self.next.index >= self.end {
            return None;
        }
        let item = self.next;
        self.next.index = item.node().end;
        Some(item)
    }
}

fn advance(from: Position, text: &str) -> Position {
    match text.rfind('\n') {
        None => Position {
            line: from.line,
            column: from.column + text.chars().count() as u32,
        },
        Some(last) => Position {
            line: from.line + text.bytes().filter(|&b| b == b'\n').count() as u32,
            column: 1 + text[last + 1..].chars().count() as u32,
        },
    }
}

/// Reads the top-level expressions of a text one after the other.
#[derive(Clone, Debug)]
pub struct Reader<'s> {
    source: &'s str,
    offset: usize,
    /// The position of `marked`, an offset not after `offset`.
    position: Position,
    marked: usize,
    budget: Option<Budget>,
    pub(super) stopped: Option<Stop>,
}

/// Tokens between two looks at the budget.
const PATIENCE: u32 = 4096;

impl<'s> Reader<'s> {
    pub fn new(source: &'s str) -> Self {
        Reader {
            source,
            offset: 0,
            position: Position { line: 1, column: 1 },
            marked: 0,
            budget: None,
            stopped: None,
        }
    }

    /// When the budget is used up, the text ends for this reader.
    pub fn with_budget(mut self, budget: &Budget) -> Self {
        self.budget = Some(budget.clone());
        self
    }

    pub fn source(&self) -> &'s str {
        self.source
    }

    /// The next expression goes into `tree`; `None` at the end of the text. After an error the
    /// reader stands behind the fault (at the end, if a list was not closed).
    pub fn read(&mut self, tree: &mut Tree) -> Option<Result<(), SyntaxError>> {
        tree.nodes.clear();
        tree.base = None;
        let mut open: Vec<u32> = Vec::new();
        let mut tokens = 0u32;
        loop {
            tokens = tokens.wrapping_add(1);
            if tokens.is_multiple_of(PATIENCE)
                && let Some(Err(stop)) = self.budget.as_ref().map(Budget::check)
            {
                self.offset = self.source.len();
                self.stopped = Some(stop);
                return None;
            }
            self.skip_blank();
            if self.offset >= self.source.len() {
                let first = open.first().map(|&i| tree.nodes[i as usize].start)?;
                return Some(Err(self.fault(first as usize, "this list is not closed")));
            }
            if self.offset >= u32::MAX as usize {
                let at = self.offset;
                self.offset = self.source.len();
                return Some(Err(self.fault(at, "the text is longer than 4 GiB")));
            }
            if open.is_empty() {
                self.mark(self.offset);
                tree.base = Some((self.offset as u32, self.position));
            }
            let start = self.offset;
            match self.source.as_bytes()[start] {
                b'(' => {
                    self.offset += 1;
                    open.push(tree.nodes.len() as u32);
                    tree.nodes.push(Node {
                        kind: Kind::List,
                        start: start as u32,
                        stop: 0,
                        end: 0,
                    });
                }
                b')' => {
                    self.offset += 1;
                    let Some(list) = open.pop() else {
                        return Some(Err(self.fault(start, "no list is open here")));
                    };
                    let end = tree.nodes.len() as u32;
                    let node = &mut tree.nodes[list as usize];
                    node.end = end;
                    node.stop = self.offset as u32;
                }
                _ => match self.atom() {
                    Ok((kind, start, stop)) => {
                        let end = tree.nodes.len() as u32 + 1;
                        tree.nodes.push(Node {
                            kind,
                            start: start as u32,
                            stop: stop as u32,
                            end,
                        });
                    }
                    Err(error) => {
                        self.close(open.len());
                        return Some(Err(error));
                    }
                },
            }
            if open.is_empty() {
                return Some(Ok(()));
            }
        }
    }

    fn mark(&mut self, offset: usize) {
        self.position = advance(self.position, &self.source[self.marked..offset]);
        self.marked = offset;
    }

    fn fault(&self, at: usize, message: impl Into<String>) -> SyntaxError {
        let (from, position) = if at >= self.marked {
            (self.marked, self.position)
        } else {
            (0, Position { line: 1, column: 1 })
        };
        SyntaxError {
            position: advance(position, &self.source[from..at]),
            message: message.into(),
        }
    }

    /// After a bad atom: goes behind the lists that are open.
    fn close(&mut self, mut open: usize) {
        while open > 0 {
            self.skip_blank();
            match self.source.as_bytes().get(self.offset) {
                None => return,
                Some(b'(') => {
                    self.offset += 1;
                    open += 1;
                }
                Some(b')') => {
                    self.offset += 1;
                    open -= 1;
                }
                Some(_) => {
                    // Further faults in the same expression are not reported.
                    let _ = self.atom();
                }
            }
        }
    }

    fn skip_blank(&mut self) {
        let bytes = self.source.as_bytes();
        while let Some(&b) = bytes.get(self.offset) {
            match b {
                b' ' | b'\t' | b'\r' | b'\n' => self.offset += 1,
                b';' => {
                    let rest = &bytes[self.offset..];
                    self.offset += rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
                }
                _ => return,
            }
        }
    }

    /// Reads an atom: its kind and where its text is.
    fn atom(&mut self) -> Result<(Kind, usize, usize), SyntaxError> {
        let bytes = self.source.as_bytes();
        let start = self.offset;
        match bytes[start] {
            b'|' => {
                let close = bytes[start + 1..].iter().position(|&b| b == b'|');
                self.offset = close.map_or(bytes.len(), |n| start + n + 2);
                match close {
                    Some(n) => Ok((Kind::Quoted, start + 1, start + 1 + n)),
                    None => Err(self.fault(start, "this quoted symbol is not closed")),
                }
            }
            b'"' => {
                let mut i = start + 1;
                loop {
                    match bytes.get(i) {
                        None => {
                            self.offset = bytes.len();
                            return Err(self.fault(start, "this string is not closed"));
                        }
                        Some(b'"') if bytes.get(i + 1) == Some(&b'"') => i += 2,
                        Some(b'"') => break,
                        Some(_) => i += 1,
                    }
                }
                self.offset = i + 1;
                Ok((Kind::String, start + 1, i))
            }
            _ => {
                let rest = &bytes[start..];
                let length = rest
                    .iter()
                    .position(|&b| !is_symbol_byte(b) && b != b':' && b != b'#')
                    .unwrap_or(rest.len());
                if length == 0 {
                    let c = self.source[start..].chars().next().unwrap_or(' ');
                    self.offset += c.len_utf8();
                    return Err(self.fault(start, format!("unexpected character {c:?}")));
                }
                self.offset += length;
                let text = &self.source[start..start + length];
                match classify(text) {
                    Some(kind) => Ok((kind, start, start + length)),
                    None => Err(self.fault(start, format!("`{text}` is not a symbol or a number"))),
                }
            }
        }
    }
}

fn classify(text: &str) -> Option<Kind> {
    let bytes = text.as_bytes();
    let digits = |b: &[u8]| !b.is_empty() && b.iter().all(u8::is_ascii_digit);
    let plain = |b: &[u8]| !b.is_empty() && b.iter().all(|&b| is_symbol_byte(b));
    match bytes[0] {
        b':' => plain(&bytes[1..]).then_some(Kind::Keyword),
        b'#' => match bytes.get(1) {
            Some(b'x') => bytes[2..].iter().all(u8::is_ascii_hexdigit),
            Some(b'b') => bytes[2..].iter().all(|b| matches!(b, b'0' | b'1')),
            _ => false,
        }
        .then_some(Kind::Bits)
        .filter(|_| bytes.len() > 2),
        b'0'..=b'9' if digits(bytes) => Some(Kind::Numeral),
        b'0'..=b'9' => {
            let (whole, fraction) = text.split_once('.')?;
            (digits(whole.as_bytes()) && digits(fraction.as_bytes())).then_some(Kind::Decimal)
        }
        _ => plain(bytes).then_some(Kind::Symbol),
    }
}

/// May the byte stand in an unquoted symbol?
pub(super) fn is_symbol_byte(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b"~!@$%^&*_-+=<>.?/".contains(&b)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn all(text: &str) -> Vec<Result<String, String>> {
        let mut reader = Reader::new(text);
        let mut tree = Tree::default();
        let mut out = Vec::new();
        while let Some(r) = reader.read(&mut tree) {
            out.push(match r {
                Ok(()) => Ok(tree.root(text).text().to_string()),
                Err(e) => Err(e.to_string()),
            });
        }
        out
    }

    #[test]
    fn reads_and_recovers() {
        assert_eq!(
            all("(a |b c| \"d\"\"e\" :f 1 2.5 #x1F) ; note\n x\n (a 1x (b)) (ok)\n ) (y\n  (z)"),
            vec![
                Ok("(a |b c| \"d\"\"e\" :f 1 2.5 #x1F)".into()),
                Ok("x".into()),
                Err("3:5: `1x` is not a symbol or a number".into()),
                Ok("(ok)".into()),
                Err("4:2: no list is open here".into()),
                Err("4:4: this list is not closed".into()),
            ]
        );
    }

    #[test]
    fn positions_count_characters() {
        let text = "; é\n(\"é\" é)";
        assert_eq!(all(text), [Err("2:6: unexpected character 'é'".into())]);
    }

    #[test]
    fn a_million_parentheses() {
        let n = 1_000_000;
        let text = "(".repeat(n) + &")".repeat(n);
        let mut tree = Tree::default();
        Reader::new(&text).read(&mut tree).unwrap().unwrap();
        assert_eq!(tree.nodes.len(), n);
    }
}
