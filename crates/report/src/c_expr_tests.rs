//! Formulas printed as C, in both styles.
#![allow(clippy::unwrap_used)]

use super::*;
use logic::machine::type_range;

fn print(
    style: Style,
    build: impl FnOnce(&mut Pool, TermId, TermId, TermId) -> TermId,
) -> Option<String> {
    let mut pool = Pool::new();
    let int = pool.int_sort();
    let (i, j, u) = (
        pool.constant("i", int),
        pool.constant("j", int),
        pool.constant("u", int),
    );
    let term = build(&mut pool, i, j, u);
    let named = |t: TermId| {
        let (text, range) = match t {
            _ if t == i => ("i", type_range(32, true)),
            _ if t == j => ("j", type_range(32, true)),
            _ if t == u => ("u", type_range(32, false)),
            _ => return None,
        };
        Some(Named {
            text: text.into(),
            range: Some(range),
        })
    };
    c_expr(&pool, term, style, &named)
}

#[test]
fn comparisons() {
    let mixed = |p: &mut Pool, i, _, u| p.le(i, u);
    assert_eq!(
        print(Style::Strict, mixed).unwrap(),
        "(long long)i <= (long long)u"
    );
    assert_eq!(print(Style::People, mixed).unwrap(), "i <= u");
    let negative = |p: &mut Pool, _, _, u| {
        let n = p.int(-1);
        p.gt(u, n)
    };
    assert_eq!(print(Style::Strict, negative).unwrap(), "u >= 0");
}

#[test]
fn arithmetic_does_not_overflow() {
    let sum = |p: &mut Pool, i, j, _| {
        let s = p.add2(i, j);
        let n = p.int(7);
        p.eq(s, n)
    };
    assert_eq!(
        print(Style::Strict, sum).unwrap(),
        "(long long)i + (long long)j == 7"
    );
    assert_eq!(print(Style::People, sum).unwrap(), "i + j == 7");
    // The square of a product of 32-bit values does not fit 64 bits.
    let power = |p: &mut Pool, i, j, _| {
        let s = p.mul(&[i, i, j]);
        let n = p.int(7);
        p.eq(s, n)
    };
    assert_eq!(print(Style::Strict, power), None);
}

#[test]
fn division_by_a_variable_is_dropped() {
    let quotient = |p: &mut Pool, i, j, _| {
        let s = p.c_div(i, j);
        let n = p.int(7);
        p.eq(s, n)
    };
    assert_eq!(print(Style::Strict, quotient), None);
    let remainder = |p: &mut Pool, i, _, _| {
        let two = p.int(2);
        let s = p.c_rem(i, two);
        let n = p.int(1);
        p.eq(s, n)
    };
    assert_eq!(
        print(Style::Strict, remainder).unwrap(),
        "(long long)i % 2 == 1"
    );
}
