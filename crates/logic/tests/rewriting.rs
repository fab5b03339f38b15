//! Constructors, simplification and printing keep the value of random terms.
//!
//! Terms are generated as plain trees with an evaluator of their own (a few lines, no sharing with
//! the crate), then built through the pool.
#![allow(clippy::unwrap_used)]

use logic::smtlib::{parse_term, print_term};
use logic::{ArrayValue, Measure, Model, Op, Pool, Rational, TermId, Value, eval, simplify};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Integer expressions over x, y, z and formulas over them and p, q; one array variable `a`.
#[derive(Clone, Debug)]
enum E {
    Num(i64),
    Var(usize),
    Add(Box<E>, Box<E>),
    Sub(Box<E>, Box<E>),
    Mul(Box<E>, Box<E>),
    Bin(Op, Box<E>, Box<E>),
    Wrap(u8, bool, Box<E>),
    Ite(Box<F>, Box<E>, Box<E>),
    Read(Box<A>, Box<E>),
}

#[derive(Clone, Debug)]
enum A {
    Var,
    Const(i64),
    Store(Box<A>, Box<E>, Box<E>),
}

#[derive(Clone, Debug)]
enum F {
    Const(bool),
    Var(usize),
    Not(Box<F>),
    And(Vec<F>),
    Or(Vec<F>),
    Iff(Box<F>, Box<F>),
    Ite(Box<F>, Box<F>, Box<F>),
    Eq(Box<E>, Box<E>),
    Le(Box<E>, Box<E>),
    Lt(Box<E>, Box<E>),
    EqReal(Box<E>, Box<E>, i64),
    LtReal(Box<E>, Box<E>, i64),
    EqArray(Box<A>, Box<A>),
}

#[derive(Clone, Debug)]
struct Env {
    ints: Vec<i64>,
    bools: Vec<bool>,
    default: i64,
    entries: BTreeMap<i128, i128>,
}

fn naive_e(e: &E, v: &Env) -> i128 {
    match e {
        E::Num(n) => *n as i128,
        E::Var(i) => v.ints[*i] as i128,
        E::Add(a, b) => naive_e(a, v) + naive_e(b, v),
        E::Sub(a, b) => naive_e(a, v) - naive_e(b, v),
        E::Mul(a, b) => (naive_e(a, v) % 1000) * (naive_e(b, v) % 1000),
        E::Bin(op, a, b) => {
            let (a, b) = (naive_e(a, v), naive_e(b, v));
            match op {
                Op::IntDiv if b != 0 => a.div_euclid(b),
                Op::Mod if b != 0 => a.rem_euclid(b),
                Op::CDiv if b != 0 => a / b,
                Op::CRem if b != 0 => a % b,
                Op::BitAnd => a & b,
                Op::BitOr => a | b,
                Op::BitXor => a ^ b,
                Op::Shr if (0..=255).contains(&b) => a >> b.min(126),
                Op::Shr if a < 0 => -1,
                _ => 0,
            }
        }
        E::Wrap(bits, signed, a) => {
            let m = 1i128 << bits;
            let r = naive_e(a, v).rem_euclid(m);
            if *signed && r >= m / 2 { r - m } else { r }
        }
        E::Ite(c, a, b) => {
            if naive_f(c, v) {
                naive_e(a, v)
            } else {
                naive_e(b, v)
            }
        }
        E::Read(a, i) => {
            let (default, entries) = naive_a(a, v);
            *entries.get(&naive_e(i, v)).unwrap_or(&default)
        }
    }
}

fn naive_a(a: &A, v: &Env) -> (i128, BTreeMap<i128, i128>) {
    match a {
        A::Var => (v.default as i128, v.entries.clone()),
        A::Const(n) => (*n as i128, BTreeMap::new()),
        A::Store(a, i, x) => {
            let (d, mut m) = naive_a(a, v);
            m.insert(naive_e(i, v), naive_e(x, v));
            (d, m)
        }
    }
}

fn naive_f(f: &F, v: &Env) -> bool {
    match f {
        F::Const(b) => *b,
        F::Var(i) => v.bools[*i],
        F::Not(a) => !naive_f(a, v),
        F::And(l) => l.iter().all(|f| naive_f(f, v)),
        F::Or(l) => l.iter().any(|f| naive_f(f, v)),
        F::Iff(a, b) => naive_f(a, v) == naive_f(b, v),
        F::Ite(c, a, b) => naive_f(if naive_f(c, v) { a } else { b }, v),
        F::Eq(a, b) => naive_e(a, v) == naive_e(b, v),
        F::Le(a, b) => naive_e(a, v) <= naive_e(b, v),
        F::Lt(a, b) => naive_e(a, v) < naive_e(b, v),
        F::EqReal(a, b, k) => 2 * naive_e(a, v) + *k as i128 == 3 * naive_e(b, v),
        F::LtReal(a, b, k) => 2 * naive_e(a, v) + (*k as i128) < 3 * naive_e(b, v),
        F::EqArray(a, b) => {
            let ((d, m), (e, n)) = (naive_a(a, v), naive_a(b, v));
            d == e
                && m.keys()
                    .chain(n.keys())
                    .all(|k| m.get(k).unwrap_or(&d) == n.get(k).unwrap_or(&e))
        }
    }
}

fn build_e(e: &E, p: &mut Pool) -> TermId {
    let int = p.int_sort();
    match e {
        E::Num(n) => p.int(*n),
        E::Var(i) => p.constant(["x", "y", "z"][*i], int),
        E::Add(a, b) => {
            let (a, b) = (build_e(a, p), build_e(b, p));
            p.add2(a, b)
        }
        E::Sub(a, b) => {
            let (a, b) = (build_e(a, p), build_e(b, p));
            p.sub(a, b)
        }
        E::Mul(a, b) => {
            // Kept small: the naive evaluator has 128 bits.
            let k = p.int(1000);
            let (a, b) = (build_e(a, p), build_e(b, p));
            let (a, b) = (p.c_rem(a, k), p.c_rem(b, k));
            p.mul(&[a, b])
        }
        E::Bin(op, a, b) => {
            let (a, b) = (build_e(a, p), build_e(b, p));
            match op {
                Op::IntDiv => p.int_div(a, b),
                Op::Mod => p.modulo(a, b),
                Op::CDiv => p.c_div(a, b),
                Op::CRem => p.c_rem(a, b),
                Op::BitAnd => p.bit_and(a, b),
                Op::BitOr => p.bit_or(a, b),
                Op::BitXor => p.bit_xor(a, b),
                _ => p.shr(a, b),
            }
        }
        E::Wrap(bits, signed, a) => {
            let a = build_e(a, p);
            p.wrap(*bits, *signed, a)
        }
        E::Ite(c, a, b) => {
            let (c, a, b) = (build_f(c, p), build_e(a, p), build_e(b, p));
            p.ite(c, a, b)
        }
        E::Read(a, i) => {
            let (a, i) = (build_a(a, p), build_e(i, p));
            p.select(a, i)
        }
    }
}

fn build_a(a: &A, p: &mut Pool) -> TermId {
    let int = p.int_sort();
    let sort = p.array_sort(int, int);
    match a {
        A::Var => p.constant("a", sort),
        A::Const(n) => {
            let n = p.int(*n);
            p.const_array(sort, n)
        }
        A::Store(a, i, x) => {
            let (a, i, x) = (build_a(a, p), build_e(i, p), build_e(x, p));
            p.store(a, i, x)
        }
    }
}

fn build_f(f: &F, p: &mut Pool) -> TermId {
    let bool_sort = p.bool_sort();
    match f {
        F::Const(b) => p.bool_const(*b),
        F::Var(i) => p.constant(["p", "q"][*i], bool_sort),
        F::Not(a) => {
            let a = build_f(a, p);
            p.not(a)
        }
        F::And(l) => {
            let l: Vec<TermId> = l.iter().map(|f| build_f(f, p)).collect();
            p.and(&l)
        }
        F::Or(l) => {
            let l: Vec<TermId> = l.iter().map(|f| build_f(f, p)).collect();
            p.or(&l)
        }
        F::Iff(a, b) => {
            let (a, b) = (build_f(a, p), build_f(b, p));
            p.eq(a, b)
        }
        F::Ite(c, a, b) => {
            let (c, a, b) = (build_f(c, p), build_f(a, p), build_f(b, p));
            p.ite(c, a, b)
        }
        F::Eq(a, b) => {
            let (a, b) = (build_e(a, p), build_e(b, p));
            p.eq(a, b)
        }
        F::Le(a, b) => {
            let (a, b) = (build_e(a, p), build_e(b, p));
            p.le(a, b)
        }
        F::Lt(a, b) => {
            let (a, b) = (build_e(a, p), build_e(b, p));
            p.lt(a, b)
        }
        F::EqReal(a, b, k) | F::LtReal(a, b, k) => {
            // a/3 + k/6 against b/2, over Real.
            let (a, b) = (build_e(a, p), build_e(b, p));
            let (a, b) = (p.to_real(a), p.to_real(b));
            let a = p.mul_const(&Rational::new(1, 3), a);
            let b = p.mul_const(&Rational::new(1, 2), b);
            let k = p.num(Rational::new(*k, 6), p.real_sort());
            let a = p.add2(a, k);
            match f {
                F::EqReal(..) => p.eq(a, b),
                _ => p.lt(a, b),
            }
        }
        F::EqArray(a, b) => {
            let (a, b) = (build_a(a, p), build_a(b, p));
            p.eq(a, b)
        }
    }
}

fn model(pool: &Pool, env: &Env) -> Model {
    let num = |n: i128| Value::Num(Rational::from(n));
    let mut m = Model::default();
    let mut set = |name: &str, value: Value| {
        if let Some(s) = pool.symbol_named(name) {
            m.constants.insert(s, value);
        }
    };
    for (i, name) in ["x", "y", "z"].iter().enumerate() {
        set(name, num(env.ints[i] as i128));
    }
    for (i, name) in ["p", "q"].iter().enumerate() {
        set(name, Value::Bool(env.bools[i]));
    }
    let mut array = ArrayValue {
        default: num(env.default as i128),
        entries: BTreeMap::new(),
    };
    for (&i, &v) in &env.entries {
        array.set(num(i), num(v));
    }
    set("a", Value::Array(Arc::new(array)));
    m
}

fn small() -> impl Strategy<Value = i64> {
    prop_oneof![6 => -4i64..5, 1 => prop::sample::select(vec![127i64, 128, 255, 256, -129, 1 << 31])]
}

fn env() -> impl Strategy<Value = Env> {
    (
        prop::collection::vec(small(), 3),
        prop::collection::vec(any::<bool>(), 2),
        small(),
        prop::collection::btree_map(
            (-4i64..5).prop_map(i128::from),
            (-4i64..5).prop_map(i128::from),
            0..3,
        ),
    )
        .prop_map(|(ints, bools, default, entries)| Env {
            ints,
            bools,
            default,
            entries,
        })
}

/// Formulas with expressions inside, both ways: built over one recursive strategy of formulas.
fn formula() -> impl Strategy<Value = F> {
    let leaf = prop_oneof![
        any::<bool>().prop_map(F::Const),
        (0..2usize).prop_map(F::Var),
        (0..3usize, small()).prop_map(|(v, n)| F::Le(Box::new(E::Var(v)), Box::new(E::Num(n)))),
        (0..3usize, small()).prop_map(|(v, n)| F::Le(Box::new(E::Num(n)), Box::new(E::Var(v)))),
        (0..3usize, small()).prop_map(|(v, n)| F::Eq(Box::new(E::Var(v)), Box::new(E::Num(n)))),
        (0..3usize, 0..3usize).prop_map(|(v, w)| F::Lt(Box::new(E::Var(v)), Box::new(E::Var(w)))),
    ];
    leaf.prop_recursive(5, 48, 4, |f| {
        let e = expression(f.clone());
        let pair = (e.clone(), e.clone()).prop_map(|(a, b)| (Box::new(a), Box::new(b)));
        prop_oneof![
            2 => f.clone().prop_map(|a| F::Not(Box::new(a))),
            4 => prop::collection::vec(f.clone(), 2..5).prop_map(F::And),
            4 => prop::collection::vec(f.clone(), 2..5).prop_map(F::Or),
            1 => (f.clone(), f.clone()).prop_map(|(a, b)| F::Iff(Box::new(a), Box::new(b))),
            1 => (f.clone(), f.clone(), f.clone())
                .prop_map(|(a, b, c)| F::Ite(Box::new(a), Box::new(b), Box::new(c))),
            2 => pair.clone().prop_map(|(a, b)| F::Eq(a, b)),
            2 => pair.clone().prop_map(|(a, b)| F::Le(a, b)),
            2 => pair.clone().prop_map(|(a, b)| F::Lt(a, b)),
            1 => (pair.clone(), small()).prop_map(|((a, b), k)| F::EqReal(a, b, k)),
            1 => (pair, small()).prop_map(|((a, b), k)| F::LtReal(a, b, k)),
            1 => (array(e.clone()), array(e))
                .prop_map(|(a, b)| F::EqArray(Box::new(a), Box::new(b))),
        ]
    })
}

fn array(e: BoxedStrategy<E>) -> BoxedStrategy<A> {
    let leaf = prop_oneof![2 => Just(A::Var), 1 => (-2i64..3).prop_map(A::Const)];
    leaf.prop_recursive(3, 6, 1, move |a| {
        (a, e.clone(), e.clone())
            .prop_map(|(a, i, x)| A::Store(Box::new(a), Box::new(i), Box::new(x)))
    })
    .boxed()
}

fn expression(f: BoxedStrategy<F>) -> BoxedStrategy<E> {
    let leaf = prop_oneof![small().prop_map(E::Num), (0..3usize).prop_map(E::Var)].boxed();
    let inner = leaf.clone();
    leaf.prop_recursive(3, 10, 3, move |e| {
        let pair = (e.clone(), e.clone()).prop_map(|(a, b)| (Box::new(a), Box::new(b)));
        let op = prop::sample::select(vec![
            Op::IntDiv,
            Op::Mod,
            Op::CDiv,
            Op::CRem,
            Op::BitAnd,
            Op::BitOr,
            Op::BitXor,
            Op::Shr,
        ]);
        prop_oneof![
            3 => pair.clone().prop_map(|(a, b)| E::Add(a, b)),
            3 => pair.clone().prop_map(|(a, b)| E::Sub(a, b)),
            1 => pair.clone().prop_map(|(a, b)| E::Mul(a, b)),
            2 => (op, pair.clone()).prop_map(|(op, (a, b))| E::Bin(op, a, b)),
            1 => (prop::sample::select(vec![1u8, 8, 16, 32]), any::<bool>(), e.clone())
                .prop_map(|(b, s, a)| E::Wrap(b, s, Box::new(a))),
            1 => (f.clone(), pair).prop_map(|(c, (a, b))| E::Ite(Box::new(c), a, b)),
            1 => (array(inner.clone()), e.clone())
                .prop_map(|(a, i)| E::Read(Box::new(a), Box::new(i))),
        ]
    })
    .boxed()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn building_and_simplifying_keep_the_value(f in formula(), envs in prop::collection::vec(env(), 4)) {
        let mut pool = Pool::new();
        let t = build_f(&f, &mut pool);
        let simple = simplify(&mut pool, t);
        for env in &envs {
            let m = model(&pool, env);
            let expected = Value::Bool(naive_f(&f, env));
            prop_assert_eq!(&eval(&pool, &m, t), &expected, "{}", print_term(&pool, t));
            prop_assert_eq!(
                &eval(&pool, &m, simple), &expected,
                "{} simplified to {}", print_term(&pool, t), print_term(&pool, simple)
            );
        }
        let before = pool.symbols_of(&[t]);
        prop_assert!(pool.symbols_of(&[simple]).iter().all(|s| before.contains(s)));
    }

    #[test]
    fn printing_and_reading_is_the_identity(f in formula()) {
        let mut pool = Pool::new();
        let t = build_f(&f, &mut pool);
        let text = print_term(&pool, t);
        let names: Vec<(String, TermId)> = pool
            .post_order(&[t])
            .into_iter()
            .filter_map(|t| Some((pool.symbol_data(pool.as_constant(t)?).name.to_string(), t)))
            .collect();
        let again = parse_term(&mut pool, &text, &|name| {
            names.iter().find(|(n, _)| n == name).map(|(_, t)| *t)
        });
        prop_assert_eq!(again.unwrap(), t, "{}", text);
    }
}

fn simplified(text: &str) -> String {
    let mut pool = Pool::new();
    let script = format!(
        "(declare-const x Int)(declare-const y Int)(declare-const r Real)(declare-const p Bool)
         (declare-const q Bool)(declare-const s Bool)(assert {text})"
    );
    let script = logic::smtlib::parse_script(&mut pool, &script).unwrap();
    let Some(logic::smtlib::CommandKind::Assert { term, .. }) =
        script.commands.last().map(|c| c.kind.clone())
    else {
        panic!()
    };
    let t = simplify(&mut pool, term);
    print_term(&pool, t)
}

#[test]
fn what_simplification_finds() {
    for (text, expected) in [
        ("(and (<= x 3) (<= x 5))", "(<= x 3)"),
        ("(or (<= x 3) (<= x 5))", "(<= x 5)"),
        ("(and (<= x 3) (>= x 3))", "(= x 3)"),
        ("(and (<= x 3) (distinct x 3))", "(<= x 2)"),
        ("(and (<= r 3.0) (distinct r 3.0))", "(> 3.0 r)"),
        ("(and (<= x 3) (>= x 5))", "false"),
        ("(or (<= x 3) (> x 2))", "true"),
        ("(and (= x 3) (< x 2))", "false"),
        ("(and (= x 3) (= (+ x y) 5))", "(and (= x 3) (= y 2))"),
        ("(and p (or p q))", "p"),
        ("(and p (or (not p) q))", "(and p q)"),
        ("(or p (and (not p) q))", "(or p q)"),
        ("(or (and p q) (and p s))", "(and p (or q s))"),
        ("(and (or p q) (or p s))", "(or p (and q s))"),
        ("(= (ite p 1 0) 1)", "p"),
        ("(= (ite p 1 0) 0)", "(not p)"),
        ("(= (wrap.u8 (mod x 16)) y)", "(= (mod x 16) y)"),
        (
            "(and (<= (+ x y) 3) (<= (+ x y) 4) p)",
            "(and (<= (+ x y) 3) p)",
        ),
        ("(=> (= x 0) (or (< x 5) p))", "true"),
    ] {
        let (a, b) = (simplified(text), simplified(expected));
        assert_eq!(a, b, "{text}");
    }
}

#[test]
fn deep_terms_are_no_trouble() {
    let mut pool = Pool::new();
    let (int, bool_sort) = (pool.int_sort(), pool.bool_sort());
    let x = pool.constant("x", int);
    let mut t = pool.constant("p", bool_sort);
    for i in 0..100_000 {
        let n = pool.int(i);
        let bound = pool.le(x, n);
        t = if i % 2 == 0 {
            pool.and2(bound, t)
        } else {
            pool.or2(bound, t)
        };
    }
    let simple = simplify(&mut pool, t);
    let m = Model::default();
    assert_eq!(eval(&pool, &m, simple), eval(&pool, &m, t));
    assert!(Measure::of(&pool, simple) <= Measure::of(&pool, t));
    let text = print_term(&pool, t);
    let p = pool.constant("p", bool_sort);
    let again = parse_term(&mut pool, &text, &|name| {
        Some(if name == "x" { x } else { p })
    });
    assert_eq!(again.unwrap(), t);
}
