//! Random formulas from bytes: a stack machine, so that shrinking the bytes shrinks the formula.

use logic::{
    ArrayValue, FunctionValue, Model, Pool, Rational, Sort, SortId, SymbolId, TermId, Value,
};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Which sorts a vocabulary has.
#[derive(Clone, Copy, Debug, Default)]
pub struct Features {
    pub ints: bool,
    pub functions: bool,
    pub arrays: bool,
    pub uninterpreted: bool,
    /// `div`, `mod`, products, machine operators.
    pub special: bool,
}

pub struct Vocabulary {
    pub features: Features,
    pub bools: Vec<TermId>,
    pub ints: Vec<TermId>,
    pub arrays: Vec<TermId>,
    pub elements: Vec<TermId>,
    f: SymbolId,
    g: SymbolId,
    h: SymbolId,
    p: SymbolId,
    q: SymbolId,
    pub element_sort: SortId,
    pub array_sort: SortId,
}

impl Vocabulary {
    pub fn new(pool: &mut Pool, features: Features) -> Self {
        let (b, i) = (pool.bool_sort(), pool.int_sort());
        let u = pool.sort(Sort::Uninterpreted("U".into()));
        let a = pool.array_sort(i, i);
        let many = |pool: &mut Pool, prefix: &str, sort| -> Vec<TermId> {
            (0..3)
                .map(|k| pool.constant(&format!("{prefix}{k}"), sort))
                .collect()
        };
        Vocabulary {
            features,
            bools: many(pool, "b", b),
            ints: many(pool, "x", i),
            arrays: many(pool, "a", a),
            elements: many(pool, "u", u),
            f: pool.symbol("f", &[i], i),
            g: pool.symbol("g", &[i, i], i),
            h: pool.symbol("h", &[u, b], u),
            p: pool.symbol("p", &[u], b),
            q: pool.symbol("q", &[i, b], b),
            element_sort: u,
            array_sort: a,
        }
    }

    /// A formula; every byte does one step.
    pub fn formula(&self, pool: &mut Pool, bytes: &[u8]) -> TermId {
        let fs = self.features;
        let (mut bs, mut is, mut az, mut us) = (
            self.bools.clone(),
            self.ints.clone(),
            self.arrays.clone(),
            self.elements.clone(),
        );
        fn at<T: Copy>(v: &[T], back: usize) -> T {
            v[v.len() - 1 - back % v.len()]
        }
        for pair in bytes.chunks(2) {
            let (op, arg) = (pair[0], *pair.get(1).unwrap_or(&0) as usize);
            let (m, n) = (arg % 5, (arg / 5) % 5);
            let i = (at(&is, m), at(&is, n));
            match op % 32 {
                0 => bs.push(pool.not(at(&bs, m))),
                1 | 2 => {
                    let t = pool.and2(at(&bs, m), at(&bs, n));
                    bs.push(t);
                }
                3 | 4 => {
                    let t = pool.or2(at(&bs, m), at(&bs, n));
                    bs.push(t);
                }
                5 => {
                    let t = pool.eq(at(&bs, m), at(&bs, n));
                    bs.push(t);
                }
                6 => {
                    let t = pool.ite(at(&bs, m), at(&bs, n), at(&bs, m + n));
                    bs.push(t);
                }
                7 => bs.push(self.bools[m % 3]),
                8 | 9 if fs.ints => bs.push(pool.le(i.0, i.1)),
                10 | 11 if fs.ints => bs.push(pool.eq(i.0, i.1)),
                12 if fs.ints => is.push(self.ints[m % 3]),
                13 if fs.ints => is.push(pool.add2(i.0, i.1)),
                14 if fs.ints => is.push(pool.sub(i.0, i.1)),
                15 if fs.ints => {
                    let c = pool.int(m as i64 - 2);
                    is.push(c);
                }
                16 if fs.ints => {
                    let t = pool.mul_const(&Rational::from(m as i64 - 2), i.1);
                    is.push(t);
                }
                17 if fs.ints => {
                    let t = pool.ite(at(&bs, m), i.0, i.1);
                    is.push(t);
                }
                18 | 19 if fs.functions => is.push(pool.app(self.f, &[i.0])),
                20 if fs.functions => is.push(pool.app(self.g, &[i.0, i.1])),
                21 if fs.functions => bs.push(pool.app(self.q, &[i.0, at(&bs, n)])),
                22 if fs.arrays => is.push(pool.select(at(&az, m), i.1)),
                23 if fs.arrays => {
                    let t = pool.store(at(&az, m), i.1, at(&is, m + n));
                    az.push(t);
                }
                24 if fs.arrays => bs.push(pool.eq(at(&az, m), at(&az, n))),
                25 if fs.arrays => {
                    let t = if m == 0 {
                        pool.const_array(self.array_sort, i.1)
                    } else {
                        pool.ite(at(&bs, m + n), at(&az, m), at(&az, n))
                    };
                    az.push(t);
                }
                26 if fs.uninterpreted => bs.push(pool.eq(at(&us, m), at(&us, n))),
                27 if fs.uninterpreted => us.push(pool.app(self.h, &[at(&us, m), at(&bs, n)])),
                28 if fs.uninterpreted => bs.push(pool.app(self.p, &[at(&us, m)])),
                29 if fs.uninterpreted => us.push(pool.ite(at(&bs, m), at(&us, n), at(&us, m + n))),
                30 if fs.special => {
                    let t = match m {
                        0 => pool.int_div(i.0, i.1),
                        1 => pool.modulo(i.0, i.1),
                        2 => pool.mul(&[i.0, i.1]),
                        3 => pool.c_div(i.0, i.1),
                        _ => pool.c_rem(i.0, i.1),
                    };
                    is.push(t);
                }
                31 if fs.special => {
                    let t = match m {
                        0 => pool.wrap(2, true, i.1),
                        1 => pool.bit_and(i.0, i.1),
                        2 => pool.bit_or(i.0, i.1),
                        3 => pool.bit_xor(i.0, i.1),
                        _ => pool.shr(i.0, i.1),
                    };
                    is.push(t);
                }
                _ => {
                    let t = pool.not(at(&bs, m));
                    bs.push(t);
                }
            }
        }
        at(&bs, 0)
    }

    /// `-2 <= x <= 2` for the integer constants.
    pub fn bounds(&self, pool: &mut Pool) -> TermId {
        let (low, high) = (Rational::from(-2), Rational::from(2));
        let parts: Vec<TermId> = self
            .ints
            .iter()
            .map(|&x| pool.in_range(&low, x, &high))
            .collect();
        pool.and(&parts)
    }

    /// A random interpretation over a few values.
    pub fn random_model(&self, pool: &Pool, random: &mut Random) -> Model {
        let mut model = Model::default();
        let symbol = |t: TermId| pool.as_constant(t).expect("a vocabulary has constants");
        for &b in &self.bools {
            model
                .constants
                .insert(symbol(b), Value::Bool(random.below(2) == 0));
        }
        for &x in &self.ints {
            model.constants.insert(symbol(x), random.int());
        }
        for &u in &self.elements {
            model
                .constants
                .insert(symbol(u), random.element(self.element_sort));
        }
        for &a in &self.arrays {
            let default = random.int();
            let mut array = ArrayValue {
                default,
                entries: BTreeMap::new(),
            };
            for k in -3..=3 {
                if random.below(2) == 0 {
                    array.set(Value::Num(Rational::from(k)), random.int());
                }
            }
            model
                .constants
                .insert(symbol(a), Value::Array(Arc::new(array)));
        }
        let ints: Vec<Value> = (-4..=4).map(|k| Value::Num(Rational::from(k))).collect();
        let us: Vec<Value> = (0..3)
            .map(|k| Value::Element(self.element_sort, k))
            .collect();
        let bs = [Value::Bool(false), Value::Bool(true)];
        let mut table = |s: SymbolId,
                         args: Vec<Vec<Value>>,
                         random: &mut Random,
                         make: fn(&mut Random, SortId) -> Value| {
            let default = make(random, self.element_sort);
            let entries = args
                .into_iter()
                .map(|a| (a, make(random, self.element_sort)))
                .collect();
            model
                .functions
                .insert(s, FunctionValue { default, entries });
        };
        let product = |x: &[Value], y: &[Value]| -> Vec<Vec<Value>> {
            x.iter()
                .flat_map(|a| y.iter().map(move |b| vec![a.clone(), b.clone()]))
                .collect()
        };
        let single =
            |x: &[Value]| -> Vec<Vec<Value>> { x.iter().map(|a| vec![a.clone()]).collect() };
        table(self.f, single(&ints), random, |r, _| r.int());
        table(self.g, product(&ints, &ints), random, |r, _| r.int());
        table(self.h, product(&us, &bs), random, |r, s| r.element(s));
        table(self.p, single(&us), random, |r, _| {
            Value::Bool(r.below(2) == 0)
        });
        table(self.q, product(&ints, &bs), random, |r, _| {
            Value::Bool(r.below(2) == 0)
        });
        model
    }
}

/// A small generator of pseudo-random numbers.
pub struct Random(pub u64);

impl Random {
    pub fn number(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    pub fn below(&mut self, n: u64) -> u64 {
        (self.number() >> 33) % n
    }

    pub fn int(&mut self) -> Value {
        Value::Num(Rational::from(self.below(5) as i64 - 2))
    }

    pub fn element(&mut self, sort: SortId) -> Value {
        Value::Element(sort, self.below(3) as u32)
    }

    pub fn bytes(&mut self, n: usize) -> Vec<u8> {
        (0..n).map(|_| (self.number() >> 40) as u8).collect()
    }
}
