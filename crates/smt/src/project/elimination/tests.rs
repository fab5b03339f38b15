//! Projections against brute force: implied by the formula, and equivalent when exact.
#![allow(clippy::unwrap_used)]

use super::eliminate;
use base::Budget;
use logic::{Evaluator, Pool, Rational, SymbolId, TermId, Value};
use proptest::prelude::*;

type Atom = ([i8; 3], i8, u8, bool);

fn formula(pool: &mut Pool, clauses: &[Vec<Atom>]) -> TermId {
    let int = pool.int_sort();
    let vars: Vec<TermId> = ["x", "y", "z"]
        .iter()
        .map(|n| pool.constant(n, int))
        .collect();
    let zero = pool.int(0);
    let mut parts = Vec::new();
    for clause in clauses {
        let mut lits = Vec::new();
        for (c, k, kind, positive) in clause {
            let mut sum = vec![pool.int(i64::from(*k))];
            for (c, &v) in c.iter().zip(&vars) {
                sum.push(pool.mul_const(&Rational::from(i64::from(*c)), v));
            }
            let sum = pool.add(&sum);
            let atom = match kind {
                0 => pool.eq(sum, zero),
                _ => pool.le(sum, zero),
            };
            lits.push(if *positive { atom } else { pool.not(atom) });
        }
        parts.push(pool.or(&lits));
    }
    pool.and(&parts)
}

fn holds(pool: &Pool, t: TermId, values: &[(SymbolId, i64)]) -> bool {
    Evaluator::new(pool, |s| {
        let found = values.iter().find(|v| v.0 == s)?;
        Some(Value::Num(Rational::from(found.1)))
    })
    .holds(t)
}

fn compare(clauses: &[Vec<Atom>], count: usize) -> Result<(), TestCaseError> {
    let mut pool = Pool::new();
    let f = formula(&mut pool, clauses);
    let symbols: Vec<SymbolId> = ["x", "y", "z"]
        .iter()
        .map(|n| pool.symbol_named(n).unwrap())
        .collect();
    let Some(p) = eliminate(&mut pool, f, &symbols[..count], &Budget::unlimited()) else {
        return Ok(());
    };
    // Witnesses of small kept values are small: coefficients and constants are at most 3.
    let wide = if count == 1 { 40 } else { 14 };
    for z in -3..=3 {
        for y in if count == 1 { -3..=3 } else { 0..=0 } {
            let kept = [(symbols[1], y), (symbols[2], z)];
            let mut exists = false;
            for x in -wide..=wide {
                for inner in if count == 1 { y..=y } else { -wide..=wide } {
                    let values = [(symbols[0], x), (symbols[1], inner), (symbols[2], z)];
                    exists |= holds(&pool, f, &values);
                }
            }
            let projected = holds(&pool, p.formula, &kept);
            prop_assert!(!exists || projected, "not implied at {:?}", kept);
            if p.exact && count == 1 {
                prop_assert!(exists == projected, "not exact at {:?}", kept);
            }
        }
    }
    Ok(())
}

fn clauses() -> impl Strategy<Value = Vec<Vec<Atom>>> {
    let atom = ([-2..3i8, -2..3i8, -2..3i8], -3..4i8, 0..3u8, any::<bool>());
    prop::collection::vec(prop::collection::vec(atom, 1..3), 1..4)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn one_variable(c in clauses()) {
        compare(&c, 1)?;
    }

    #[test]
    fn two_variables(c in clauses()) {
        compare(&c, 2)?;
    }
}

/// The strongest postcondition of a store: the old array is gone, the read is known.
#[test]
fn stores_are_turned_around() {
    let mut pool = Pool::new();
    let int = pool.int_sort();
    let sort = pool.array_sort(int, int);
    let (old, new) = (pool.constant("old", sort), pool.constant("new", sort));
    let (i, five) = (pool.constant("i", int), pool.int(5));
    let (one, two) = (pool.int(1), pool.int(2));
    let stored = pool.store(old, i, five);
    let read = pool.select(old, one);
    let parts = [pool.eq(new, stored), pool.eq(read, two)];
    let f = pool.and(&parts);
    let symbol = pool.as_constant(old).unwrap();
    let p = eliminate(&mut pool, f, &[symbol], &Budget::unlimited()).unwrap();
    // new[i] = 5 and (i = 1 or new[1] = 2)
    let (at_i, at_one) = (pool.select(new, i), pool.select(new, one));
    let (wrote, same) = (pool.eq(at_i, five), pool.eq(i, one));
    let kept = pool.eq(at_one, two);
    for seed in 0..2000u32 {
        let digit = |n: u32| Value::Num(Rational::from(i64::from(seed / 3u32.pow(n) % 3)));
        let mut array = logic::ArrayValue {
            default: Value::Num(Rational::from(7)),
            entries: Default::default(),
        };
        for k in 0..3 {
            let value = match seed / 3u32.pow(k) % 3 {
                0 => 2,
                1 => 5,
                _ => 6,
            };
            array.set(
                Value::Num(Rational::from(i64::from(k))),
                Value::Num(Rational::from(value)),
            );
        }
        let array = Value::Array(std::sync::Arc::new(array));
        let (new_s, i_s) = (pool.as_constant(new), pool.as_constant(i));
        let mut e = Evaluator::new(&pool, |s| match Some(s) {
            x if x == new_s => Some(array.clone()),
            x if x == i_s => Some(digit(3)),
            _ => None,
        });
        let expected = e.holds(wrote) && (e.holds(same) || e.holds(kept));
        assert_eq!(e.holds(p.formula), expected);
    }
}
