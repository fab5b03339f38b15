//! Expressions printed as S-expressions, shared subterms bound by `let`, without recursion.

use super::lex;
use base::FxHashMap;
use logic::{Op, Pool, TermId};
use std::fmt::Write;

/// A shared subterm whose text is longer than this gets a name.
const SHARE_ABOVE: usize = 24;

/// Prints the expressions of one statement.
pub(super) struct Sharing<'a> {
    pool: &'a Pool,
    named: FxHashMap<TermId, String>,
    order: Vec<TermId>,
}

impl<'a> Sharing<'a> {
    pub fn new(pool: &'a Pool, roots: &[TermId]) -> Self {
        let order = pool.post_order(roots);
        let mut uses: FxHashMap<TermId, u32> = FxHashMap::default();
        for t in order.iter().flat_map(|t| pool.args(*t)).chain(roots) {
            *uses.entry(*t).or_default() += 1;
        }
        let mut length: FxHashMap<TermId, usize> = FxHashMap::default();
        let (mut named, mut list) = (FxHashMap::default(), Vec::new());
        for t in order {
            let mut n = 4;
            for a in pool.args(t) {
                n += 1 + length[a];
            }
            if uses[&t] > 1 && n > SHARE_ABOVE {
                list.push(t);
                named.insert(t, format!("${}", list.len()));
                n = 3;
            }
            length.insert(t, n);
        }
        Sharing {
            pool,
            named,
            order: list,
        }
    }

    /// `let $1 = …, $2 = … in `, or nothing.
    pub fn bindings(&mut self) -> String {
        let mut out = String::new();
        for (i, &t) in self.order.iter().enumerate() {
            let name = self.named.get(&t).cloned().unwrap_or_default();
            let body = print_with(self.pool, t, &|a| {
                if a == t { None } else { self.named.get(&a) }
            });
            let start = if i == 0 { "let " } else { ", " };
            let _ = write!(out, "{start}{name} = {body}");
        }
        if !out.is_empty() {
            out += " in ";
        }
        out
    }

    pub fn print(&mut self, term: TermId) -> String {
        print_with(self.pool, term, &|a| self.named.get(&a))
    }
}

/// The expression as text; shared subterms are repeated.
pub fn print_expr(pool: &Pool, term: TermId) -> String {
    print_with(pool, term, &|_| None)
}

enum Piece {
    Term(TermId),
    Text(&'static str),
}

fn print_with<'n>(
    pool: &Pool,
    root: TermId,
    name_of: &dyn Fn(TermId) -> Option<&'n String>,
) -> String {
    let mut out = String::new();
    let mut stack = vec![Piece::Term(root)];
    while let Some(piece) = stack.pop() {
        let term = match piece {
            Piece::Text(text) => {
                out += text;
                continue;
            }
            Piece::Term(term) => term,
        };
        if let Some(name) = name_of(term) {
            out += name;
            continue;
        }
        let mut args = pool.args(term);
        match head(pool, term) {
            Head::Atom(text) => out += &text,
            Head::Call(mut text) => {
                // `not (a <= b)` reads better as `a > b`.
                if pool.op(term) == Op::Not && name_of(args[0]).is_none() {
                    let negated = match pool.op(args[0]) {
                        Op::Le => Some(">"),
                        Op::Eq => Some("!="),
                        _ => None,
                    };
                    if let Some(negated) = negated {
                        text = negated.into();
                        args = pool.args(args[0]);
                    }
                }
                out.push('(');
                out += &text;
                stack.push(Piece::Text(")"));
                for &a in args.iter().rev() {
                    stack.push(Piece::Term(a));
                    stack.push(Piece::Text(" "));
                }
            }
        }
    }
    out
}

enum Head {
    Atom(String),
    Call(String),
}

fn head(pool: &Pool, term: TermId) -> Head {
    Head::Call(match pool.op(term) {
        Op::True => return Head::Atom("true".into()),
        Op::False => return Head::Atom("false".into()),
        Op::Num(n) => {
            let n = pool.number(n);
            return Head::Atom(if pool.sort_of(term) == pool.int_sort() {
                n.to_string()
            } else {
                format!("{}/{}", n.numerator(), n.denominator())
            });
        }
        Op::App(s) => {
            let name = lex::quoted(&pool.symbol_data(s).name);
            if pool.args(term).is_empty() {
                return Head::Atom(name);
            }
            name
        }
        Op::ConstArray => format!(
            "const-array {}",
            super::print_sort(pool, pool.sort_of(term))
        ),
        Op::Wrap { bits, signed } => format!("wrap.{}{bits}", if signed { 's' } else { 'u' }),
        op => operator(op).into(),
    })
}

fn operator(op: Op) -> &'static str {
    match op {
        Op::Not => "not",
        Op::And => "and",
        Op::Or => "or",
        Op::Ite => "ite",
        Op::Eq => "=",
        Op::Le => "<=",
        Op::Add => "+",
        Op::Mul => "*",
        Op::IntDiv => "div",
        Op::Mod => "mod",
        Op::RealDiv => "/",
        Op::ToReal => "to_real",
        Op::ToInt => "to_int",
        Op::Select => "select",
        Op::Store => "store",
        Op::BitAnd => "bitand",
        Op::BitOr => "bitor",
        Op::BitXor => "bitxor",
        Op::Shl => "shl",
        Op::Shr => "shr",
        Op::CDiv => "cdiv",
        Op::CRem => "crem",
        _ => "?",
    }
}
