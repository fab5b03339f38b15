//! Claims: expressions from outside the program (the invariants and contracts of a witness), read
//! in the scope of a place in it.
//!
//! ```text
//! while (x < 5)   + loop claim `x <= 5`   →   while (claim(0, (x <= 5)), x < 5)
//! ```
//! The text of a claim is lexed behind the text of the file and its tokens are then moved to the
//! place, so that parser and sema see it where it speaks, and the places of all other tokens stay.
//! The lowering turns it into a formula over the variables at that location and emits nothing.
//!
//! Invariants. A claim is one balanced group of tokens, so it can neither end an expression of the
//! program nor begin a statement; one that has effects is refused by the lowering. So the program
//! has the executions it had without claims.

use crate::c::sema::place::Places;
use crate::c::syntax::lexer::{Interner, Lexed, T, Token};
use program::{Diagnostic, FuncId, LocId, Severity, SourceMap, Span};

/// The built-in that a claim is woven in as: its number and the expression.
pub const CLAIM: &str = "__builtin_craig_claim";
/// The value that the function returns (`\result`), in an `ensures`.
pub const RESULT: &str = "__builtin_craig_result";
/// The value at function entry (`\at(x,Old)`).
pub const OLD: &str = "__builtin_craig_old";

/// The built-in that a part of a contract is woven in as: its kind ([`Part`]) and the expression.
pub const CONTRACT: &str = "__builtin_craig_contract";

/// A part of the contract of the function that it stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    Requires,
    /// May use [`RESULT`] and [`OLD`].
    Ensures,
    /// The address of a place that may change, before the call.
    Assigned,
}

impl Part {
    /// All parts; where one stands is its number in the text.
    pub const ALL: [Part; 3] = [Part::Requires, Part::Ensures, Part::Assigned];
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimKind {
    /// Holds whenever control is at the head of the loop whose keyword is at the place.
    Loop,
    /// Holds whenever the statement at the place is about to be executed.
    Location,
    /// Holds whenever the function is entered.
    Requires,
    /// Holds whenever the function is left; may use [`RESULT`] and [`OLD`].
    Ensures,
}

/// An expression and where it is said to hold.
#[derive(Clone, Debug)]
pub struct Claim {
    pub kind: ClaimKind,
    pub file_name: String,
    pub line: u32,
    /// 1-based; without one the leftmost suitable place of the line is meant.
    pub column: Option<u32>,
    pub function: Option<String>,
    pub expression: String,
    /// Where the claim itself is written, for diagnostics.
    pub origin: String,
}

/// What the lowering made of a claim.
#[derive(Clone, Debug)]
pub struct Placed {
    /// Its number in the list of claims.
    pub claim: usize,
    /// `None`: no execution gets there.
    pub at: Option<(FuncId, LocId)>,
    /// Over the values of variables at the location, or why it cannot be said.
    pub formula: Result<logic::TermId, Refused>,
}

/// Why a claim has no formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// It is no claim about this place.
    Wrong(String),
    /// It may be one, but formulas cannot say it.
    Beyond(String),
}

/// The file's text with the claims behind it, three lines each, and a line of separators.
pub(crate) fn appended(text: &str, claims: &[Claim]) -> String {
    let mut out = format!("{text}\n;,1\n");
    for (i, claim) in claims.iter().enumerate() {
        let expression = claim.expression.replace(['\n', '\r'], " ");
        out.push_str(&format!("{CLAIM}({i},(\n{expression}\n))\n"));
    }
    out
}

/// What [`weave`] works on.
pub(crate) struct Weave<'a> {
    /// The file without claims.
    pub text: &'a str,
    pub claims: &'a [Claim],
    pub names: &'a Interner<'a>,
}

/// Moves the tokens of the claims to their places. `lexed` and `places` are of [`appended`]. Marks
/// in `done` which claims found their place; those marked already are not looked at.
pub(crate) fn weave(
    input: &Weave<'_>,
    done: &mut [bool],
    lexed: &mut Lexed,
    places: &mut Places,
    sources: &mut SourceMap,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let &Weave {
        text,
        claims,
        names,
    } = input;
    let first_line = text.bytes().filter(|&b| b == b'\n').count() as u32 + 1;
    let own = |t: &Token| (t.start as usize) < text.len();
    let split = lexed.tokens.partition_point(own);
    let behind = lexed.tokens.split_off(split);
    let Some((&eof, behind)) = behind.split_last() else {
        return;
    };
    let line_of = |t: &Token| places.text_line(t.start).saturating_sub(first_line);
    let by_line = |line: u32| -> Vec<Token> {
        behind
            .iter()
            .filter(|t| line_of(t) == line)
            .copied()
            .collect()
    };
    let separators = by_line(0);
    let [semi, comma, one] = separators.as_slice() else {
        lexed.tokens.push(eof);
        return;
    };
    let mut insertions: Vec<(usize, Vec<Token>)> = Vec::new();
    let mut files = Vec::new();
    for (i, claim) in claims.iter().enumerate() {
        let base = 1 + 3 * i as u32;
        let (open, inner, close) = (by_line(base), by_line(base + 1), by_line(base + 2));
        let file = sources.add(&claim.origin, &claim.expression);
        files.push((first_line + base, file));
        if done[i] {
            continue;
        }
        if let Err(message) = one_expression(&claim.expression, &inner) {
            diagnostics.push(complaint(file, message));
            done[i] = true;
            continue;
        }
        let spots = Spots {
            tokens: &lexed.tokens,
            places,
            names,
            sources,
            claim,
        };
        let Some(spot) = spots.find() else { continue };
        done[i] = true;
        let mut tokens = open;
        tokens.extend(inner);
        tokens.extend(close);
        match spot.joint {
            Joint::Statement => tokens.push(*semi),
            Joint::Condition => tokens.push(*comma),
            Joint::NoCondition => tokens.extend([*comma, *one]),
        }
        insertions.push((spot.before, tokens));
    }
    places.add_texts(&files);
    insertions.sort_by_key(|(at, _)| *at);
    let mut out = Vec::with_capacity(lexed.tokens.len() + behind.len());
    let mut next = insertions.into_iter().peekable();
    for (i, &t) in lexed.tokens.iter().enumerate() {
        while let Some((_, tokens)) = next.next_if(|(at, _)| *at == i) {
            out.extend(tokens);
        }
        out.push(t);
    }
    out.push(eof);
    lexed.tokens = out;
}

/// What is wrong with claims that no file has a place for.
pub(crate) fn unplaced(claims: &[Claim], done: &[bool], sources: &SourceMap) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    for (claim, _) in claims.iter().zip(done).filter(|(_, done)| !**done) {
        let what = match claim.kind {
            ClaimKind::Loop => "no loop begins",
            ClaimKind::Location => "no statement of a block begins",
            ClaimKind::Requires | ClaimKind::Ensures => "no function is defined",
        };
        let column = claim.column.map_or(String::new(), |c| format!(":{c}"));
        let message = format!("{what} at {}:{}{column}", claim.file_name, claim.line);
        let file = sources.files.iter_enumerated().rev();
        let file = file.into_iter().find(|(_, f)| f.name == claim.origin);
        if let Some((id, _)) = file {
            out.push(complaint(id, message));
        }
    }
    out
}

fn complaint(file: program::FileId, message: String) -> Diagnostic {
    Diagnostic {
        severity: Severity::Error,
        span: Span {
            file,
            line: 1,
            column: 1,
            len: 1,
        },
        message,
        help: None,
    }
}

/// Sound because a balanced group in parentheses is read as one expression or not at all.
fn one_expression(text: &str, tokens: &[Token]) -> Result<(), String> {
    if tokens.is_empty() {
        return Err("the expression is empty".into());
    }
    // Directives and comments would reach beyond the expression.
    if text.contains(['#', '\\']) || text.contains("/*") || text.contains("//") {
        return Err("this is no C expression".into());
    }
    let mut open = Vec::new();
    for t in tokens {
        let closes = match t.kind {
            T::LParen | T::LBracket => {
                open.push(t.kind);
                continue;
            }
            T::RParen => T::LParen,
            T::RBracket => T::LBracket,
            T::Semi | T::LBrace | T::RBrace => return Err("this is no C expression".into()),
            _ => continue,
        };
        if open.pop() != Some(closes) {
            return Err("parentheses do not match".into());
        }
    }
    match open.is_empty() {
        true => Ok(()),
        false => Err("parentheses do not match".into()),
    }
}

/// How the claim joins what follows it.
#[derive(Clone, Copy)]
enum Joint {
    Statement,
    Condition,
    /// A `for` without condition gets one.
    NoCondition,
}

struct Spot {
    /// The token that follows the claim.
    before: usize,
    joint: Joint,
}

struct Spots<'a> {
    tokens: &'a [Token],
    places: &'a Places,
    names: &'a Interner<'a>,
    sources: &'a SourceMap,
    claim: &'a Claim,
}

impl Spots<'_> {
    fn kind(&self, i: usize) -> Option<T> {
        self.tokens.get(i).map(|t| t.kind)
    }

    /// Is the token where the claim says, as far as it says so?
    fn here(&self, i: usize) -> bool {
        let span = self.places.span(&self.tokens[i]);
        span.line == self.claim.line
            && self.claim.column.is_none_or(|c| c == span.column)
            && self.sources.files.get(span.file).is_some_and(|f| {
                let last = |p: &str| p.rsplit('/').next().unwrap_or(p).to_string();
                f.name == self.claim.file_name || last(&f.name) == last(&self.claim.file_name)
            })
    }

    fn find(&self) -> Option<Spot> {
        let here = (0..self.tokens.len()).filter(|&i| self.here(i));
        match self.claim.kind {
            ClaimKind::Loop => here.filter_map(|i| self.loop_at(i)).next(),
            ClaimKind::Location => here.filter_map(|i| self.statement_at(i)).next(),
            ClaimKind::Requires | ClaimKind::Ensures => {
                let first = here.into_iter().next()?;
                self.body_after(first)
            }
        }
    }

    fn loop_at(&self, i: usize) -> Option<Spot> {
        match self.kind(i)? {
            T::While if self.kind(i + 1) == Some(T::LParen) => Some(Spot {
                before: i + 2,
                joint: Joint::Condition,
            }),
            T::Do if self.kind(i + 1) == Some(T::LBrace) => Some(Spot {
                before: i + 2,
                joint: Joint::Statement,
            }),
            T::Do => Some(Spot {
                before: i + 1,
                joint: Joint::Condition,
            }),
            T::For if self.kind(i + 1) == Some(T::LParen) => {
                let mut depth = 0;
                for j in i + 1.. {
                    match self.kind(j)? {
                        T::LParen | T::LBracket | T::LBrace => depth += 1,
                        T::RParen | T::RBracket | T::RBrace => depth -= 1,
                        T::Semi if depth == 1 => {
                            let empty = self.kind(j + 1) == Some(T::Semi);
                            return Some(Spot {
                                before: j + 1,
                                joint: match empty {
                                    true => Joint::NoCondition,
                                    false => Joint::Condition,
                                },
                            });
                        }
                        _ => {}
                    }
                    if depth == 0 {
                        return None;
                    }
                }
                None
            }
            _ => None,
        }
    }

    /// A token after a statement, a label or the `{` of a block, outside parentheses.
    fn statement_at(&self, i: usize) -> Option<Spot> {
        let before = self.kind(i.checked_sub(1)?)?;
        let begins = matches!(before, T::Semi | T::LBrace | T::RBrace | T::Colon);
        let ends = matches!(self.kind(i)?, T::RBrace | T::Else | T::Eof);
        let (mut braces, mut parens) = (0i64, 0i64);
        for t in &self.tokens[..i] {
            match t.kind {
                T::LBrace => braces += 1,
                T::RBrace => braces -= 1,
                T::LParen => parens += 1,
                T::RParen => parens -= 1,
                _ => {}
            }
        }
        (begins && !ends && braces > 0 && parens == 0).then_some(Spot {
            before: i,
            joint: Joint::Statement,
        })
    }

    /// Behind the `{` of the first function definition from this token on.
    fn body_after(&self, first: usize) -> Option<Spot> {
        let mut depth = 0;
        let mut named = false;
        for i in first.. {
            match self.kind(i)? {
                T::Ident if depth == 0 && self.kind(i + 1) == Some(T::LParen) => {
                    let name = self.names.name(self.tokens[i].symbol);
                    named |= self.claim.function.as_deref().is_none_or(|f| f == name);
                }
                T::LParen => depth += 1,
                T::RParen => depth -= 1,
                T::Semi if depth == 0 => return None,
                T::LBrace if depth == 0 => {
                    return named.then_some(Spot {
                        before: i + 1,
                        joint: Joint::Statement,
                    });
                }
                _ => {}
            }
        }
        None
    }
}
