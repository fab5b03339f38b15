//! Linear arithmetic: the linear view of a term, and constructors that keep sums, inequalities and
//! equalities in one normal form, so that equal facts are equal terms.
//!
//! Normal forms. A sum is sorted monomials with the constant last. An atom `p <= 0` or `p = 0`
//! is scaled to coprime integer coefficients; over Int the constant is rounded, and the leading
//! (smallest id) coefficient is made positive (`not` takes up the sign of an inequality). Then the
//! positive monomials stand left, the negative ones right: `x + 2*y <= z + 5`.

use crate::{Op, Pool, Rational, SortId, TermId};

/// `sum of coefficient * atom + constant`; atoms are non-sum, non-scaled terms, sorted by id, with
/// non-zero coefficients.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Linear {
    pub terms: Vec<(TermId, Rational)>,
    pub constant: Rational,
}

impl Linear {
    pub fn constant(value: Rational) -> Self {
        Linear {
            terms: Vec::new(),
            constant: value,
        }
    }

    /// `self + factor * other`.
    pub fn add_scaled(&self, factor: &Rational, other: &Linear) -> Linear {
        let mut terms = Vec::with_capacity(self.terms.len() + other.terms.len());
        let (mut i, mut j) = (0, 0);
        while i < self.terms.len() || j < other.terms.len() {
            let left = self.terms.get(i);
            let right = other.terms.get(j);
            match (left, right) {
                (Some((a, c)), Some((b, d))) if a == b => {
                    let sum = c.mul_add(factor, d);
                    if !sum.is_zero() {
                        terms.push((*a, sum));
                    }
                    i += 1;
                    j += 1;
                }
                (Some((a, c)), other) if other.is_none_or(|(b, _)| a < b) => {
                    terms.push((*a, c.clone()));
                    i += 1;
                }
                (_, Some((b, d))) => {
                    terms.push((*b, factor * d));
                    j += 1;
                }
                _ => unreachable!("one side has a term left"),
            }
        }
        Linear {
            terms,
            constant: self.constant.mul_add(factor, &other.constant),
        }
    }

    pub fn scale(&mut self, factor: &Rational) {
        for (_, c) in &mut self.terms {
            *c = &*c * factor;
        }
        self.constant = &self.constant * factor;
    }

    /// The coefficient of a term, zero if it does not occur.
    pub fn coefficient(&self, x: TermId) -> Rational {
        match self.terms.binary_search_by_key(&x, |term| term.0) {
            Ok(at) => self.terms[at].1.clone(),
            Err(_) => Rational::ZERO,
        }
    }

    /// The form without the summand of a term.
    pub fn without(&self, x: TermId) -> Linear {
        let others = self.terms.iter().filter(|(t, _)| *t != x);
        Linear {
            terms: others.cloned().collect(),
            constant: self.constant.clone(),
        }
    }

    /// The positive factor that makes the coefficients (not the constant) coprime integers.
    fn normalising_factor(&self) -> Rational {
        if self
            .terms
            .iter()
            .all(|(_, c)| c.to_i64().is_some_and(|n| n.unsigned_abs() == 1))
        {
            return Rational::ONE;
        }
        let mut lcm = Rational::ONE;
        for (_, c) in &self.terms {
            let d = Rational::from(c.denominator());
            lcm = &(&lcm / &lcm.gcd(&d)) * &d;
        }
        let mut gcd = Rational::ZERO;
        for (_, c) in &self.terms {
            gcd = gcd.gcd(&(c * &lcm));
        }
        &lcm / &gcd
    }
}

impl Pool {
    pub fn num(&mut self, value: impl Into<Rational>, sort: SortId) -> TermId {
        let value = value.into();
        debug_assert!(sort != self.int_sort() || value.is_integer());
        let id = self.number_id(value);
        self.intern(Op::Num(id), sort, &[])
    }

    pub fn int(&mut self, value: impl Into<Rational>) -> TermId {
        self.num(value, self.int_sort())
    }

    /// The linear view of an arithmetic term.
    pub fn linear(&self, term: TermId) -> Linear {
        let mut out = Linear::constant(Rational::ZERO);
        let summands: &[TermId] = match self.op(term) {
            Op::Add => self.args(term),
            _ => &[term],
        };
        for &s in summands {
            match self.op(s) {
                Op::Num(n) => out.constant += self.number(n),
                Op::Mul if self.as_number(self.args(s)[0]).is_some() => {
                    let [c, t] = *self.args(s) else {
                        unreachable!("scaled term")
                    };
                    let c = self.as_number(c).expect("checked above").clone();
                    out.terms.push((t, c));
                }
                _ => out.terms.push((s, Rational::ONE)),
            }
        }
        out.terms.sort_unstable_by_key(|(t, _)| *t);
        out
    }

    /// The linear view of `a - b`.
    pub fn difference(&self, a: TermId, b: TermId) -> Linear {
        self.linear(a)
            .add_scaled(&Rational::MINUS_ONE, &self.linear(b))
    }

    /// The term of a linear form.
    pub fn from_linear(&mut self, linear: &Linear, sort: SortId) -> TermId {
        let mut parts: Vec<TermId> = Vec::with_capacity(linear.terms.len() + 1);
        for (t, c) in &linear.terms {
            parts.push(self.scaled(c, *t));
        }
        if parts.is_empty() || !linear.constant.is_zero() {
            parts.push(self.num(linear.constant.clone(), sort));
        }
        match parts.as_slice() {
            [single] => *single,
            _ => self.intern(Op::Add, sort, &parts),
        }
    }

    fn scaled(&mut self, factor: &Rational, atom: TermId) -> TermId {
        if factor.is_one() {
            return atom;
        }
        let sort = self.sort_of(atom);
        let c = self.num(factor.clone(), sort);
        self.intern(Op::Mul, sort, &[c, atom])
    }

    pub fn add(&mut self, args: &[TermId]) -> TermId {
        let sort = self.sort_of(args[0]);
        let mut sum = self.linear(args[0]);
        if let &[a, b] = args {
            assert!(self.sort_of(b) == sort, "summands have one sort");
            sum = self.linear(a).add_scaled(&Rational::ONE, &self.linear(b));
            return self.from_linear(&sum, sort);
        }
        for &a in &args[1..] {
            assert!(self.sort_of(a) == sort, "summands have one sort");
            let l = self.linear(a);
            sum.terms.extend(l.terms);
            sum.constant += &l.constant;
        }
        // Collect once for all summands: adding them one by one is quadratic.
        sum.terms.sort_by_key(|(t, _)| *t);
        sum.terms.dedup_by(|later, first| {
            let same = later.0 == first.0;
            if same {
                first.1 += &later.1;
            }
            same
        });
        sum.terms.retain(|(_, c)| !c.is_zero());
        self.from_linear(&sum, sort)
    }

    pub fn add2(&mut self, a: TermId, b: TermId) -> TermId {
        self.add(&[a, b])
    }

    pub fn sub(&mut self, a: TermId, b: TermId) -> TermId {
        let d = self.difference(a, b);
        self.from_linear(&d, self.sort_of(a))
    }

    pub fn neg(&mut self, a: TermId) -> TermId {
        self.mul_const(&Rational::MINUS_ONE, a)
    }

    pub fn mul_const(&mut self, factor: &Rational, a: TermId) -> TermId {
        let sort = self.sort_of(a);
        if factor.is_zero() {
            return self.num(Rational::ZERO, sort);
        }
        let mut l = self.linear(a);
        l.scale(factor);
        self.from_linear(&l, sort)
    }

    /// A product: linear if at most one factor is not a numeral.
    pub fn mul(&mut self, args: &[TermId]) -> TermId {
        let sort = self.sort_of(args[0]);
        let mut coefficient = Rational::ONE;
        let mut factors: Vec<TermId> = Vec::new();
        for &a in args {
            let mut single = a;
            // Pull the constant out of scaled factors, and flatten products.
            if let Op::Mul = self.op(a)
                && let Some(c) = self.as_number(self.args(a)[0])
            {
                coefficient = &coefficient * c;
                single = self.args(a)[1];
            }
            match self.op(single) {
                Op::Num(n) => coefficient = &coefficient * self.number(n),
                Op::Mul => factors.extend_from_slice(self.args(single)),
                _ => factors.push(single),
            }
        }
        factors.sort_unstable();
        match factors.as_slice() {
            [] => self.num(coefficient, sort),
            [single] => self.mul_const(&coefficient, *single),
            _ => {
                let product = self.intern(Op::Mul, sort, &factors);
                self.mul_const(&coefficient, product)
            }
        }
    }

    pub fn le(&mut self, a: TermId, b: TermId) -> TermId {
        let d = self.difference(a, b);
        self.le_zero(d, self.sort_of(a))
    }

    pub fn lt(&mut self, a: TermId, b: TermId) -> TermId {
        let le = self.le(b, a);
        self.not(le)
    }

    pub fn ge(&mut self, a: TermId, b: TermId) -> TermId {
        self.le(b, a)
    }

    pub fn gt(&mut self, a: TermId, b: TermId) -> TermId {
        self.lt(b, a)
    }

    /// `low <= t <= high`.
    pub fn in_range(&mut self, low: &Rational, t: TermId, high: &Rational) -> TermId {
        let sort = self.sort_of(t);
        let (l, h) = (self.num(low.clone(), sort), self.num(high.clone(), sort));
        let parts = [self.le(l, t), self.le(t, h)];
        self.and(&parts)
    }

    /// The atom `linear <= 0`.
    pub fn le_zero(&mut self, mut linear: Linear, sort: SortId) -> TermId {
        if linear.terms.is_empty() {
            return self.bool_const(!linear.constant.is_positive());
        }
        linear.scale(&linear.normalising_factor());
        if sort == self.int_sort() {
            // sum <= -constant, rounded down.
            linear.constant = linear.constant.ceil();
            if linear.terms[0].1.is_negative() {
                // sum + c <= 0  iff  not (sum + c >= 1)  iff  not (-sum - c + 1 <= 0)
                linear.scale(&Rational::MINUS_ONE);
                linear.constant += &Rational::ONE;
                let atom = self.split_atom(Op::Le, &linear, sort);
                return self.not(atom);
            }
        }
        self.split_atom(Op::Le, &linear, sort)
    }

    pub(crate) fn arith_eq(&mut self, a: TermId, b: TermId) -> TermId {
        let sort = self.sort_of(a);
        let d = self.difference(a, b);
        self.eq_zero(d, sort)
    }

    /// The atom `linear = 0`.
    pub fn eq_zero(&mut self, mut linear: Linear, sort: SortId) -> TermId {
        if linear.terms.is_empty() {
            return self.bool_const(linear.constant.is_zero());
        }
        linear.scale(&linear.normalising_factor());
        if linear.terms[0].1.is_negative() {
            linear.scale(&Rational::MINUS_ONE);
        }
        if sort == self.int_sort() && !linear.constant.is_integer() {
            return self.ff();
        }
        self.split_atom(Op::Eq, &linear, sort)
    }

    /// `positive part (op) negated negative part`.
    fn split_atom(&mut self, op: Op, linear: &Linear, sort: SortId) -> TermId {
        let mut left = Linear::constant(Rational::ZERO);
        let mut right = Linear::constant(Rational::ZERO);
        for (t, c) in &linear.terms {
            if c.is_positive() {
                left.terms.push((*t, c.clone()));
            } else {
                right.terms.push((*t, -c));
            }
        }
        if left.terms.is_empty() || linear.constant.is_negative() || right.terms.is_empty() {
            right.constant = -&linear.constant;
        } else {
            left.constant = linear.constant.clone();
        }
        let l = self.from_linear(&left, sort);
        let r = self.from_linear(&right, sort);
        self.intern(op, self.bool_sort(), &[l, r])
    }

    // ---- division, conversions ----

    pub fn int_div(&mut self, a: TermId, b: TermId) -> TermId {
        match (self.as_number(a).cloned(), self.as_number(b).cloned()) {
            (_, Some(d)) if d.is_one() => a,
            (Some(n), Some(d)) if !d.is_zero() => self.int(n.div_euclid(&d)),
            _ => self.intern(Op::IntDiv, self.int_sort(), &[a, b]),
        }
    }

    pub fn modulo(&mut self, a: TermId, b: TermId) -> TermId {
        match (self.as_number(a).cloned(), self.as_number(b).cloned()) {
            (_, Some(d)) if d.abs().is_one() => self.int(0),
            (Some(n), Some(d)) if !d.is_zero() => self.int(n.rem_euclid(&d)),
            _ => self.intern(Op::Mod, self.int_sort(), &[a, b]),
        }
    }

    pub fn real_div(&mut self, a: TermId, b: TermId) -> TermId {
        match self.as_number(b).cloned() {
            Some(d) if !d.is_zero() => self.mul_const(&d.recip(), a),
            _ => self.intern(Op::RealDiv, self.real_sort(), &[a, b]),
        }
    }

    pub fn to_real(&mut self, a: TermId) -> TermId {
        match self.as_number(a).cloned() {
            Some(n) => self.num(n, self.real_sort()),
            None if self.sort_of(a) == self.real_sort() => a,
            None => {
                // Sums and multiples stay visible to linear arithmetic.
                let mut linear = self.linear(a);
                let real = self.real_sort();
                for (t, _) in &mut linear.terms {
                    *t = self.intern(Op::ToReal, real, &[*t]);
                }
                linear.terms.sort_unstable_by_key(|(t, _)| *t);
                self.from_linear(&linear, real)
            }
        }
    }

    pub fn to_int(&mut self, a: TermId) -> TermId {
        match self.as_number(a).cloned() {
            Some(n) => self.int(n.floor()),
            None if self.op(a) == Op::ToReal => self.args(a)[0],
            None => self.intern(Op::ToInt, self.int_sort(), &[a]),
        }
    }
}
