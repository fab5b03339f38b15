//! Text to tokens. Keywords are identifiers here: the parser knows where each is one.
//! Written by hand: names hold `$`, `#`, `'` and `.`, numbers have types (`5bv8`); no crate reads Boogie.

use logos::{Lexer, Logos};
use program::{Diagnostic, FileId, Severity, Span};

/// The shape of a token.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(skip r"[ \t\r\n\x0b\x0c]+")]
#[logos(skip r"//[^\n]*")]
pub enum Kind {
    #[regex(r"[A-Za-z_~#$\^.?`'\\][0-9A-Za-z_~#$\^.?`'\\]*")]
    Ident,
    #[regex(r"[0-9]+")]
    Int,
    #[regex(r"[0-9]+bv[0-9]+")]
    Bv,
    #[regex(r"[0-9]+\.[0-9]+(e[+-]?[0-9]+)?")]
    #[regex(r"[0-9]+e[+-]?[0-9]+")]
    Real,
    #[regex(r#""[^"\n]*""#)]
    Str,
    /// Skipped by the scanner's user; unterminated ones run to the end.
    #[token("/*", block_comment)]
    Comment,
    #[token("(")]
    LParen,
    #[token(")")]
    RParen,
    #[token("[")]
    LBracket,
    #[token("]")]
    RBracket,
    #[token("{")]
    LBrace,
    #[token("}")]
    RBrace,
    #[token(";")]
    Semi,
    #[token(",")]
    Comma,
    #[token(":=")]
    Assign,
    #[token("::")]
    #[token("•")]
    ColonColon,
    #[token(":")]
    Colon,
    #[token("<==>")]
    #[token("⇔")]
    Iff,
    #[token("==>")]
    #[token("⇒")]
    Implies,
    #[token("<==")]
    #[token("⇐")]
    Explies,
    #[token("&&")]
    #[token("∧")]
    And,
    #[token("||")]
    #[token("∨")]
    Or,
    #[token("==")]
    Eq,
    #[token("!=")]
    #[token("≠")]
    Neq,
    #[token("<:")]
    Extends,
    #[token("<=")]
    #[token("≤")]
    Le,
    #[token(">=")]
    #[token("≥")]
    Ge,
    #[token("<")]
    Lt,
    #[token(">")]
    Gt,
    #[token("++")]
    Concat,
    #[token("**")]
    Power,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("*")]
    Star,
    #[token("/")]
    Slash,
    #[token("%")]
    Percent,
    #[token("!")]
    #[token("¬")]
    Not,
    #[token("=")]
    Define,
    #[token("∀")]
    Forall,
    #[token("∃")]
    Exists,
    #[token("λ")]
    Lambda,
    /// After the last token.
    End,
}

/// Comments nest.
fn block_comment(lexer: &mut Lexer<'_, Kind>) {
    let rest = lexer.remainder();
    let (bytes, mut at, mut depth) = (rest.as_bytes(), 0, 1u32);
    while at < bytes.len() {
        match bytes[at..] {
            [b'/', b'*', ..] => {
                depth += 1;
                at += 2;
            }
            [b'*', b'/', ..] => {
                depth -= 1;
                at += 2;
                if depth == 0 {
                    break;
                }
            }
            _ => at += 1,
        }
    }
    // A comment that never ends takes the rest; every step above ends between characters only at
    // ASCII, so the cut is at a character's border.
    lexer.bump(at.min(rest.len()));
}

/// A token with its text and place.
#[derive(Clone, Copy, Debug)]
pub struct Token<'t> {
    pub kind: Kind,
    pub text: &'t str,
    pub span: Span,
    /// Byte offset of its first character.
    pub start: usize,
}

/// All tokens, the last of kind [`Kind::End`].
pub fn lex(text: &str, file: FileId) -> (Vec<Token<'_>>, Vec<Diagnostic>) {
    let mut tokens = Vec::new();
    let mut diagnostics = Vec::new();
    let (mut line, mut line_start, mut seen) = (1u32, 0usize, 0usize);
    let mut place = |start: usize, end: usize| {
        for (i, byte) in text.as_bytes()[seen..start].iter().enumerate() {
            if *byte == b'\n' {
                line += 1;
                line_start = seen + i + 1;
            }
        }
        seen = start;
        Span {
            file,
            line,
            column: (start - line_start) as u32 + 1,
            len: (end - start).max(1) as u32,
        }
    };
    for (result, range) in Kind::lexer(text).spanned() {
        match result {
            Ok(Kind::Comment) => {}
            Ok(kind) => tokens.push(Token {
                kind,
                text: &text[range.clone()],
                span: place(range.start, range.end),
                start: range.start,
            }),
            Err(()) => diagnostics.push(Diagnostic {
                severity: Severity::Error,
                span: place(range.start, range.end),
                message: format!("`{}` is no token of Boogie", &text[range]),
                help: None,
            }),
        }
    }
    tokens.push(Token {
        kind: Kind::End,
        text: "",
        span: place(text.len(), text.len()),
        start: text.len(),
    });
    (tokens, diagnostics)
}
