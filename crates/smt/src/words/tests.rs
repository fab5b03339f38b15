//! Circuits over constants: bit-vector operators against `logic::word`, floats against `rustc_apfloat`.

#![allow(clippy::unwrap_used)]

use super::*;
use crate::{Answer, Solver};
use logic::{Memo, Rational, Sort, Value};
use rustc_apfloat::ieee::Half;
use rustc_apfloat::{Float, Round, StatusAnd};

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 16
    }
}

fn read(pool: &Pool, word: &[TermId]) -> u64 {
    let bits = word.iter().enumerate().map(|(i, &b)| {
        assert!(b == pool.tt() || b == pool.ff(), "constants fold");
        u64::from(b == pool.tt()) << i
    });
    bits.sum()
}

#[test]
fn bit_vector_circuits_compute_what_evaluation_does() {
    use WordOp::*;
    let mut pool = Pool::new();
    let mut random = Random(7);
    let ops = [
        Not,
        Neg,
        And,
        Or,
        Xor,
        Add,
        Sub,
        Mul,
        Udiv,
        Urem,
        Sdiv,
        Srem,
        Smod,
        Shl,
        Lshr,
        Ashr,
        Comp,
        Ult,
        Ule,
        Slt,
        Sle,
        Concat,
        ZeroExtend(3),
        SignExtend(3),
        NegOverflow,
        UaddOverflow,
        SaddOverflow,
        UsubOverflow,
        SsubOverflow,
        UmulOverflow,
        SmulOverflow,
        SdivOverflow,
        Extract(0, 0),
        Bit(0),
    ];
    for width in [1u32, 2, 3, 4, 7, 16] {
        let sort = pool.sort(Sort::BitVec(width));
        for op in ops {
            let unary = matches!(op, Not | Neg | ZeroExtend(_) | SignExtend(_) | NegOverflow)
                || matches!(op, Extract(..) | Bit(_));
            for _ in 0..60 {
                let count = if unary { 1 } else { 2 };
                let edge = [0, 1, u64::MAX, 1 << (width - 1)];
                let number = |r: &mut Random| match r.next() % 3 {
                    0 => edge[(r.next() % 4) as usize],
                    _ => r.next(),
                };
                let args: Vec<TermId> = (0..count)
                    .map(|_| pool.word_num(&IBig::from(number(&mut random)), sort))
                    .collect();
                let folded = pool.word(op, &args).unwrap();
                let mut words = Words::new();
                let budget = Budget::unlimited();
                let images: Vec<Rc<Word>> = args
                    .iter()
                    .map(|&a| words.bits(&mut pool, a, &budget).unwrap())
                    .collect();
                let word = bits::apply(&mut pool, op, &images, &budget).unwrap();
                let expected = match Memo::new().eval(&pool, &logic::Model::default(), folded) {
                    Value::Bool(b) => u64::from(b),
                    Value::Num(n) => u64::try_from(n.to_integer().unwrap()).unwrap(),
                    _ => unreachable!(),
                };
                assert_eq!(read(&pool, &word), expected, "{op:?} of {width} bits");
            }
        }
    }
}

const MODES: [Round; 5] = [
    Round::NearestTiesToEven,
    Round::NearestTiesToAway,
    Round::TowardPositive,
    Round::TowardNegative,
    Round::TowardZero,
];

fn half(r: &mut Random) -> u64 {
    let raw = r.next() & 0xffff;
    match r.next() % 8 {
        0 => [0, 0x8000, 0x7c00, 0xfc00, 0x7e00, 0x3c00, 0x0001, 0x7bff][(raw % 8) as usize],
        1 => raw & 0x83ff,
        2..=4 => (raw & 0x83ff) | (13 + raw % 7) << 10,
        _ => raw,
    }
}

/// The pattern of a result, NaNs made one.
fn pattern(f: Half) -> u64 {
    if f.is_nan() {
        return 0x7e00;
    }
    f.to_bits() as u64
}

#[test]
fn operators_on_floats_are_ieee() {
    let mut pool = Pool::new();
    let mut r = Random(99);
    let (sort, modes) = (pool.sort(Sort::Float(5, 11)), pool.sort(Sort::Rounding));
    let budget = Budget::unlimited();
    let mut words = Words::new();
    for _ in 0..400 {
        let k = (r.next() % 5) as usize;
        let mode = pool.num(Rational::from(k as i64), modes);
        let bits = [half(&mut r), half(&mut r), half(&mut r)];
        let [x, y, z] = bits.map(|b| pool.word_num(&IBig::from(b), sort));
        let [a, b, c] = bits.map(|b| Half::from_bits(u128::from(b)));
        let round = MODES[k];
        let value = |s: StatusAnd<Half>| Some(pattern(s.value));
        use FpOp::*;
        let rounded = [
            (Add, vec![x, y], value(a.add_r(b, round))),
            (Sub, vec![x, y], value(a.sub_r(b, round))),
            (Mul, vec![x, y], value(a.mul_r(b, round))),
            (Div, vec![x, y], value(a.div_r(b, round))),
            (Fma, vec![x, y, z], value(a.mul_add_r(b, c, round))),
            (Integral, vec![x], value(a.round_to_integral(round))),
            (ToSigned(9), vec![x], {
                let result = a.to_i128_r(9, round, &mut false);
                let fits = !result.status.intersects(rustc_apfloat::Status::INVALID_OP);
                fits.then_some(result.value as u64 & 0x1ff)
            }),
            (ToUnsigned(9), vec![x], {
                let result = a.to_u128_r(9, round, &mut false);
                let fits = !result.status.intersects(rustc_apfloat::Status::INVALID_OP);
                fits.then_some(result.value as u64)
            }),
        ];
        let plain = [
            (Rem, vec![x, y], value(a.ieee_rem(b))),
            (Lt, vec![x, y], Some(u64::from(a < b))),
            (Le, vec![x, y], Some(u64::from(a <= b))),
            (Eq, vec![x, y], Some(u64::from(a == b))),
            (IsZero, vec![x], Some(u64::from(a.is_zero()))),
            (IsNormal, vec![x], Some(u64::from(a.is_normal()))),
            (IsSubnormal, vec![x], Some(u64::from(a.is_denormal()))),
            (IsNan, vec![x], Some(u64::from(a.is_nan()))),
            (IsInfinite, vec![x], Some(u64::from(a.is_infinite()))),
            (
                IsNegative,
                vec![x],
                Some(u64::from(a.is_negative() && !a.is_nan())),
            ),
        ];
        let rounded = rounded.into_iter().map(|(op, args, want)| {
            let args = [mode].into_iter().chain(args).collect::<Vec<_>>();
            (op, args, want)
        });
        for (op, args, expected) in rounded.chain(plain) {
            // What has no integer is left open.
            let Some(expected) = expected else { continue };
            let t = pool.word(WordOp::Float(op), &args).unwrap();
            let found = match pool.shape(pool.sort_of(t)) {
                Some(_) => words.bits(&mut pool, t, &budget).unwrap().to_vec(),
                None => vec![words.translate(&mut pool, t, &budget).unwrap()],
            };
            assert_eq!(read(&pool, &found), expected, "{op:?} {round:?} {bits:x?}");
        }
    }
}

/// All finite numbers of formats with few exponents: the integer beside the largest is none of the format.
#[test]
fn integers_beside_the_largest_float() {
    let mut pool = Pool::new();
    let modes = pool.sort(Sort::Rounding);
    let budget = Budget::unlimited();
    for (e, s) in [(2, 6), (3, 4), (3, 5), (4, 4)] {
        let sort = pool.sort(Sort::Float(e, s));
        let (mask, bias) = ((1u64 << e) - 1, (1i32 << (e - 1)) - 1);
        for bits in 0..1u64 << (e + s) {
            let (sign, exponent) = (bits >> (e + s - 1), (bits >> (s - 1)) & mask);
            if exponent == mask {
                continue;
            }
            let fraction = (bits & ((1 << (s - 1)) - 1)) as f64 / f64::from(1 << (s - 1));
            let size = match exponent {
                0 => fraction * 2f64.powi(1 - bias),
                _ => (1.0 + fraction) * 2f64.powi(exponent as i32 - bias),
            };
            let value = if sign == 1 { -size } else { size };
            let value: Half = format!("{value}").parse().unwrap();
            let x = pool.word_num(&IBig::from(bits), sort);
            for (k, round) in MODES.into_iter().enumerate() {
                let mode = pool.num(Rational::from(k as i64), modes);
                let expected = value.to_i128_r(12, round, &mut false).value;
                for (op, fits) in [
                    (FpOp::ToSigned(12), true),
                    (FpOp::ToUnsigned(12), expected >= 0),
                ] {
                    if !fits {
                        continue;
                    }
                    let t = pool.word(WordOp::Float(op), &[mode, x]).unwrap();
                    let found = Words::new().bits(&mut pool, t, &budget).unwrap();
                    let expected = expected as u64 & 0xfff;
                    assert_eq!(read(&pool, &found), expected, "{op:?} {round:?} {bits:x}");
                }
            }
        }
    }
}

#[test]
fn decimals_are_rounded_as_the_mode_says() {
    let mut pool = Pool::new();
    let modes = pool.sort(Sort::Rounding);
    let budget = Budget::unlimited();
    for text in [
        "0.1",
        "1.0",
        "0.333333333333333333333",
        "65519.99",
        "65520.0",
        "70000.0",
        "0.00000001",
        "0.00000006",
    ] {
        for (k, round) in MODES.into_iter().enumerate() {
            for negative in [false, true] {
                let mut value = Rational::parse_decimal(text).unwrap();
                if negative {
                    value = -&value;
                }
                let text = format!("{}{text}", if negative { "-" } else { "" });
                let expected = pattern(Half::from_str_r(&text, round).unwrap().value);
                let mode = pool.num(Rational::from(k as i64), modes);
                let number = pool.num(value, pool.real_sort());
                let op = WordOp::Float(FpOp::FromReal(5, 11));
                let t = pool.word(op, &[mode, number]).unwrap();
                let found = Words::new().bits(&mut pool, t, &budget).unwrap();
                assert_eq!(read(&pool, &found), expected, "{text} {round:?}");
            }
        }
    }
}

/// An equality between two words of a function is decided by bits, and the checker knows why.
#[test]
fn refutations_with_words_are_checked() {
    let mut pool = Pool::new();
    let sort = pool.sort(Sort::BitVec(1));
    let f = pool.symbol("f", &[sort], sort);
    let list: Vec<TermId> = ["x", "y", "z"]
        .iter()
        .map(|n| {
            let x = pool.constant(n, sort);
            pool.app(f, &[x])
        })
        .collect();
    // Three values of one bit.
    let goal = pool.distinct(&list);
    let budget = Budget::unlimited();
    let image = Words::new().translate(&mut pool, goal, &budget).unwrap();
    let mut solver = Solver::with_proof();
    solver.assert(&mut pool, image);
    assert_eq!(solver.check(&mut pool, &[], &budget), Answer::Unsat);
    let refutation = solver.refutation().unwrap().clone();
    crate::proof::check::check(&mut pool, &refutation, &[image]).unwrap();
}

/// The interpolants of parts of a script.
fn interpolants(text: &str, parent: &[usize]) -> (Pool, Vec<TermId>, Option<Vec<TermId>>) {
    use logic::smtlib::{CommandKind, NoHooks, ScriptReader};
    let mut pool = Pool::new();
    let mut reader = ScriptReader::new(text).with_words();
    let mut parts = Vec::new();
    while let Some(next) = reader.next(&mut pool, &mut NoHooks) {
        if let Ok(CommandKind::Assert { term, .. }) = next.map(|c| c.kind) {
            parts.push(term);
        }
    }
    assert_eq!(parts.len(), parent.len());
    let mut words = Words::new();
    let list = words.interpolants(&mut pool, &parts, parent, &Budget::unlimited());
    (pool, parts, list)
}

#[test]
fn interpolants_speak_of_words() {
    let head = "(declare-fun x () (_ BitVec 16)) (declare-fun y () (_ BitVec 16)) (declare-fun z () (_ BitVec 16))
        (declare-fun p () (_ BitVec 16)) (declare-fun q () (_ BitVec 16)) (declare-fun r () (_ BitVec 16))";
    let problems: [(&str, &[usize]); 6] = [
        // Equations.
        (
            "(assert (= x (bvadd p #x0001))) (assert (and (= y (bvmul x #x0003)) (= q p))) (assert (not (= y (bvadd (bvmul q #x0003) #x0003))))",
            &[1, 2, 2],
        ),
        // The second side's.
        (
            "(assert (bvult (bvand x p) (bvand x #x0010))) (assert (and (= r x) (= (bvand r #x0010) #x0000)))",
            &[1, 1],
        ),
        // Orders, bounds.
        (
            "(assert (and (bvult x p) (bvult p y))) (assert (bvuge x y))",
            &[1, 1],
        ),
        (
            "(assert (and (bvult p #x0020) (= x (bvlshr p #x0002)))) (assert (bvugt x #x0007))",
            &[1, 1],
        ),
        (
            "(assert (and (bvsgt p #x0003) (bvslt p #x0100) (= x (bvadd p (bvand q #x0001))))) (assert (bvslt x #x0004))",
            &[1, 1],
        ),
        // A tree.
        (
            "(assert (= x (bvshl p #x0001))) (assert (= y (bvshl q #x0001))) (assert (and (= z (bvadd x y)) (= ((_ extract 0 0) z) #b1)))",
            &[2, 2, 2],
        ),
    ];
    for (n, (text, parent)) in problems.into_iter().enumerate() {
        let (pool, parts, list) = interpolants(&format!("{head} {text}"), parent);
        let list = list.unwrap_or_else(|| panic!("{n}: none"));
        assert_eq!(list.len() + 1, parts.len());
        for &f in &list {
            let single = |t: &TermId| matches!(pool.word_operation(*t), Some(WordOp::Bit(_)));
            // Of a product's parity there is nothing but a bit to say.
            let inside = pool.post_order(&[f]);
            assert!(n == 5 || !inside.iter().any(single), "{n}: {f}");
        }
    }
}

/// What is not contradictory has none, and the check at the end refuses what does not follow or has symbols of one side.
#[test]
fn interpolants_of_words_are_verified() {
    let head = "(declare-fun x () (_ BitVec 8)) (declare-fun y () (_ BitVec 8)) (declare-fun z () (_ BitVec 8))";
    let text = "(assert (bvult x y)) (assert (bvult x z))";
    assert!(interpolants(&format!("{head} {text}"), &[1, 1]).2.is_none());
    let text = "(assert (and (bvult x y) (= z z))) (assert (and (= x z) (= x #xff)))";
    let (mut pool, parts, list) = interpolants(&format!("{head} {text}"), &[1, 1]);
    let budget = Budget::unlimited();
    let good = list.unwrap();
    let wrong = [
        pool.tt(),
        pool.ff(),
        // Of one side.
        parts[0],
        parts[1],
    ];
    let mut words = Words::new();
    let mut verdict = |pool: &mut Pool, f: TermId| {
        let all = words.verified(pool, &parts, &[1, 1], &[f], &budget);
        all.unwrap()
    };
    assert!(verdict(&mut pool, good[0]));
    for f in wrong {
        assert!(!verdict(&mut pool, f), "{f}");
    }
}
