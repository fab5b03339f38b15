//! A C file in pieces: the text of each function, and all the rest. An edit inside one function changes the
//! hash of that piece only, so a unit that stayed open and does not reach the function is known without reading
//! the file again.
//!
//! ```text
//! #include "a.h"        rest
//! static int n;         rest
//! int f(int x) { … }    the piece of `f`
//! ```
//! Spaces, comments and line markers do not count. What is not understood (definitions of old style, functions that
//! return functions) belongs to the rest; then an edit of it concerns the whole file, which costs time only. Nothing
//! here is about verdicts: those come from programs that the front end made.

use std::collections::BTreeMap;

/// Hashes of the parts of a file.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Pieces {
    /// By the function's name.
    pub functions: BTreeMap<String, String>,
    /// Everything else.
    pub rest: String,
}

/// Takes a preprocessed text apart; only the functions that are `defined` get pieces of their own.
pub fn pieces(text: &str, defined: &dyn Fn(&str) -> bool) -> Pieces {
    let (mut out, mut rest) = (Pieces::default(), String::new());
    let mut piece = Piece::default();
    for (token, spaced) in Tokens::new(text) {
        if piece.add(token, spaced) {
            let done = std::mem::take(&mut piece);
            match done.function() {
                Some(name) if defined(name) && !out.functions.contains_key(name) => {
                    let hash = report::sha256(done.text.as_bytes())[..16].to_string();
                    out.functions.insert(name.to_string(), hash);
                }
                _ => rest += &done.text,
            }
        }
    }
    rest += &piece.text;
    out.rest = report::sha256(rest.as_bytes())[..16].to_string();
    out
}

/// A declaration or definition outside of functions, as far as it is read.
#[derive(Default)]
struct Piece<'a> {
    text: String,
    /// Open braces, and open parentheses and brackets outside of them.
    braces: usize,
    parens: usize,
    last: &'a str,
    /// The word before the last parenthesis that opened at the top.
    name: Option<&'a str>,
    /// A body has begun.
    body: bool,
}

/// Words that take parentheses and name nothing.
const NO_NAMES: &[&str] = &[
    "__attribute__",
    "__attribute",
    "__asm__",
    "__asm",
    "asm",
    "__declspec",
    "__typeof__",
    "typeof",
    "_Alignas",
];

impl<'a> Piece<'a> {
    /// Takes a token; says whether the piece ends with it.
    fn add(&mut self, token: &'a str, spaced: bool) -> bool {
        if spaced && !self.text.is_empty() {
            self.text.push(' ');
        }
        self.text += token;
        let top = self.braces == 0 && self.parens == 0;
        let mut ends = false;
        match token {
            "{" => {
                self.body |= top && self.last == ")";
                self.braces += 1;
            }
            "}" => {
                self.braces = self.braces.saturating_sub(1);
                ends = self.body && self.braces == 0;
            }
            "(" | "[" if self.braces == 0 => {
                let is_word = self
                    .last
                    .starts_with(|c: char| c.is_alphabetic() || c == '_');
                if top && token == "(" && is_word && !NO_NAMES.contains(&self.last) {
                    self.name = Some(self.last);
                }
                self.parens += 1;
            }
            ")" | "]" if self.braces == 0 => self.parens = self.parens.saturating_sub(1),
            ";" => ends = top,
            _ => {}
        }
        self.last = token;
        ends
    }

    /// The name, if this is a function with its body.
    fn function(&self) -> Option<&'a str> {
        self.name.filter(|_| self.body)
    }
}

/// Words, literals and single characters of punctuation, each with whether there is space before it.
struct Tokens<'a> {
    rest: &'a str,
    line_start: bool,
}

impl<'a> Tokens<'a> {
    fn new(rest: &'a str) -> Self {
        let line_start = true;
        Tokens { rest, line_start }
    }

    /// Skips spaces, comments and line markers; says whether there were any.
    fn skip(&mut self) -> bool {
        let before = self.rest.len();
        loop {
            let trimmed = self.rest.trim_start();
            self.line_start |= self.rest[..self.rest.len() - trimmed.len()].contains('\n');
            self.rest = trimmed;
            let comment =
                if trimmed.starts_with("//") || (self.line_start && trimmed.starts_with('#')) {
                    trimmed.find('\n').unwrap_or(trimmed.len())
                } else if trimmed.starts_with("/*") {
                    trimmed.find("*/").map_or(trimmed.len(), |n| n + 2)
                } else {
                    return self.rest.len() != before;
                };
            self.rest = &trimmed[comment..];
        }
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = (&'a str, bool);

    fn next(&mut self) -> Option<Self::Item> {
        let spaced = self.skip();
        self.line_start = false;
        let first = self.rest.chars().next()?;
        let in_word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
        let length = match first {
            c if in_word(c) => self.rest.find(|c| !in_word(c)).unwrap_or(self.rest.len()),
            '"' | '\'' => literal(self.rest, first),
            c => c.len_utf8(),
        };
        let (token, rest) = self.rest.split_at(length);
        self.rest = rest;
        Some((token, spaced))
    }
}

/// The length of a string or character literal.
fn literal(text: &str, quote: char) -> usize {
    let mut chars = text.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' => drop(chars.next()),
            c if c == quote || c == '\n' => return at + c.len_utf8(),
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# 1 \"a.c\"\ntypedef struct { int x; } T; static int t[] = { 1, '{', 2 };
        int g(int);\n static __attribute__((unused)) int f(int a, T *t) { if (a) { return 1; } return '}'; }
        int (*odd(void))(int) { return f; }
        const char *s(void) { return \"} // no comment\"; } /* } */ int old(a) int a; { return a; }";

    fn of(text: &str) -> Pieces {
        pieces(text, &|_| true)
    }

    #[test]
    fn functions_have_pieces_of_their_own() {
        let all = of(TEXT);
        let names: Vec<&str> = all.functions.keys().map(String::as_str).collect();
        assert!(names.contains(&"f") && names.contains(&"s"), "{names:?}");
        assert!(
            !names.contains(&"old") && !names.contains(&"g"),
            "{names:?}"
        );
        let edited = of(&TEXT.replace("return 1", "return 2"));
        assert_ne!(edited.functions["f"], all.functions["f"]);
        assert_eq!(
            (&edited.functions["s"], &edited.rest),
            (&all.functions["s"], &all.rest)
        );
        for (from, to) in [
            ("int x;", "long x;"),
            ("return a;", "return 1;"),
            ("g(int)", "g(long)"),
        ] {
            let edited = of(&TEXT.replace(from, to));
            assert_ne!(edited.rest, all.rest, "{to}");
            assert_eq!(edited.functions, all.functions, "{to}");
        }
    }

    #[test]
    fn places_and_comments_do_not_count() {
        let moved = TEXT
            .replace("int g", "\n\n# 7 \"b.c\"\n /* { */ int g")
            .replace("{ if", "{\n// (\n if");
        assert_eq!(of(&moved), of(TEXT));
        let joined = TEXT.replace("return '", "return\n+ +'");
        assert_ne!(of(&joined), of(&joined.replace("+ +", "++")));
    }
}
