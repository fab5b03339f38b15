//! What other solvers need before they can read our terms: declarations of sorts and symbols, and
//! definitions of the machine operators.
//!
//! Wrapping, C division and shifts are defined exactly. `bit.and`, `bit.or` and `bit.xor` go
//! through bit-vectors of [`WIDTH`] bits and are exact for arguments in `-2^(WIDTH-1) ..
//! 2^(WIDTH-1)`, which holds all signed and unsigned 64-bit values.

use super::builtin::machine_name;
use super::name::print_symbol;
use super::print::print_sort;
use crate::eval::ZERO_DIVISIONS;
use crate::{Op, Pool, Rational, Sort, SymbolId, TermId, zero_division_name};
use std::fmt::Write;

/// Bits in which the bitwise operators are defined.
pub const WIDTH: usize = 65;

/// Definitions of the machine operators and of division by zero that `terms` use, a line each.
pub fn prelude(pool: &Pool, terms: &[TermId]) -> String {
    prelude_with(pool, terms, &|_| false)
}

/// As [`prelude`], but the binary operators for which `loose` holds are only declared: whoever reads
/// the terms takes them for uninterpreted functions.
pub fn prelude_with(pool: &Pool, terms: &[TermId], loose: &dyn Fn(Op) -> bool) -> String {
    let mut ops: Vec<Op> = Vec::new();
    for t in pool.post_order(terms) {
        let op = match pool.op(t) {
            // Division by zero as a function of its own.
            Op::App(s) => match zero_division(pool, s) {
                Some(op) => op,
                None => continue,
            },
            op if machine_name(op).is_some() => op,
            _ => continue,
        };
        if !ops.contains(&op) {
            ops.push(op);
        }
    }
    ops.sort_by_key(|&op| (machine_name(op), zero_name(op)));
    let mut out = String::new();
    for op in ops {
        if let Some(name) = machine_name(op).filter(|_| loose(op)) {
            let _ = writeln!(out, "(declare-fun {name} (Int Int) Int)");
            continue;
        }
        for line in definition(op) {
            out.push_str(&line);
            out.push('\n');
        }
    }
    out
}

/// Declarations of the uninterpreted sorts and the symbols of `terms`, a line each.
pub fn declarations(pool: &Pool, terms: &[TermId]) -> String {
    let mut out = String::new();
    let symbols = pool.symbols_of(terms);
    let mut sorts = Vec::new();
    for &s in &symbols {
        let data = pool.symbol_data(s);
        sorts.extend(data.args.iter().copied());
        sorts.push(data.sort);
    }
    let mut seen = base::FxHashSet::default();
    while let Some(s) = sorts.pop() {
        if !seen.insert(s) {
            continue;
        }
        match pool.sort_kind(s) {
            Sort::Array(i, e) => sorts.extend([*i, *e]),
            Sort::Uninterpreted(name) => {
                let _ = writeln!(out, "(declare-sort {} 0)", print_symbol(name));
            }
            _ => {}
        }
    }
    for &s in &symbols {
        if zero_division(pool, s).is_none() {
            let _ = writeln!(out, "{}", declaration(pool, s));
        }
    }
    out
}

/// The `declare-fun` of a symbol.
pub fn declaration(pool: &Pool, symbol: SymbolId) -> String {
    let data = pool.symbol_data(symbol);
    let args: Vec<String> = data.args.iter().map(|&a| print_sort(pool, a)).collect();
    format!(
        "(declare-fun {} ({}) {})",
        print_symbol(&data.name),
        args.join(" "),
        print_sort(pool, data.sort)
    )
}

/// Is this the text of one of our own definitions? Then reading it may be skipped.
pub(super) fn is_own_definition(name: &str, text: &str) -> bool {
    let op = super::builtin::machine_op(name).or_else(|| zero_division_op(name));
    op.is_some_and(|op| definition(op).iter().any(|line| line == text))
}

fn zero_division(pool: &Pool, symbol: SymbolId) -> Option<Op> {
    zero_division_op(&pool.symbol_data(symbol).name)
}

/// The division whose value at divisor 0 has this name.
pub(super) fn zero_division_op(name: &str) -> Option<Op> {
    ZERO_DIVISIONS
        .into_iter()
        .find(|&op| zero_division_name(op) == name)
}

fn zero_name(op: Op) -> Option<&'static str> {
    ZERO_DIVISIONS.contains(&op).then(|| zero_division_name(op))
}

fn definition(op: Op) -> Vec<String> {
    let name = machine_name(op).unwrap_or_default();
    let binary = |body: String| format!("(define-fun {name} ((a Int) (b Int)) Int {body})");
    let through_bits = |operator: &str| {
        let half = Rational::power_of_two(WIDTH - 1);
        let whole = Rational::power_of_two(WIDTH);
        binary(format!(
            "(let ((r (bv2nat ({operator} ((_ int2bv {WIDTH}) a) ((_ int2bv {WIDTH}) b))))) \
             (ite (>= r {half}) (- r {whole}) r))"
        ))
    };
    // One case for each shift distance that means something.
    let shift = |operator: &str, beyond: &str| {
        let mut body = String::new();
        for n in 0..=255 {
            let _ = write!(
                body,
                "(ite (= b {n}) ({operator} a {}) ",
                Rational::power_of_two(n)
            );
        }
        body.push_str(beyond);
        body.push_str(&")".repeat(256));
        binary(body)
    };
    match op {
        Op::Wrap { bits, signed } => {
            let modulus = Rational::power_of_two(bits as usize);
            let body = if signed {
                let half = Rational::power_of_two(bits as usize - 1);
                format!("(- (mod (+ a {half}) {modulus}) {half})")
            } else {
                format!("(mod a {modulus})")
            };
            vec![format!("(define-fun {name} ((a Int)) Int {body})")]
        }
        Op::BitAnd => vec![through_bits("bvand")],
        Op::BitOr => vec![through_bits("bvor")],
        Op::BitXor => vec![through_bits("bvxor")],
        Op::Shl => vec![shift("*", "0")],
        Op::Shr => vec![shift("div", "(ite (< a 0) (- 1) 0)")],
        Op::CDiv => vec![
            "(declare-fun zero!cdiv (Int) Int)".into(),
            binary("(ite (= b 0) (zero!cdiv a) (ite (>= a 0) (div a b) (div (- a) (- b))))".into()),
        ],
        Op::CRem => vec![
            "(declare-fun zero!crem (Int) Int)".into(),
            binary("(ite (= b 0) (zero!crem a) (ite (>= a 0) (mod a b) (- (mod (- a) b))))".into()),
        ],
        Op::IntDiv => vec!["(define-fun zero!div ((a Int)) Int (div a 0))".into()],
        Op::Mod => vec!["(define-fun zero!mod ((a Int)) Int (mod a 0))".into()],
        Op::RealDiv => vec!["(define-fun zero!rdiv ((a Real)) Real (/ a 0.0))".into()],
        _ => Vec::new(),
    }
}
