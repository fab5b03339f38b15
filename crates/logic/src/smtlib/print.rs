//! Terms, sorts, values and models as SMT-LIB text. What is printed reads back as the same term.
//!
//! A subterm that is used more than once and is not tiny is bound by `let`, so the text is linear
//! in the DAG. Bindings that do not need each other share one `let`.

use super::builtin::machine_name;
use super::name::print_symbol;
use super::words::{print_word, word_name};
use crate::word::{Shape, WordOp};
use crate::{Op, Pool, Rational, Sort, SortId, TermId};
use base::FxHashMap;
use std::fmt::Write;

/// Subterms up to this many symbols are repeated rather than bound.
const TINY: usize = 4;

/// The term as text.
pub fn print_term(pool: &Pool, term: TermId) -> String {
    let mut out = String::new();
    Printer::new(pool).term(term, &mut out);
    out
}

pub fn print_sort(pool: &Pool, sort: SortId) -> String {
    enum Piece {
        Sort(SortId),
        Text(&'static str),
    }
    let mut out = String::new();
    let mut stack = vec![Piece::Sort(sort)];
    while let Some(piece) = stack.pop() {
        match piece {
            Piece::Text(t) => out.push_str(t),
            Piece::Sort(s) => match pool.sort_kind(s) {
                Sort::Bool => out.push_str("Bool"),
                Sort::Int => out.push_str("Int"),
                Sort::Real => out.push_str("Real"),
                Sort::Uninterpreted(name) => out.push_str(&print_symbol(name)),
                Sort::BitVec(n) => {
                    let _ = write!(out, "(_ BitVec {n})");
                }
                Sort::Float(e, s) => {
                    let _ = write!(out, "(_ FloatingPoint {e} {s})");
                }
                Sort::Rounding => out.push_str("RoundingMode"),
                Sort::Array(index, element) => {
                    out.push_str("(Array ");
                    stack.extend([
                        Piece::Text(")"),
                        Piece::Sort(*element),
                        Piece::Text(" "),
                        Piece::Sort(*index),
                    ]);
                }
            },
        }
    }
    out
}

/// Prints terms of one pool.
pub struct Printer<'p> {
    pool: &'p Pool,
    /// Names of the bound subterms of the term being printed.
    bound: FxHashMap<TermId, String>,
}

enum Piece {
    Term(TermId),
    Text(&'static str),
    /// The numeral with the other sign.
    Minus(TermId),
    /// The integer after the numeral.
    Next(TermId),
}

impl<'p> Printer<'p> {
    pub fn new(pool: &'p Pool) -> Self {
        Printer {
            pool,
            bound: FxHashMap::default(),
        }
    }

    /// Appends the term to `out`.
    pub fn term(&mut self, term: TermId, out: &mut String) {
        let levels = self.bind_shared(term);
        for level in &levels {
            out.push_str("(let (");
            for (i, &t) in level.iter().enumerate() {
                let _ = write!(out, "{}({} ", if i > 0 { " " } else { "" }, self.bound[&t]);
                self.body(t, out);
                out.push(')');
            }
            out.push_str(") ");
        }
        self.body(term, out);
        out.extend(std::iter::repeat_n(')', levels.len()));
        self.bound.clear();
    }

    /// Chooses the subterms to bind; a level needs only names of earlier levels.
    fn bind_shared(&mut self, root: TermId) -> Vec<Vec<TermId>> {
        let pool = self.pool;
        let order = pool.post_order(&[root]);
        let mut uses: FxHashMap<TermId, usize> = FxHashMap::default();
        for &t in &order {
            for &a in pool.args(t) {
                *uses.entry(a).or_default() += 1;
            }
        }
        let mut levels: Vec<Vec<TermId>> = Vec::new();
        let mut weights: FxHashMap<TermId, (usize, usize)> = FxHashMap::default();
        let mut count = 0;
        for &t in &order {
            let (mut weight, mut level) = (1usize, 0);
            for a in pool.args(t) {
                let (w, l) = weights[a];
                weight = weight.saturating_add(w);
                level = level.max(l);
            }
            if weight > TINY && t != root && uses[&t] > 1 {
                let name = loop {
                    count += 1;
                    let name = format!("?{count}");
                    if pool.symbol_named(&name).is_none() {
                        break name;
                    }
                };
                self.bound.insert(t, name);
                if levels.len() <= level {
                    levels.resize_with(level + 1, Vec::new);
                }
                levels[level].push(t);
                (weight, level) = (1, level + 1);
            }
            weights.insert(t, (weight, level));
        }
        levels
    }

    /// The term itself, with names for bound subterms below its root.
    fn body(&self, root: TermId, out: &mut String) {
        let mut stack: Vec<Piece> = Vec::new();
        self.open(root, out, &mut stack);
        while let Some(piece) = stack.pop() {
            match piece {
                Piece::Text(text) => out.push_str(text),
                Piece::Minus(t) => {
                    let n = self.pool.as_number(t).expect("a numeral");
                    number(&-n, self.pool.sort_of(t) == self.pool.real_sort(), out);
                }
                Piece::Next(t) => {
                    let n = self.pool.as_number(t).expect("a numeral");
                    number(&(n + &Rational::ONE), false, out);
                }
                Piece::Term(t) => match self.bound.get(&t) {
                    Some(name) => out.push_str(name),
                    None => self.open(t, out, &mut stack),
                },
            }
        }
    }

    /// Prints what comes before the arguments and leaves them on the stack.
    fn open(&self, t: TermId, out: &mut String, stack: &mut Vec<Piece>) {
        let pool = self.pool;
        let args = pool.args(t);
        let list = |out: &mut String, stack: &mut Vec<Piece>, head: &str, args: &[TermId]| {
            out.push('(');
            out.push_str(head);
            stack.push(Piece::Text(")"));
            for &a in args.iter().rev() {
                stack.push(Piece::Term(a));
                stack.push(Piece::Text(" "));
            }
        };
        let head = match pool.op(t) {
            Op::True => return out.push_str("true"),
            Op::False => return out.push_str("false"),
            Op::Num(n) => {
                let (n, sort) = (pool.number(n), pool.sort_of(t));
                return match pool.shape(sort) {
                    Some(shape) => out.push_str(&print_word(n, shape)),
                    None => number(n, sort == pool.real_sort(), out),
                };
            }
            Op::App(s) => {
                if let Some(WordOp::Bit(k)) = pool.word_op(s) {
                    let _ = write!(out, "(= ((_ extract {k} {k})");
                    stack.push(Piece::Text(") #b1)"));
                    if let Some(Shape::Float(..)) = pool.shape(pool.sort_of(args[0])) {
                        out.push_str(" (fp.to_ieee_bv");
                        stack.push(Piece::Text(")"));
                    }
                    stack.extend([Piece::Term(args[0]), Piece::Text(" ")]);
                    return;
                }
                let name = match pool.word_op(s) {
                    Some(op) => word_name(op),
                    None => print_symbol(&pool.symbol_data(s).name).into(),
                };
                if args.is_empty() {
                    return out.push_str(&name);
                }
                return list(out, stack, &name, args);
            }
            // Not (a <= b) is nicer as (> a b), and over Int not (a <= 3) as (>= a 4).
            Op::Not if pool.op(args[0]) == Op::Le && !self.bound.contains_key(&args[0]) => {
                let sides = pool.args(args[0]);
                let integral = pool.sort_of(sides[1]) == pool.int_sort();
                if integral && pool.as_number(sides[1]).is_some() {
                    out.push_str("(>= ");
                    stack.push(Piece::Text(")"));
                    stack.push(Piece::Next(sides[1]));
                    stack.push(Piece::Text(" "));
                    stack.push(Piece::Term(sides[0]));
                    return;
                }
                return list(out, stack, ">", sides);
            }
            Op::Not => "not",
            Op::And => "and",
            Op::Or => "or",
            Op::Ite => "ite",
            Op::Eq => "=",
            Op::Le => "<=",
            Op::Add => {
                if let &[a, b] = args {
                    if pool.as_number(b).is_some_and(Rational::is_negative) {
                        out.push_str("(- ");
                        stack.push(Piece::Text(")"));
                        stack.push(Piece::Minus(b));
                        stack.push(Piece::Text(" "));
                        stack.push(Piece::Term(a));
                        return;
                    }
                    if let Some(x) = self.negated(b) {
                        return list(out, stack, "-", &[a, x]);
                    }
                }
                "+"
            }
            Op::Mul => match self.negated(t) {
                Some(x) => return list(out, stack, "-", &[x]),
                None => "*",
            },
            Op::IntDiv => "div",
            Op::Mod => "mod",
            Op::RealDiv => "/",
            Op::ToReal => "to_real",
            Op::ToInt => "to_int",
            Op::Select => "select",
            Op::Store => "store",
            Op::ConstArray => {
                let head = format!("(as const {})", print_sort(pool, pool.sort_of(t)));
                return list(out, stack, &head, args);
            }
            op => {
                let name = machine_name(op).expect("all other operators are machine operators");
                return list(out, stack, &name, args);
            }
        };
        list(out, stack, head, args);
    }

    /// `x`, if the term is `-1 * x`.
    fn negated(&self, t: TermId) -> Option<TermId> {
        match *self.pool.args(t) {
            [c, x] if self.pool.op(t) == Op::Mul && !self.bound.contains_key(&t) => {
                (self.pool.as_number(c)? == &Rational::MINUS_ONE).then_some(x)
            }
            _ => None,
        }
    }
}

/// A numeral (with `real`, a decimal or a quotient of decimals).
pub(super) fn number(n: &Rational, real: bool, out: &mut String) {
    let negative = n.is_negative();
    if negative {
        out.push_str("(- ");
    }
    let (num, den) = (n.abs().numerator(), n.denominator());
    // Writing to a string cannot fail.
    let _ = match (real, n.is_integer()) {
        (false, _) => write!(out, "{num}"),
        (true, true) => write!(out, "{num}.0"),
        (true, false) => write!(out, "(/ {num}.0 {den}.0)"),
    };
    if negative {
        out.push(')');
    }
}
