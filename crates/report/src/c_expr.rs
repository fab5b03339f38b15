//! Formulas as C expressions.
//!
//! Two styles. [`Style::People`] reads well and prints every operator somehow. [`Style::Strict`]
//! prints only what means the same in C: arithmetic is done in `long long` where the ranges of the
//! variables show that it cannot overflow, signedness never mixes in a comparison, nothing divides
//! by zero; what cannot be said that way gives `None` and its conjunct is dropped (an invariant only
//! gets weaker). Works bottom-up over the term DAG, so depth is no danger; text is cut at a limit.

use base::FxHashMap;
use logic::{Op, Pool, Rational, TermId, machine};

/// Longest expression printed; beyond it there is no readable form.
const TEXT_LIMIT: usize = 4000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    People,
    Strict,
}

/// How to call a constant of the pool, and the values it can have.
#[derive(Clone, Debug)]
pub struct Named {
    pub text: String,
    pub range: Option<(Rational, Rational)>,
}

/// A printed term.
#[derive(Clone, Debug)]
struct Piece {
    text: String,
    /// C precedence: higher binds tighter.
    level: u8,
    bounds: Option<(Rational, Rational)>,
    /// Has type `long long` in C (strict style).
    wide: bool,
}

const PRIMARY: u8 = 15;
const UNARY: u8 = 14;
const PRODUCT: u8 = 13;
const SUM: u8 = 12;
const COMPARE: u8 = 10;
const EQUALITY: u8 = 9;
const BIT_AND: u8 = 8;
const AND: u8 = 5;
const OR: u8 = 4;
const CONDITIONAL: u8 = 3;

/// The whole formula, or `None` where the style cannot express it.
pub fn c_expr(
    pool: &Pool,
    term: TermId,
    style: Style,
    name: &dyn Fn(TermId) -> Option<Named>,
) -> Option<String> {
    let mut printer = Printer::new(pool, style, name);
    printer.print(term).map(|p| p.text)
}

/// The conjuncts that the style can express, joined by `&&`; `None` if none is left.
pub fn c_conjunction(
    pool: &Pool,
    conjuncts: &[TermId],
    style: Style,
    name: &dyn Fn(TermId) -> Option<Named>,
) -> Option<String> {
    let mut printer = Printer::new(pool, style, name);
    let mut pieces = Vec::new();
    let mut length = 0;
    for &conjunct in conjuncts {
        if let Some(piece) = printer.print(conjunct) {
            let text = wrapped(&piece, AND);
            length += text.len();
            if length > TEXT_LIMIT {
                break;
            }
            pieces.push(text);
        }
    }
    (!pieces.is_empty()).then(|| pieces.join(" && "))
}

struct Printer<'a> {
    pool: &'a Pool,
    style: Style,
    name: &'a dyn Fn(TermId) -> Option<Named>,
    pieces: FxHashMap<TermId, Option<Piece>>,
}

fn wrapped(piece: &Piece, level: u8) -> String {
    if piece.level >= level {
        piece.text.clone()
    } else {
        format!("({})", piece.text)
    }
}

fn binary(op: &str, level: u8, a: &Piece, b: &Piece) -> Piece {
    Piece {
        text: format!("{} {op} {}", wrapped(a, level), wrapped(b, level + 1)),
        level,
        bounds: None,
        wide: false,
    }
}

fn long_long() -> (Rational, Rational) {
    machine::type_range(64, true)
}

fn fits(bounds: &Option<(Rational, Rational)>, range: &(Rational, Rational)) -> bool {
    bounds
        .as_ref()
        .is_some_and(|(low, high)| *low >= range.0 && *high <= range.1)
}

impl<'a> Printer<'a> {
    fn new(pool: &'a Pool, style: Style, name: &'a dyn Fn(TermId) -> Option<Named>) -> Self {
        Printer {
            pool,
            style,
            name,
            pieces: FxHashMap::default(),
        }
    }

    fn print(&mut self, term: TermId) -> Option<Piece> {
        for t in self.pool.post_order(&[term]) {
            if !self.pieces.contains_key(&t) {
                let piece = self.one(t).filter(|p| p.text.len() <= TEXT_LIMIT);
                self.pieces.insert(t, piece);
            }
        }
        self.pieces[&term].clone()
    }

    fn arg(&self, term: TermId, i: usize) -> Option<Piece> {
        self.pieces[&self.pool.args(term)[i]].clone()
    }

    fn all(&self, term: TermId) -> Option<Vec<Piece>> {
        self.pool
            .args(term)
            .iter()
            .map(|a| self.pieces[a].clone())
            .collect()
    }

    fn strict(&self) -> bool {
        self.style == Style::Strict
    }

    fn one(&self, t: TermId) -> Option<Piece> {
        let op = self.pool.op(t);
        // A read of memory that has words of its own.
        if op == Op::Select
            && let Some(named) = (self.name)(t)
        {
            return Some(Piece {
                text: named.text,
                level: PRIMARY,
                bounds: named.range,
                wide: false,
            });
        }
        match op {
            Op::True | Op::False => Some(Piece {
                text: if op == Op::True { "1" } else { "0" }.into(),
                level: PRIMARY,
                bounds: None,
                wide: false,
            }),
            Op::Num(n) => self.numeral(self.pool.number(n)),
            Op::App(symbol) if self.pool.args(t).is_empty() => match (self.name)(t) {
                Some(named) => Some(Piece {
                    text: named.text,
                    level: PRIMARY,
                    bounds: named.range,
                    wide: false,
                }),
                None if self.strict() => None,
                None => Some(self.call(&readable(&self.pool.symbol_data(symbol).name), &[])),
            },
            Op::App(symbol) => {
                let args = self.all(t)?;
                (!self.strict()).then(|| self.call(&self.pool.symbol_data(symbol).name, &args))
            }
            Op::Not => self.negation(t),
            Op::And | Op::Or => {
                let (word, level) = if op == Op::And {
                    (" && ", AND)
                } else {
                    (" || ", OR)
                };
                let parts: Vec<String> = self
                    .all(t)?
                    .iter()
                    .map(|p| wrapped(p, COMPARE.min(EQUALITY)))
                    .collect();
                Some(Piece {
                    text: parts.join(word),
                    level,
                    bounds: None,
                    wide: false,
                })
            }
            Op::Eq => self.compare("==", EQUALITY, self.arg(t, 0)?, self.arg(t, 1)?),
            Op::Le => self.compare("<=", COMPARE, self.arg(t, 0)?, self.arg(t, 1)?),
            Op::Ite => self.conditional(t),
            Op::Add => self.sum(t),
            Op::Mul => self.product(t),
            Op::Wrap { bits, signed } => self.cast(bits, signed, &self.arg(t, 0)?),
            Op::BitAnd | Op::BitOr | Op::BitXor => self.bitwise(op, t),
            Op::CDiv | Op::CRem | Op::IntDiv | Op::Mod => self.division(op, t),
            Op::Shl | Op::Shr if !self.strict() => {
                let word = if op == Op::Shl { "<<" } else { ">>" };
                Some(binary(word, 11, &self.arg(t, 0)?, &self.arg(t, 1)?))
            }
            Op::Select if !self.strict() => {
                let (array, index) = (self.arg(t, 0)?, self.arg(t, 1)?);
                let array = wrapped(&array, PRIMARY);
                // The cells of an array are a region named `a[]`.
                let array = array.trim_end_matches("[]");
                Some(Piece {
                    text: format!("{array}[{}]", index.text),
                    level: PRIMARY,
                    bounds: None,
                    wide: false,
                })
            }
            Op::Store if !self.strict() => Some(self.call("store", &self.all(t)?)),
            Op::ConstArray if !self.strict() => Some(self.call("all", &self.all(t)?)),
            Op::ToReal | Op::ToInt if !self.strict() => self.arg(t, 0),
            Op::RealDiv if !self.strict() => {
                Some(binary("/", PRODUCT, &self.arg(t, 0)?, &self.arg(t, 1)?))
            }
            _ => None,
        }
    }

    fn call(&self, name: &str, args: &[Piece]) -> Piece {
        let texts: Vec<&str> = args.iter().map(|p| p.text.as_str()).collect();
        Piece {
            text: if args.is_empty() {
                name.to_string()
            } else {
                format!("{name}({})", texts.join(", "))
            },
            level: PRIMARY,
            bounds: None,
            wide: false,
        }
    }

    fn numeral(&self, value: &Rational) -> Option<Piece> {
        let mut text = value.to_string();
        let mut wide = false;
        if self.strict() {
            if !value.is_integer() {
                return None;
            }
            if !fits(
                &Some((value.clone(), value.clone())),
                &machine::type_range(32, true),
            ) {
                let (low, high) = long_long();
                if *value == low {
                    text = "(-9223372036854775807LL - 1)".into();
                } else if *value > low && *value <= high {
                    text.push_str("LL");
                } else if value.is_positive() && *value <= machine::type_range(64, false).1 {
                    text.push_str("ULL");
                } else {
                    return None;
                }
                wide = *value <= high;
            } else if *value == machine::type_range(32, true).0 {
                text.push_str("LL");
                wide = true;
            }
        }
        let level = if value.is_negative() { UNARY } else { PRIMARY };
        Some(Piece {
            text,
            level,
            bounds: Some((value.clone(), value.clone())),
            wide,
        })
    }

    /// The piece as an operand of `long long` arithmetic.
    fn widened(&self, piece: &Piece) -> Option<Piece> {
        if !self.strict() || piece.wide {
            return Some(piece.clone());
        }
        if !fits(&piece.bounds, &long_long()) {
            return None;
        }
        Some(Piece {
            text: format!("(long long){}", wrapped(piece, UNARY)),
            level: UNARY,
            bounds: piece.bounds.clone(),
            wide: true,
        })
    }

    /// As [`Self::widened`], for an operator whose other operand is wide: numerals may stay.
    fn operand(&self, piece: &Piece) -> Option<Piece> {
        let numeral = piece.bounds.as_ref().is_some_and(|(l, h)| l == h)
            && piece
                .text
                .trim_start_matches('-')
                .bytes()
                .all(|b| b.is_ascii_digit());
        if numeral {
            Some(piece.clone())
        } else {
            self.widened(piece)
        }
    }

    fn negation(&self, t: TermId) -> Option<Piece> {
        let inner = self.pool.args(t)[0];
        match self.pool.op(inner) {
            Op::Le => self.greater(inner),
            Op::Eq => self.compare("!=", EQUALITY, self.arg(inner, 0)?, self.arg(inner, 1)?),
            _ => {
                let piece = self.arg(t, 0)?;
                Some(Piece {
                    text: format!("!{}", wrapped(&piece, UNARY)),
                    level: UNARY,
                    bounds: None,
                    wide: false,
                })
            }
        }
    }

    /// `not (left <= right)`: over Int as `left >= right + 1` or `left - 1 >= right` where a constant
    /// takes up the one.
    fn greater(&self, atom: TermId) -> Option<Piece> {
        let [left, right] = *self.pool.args(atom) else {
            return None;
        };
        if self.pool.sort_of(left) == self.pool.int_sort() {
            if let Some(n) = self.pool.as_number(right) {
                let next = self.numeral(&(n + &Rational::ONE))?;
                return self.compare(">=", COMPARE, self.arg(atom, 0)?, next);
            }
            let sum = self.pool.args(left);
            if let (Op::Add, [first, last]) = (self.pool.op(left), sum)
                && self.pool.as_number(*last).is_some_and(Rational::is_one)
            {
                let first = self.pieces[first].clone()?;
                return self.compare(">=", COMPARE, first, self.arg(atom, 1)?);
            }
        }
        self.compare(">", COMPARE, self.arg(atom, 0)?, self.arg(atom, 1)?)
    }

    fn compare(&self, op: &str, level: u8, a: Piece, b: Piece) -> Option<Piece> {
        if !self.strict() || a.bounds.is_none() && b.bounds.is_none() {
            // Equality of Booleans, or for people.
            return (!self.strict() || level == EQUALITY).then(|| binary(op, level, &a, &b));
        }
        // Both sides non-negative (conversions keep their values), or both of signed types.
        let negative = |p: &Piece| p.bounds.as_ref().is_none_or(|(low, _)| low.is_negative());
        let word = long_long();
        let both_unsigned = !negative(&a) && !negative(&b);
        let both_signed = fits(&a.bounds, &word) && fits(&b.bounds, &word);
        if both_unsigned {
            return Some(binary(op, level, &a, &b));
        }
        if !both_signed {
            return None;
        }
        let signed_leaf =
            |p: &Piece| p.wide || negative(p) || fits(&p.bounds, &machine::type_range(32, true));
        if signed_leaf(&a) && signed_leaf(&b) {
            return Some(binary(op, level, &a, &b));
        }
        Some(binary(op, level, &self.operand(&a)?, &self.operand(&b)?))
    }

    fn conditional(&self, t: TermId) -> Option<Piece> {
        let (c, a, b) = (self.arg(t, 0)?, self.arg(t, 1)?, self.arg(t, 2)?);
        let arithmetic = self.pool.is_arith(self.pool.sort_of(t));
        let (a, b) = if arithmetic {
            (self.widened(&a)?, self.widened(&b)?)
        } else {
            (a, b)
        };
        let bounds = match (&a.bounds, &b.bounds) {
            (Some((al, ah)), Some((bl, bh))) => Some((al.min(bl).clone(), ah.max(bh).clone())),
            _ => None,
        };
        Some(Piece {
            text: format!(
                "{} ? {} : {}",
                wrapped(&c, CONDITIONAL + 1),
                wrapped(&a, CONDITIONAL + 1),
                wrapped(&b, CONDITIONAL)
            ),
            level: CONDITIONAL,
            bounds,
            wide: arithmetic,
        })
    }

    fn sum(&self, t: TermId) -> Option<Piece> {
        let mut text = String::new();
        let (mut low, mut high) = (Rational::ZERO, Rational::ZERO);
        let mut known = true;
        // Positive summands first; C adds from the left, so every prefix must stay in range.
        for (i, &arg) in self.pool.args(t).iter().enumerate() {
            let piece = self.pieces[&arg].clone()?;
            match &piece.bounds {
                Some((l, h)) => {
                    low += l;
                    high += h;
                }
                None => known = false,
            }
            if self.strict() && !(known && fits(&Some((low.clone(), high.clone())), &long_long())) {
                return None;
            }
            let negated = piece.text.strip_prefix('-');
            match negated {
                Some(rest) if i > 0 && !rest.starts_with('(') => {
                    text.push_str(" - ");
                    text.push_str(rest);
                }
                _ => {
                    if i > 0 {
                        text.push_str(" + ");
                    }
                    text.push_str(&wrapped(&self.operand(&piece)?, PRODUCT));
                }
            }
        }
        Some(Piece {
            text,
            level: SUM,
            bounds: known.then_some((low, high)),
            wide: true,
        })
    }

    fn product(&self, t: TermId) -> Option<Piece> {
        let pieces = self.all(t)?;
        let mut bounds = pieces[0].bounds.clone();
        for p in &pieces[1..] {
            bounds = match (&bounds, &p.bounds) {
                (Some((al, ah)), Some((bl, bh))) => {
                    let corners = [al * bl, al * bh, ah * bl, ah * bh];
                    let low = corners.iter().min().cloned().unwrap_or_default();
                    let high = corners.iter().max().cloned().unwrap_or_default();
                    Some((low, high))
                }
                _ => None,
            };
            if self.strict() && !fits(&bounds, &long_long()) {
                return None;
            }
        }
        let mut parts = Vec::new();
        for p in &pieces {
            parts.push(wrapped(&self.operand(p)?, PRODUCT + 1));
        }
        // `-1 * x` reads better as `-x`.
        let text = match pieces[0].text.as_str() {
            "-1" if parts.len() == 2 => format!("-{}", parts[1]),
            _ if !self.strict() => parts.join("*"),
            _ => parts.join(" * "),
        };
        Some(Piece {
            text,
            level: PRODUCT,
            bounds,
            wide: true,
        })
    }

    fn cast(&self, bits: u8, signed: bool, piece: &Piece) -> Option<Piece> {
        let name = match (bits, signed) {
            (8, true) => "signed char",
            (8, false) => "unsigned char",
            (16, true) => "short",
            (16, false) => "unsigned short",
            (32, true) => "int",
            (32, false) => "unsigned int",
            (64, true) => "long long",
            (64, false) => "unsigned long long",
            _ if self.strict() => return None,
            _ => return Some(self.call(&format!("wrap{bits}"), std::slice::from_ref(piece))),
        };
        let piece = self.widened(piece)?;
        Some(Piece {
            text: format!("({name}){}", wrapped(&piece, UNARY)),
            level: UNARY,
            bounds: Some(machine::type_range(bits, signed)),
            wide: bits == 64 && signed,
        })
    }

    fn bitwise(&self, op: Op, t: TermId) -> Option<Piece> {
        let (a, b) = (
            self.widened(&self.arg(t, 0)?)?,
            self.widened(&self.arg(t, 1)?)?,
        );
        let (word, level) = match op {
            Op::BitAnd => ("&", BIT_AND),
            Op::BitXor => ("^", 7),
            _ => ("|", 6),
        };
        let mut piece = binary(word, level, &a, &b);
        piece.bounds = Some(long_long());
        piece.wide = true;
        Some(piece)
    }

    fn division(&self, op: Op, t: TermId) -> Option<Piece> {
        let (a, b) = (self.arg(t, 0)?, self.arg(t, 1)?);
        let truncated = matches!(op, Op::CDiv | Op::CRem);
        let word = if matches!(op, Op::CDiv | Op::IntDiv) {
            "/"
        } else {
            "%"
        };
        if !self.strict() {
            return Some(binary(word, PRODUCT, &a, &b));
        }
        // A positive constant divisor, and for the Euclidean kind a dividend that is not negative.
        let divisor_ok = b
            .bounds
            .as_ref()
            .is_some_and(|(l, h)| l == h && l.is_positive());
        let dividend_ok = truncated || a.bounds.as_ref().is_some_and(|(low, _)| !low.is_negative());
        if !divisor_ok || !dividend_ok {
            return None;
        }
        let mut piece = binary(word, PRODUCT, &self.widened(&a)?, &self.operand(&b)?);
        piece.bounds = Some(long_long());
        piece.wide = true;
        Some(piece)
    }
}

/// What a fact holds for any value of is `any_k`, `any_l`; other constants have their names.
fn readable(name: &str) -> String {
    let letters = ["k", "l"];
    let mut general = letters.iter().enumerate();
    let found = general.find(|(n, _)| program::any_name(*n) == name);
    found.map_or_else(|| name.to_string(), |(_, letter)| format!("any_{letter}"))
}

#[cfg(test)]
#[path = "c_expr_tests.rs"]
mod tests;
