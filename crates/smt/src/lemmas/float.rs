//! Operations on floats: what follows from the order of their patterns.
//!
//! Rounding is monotone, so every operation is monotone in the magnitudes of its operands while signs stay (sums: in
//! the operands themselves). A model with a wrong result violates a *corner*: `a` up to this and `b` up to that give
//! at most so much, and the same from below. The corner is taken as far away from the model as it is still
//! violated, so that lemmas are few and speak of round numbers. At last there is the value itself.
//!
//! Patterns of one sign are ordered as magnitudes, so most corners are intervals of patterns; sums use
//! the key that orders all numbers ([`Pool::float_key`]).

use super::build::{at_least, at_most, is, when};
use super::float_relations::relations;
use crate::theory::bits::bound_of;
use logic::float::{Arithmetic, FloatOp, Width};
use logic::{IBig, Pool, Rational, TermId, Value};

/// Bits below the leading one that corners keep, from far to near; the first is beyond all.
const COARSE: [Option<u32>; 12] = [
    None,
    Some(0),
    Some(1),
    Some(2),
    Some(3),
    Some(4),
    Some(5),
    Some(6),
    Some(8),
    Some(10),
    Some(14),
    Some(1000),
];

/// The range of results.
pub fn axioms(pool: &mut Pool, t: TermId) -> Vec<TermId> {
    let width = logic::float::operation(pool, t).and_then(result);
    let Some(width) = width else {
        return Vec::new();
    };
    let most = integer((width.sign() - 1) | width.sign());
    let mut out = vec![at_least(pool, t, &Rational::ZERO), at_most(pool, t, &most)];
    // What is no number is never made of a number of another kind.
    if let Some(FloatOp::FromInt(_)) = logic::float::operation(pool, t) {
        out.push(pool.float_is_number(width, t));
    }
    out
}

/// The format of the result, if it is a pattern.
pub(crate) fn result(op: FloatOp) -> Option<Width> {
    match op {
        FloatOp::ToInt(_) => None,
        FloatOp::Convert(_, to) => Some(to),
        _ => Some(op.width()),
    }
}

fn integer(n: u128) -> Rational {
    Rational::from(IBig::from(n))
}

/// Lemmas for these values of the operands; `None` after the last tier.
pub fn tier(
    pool: &mut Pool,
    t: TermId,
    op: FloatOp,
    values: &[Rational],
    tier: u32,
) -> Option<Vec<TermId>> {
    if tier == 1 {
        return Some(relations(pool, t, op));
    }
    let index = (tier - 2) as usize;
    if let Some(&coarse) = COARSE.get(index) {
        let mut out = Vec::new();
        for upper in [true, false] {
            let points = points(op, values, coarse, upper);
            let lemma = points.and_then(|p| corner(pool, t, op, &p, upper));
            out.extend(lemma);
        }
        return Some(out);
    }
    (index == COARSE.len()).then(|| {
        let mut out = Vec::from_iter(undefined(pool, t, op, values));
        out.extend(at(pool, t, op, values));
        out
    })
}

/// A lemma of some tier, by the numbers in it.
pub fn is_instance(pool: &mut Pool, t: TermId, op: FloatOp, formula: TermId) -> bool {
    let args = pool.args(t).to_vec();
    let mut found: Vec<Vec<Rational>> = vec![Vec::new(); args.len()];
    for (i, &a) in args.iter().enumerate() {
        found[i].extend(pool.as_number(a).cloned());
        let key = pool.float_key(op.width(), a);
        let sign = integer(op.width().sign());
        for part in pool.disjuncts(formula) {
            let bound = bound_of(pool, part, false).or_else(|| equals(pool, part));
            let Some((u, n, _)) = bound else { continue };
            let n = Rational::from(n);
            if u == a {
                found[i].push(n);
            } else if u == key {
                found[i].push(if n.is_negative() { &sign - &n } else { n });
            }
        }
        found[i].sort();
        found[i].dedup();
    }
    if relations(pool, t, op).contains(&formula) {
        return true;
    }
    let nan = integer(op.width().nan());
    if undefined(pool, t, op, &vec![nan; args.len()]).contains(&formula) {
        return true;
    }
    let mut combinations: Vec<Vec<Rational>> = vec![Vec::new()];
    for choices in found {
        let longer = combinations.iter().flat_map(|c| {
            choices.iter().map(move |n| {
                let mut c = c.clone();
                c.push(n.clone());
                c
            })
        });
        combinations = longer.collect();
    }
    combinations.iter().any(|values| {
        let corners = [true, false].into_iter();
        let mut lemmas: Vec<TermId> = corners
            .filter_map(|upper| corner(pool, t, op, values, upper))
            .collect();
        lemmas.extend(at(pool, t, op, values));
        lemmas.contains(&formula)
    })
}

/// A hypothesis `a = n`, as its negation stands in a clause.
fn equals(pool: &Pool, part: TermId) -> Option<(TermId, IBig, bool)> {
    if pool.op(part) != logic::Op::Not {
        return None;
    }
    let e = pool.args(part)[0];
    let [a, b] = *pool.args(e) else { return None };
    if pool.op(e) != logic::Op::Eq || !pool.is_arith(pool.sort_of(a)) {
        return None;
    }
    let form = pool
        .linear(a)
        .add_scaled(&Rational::MINUS_ONE, &pool.linear(b));
    let [(t, c)] = &form.terms[..] else {
        return None;
    };
    let n = &-&form.constant / c;
    Some((*t, n.to_integer()?, true))
}

/// Both operands as they are give the value.
fn at(pool: &mut Pool, t: TermId, op: FloatOp, values: &[Rational]) -> Option<TermId> {
    let result = apply(op, values)?;
    let args = pool.args(t).to_vec();
    let mut guards = Vec::new();
    for (&a, v) in args.iter().zip(values) {
        guards.push(is(pool, a, v));
    }
    let fact = is(pool, t, &result);
    Some(when(pool, &guards, fact))
}

/// What is no number gives none.
fn undefined(pool: &mut Pool, t: TermId, op: FloatOp, values: &[Rational]) -> Vec<TermId> {
    let mut out = Vec::new();
    if matches!(
        op,
        FloatOp::FromInt(_) | FloatOp::ToInt(_) | FloatOp::Decimal(_)
    ) {
        return out;
    }
    let Some(to) = result(op).filter(|w| *w != Width::W80) else {
        return out;
    };
    let from = op.width();
    for (i, v) in values.iter().enumerate() {
        let Some((_, magnitude)) = split(from, v) else {
            continue;
        };
        if from == Width::W80 || magnitude <= from.infinity() {
            continue;
        }
        let a = pool.args(t)[i];
        let number = pool.float_is_number(from, a);
        let most = integer((from.sign() - 1) | from.sign());
        let range = [at_least(pool, a, &Rational::ZERO), at_most(pool, a, &most)];
        let no_number = pool.not(number);
        let result = pool.float_is_number(to, t);
        let fact = pool.not(result);
        out.push(when(pool, &[range[0], range[1], no_number], fact));
    }
    out
}

fn apply(op: FloatOp, values: &[Rational]) -> Option<Rational> {
    let values: Vec<Value> = values.iter().cloned().map(Value::Num).collect();
    op.apply(&values)?.as_num().cloned()
}

/// Sign and magnitude of a pattern.
fn split(width: Width, v: &Rational) -> Option<(bool, u128)> {
    let n = u128::try_from(v.to_integer()?).ok()?;
    let all = (width.sign() - 1) | width.sign();
    (n <= all).then_some((n & width.sign() != 0, n & !width.sign()))
}

fn join(width: Width, negative: bool, magnitude: u128) -> Rational {
    integer(magnitude | if negative { width.sign() } else { 0 })
}

/// Whether the result grows with the magnitude of an operand.
fn grows(op: FloatOp, operand: usize) -> bool {
    !matches!((op, operand), (FloatOp::Arithmetic(Arithmetic::Div, _), 1))
}

fn is_sum(op: FloatOp) -> bool {
    use Arithmetic::{Add, Sub};
    matches!(op, FloatOp::Arithmetic(Add | Sub, _))
}

/// The corner for a model's values: operands moved outwards.
fn points(
    op: FloatOp,
    values: &[Rational],
    coarse: Option<u32>,
    upper: bool,
) -> Option<Vec<Rational>> {
    let width = op.width();
    let mut out = Vec::new();
    for (i, v) in values.iter().enumerate() {
        if let FloatOp::FromInt(_) = op {
            out.push(whole(v, coarse, upper)?);
            continue;
        }
        let (negative, magnitude) = split(width, v)?;
        let up = match is_sum(op) {
            // Sums go by the key: a larger one is a smaller magnitude for negative numbers.
            true => {
                (upper == (i == 0 || op == FloatOp::Arithmetic(Arithmetic::Add, width))) != negative
            }
            false => upper == grows(op, i),
        };
        let most = width.infinity() - 1;
        if magnitude > most + 1 {
            return None;
        }
        let moved = match coarse {
            None if up => most.max(magnitude),
            None => u128::from(!is_sum(op)).min(magnitude),
            Some(kept) => {
                let cut = width.low().saturating_sub(kept);
                let down = magnitude >> cut << cut;
                match up && down != magnitude {
                    true => (down + (1 << cut)).min(most.max(magnitude)),
                    false => down,
                }
            }
        };
        out.push(join(width, negative, moved));
    }
    Some(out)
}

/// An integer moved away from or towards zero.
fn whole(v: &Rational, coarse: Option<u32>, upper: bool) -> Option<Rational> {
    let (negative, mut n) = (v.is_negative(), v.abs().to_integer()?);
    let cut = match coarse {
        None => 64,
        Some(1000) => 0,
        Some(kept) => 24usize.saturating_sub(kept as usize),
    };
    if upper && cut > 0 {
        n += (IBig::ONE << cut) - IBig::ONE;
    }
    let n: IBig = (n >> cut) << cut;
    Some(Rational::from(if negative { -n } else { n }))
}

/// The corner lemma at these operands: `None` if nothing holds beyond them.
fn corner(
    pool: &mut Pool,
    t: TermId,
    op: FloatOp,
    points: &[Rational],
    upper: bool,
) -> Option<TermId> {
    let width = op.width();
    if width == Width::W80 || result(op) == Some(Width::W80) {
        return None;
    }
    let value = apply(op, points)?;
    match op {
        FloatOp::Arithmetic(Arithmetic::Rem, _) | FloatOp::Decimal(_) | FloatOp::Neg(_) => None,
        FloatOp::Lt(_) | FloatOp::Le(_) | FloatOp::Eq(_) => None,
        _ if is_sum(op) => sum(pool, t, op, points, &value, upper),
        FloatOp::FromInt(_) => from_int(pool, t, width, &points[0], &value, upper),
        _ => magnitudes(pool, t, op, points, &value, upper),
    }
}

/// Operands of given signs, magnitudes up to (or from) the points.
fn magnitudes(
    pool: &mut Pool,
    t: TermId,
    op: FloatOp,
    points: &[Rational],
    value: &Rational,
    upper: bool,
) -> Option<TermId> {
    let width = op.width();
    let infinity = width.infinity();
    let args = pool.args(t).to_vec();
    let mut guards = Vec::new();
    let mut signs = false;
    for (i, (&a, p)) in args.iter().zip(points).enumerate() {
        let (negative, magnitude) = split(width, p)?;
        signs ^= negative;
        if magnitude > infinity {
            return None;
        }
        let ends = match upper == grows(op, i) {
            // Infinity is left out where it is not the end itself: 0 * inf and inf / inf are no numbers.
            true if magnitude < infinity => (0, magnitude),
            false if magnitude > 0 => (magnitude, infinity),
            _ => return None,
        };
        guards.push(at_least(pool, a, &join(width, negative, ends.0)));
        guards.push(at_most(pool, a, &join(width, negative, ends.1)));
    }
    let (low, high) = match op {
        FloatOp::ToInt(_) => {
            // Only numbers have an integer.
            let most = &join(width, signs, infinity - 1);
            guards.push(at_most(pool, args[0], most));
            let zero = Rational::ZERO;
            match (upper, signs) {
                (true, false) => (Some(zero), Some(value.clone())),
                (true, true) => (Some(value.clone()), Some(zero)),
                (false, false) => (Some(value.clone()), None),
                (false, true) => (None, Some(value.clone())),
            }
        }
        FloatOp::Sqrt(_) if signs => return None,
        _ => {
            let to = result(op)?;
            let (negative, magnitude) = split(to, value)?;
            if negative != signs || magnitude > to.infinity() {
                return None;
            }
            let ends = match upper {
                true => (0, magnitude),
                false => (magnitude, to.infinity()),
            };
            let ends = (join(to, signs, ends.0), join(to, signs, ends.1));
            (Some(ends.0), Some(ends.1))
        }
    };
    let mut facts = Vec::new();
    facts.extend(low.map(|n| at_least(pool, t, &n)));
    facts.extend(high.map(|n| at_most(pool, t, &n)));
    let fact = pool.and(&facts);
    Some(when(pool, &guards, fact))
}

/// Sums and differences by keys. The infinity on the far side is left out: with it there may be no number.
fn sum(
    pool: &mut Pool,
    t: TermId,
    op: FloatOp,
    points: &[Rational],
    value: &Rational,
    upper: bool,
) -> Option<TermId> {
    let width = op.width();
    let infinity = integer(width.infinity());
    let inner = &infinity - &Rational::ONE;
    let all = integer((width.sign() - 1) | width.sign());
    let args = pool.args(t).to_vec();
    let mut guards = Vec::new();
    let key_of = |n: &Rational| {
        let (negative, magnitude) = split(width, n)?;
        (magnitude <= width.infinity()).then(|| match negative {
            true => -integer(magnitude),
            false => integer(magnitude),
        })
    };
    for (i, (&a, p)) in args.iter().zip(points).enumerate() {
        let turned = i == 1 && op == FloatOp::Arithmetic(Arithmetic::Sub, width);
        let (key, bound) = (pool.float_key(width, a), key_of(p)?);
        let (low, high) = match upper != turned {
            true => (-&inner, bound),
            false => (bound, inner.clone()),
        };
        if low > high {
            return None;
        }
        guards.push(at_least(pool, a, &Rational::ZERO));
        guards.push(at_most(pool, a, &all));
        guards.push(at_least(pool, key, &low));
        guards.push(at_most(pool, key, &high));
    }
    let (key, bound) = (pool.float_key(width, t), key_of(value)?);
    let (low, high) = match upper {
        true => (-&infinity, bound),
        false => (bound, infinity),
    };
    let facts = [at_least(pool, key, &low), at_most(pool, key, &high)];
    let fact = pool.and(&facts);
    Some(when(pool, &guards, fact))
}

/// The float of an integer.
fn from_int(
    pool: &mut Pool,
    t: TermId,
    width: Width,
    point: &Rational,
    value: &Rational,
    upper: bool,
) -> Option<TermId> {
    let a = pool.args(t)[0];
    let (negative, magnitude) = split(width, value)?;
    let one = if negative {
        Rational::MINUS_ONE
    } else {
        Rational::ZERO
    };
    let guards = match (upper, negative) {
        (true, false) => vec![at_least(pool, a, &one), at_most(pool, a, point)],
        (true, true) => vec![at_least(pool, a, point), at_most(pool, a, &one)],
        (false, false) => vec![at_least(pool, a, point)],
        (false, true) => vec![at_most(pool, a, point)],
    };
    let ends = match upper {
        true => (0, magnitude),
        false => (magnitude, width.infinity()),
    };
    let facts = [
        at_least(pool, t, &join(width, negative, ends.0)),
        at_most(pool, t, &join(width, negative, ends.1)),
    ];
    let fact = pool.and(&facts);
    Some(when(pool, &guards, fact))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use logic::float::Rounding;
    use logic::{Model, eval};

    struct Random(u64);

    impl Random {
        fn next(&mut self, n: u64) -> u64 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            (self.0 >> 11) % n
        }

        /// A pattern, often a special one or near another.
        fn pattern(&mut self, near: u128) -> Rational {
            let infinity = u128::from(f32::INFINITY.to_bits());
            let magnitude = match self.next(8) {
                0 => 0,
                1 => infinity - u128::from(self.next(3)),
                2 => infinity + u128::from(self.next(3)),
                3 => u128::from(self.next(5)),
                4 => (near & 0x7fff_ffff).saturating_sub(u128::from(self.next(3))),
                5 => (near & 0x7fff_ffff) + u128::from(self.next(3)),
                6 => 0x3f00_0000 + u128::from(self.next(1 << 24)),
                _ => u128::from(self.next(1 << 31)),
            };
            let sign = u128::from(self.next(2)) << 31;
            integer(magnitude.min((1 << 31) - 1) | sign)
        }
    }

    /// Lemmas for random values hold for other random values, and the checker knows them again.
    #[test]
    fn lemmas_hold() {
        use Arithmetic::*;
        let w = Width::W32;
        let mut ops: Vec<FloatOp> = [Add, Sub, Mul, Div, Rem]
            .map(|a| FloatOp::Arithmetic(a, w))
            .to_vec();
        let roundings = [Rounding::Down, Rounding::Up, Rounding::Zero];
        ops.extend(roundings.map(|r| FloatOp::Round(r, w)));
        ops.extend([FloatOp::Sqrt(w), FloatOp::ToInt(w), FloatOp::FromInt(w)]);
        ops.push(FloatOp::Convert(w, Width::W64));
        let mut pool = Pool::new();
        let int = pool.int_sort();
        let vars = ["a", "b"].map(|n| pool.constant(n, int));
        let mut random = Random(88_172_645_463_325_252);
        let mut made = 0;
        for round in 0..400 {
            let op = ops[round % ops.len()];
            let symbol = op.symbol(&mut pool);
            let t = pool.app(symbol, &vars[..op.arity()]);
            let value = |random: &mut Random, near: u128| match op {
                FloatOp::FromInt(_) => Rational::from(random.next(1 << 40) as i64 - (1 << 39)),
                _ => random.pattern(near),
            };
            let points: Vec<Rational> = (0..op.arity()).map(|_| value(&mut random, 1)).collect();
            for level in 1..16 {
                let Some(lemmas) = tier(&mut pool, t, op, &points, level) else {
                    break;
                };
                for lemma in lemmas {
                    made += 1;
                    let known = lemma == pool.tt() || is_instance(&mut pool, t, op, lemma);
                    assert!(known, "{} at {points:?}, tier {level}", op.name());
                    for _ in 0..12 {
                        let mut model = Model::default();
                        let mut values = Vec::new();
                        for (i, &x) in vars.iter().enumerate() {
                            let near = points.get(i).and_then(Rational::to_integer);
                            let near = near.and_then(|n| u128::try_from(n).ok()).unwrap_or(1);
                            let v = value(&mut random, near);
                            values.push(v.clone());
                            let symbol = pool.as_constant(x).unwrap();
                            model.constants.insert(symbol, Value::Num(v));
                        }
                        let holds = eval(&pool, &model, lemma) == Value::Bool(true);
                        assert!(holds, "{} at {points:?}: {values:?}", op.name());
                    }
                }
            }
        }
        assert!(made > 1000, "{made}");
    }
}
