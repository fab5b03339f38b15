//! Tokens of LLVM assembly.
//!
//! Every token is a slice of the text; names keep their sigil and quotes until the parser asks for the
//! plain name. Definitions of metadata are one line each and are skipped as lines, see
//! [`Lexer::rest_of_line`]: most of a module with debug information is never looked at.
//! Written by hand: libraries for LLVM (inkwell, llvm-ir) need an LLVM of one version at build time; this reads the
//! text of all of them.

use logos::Logos;

#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(skip r"[ \t\r\n]+")]
#[logos(skip r";[^\n]*")]
pub enum Token {
    /// Keywords, types, operation names.
    #[regex(r"[a-zA-Z$._][-a-zA-Z$._0-9]*")]
    Word,
    /// `name:`, also `12:` and `"a b":`.
    #[regex(r#"[-a-zA-Z$._0-9]+:"#)]
    #[regex(r#""[^"]*":"#)]
    Label,
    #[regex(r#"%[-a-zA-Z$._0-9]+"#)]
    #[regex(r#"%"[^"]*""#)]
    Local,
    #[regex(r#"@[-a-zA-Z$._0-9]+"#)]
    #[regex(r#"@"[^"]*""#)]
    Global,
    #[regex(r#"\$[-a-zA-Z$._0-9]+"#, priority = 10)]
    #[regex(r#"\$"[^"]*""#)]
    Comdat,
    /// `!12` or `!name`; a lone `!` opens a tuple or string.
    #[regex(r"![-a-zA-Z$._0-9\\]+")]
    Metadata,
    #[token("!")]
    Bang,
    #[regex(r"#[0-9]+")]
    Attributes,
    #[token("#dbg_declare")]
    #[token("#dbg_value")]
    #[token("#dbg_assign")]
    #[token("#dbg_label")]
    #[token("#dbg_declare_value")]
    DebugRecord,
    #[regex(r"\^[0-9]+")]
    Summary,
    #[regex(r"-?[0-9]+", priority = 4)]
    Int,
    #[regex(r"[us]0x[0-9A-Fa-f]+", priority = 20)]
    HexInt,
    #[regex(r"[-+]?[0-9]+\.[0-9]*([eE][-+]?[0-9]+)?", priority = 6)]
    Float,
    #[regex(r"0x[KLMHR]?[0-9A-Fa-f]+", priority = 6)]
    HexFloat,
    #[regex(r#""[^"]*""#)]
    String,
    #[regex(r#"c"[^"]*""#, priority = 20)]
    Bytes,
    #[token("...")]
    Dots,
    #[token("(")]
    Open,
    #[token(")")]
    Close,
    #[token("[")]
    OpenSquare,
    #[token("]")]
    CloseSquare,
    #[token("{")]
    OpenBrace,
    #[token("}")]
    CloseBrace,
    #[token("<")]
    Less,
    #[token(">")]
    Greater,
    #[token(",")]
    Comma,
    #[token("=")]
    Equals,
    #[token("*")]
    Star,
    #[token("|")]
    Bar,
    #[token(":")]
    Colon,
    Broken,
    End,
}

/// The token stream with one token of lookahead.
pub struct Lexer<'t> {
    text: &'t str,
    inner: logos::Lexer<'t, Token>,
    pub token: Token,
    pub start: usize,
    pub end: usize,
}

impl<'t> Lexer<'t> {
    pub fn new(text: &'t str) -> Lexer<'t> {
        let mut lexer = Lexer {
            text,
            inner: Token::lexer(text),
            token: Token::End,
            start: 0,
            end: 0,
        };
        lexer.advance();
        lexer
    }

    pub fn advance(&mut self) {
        self.token = match self.inner.next() {
            Some(Ok(token)) => token,
            Some(Err(())) => Token::Broken,
            None => Token::End,
        };
        let span = self.inner.span();
        (self.start, self.end) = (span.start, span.end);
    }

    pub fn slice(&self) -> &'t str {
        &self.text[self.start..self.end]
    }

    /// The text from the current token to the end of its line; goes on behind it.
    pub fn rest_of_line(&mut self) -> &'t str {
        let from = self.start;
        let line = match self.text[from..].find('\n') {
            Some(n) => &self.text[from..from + n],
            None => &self.text[from..],
        };
        let behind = from + line.len();
        let done = self.inner.span().end;
        if behind > done {
            self.inner.bump(behind - done);
        }
        self.advance();
        line
    }

    /// The text of the current token and all behind it.
    pub fn ahead(&self) -> &'t str {
        &self.text[self.start..]
    }
}

/// The name without sigil, colon and quotes.
pub fn plain(slice: &str) -> &str {
    let name = slice.strip_suffix(':').unwrap_or(slice);
    let name = name.trim_start_matches(['%', '@', '$', '!']);
    match name.strip_prefix('"').and_then(|n| n.strip_suffix('"')) {
        Some(quoted) => quoted,
        None => name,
    }
}

/// The bytes of a quoted text: `\41` is one byte.
pub fn unescape(quoted: &str) -> Vec<u8> {
    let inner = quoted.strip_prefix('c').unwrap_or(quoted);
    let inner = inner.strip_prefix('"').unwrap_or(inner);
    let inner = inner.strip_suffix('"').unwrap_or(inner).as_bytes();
    let mut out = Vec::with_capacity(inner.len());
    let mut i = 0;
    while i < inner.len() {
        let hex = |k: usize| inner.get(k).and_then(|b| (*b as char).to_digit(16));
        match (inner[i], hex(i + 1), hex(i + 2)) {
            (b'\\', Some(h), Some(l)) => {
                out.push((h * 16 + l) as u8);
                i += 3;
            }
            (b'\\', ..) if inner.get(i + 1) == Some(&b'\\') => {
                out.push(b'\\');
                i += 2;
            }
            (b, ..) => {
                out.push(b);
                i += 1;
            }
        }
    }
    out
}
