//! Random terms over words of four bits: sums that share circuits, and equations that are solved, against all values.

#![allow(clippy::unwrap_used)]

use super::*;
use crate::{Answer, Solver};
use base::Random;
use logic::{Memo, Model, Rational, Sort, Value};

fn term(pool: &mut Pool, random: &mut Random, vars: &[TermId], depth: usize) -> TermId {
    use WordOp::*;
    let sort = pool.sort_of(vars[0]);
    if depth == 0 || random.below(6) == 0 {
        return match random.below(3) {
            0 => pool.word_num(&IBig::from(random.below(16)), sort),
            _ => vars[random.below(vars.len() as u64) as usize],
        };
    }
    let a = term(pool, random, vars, depth - 1);
    let b = term(pool, random, vars, depth - 1);
    let mut apply = |op: WordOp, args: &[TermId]| pool.word(op, args).unwrap();
    match random.below(12) {
        0..=2 => apply(Add, &[a, b]),
        3 | 4 => apply(Sub, &[a, b]),
        5 => apply(Mul, &[a, b]),
        6 => apply(Neg, &[a]),
        7 => apply(Not, &[a]),
        8 => apply(Shl, &[a, b]),
        9 => apply(Xor, &[a, b]),
        10 => {
            // The same number, through its halves.
            let (high, low) = (apply(Extract(3, 2), &[a]), apply(Extract(1, 0), &[a]));
            apply(Concat, &[high, low])
        }
        _ => {
            let less = apply(Ult, &[a, b]);
            pool.ite(less, a, b)
        }
    }
}

fn formula(pool: &mut Pool, random: &mut Random, vars: &[TermId]) -> TermId {
    let a = term(pool, random, vars, 3);
    let b = term(pool, random, vars, 2);
    match random.below(5) {
        0 => pool.word(WordOp::Slt, &[a, b]).unwrap(),
        1 => {
            let same = pool.eq(a, b);
            pool.not(same)
        }
        2 => {
            let x = vars[random.below(vars.len() as u64) as usize];
            pool.eq(x, a)
        }
        _ => pool.eq(a, b),
    }
}

/// All values of three words of four bits.
fn models(pool: &Pool, vars: &[TermId]) -> impl Iterator<Item = Model> {
    let symbols: Vec<_> = vars.iter().map(|&v| pool.as_constant(v).unwrap()).collect();
    (0..1i64 << 12).map(move |n| {
        let mut model = Model::default();
        for (k, &s) in symbols.iter().enumerate() {
            let value = Rational::from((n >> (4 * k)) & 15);
            model.constants.insert(s, Value::Num(value));
        }
        model
    })
}

#[test]
fn solved_scripts_agree_with_all_values() {
    let (mut unsat, mut solved_some, budget) = (0, 0, Budget::unlimited());
    for seed in 0..300 {
        let mut random = Random::new(seed + 1);
        let mut pool = Pool::new();
        let sort = pool.sort(Sort::BitVec(4));
        let vars = ["x", "y", "z"].map(|n| pool.constant(n, sort));
        let count = 2 + random.below(4);
        let list: Vec<TermId> = (0..count)
            .map(|_| formula(&mut pool, &mut random, &vars))
            .collect();
        let all = pool.and(&list);
        let expected = models(&pool, &vars).any(|m| Memo::new().holds(&pool, &m, all));
        let solved = solve(&mut pool, &list, &budget).unwrap().unwrap();
        solved_some += usize::from(!solved.order.is_empty());
        let (mut words, mut solver) = (Words::new(), Solver::new());
        for &f in &solved.formulas {
            let image = words.translate(&mut pool, f, &budget).unwrap();
            solver.assert(&mut pool, image);
        }
        let answer = solver.check(&mut pool, &[], &budget);
        assert_eq!(answer == Answer::Sat, expected, "{seed}");
        if answer == Answer::Sat {
            let mut bits = solver.model(&mut pool);
            let mut model = bits.clone();
            words.complete(&pool, &mut model);
            let order = &solved.order;
            words
                .complete_solved(&mut pool, &mut model, &mut bits, order, &budget)
                .unwrap();
            assert!(Memo::new().holds(&pool, &model, all), "{seed}: the model");
        }
        unsat += usize::from(answer == Answer::Unsat);
    }
    assert!(unsat > 50 && solved_some > 100, "{unsat} {solved_some}");
}

/// What is computed in two ways has one circuit.
#[test]
fn equal_sums_are_equal() {
    let mut pool = Pool::new();
    let sort = pool.sort(Sort::BitVec(32));
    let [a, b] = ["a", "b"].map(|n| pool.constant(n, sort));
    let three = pool.word_num(&IBig::from(3), sort);
    let mut w = |op: WordOp, args: &[TermId]| pool.word(op, args).unwrap();
    let sum = w(WordOp::Add, &[a, b]);
    let twice = w(WordOp::Add, &[sum, sum]);
    let thrice = w(WordOp::Add, &[twice, sum]);
    let other = w(WordOp::Add, &[b, a]);
    let scaled = w(WordOp::Mul, &[three, other]);
    let off = w(WordOp::Add, &[scaled, three]);
    // Through its halves and back, and one more on the way.
    let (high, low) = (
        w(WordOp::Extract(31, 16), &[sum]),
        w(WordOp::Extract(15, 0), &[sum]),
    );
    let again = w(WordOp::Concat, &[high, low]);
    let (far, near) = (
        w(WordOp::Add, &[again, three]),
        w(WordOp::Add, &[three, sum]),
    );
    let same = pool.eq(far, near);
    let equal = pool.eq(thrice, scaled);
    let apart = pool.eq(thrice, off);
    let mut words = Words::new();
    let budget = Budget::unlimited();
    assert_eq!(words.translate(&mut pool, same, &budget), Ok(pool.tt()));
    assert_eq!(words.translate(&mut pool, equal, &budget), Ok(pool.tt()));
    assert_eq!(words.translate(&mut pool, apart, &budget), Ok(pool.ff()));
}
