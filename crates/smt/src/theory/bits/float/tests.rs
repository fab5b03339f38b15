//! Circuits over constants against `logic::float`, which computes with the machine and `rustc_apfloat`, and
//! small formats in every rounding mode against `rustc_apfloat` itself, exhaustively.

#![allow(clippy::unwrap_used)]

use super::operations::apply;
use super::*;
use logic::float::{Arithmetic, FloatOp, Rounding, pattern};
use logic::{Rational, Value};
use rustc_apfloat::ieee::{IeeeFloat, Semantics};
use rustc_apfloat::{Float, Round};

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }
}

fn word(pool: &Pool, value: u128, width: usize) -> Word {
    (0..width)
        .map(|i| pool.bool_const(value >> i & 1 == 1))
        .collect()
}

fn read(pool: &Pool, word: &[TermId]) -> u128 {
    let bits = word.iter().enumerate().map(|(i, &b)| {
        assert!(b == pool.tt() || b == pool.ff(), "constants fold");
        u128::from(b == pool.tt()) << i
    });
    bits.sum()
}

/// Patterns of which many are special.
fn sample(random: &mut Random, width: Width) -> u128 {
    let bits = width.bits();
    let all = (width.sign() - 1) | width.sign();
    let raw = (u128::from(random.next()) << 64 | u128::from(random.next())) & all;
    let low = width.low();
    let fraction = raw & ((1 << low) - 1);
    let near = (1u128 << (bits - 2 - low)) - 8 + u128::from(random.next() % 16);
    let pattern = match random.next() % 12 {
        0 => 0,
        1 => width.infinity(),
        2 => width.infinity() | 1 << (low - 2),
        3 | 4 => fraction, // subnormal
        5 => fraction >> (random.next() % u64::from(low)),
        6..=9 => near << low | fraction,
        10 => near << low | fraction >> (low / 2) << (low / 2),
        _ => raw,
    };
    let pattern = pattern | (raw & width.sign());
    match width {
        // The leading bit as the machine stores it.
        Width::W80 if pattern & !width.sign() >> 64 != 0 => pattern | 1 << 63,
        _ => pattern,
    }
}

#[test]
fn operations_are_those_of_programs() {
    let mut pool = Pool::new();
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for width in Width::ALL {
        let rounds = [Rounding::Even, Rounding::Down, Rounding::Up];
        let rounds = rounds.into_iter().chain([Rounding::Zero, Rounding::Away]);
        let mut ops: Vec<FloatOp> = rounds.map(|r| FloatOp::Round(r, width)).collect();
        use Arithmetic::*;
        ops.extend([Add, Sub, Mul, Div].map(|a| FloatOp::Arithmetic(a, width)));
        ops.extend([FloatOp::Neg(width), FloatOp::Sqrt(width)]);
        ops.extend(Width::ALL.map(|to| FloatOp::Convert(width, to)));
        for round in 0..400 {
            let (a, b) = (sample(&mut random, width), sample(&mut random, width));
            let number = |n: u128| Value::Num(Rational::from(logic::IBig::from(n)));
            let full = width.bits() as usize;
            let words = [word(&pool, a, full), word(&pool, b, full)];
            for &op in &ops {
                if matches!(op, FloatOp::Convert(x, y) if x == y) {
                    continue;
                }
                let n = op.arity();
                let expected = op.apply(&[number(a), number(b)][..n]).unwrap();
                let got = apply(&mut pool, op, &words[..n]).unwrap();
                let got = number(read(&pool, &got));
                assert_eq!(got, expected, "{round}: {} of {a:#x} {b:#x}", op.name());
            }
            integers(&mut pool, width, a, &words[0], &mut random);
        }
    }
    for _ in 0..60 {
        let width = Width::W32;
        let (a, b) = (sample(&mut random, width), sample(&mut random, width));
        let words = [word(&pool, a, 32), word(&pool, b, 32)];
        let op = FloatOp::Arithmetic(Arithmetic::Rem, width);
        let got = apply(&mut pool, op, &words).unwrap();
        let expected = pattern::arithmetic(Arithmetic::Rem, width, a, b);
        assert_eq!(read(&pool, &got), expected, "fmod of {a:#x} {b:#x}");
    }
}

/// Conversions from and to integers.
fn integers(pool: &mut Pool, width: Width, a: u128, bits: &[TermId], random: &mut Random) {
    let unpacked = unpack(pool, Format::of(width), bits);
    for n in [8usize, 32, 64] {
        let (integer, within) = to_integer(pool, &unpacked, n);
        let expected = pattern::to_integer(width, a).filter(|_| !width.is_nan(a));
        let expected = expected.and_then(|v| i128::try_from(v).ok());
        let half = 1i128 << (n - 1);
        let expected = expected.filter(|v| (-half..half).contains(v));
        assert_eq!(
            within == pool.tt(),
            expected.is_some(),
            "{a:#x} in {n} bits"
        );
        if let Some(v) = expected {
            let mask = (1u128 << n) - 1;
            assert_eq!(read(pool, &integer), v as u128 & mask, "{a:#x} in {n} bits");
        }
    }
    let raw = (random.next() as i64 >> (random.next() % 63)) as i128;
    let integer = word(pool, raw as u128, 70);
    let got = apply(pool, FloatOp::FromInt(width), &[integer]).unwrap();
    let expected = pattern::from_integer(width, &logic::IBig::from(raw));
    assert_eq!(read(pool, &got), expected, "float of {raw}");
}

/// A format of seven bits: three of the exponent, four of the significand.
struct Tiny;
impl Semantics for Tiny {
    const BITS: usize = 7;
    const EXP_BITS: usize = 3;
}
type TinyFloat = IeeeFloat<Tiny>;

#[test]
fn small_formats_are_exact_in_all_modes() {
    let mut pool = Pool::new();
    let format = Format {
        exponent: 3,
        significand: 4,
        explicit: false,
    };
    let modes = [
        Round::NearestTiesToEven,
        Round::NearestTiesToAway,
        Round::TowardPositive,
        Round::TowardNegative,
        Round::TowardZero,
    ];
    let words: Vec<Word> = (0..128).map(|v| word(&pool, v, 7)).collect();
    let unpacked: Vec<Unpacked> = words.iter().map(|w| unpack(&mut pool, format, w)).collect();
    let check = |pool: &Pool, what: &str, got: Packed, expected: TinyFloat| {
        let nan = got.nan == pool.tt();
        assert_eq!(nan, expected.is_nan(), "{what}");
        if !nan {
            assert_eq!(read(pool, &got.bits), expected.to_bits(), "{what}");
        }
    };
    for (k, &rounding) in modes.iter().enumerate() {
        let mode = Mode::fixed(&pool, k);
        for x in 0..128usize {
            let a = TinyFloat::from_bits(x as u128);
            // apfloat adds and takes away 2^3, which overflows for the largest numbers.
            if x % 64 < 40 || x % 64 >= 56 {
                let got = integral(&mut pool, &mode, &unpacked[x], &words[x]);
                let what = format!("integral {k} {x}");
                check(&pool, &what, got, a.round_to_integral(rounding).value);
            }
            for y in 0..128usize {
                let b = TinyFloat::from_bits(y as u128);
                let (u, v) = (&unpacked[x], &unpacked[y]);
                let what = format!("mode {k}: {x} {y}");
                let got = add(&mut pool, &mode, u, v);
                check(&pool, &what, got, a.add_r(b, rounding).value);
                let got = multiply(&mut pool, &mode, u, v);
                check(&pool, &what, got, a.mul_r(b, rounding).value);
                let got = divide(&mut pool, &mode, u, v);
                check(&pool, &what, got, a.div_r(b, rounding).value);
                let z = (x * 7 + y * 13 + k) % 128;
                let c = TinyFloat::from_bits(z as u128);
                let got = fused(&mut pool, &mode, u, v, &unpacked[z]);
                let what = format!("{what} {z}");
                check(&pool, &what, got, a.mul_add_r(b, c, rounding).value);
                if k == 0 {
                    let got = remainder(&mut pool, u, v, &words[x], true, &mut |_| true).unwrap();
                    check(&pool, &what, got, a.ieee_rem(b).value);
                    let got = remainder(&mut pool, u, v, &words[x], false, &mut |_| true).unwrap();
                    check(&pool, &what, got, a.c_fmod(b).value);
                }
            }
        }
    }
}
