//! Every lemma is evaluated in random models: a false one is not valid.
#![allow(clippy::unwrap_used)]

use super::*;
use logic::{Model, Rational, Value, eval};
use proptest::prelude::*;

struct Bench {
    pool: Pool,
    a: TermId,
    b: TermId,
    x: TermId,
    y: TermId,
}

impl Bench {
    fn new() -> Self {
        let mut pool = Pool::new();
        let (int, real) = (pool.int_sort(), pool.real_sort());
        Bench {
            a: pool.constant("a", int),
            b: pool.constant("b", int),
            x: pool.constant("x", real),
            y: pool.constant("y", real),
            pool,
        }
    }

    fn model(&self, point: &Point) -> Model {
        let mut model = Model::default();
        for (t, v) in [
            (self.a, Rational::from(point.a)),
            (self.b, Rational::from(point.b)),
            (self.x, Rational::new(point.a % 1000, 7)),
            (self.y, Rational::new(point.b % 1000, 3)),
        ] {
            let symbol = self.pool.as_constant(t).unwrap();
            model.constants.insert(symbol, Value::Num(v));
        }
        model
    }

    /// The special terms under test; `c` is a numeral.
    fn terms(&mut self, c: i64) -> Vec<TermId> {
        let (a, b, x, y) = (self.a, self.b, self.x, self.y);
        let p = &mut self.pool;
        let n = p.int(c);
        let sum = p.add2(a, b);
        let cond = p.le(a, b);
        let half = p.num(Rational::new(1, 2), p.real_sort());
        let shifted = p.add2(x, half);
        let real_a = p.to_real(a);
        let mut out = vec![
            p.ite(cond, sum, n),
            p.ite(cond, n, a),
            p.to_int(shifted),
            p.real_div(x, y),
            p.mul(&[x, y]),
            p.mul(&[a, b]),
            p.mul(&[a, a]),
            p.mul(&[a, a, b]),
            p.real_div(real_a, x),
        ];
        let zero = p.int(0);
        let one = p.int(1);
        out.push(p.ite(cond, zero, one));
        for (bits, signed) in [(1, false), (8, true), (8, false), (32, true), (64, false)] {
            out.push(p.wrap(bits, signed, a));
            out.push(p.wrap(bits, signed, sum));
        }
        for (l, r) in [(a, b), (a, n), (n, b), (sum, a)] {
            out.extend([
                p.int_div(l, r),
                p.modulo(l, r),
                p.c_div(l, r),
                p.c_rem(l, r),
                p.bit_and(l, r),
                p.bit_or(l, r),
                p.bit_xor(l, r),
                p.shl(l, r),
                p.shr(l, r),
            ]);
        }
        out
    }
}

#[derive(Clone, Debug)]
struct Point {
    a: i64,
    b: i64,
}

/// Small numbers, numbers around powers of two, any word.
fn number() -> impl Strategy<Value = i64> {
    prop_oneof![
        -9i64..=9,
        (0u32..40, -2i64..=2, any::<bool>()).prop_map(|(e, d, neg)| {
            let n = (1i64 << e) + d;
            if neg { -n } else { n }
        }),
        -300i64..=300,
        any::<i32>().prop_map(i64::from),
        0i64..=260,
    ]
}

fn point() -> impl Strategy<Value = Point> {
    (number(), number()).prop_map(|(a, b)| Point { a, b })
}

fn assert_valid(bench: &Bench, lemma: TermId, at: &Point, about: TermId) {
    let value = eval(&bench.pool, &bench.model(at), lemma);
    assert!(
        value == Value::Bool(true),
        "a lemma about {:?} {:?} fails at {at:?}",
        bench.pool.op(about),
        bench.pool.args(about),
    );
}

/// A value next to the exact one, or far from it.
fn wrong(exact: &Rational, by: i64) -> Rational {
    exact + &Rational::from(by)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(250))]

    #[test]
    fn axioms_are_valid(c in number(), points in prop::collection::vec(point(), 6)) {
        let mut bench = Bench::new();
        let mut queue = bench.terms(c);
        let mut done = 0;
        while done < queue.len() && done < 400 {
            let t = queue[done];
            done += 1;
            for lemma in axioms(&mut bench.pool, t) {
                for at in &points {
                    assert_valid(&bench, lemma, at, t);
                }
                // Terms that the lemma brings in have axioms too.
                for s in bench.pool.post_order(&[lemma]) {
                    if is_special(&bench.pool, s) && !queue.contains(&s) {
                        queue.push(s);
                    }
                }
            }
        }
    }

    /// A wrong value is answered with valid lemmas, one of them violated by the model.
    #[test]
    fn refinement_is_valid_and_makes_progress(
        c in number(), at in point(), others in prop::collection::vec(point(), 4),
        by in prop_oneof![Just(1i64), Just(-1), -50i64..50], round in 1u32..6,
    ) {
        prop_assume!(by != 0);
        let mut bench = Bench::new();
        for t in bench.terms(c) {
            if !is_special(&bench.pool, t) || bench.pool.op(t) == Op::Ite {
                continue;
            }
            let known = bench.pool.clone();
            let model = bench.model(&at);
            let divides = matches!(known.op(t), Op::IntDiv | Op::Mod | Op::CDiv | Op::CRem | Op::RealDiv);
            if divides && eval(&known, &model, known.args(t)[1]) == Value::Num(Rational::ZERO) {
                continue;
            }
            let args = known.post_order(known.args(t));
            let value = |u: TermId| {
                if u == t {
                    let exact = eval(&known, &model, t);
                    Some(wrong(exact.as_num().unwrap(), by))
                } else if args.contains(&u) {
                    eval(&known, &model, u).as_num().cloned()
                } else {
                    None
                }
            };
            let mut refiner = Refiner::new();
            let mut lemmas = Vec::new();
            for _ in 0..round {
                lemmas = refiner.refine(&mut bench.pool, &[t], &value, &|_| Vec::new());
            }
            prop_assert!(!lemmas.is_empty(), "no lemma about {:?} {:?}", known.op(t), known.args(t));
            for l in lemmas {
                assert_valid(&bench, l, &at, t);
                for other in &others {
                    assert_valid(&bench, l, other, t);
                }
            }
        }
    }
}

#[test]
fn runs_of_ones() {
    let runs = |n: i64| bits::runs(&logic::IBig::from(n));
    assert_eq!(runs(0), []);
    assert_eq!(runs(0b1011_0110), [(1, 3), (4, 6), (7, 8)]);
}

/// Products beside products, at shifts that a model gives.
#[test]
fn products_are_multiplied_out() {
    let mut bench = Bench::new();
    let (a, b) = (bench.a, bench.b);
    let pool = &mut bench.pool;
    let int = pool.int_sort();
    let [c, d] = ["c", "d"].map(|n| pool.constant(n, int));
    let one = pool.int(1);
    let (above, both) = (pool.add2(a, one), pool.add2(a, b));
    let products = [
        pool.mul(&[a, b]),
        pool.mul(&[c, d]),
        pool.mul(&[a, a, b]),
        pool.mul(&[c, c, d]),
        pool.mul(&[a, above]),
        pool.mul(&[both, above]),
        pool.mul(&[both, above, c]),
    ];
    let mut lemmas = 0;
    for (va, vb, vc, vd) in [(3, 4, 2, 5), (0, -7, 1, -7), (-2, 9, 9, -1), (5, 5, 5, 5)] {
        let values = [(a, va), (b, vb), (c, vc), (d, vd)];
        let at = |t: TermId| {
            let known = values.iter().find(|(s, _)| *s == t);
            known.map(|(_, v)| Rational::from(*v))
        };
        for &t in &products {
            let mut list = Vec::from_iter(polynomial::distribution(pool, t));
            list.extend(polynomial::neighbours(pool, t, &products, &at));
            for lemma in list {
                lemmas += 1;
                // Valid: also elsewhere than in the model it was made for.
                for (wa, wb, wc, wd) in [(va, vb, vc, vd), (1, 2, 3, 4), (va + 1, vb, vc + 1, vd)] {
                    let mut model = Model::default();
                    for (t, v) in [(a, wa), (b, wb), (c, wc), (d, wd)] {
                        let symbol = pool.as_constant(t).unwrap();
                        model
                            .constants
                            .insert(symbol, Value::Num(Rational::from(v)));
                    }
                    assert_eq!(eval(pool, &model, lemma), Value::Bool(true), "{lemma}");
                }
                assert!(is_instance(pool, t, lemma) || pool.args(t).len() > 2);
            }
        }
    }
    assert!(lemmas > 20, "{lemmas}");
}

/// Words of sums, products and words, of the same width, wider ones and narrower ones, with and without a sign.
#[test]
fn words_are_polynomials() {
    let bench = &mut Bench::new();
    let mut random = base::Random::new(7);
    let (mut lemmas, mut same) = (0, 0);
    for _ in 0..4_000 {
        let pool = &mut bench.pool;
        let mut terms = vec![bench.a, bench.b, pool.int(3), pool.int(-1)];
        for _ in 0..8 {
            let pick = |random: &mut base::Random| terms[random.below(terms.len() as u64) as usize];
            let (s, t) = (pick(&mut random), pick(&mut random));
            let bits = [8, 16, 32][random.below(3) as usize];
            let new = match random.below(4) {
                0 => pool.add2(s, t),
                1 => pool.mul(&[s, t]),
                _ => pool.wrap(bits, random.below(2) == 0, s),
            };
            terms.push(new);
        }
        for t in terms {
            let Some(lemma) = ring::exact(pool, t) else {
                continue;
            };
            lemmas += 1;
            assert!(is_instance(pool, t, lemma));
            for (a, b) in [
                (0, 0),
                (1, -1),
                (200, 77),
                (-40_000, 65_535),
                (4_294_967_295i64, 2_147_483_648i64),
            ] {
                let mut model = Model::default();
                for (t, v) in [(bench.a, a), (bench.b, b)] {
                    let symbol = pool.as_constant(t).unwrap();
                    model
                        .constants
                        .insert(symbol, Value::Num(Rational::from(v)));
                }
                assert_eq!(eval(pool, &model, lemma), Value::Bool(true));
                same += 1;
            }
        }
    }
    assert!(lemmas > 100 && same > 500, "{lemmas}");
}

/// Facts times a factor: true wherever both sides of an implication have values, and known to the checker; what is not quite
/// such a lemma is not.
#[test]
fn facts_are_multiplied() {
    let mut bench = Bench::new();
    let (a, b) = (bench.a, bench.b);
    let pool = &mut bench.pool;
    let int = pool.int_sort();
    let [c, d] = ["c", "d"].map(|n| pool.constant(n, int));
    let (twice, above) = (pool.mul(&[b, c]), pool.int(5));
    let double = pool.add2(d, d);
    let double = pool.add2(double, above);
    let equations = [pool.eq(a, double), pool.eq(b, d), pool.eq(twice, a)];
    let products = [
        pool.mul(&[a, b]),
        pool.mul(&[a, c]),
        pool.mul(&[d, c]),
        pool.mul(&[a, b, c]),
        pool.mul(&[a, a]),
    ];
    let (mut lemmas, mut orders) = (0, 0);
    let mut random = base::Random::new(3);
    for (va, vb, vc, vd) in [(7, 4, 2, 1), (5, 0, -7, 0), (-2, 9, 9, -1), (3, -3, -1, -1)] {
        let values = [(a, va), (b, vb), (c, vc), (d, vd)];
        let at = |t: TermId| {
            let known = values.iter().find(|(s, _)| *s == t);
            known.map(|(_, v)| Rational::from(*v))
        };
        for &t in &products {
            for lemma in multiplied::about(pool, t, &products, &equations, &at) {
                lemmas += 1;
                orders += usize::from(equations.iter().all(|&e| {
                    let not = pool.not(e);
                    !pool.args(lemma).contains(&not)
                }));
                for _ in 0..200 {
                    let mut model = Model::default();
                    for t in [a, b, c, d] {
                        let symbol = pool.as_constant(t).unwrap();
                        let v = random.below(13) as i64 - 6;
                        let value = Value::Num(Rational::from(v));
                        model.constants.insert(symbol, value);
                    }
                    if random.below(2) == 0 {
                        // Where the equation holds, so that the conclusion is looked at.
                        let vd = eval(pool, &model, double);
                        model.constants.insert(pool.as_constant(a).unwrap(), vd);
                    }
                    assert_eq!(eval(pool, &model, lemma), Value::Bool(true), "{lemma}");
                }
                assert!(is_instance(pool, t, lemma), "{t} {lemma}");
                // The conclusion alone is none, nor is the lemma one about another product.
                for part in pool.args(lemma).to_vec() {
                    assert!(!is_instance(pool, t, part));
                }
            }
        }
    }
    assert!(lemmas > 20 && orders > 5, "{lemmas} {orders}");
}
