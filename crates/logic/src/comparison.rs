//! Arithmetic literals read as comparisons of a linear form: `linear (<=, <, =, !=) 0`, and as bounds:
//! `form <= limit`.
//!
//! The one reader of such literals. Over Int a strict inequality becomes `linear + 1 <= 0`, so that Int
//! has no strict ones. A [`Bound`] has the form without its constant and with a positive leading
//! coefficient: as the coefficients of an atom are coprime, bounds on one form have equal forms.

use crate::{Linear, Op, Pool, Rational, SortId, TermId};

/// How a linear form stands to zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// At most.
    Le,
    /// Less than (never over Int).
    Lt,
    /// Equal.
    Eq,
    /// Different.
    Ne,
}

/// `linear (relation) 0`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    pub linear: Linear,
    pub relation: Relation,
    /// Int or Real.
    pub sort: SortId,
}

/// What a literal says of a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    AtMost,
    AtLeast,
    Is,
    IsNot,
}

/// A literal as a bound: `form (side) limit`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bound {
    /// Terms with coefficients; the first is positive.
    pub form: Vec<(TermId, Rational)>,
    pub side: Side,
    pub limit: Rational,
    /// Is the limit itself excluded (never over Int)?
    pub strict: bool,
}

impl Comparison {
    /// Reads a literal; `None` if it is no arithmetic one.
    pub fn read(pool: &Pool, literal: TermId) -> Option<Self> {
        Self::of(pool, literal, true)
    }

    /// Reads what a literal says if it has this truth value.
    pub fn of(pool: &Pool, mut literal: TermId, mut value: bool) -> Option<Self> {
        while pool.op(literal) == Op::Not {
            literal = pool.args(literal)[0];
            value = !value;
        }
        let op = pool.op(literal);
        let (Op::Le | Op::Eq, &[a, b]) = (op, pool.args(literal)) else {
            return None;
        };
        let sort = pool.sort_of(a);
        if !pool.is_arith(sort) {
            return None;
        }
        let mut linear = pool.difference(a, b);
        let relation = match (op, value) {
            (Op::Eq, true) => Relation::Eq,
            (Op::Eq, false) => Relation::Ne,
            (_, true) => Relation::Le,
            // not (l <= 0)  iff  -l < 0, over Int -l + 1 <= 0
            (_, false) => {
                linear.scale(&Rational::MINUS_ONE);
                match sort == pool.int_sort() {
                    true => {
                        linear.constant += &Rational::ONE;
                        Relation::Le
                    }
                    false => Relation::Lt,
                }
            }
        };
        Some(Comparison {
            linear,
            relation,
            sort,
        })
    }

    /// Reads a literal over Int; `None` if it is no such one.
    pub fn of_integers(pool: &Pool, literal: TermId) -> Option<Self> {
        Self::read(pool, literal).filter(|c| c.sort == pool.int_sort())
    }

    /// The literal that says this.
    pub fn literal(&self, pool: &mut Pool) -> TermId {
        let mut linear = self.linear.clone();
        match self.relation {
            Relation::Le => pool.le_zero(linear, self.sort),
            Relation::Eq => pool.eq_zero(linear, self.sort),
            Relation::Ne => {
                let equal = pool.eq_zero(linear, self.sort);
                pool.not(equal)
            }
            Relation::Lt => {
                linear.scale(&Rational::MINUS_ONE);
                let at_least = pool.le_zero(linear, self.sort);
                pool.not(at_least)
            }
        }
    }

    /// The same as a bound; `None` if there is no term.
    pub fn bound(mut self) -> Option<Bound> {
        let leading_negative = self.linear.terms.first()?.1.is_negative();
        if leading_negative {
            self.linear.scale(&Rational::MINUS_ONE);
        }
        let side = match self.relation {
            Relation::Eq => Side::Is,
            Relation::Ne => Side::IsNot,
            Relation::Le | Relation::Lt if leading_negative => Side::AtLeast,
            Relation::Le | Relation::Lt => Side::AtMost,
        };
        Some(Bound {
            side,
            limit: -&self.linear.constant,
            strict: self.relation == Relation::Lt,
            form: self.linear.terms,
        })
    }

    /// The coefficient of a term.
    pub fn coefficient(&self, x: TermId) -> Rational {
        self.linear.coefficient(x)
    }

    /// The form that an equation, or a bound that is reached, gives for x: `-(rest) / coefficient`.
    /// x must occur.
    pub fn solved(&self, x: TermId) -> Linear {
        let mut rest = self.linear.without(x);
        rest.scale(&-self.coefficient(x).recip());
        rest
    }

    /// Replaces x by a linear form.
    pub fn replace(&mut self, x: TermId, by: &Linear) {
        let c = self.coefficient(x);
        if !c.is_zero() {
            self.linear = self.linear.without(x).add_scaled(&c, by);
        }
    }
}

impl Bound {
    /// Reads a literal as a bound; `None` if it is no arithmetic one.
    pub fn read(pool: &Pool, literal: TermId) -> Option<Self> {
        Comparison::read(pool, literal)?.bound()
    }

    /// Reads a literal over Int as a bound; `None` if it is no such one.
    pub fn of_integers(pool: &Pool, literal: TermId) -> Option<Self> {
        Comparison::of_integers(pool, literal)?.bound()
    }
}

#[cfg(test)]
mod tests {
    use super::{Bound, Comparison, Relation, Side};
    use crate::{Model, Pool, Rational, SortId, TermId, Value, eval};
    use proptest::prelude::*;

    #[derive(Clone, Copy, Debug)]
    enum Literal {
        Le,
        Lt,
        Eq,
        Ne,
    }

    /// Two constants and the literal `a*x + b*y + c (relation) 0`.
    fn literal(
        pool: &mut Pool,
        sort: SortId,
        kind: Literal,
        [a, b, c]: [i64; 3],
    ) -> ([TermId; 2], TermId) {
        let vars = ["x", "y"].map(|n| pool.constant(n, sort));
        let x = pool.mul_const(&Rational::from(a), vars[0]);
        let y = pool.mul_const(&Rational::from(b), vars[1]);
        let c = pool.num(c, sort);
        let sum = pool.add(&[x, y, c]);
        let zero = pool.num(0, sort);
        let equal = pool.eq(sum, zero);
        let literal = match kind {
            Literal::Le => pool.le(sum, zero),
            Literal::Lt => pool.lt(sum, zero),
            Literal::Eq => equal,
            Literal::Ne => pool.not(equal),
        };
        (vars, literal)
    }

    fn sum(terms: &[(TermId, Rational)], model: &Model, pool: &Pool) -> Rational {
        terms.iter().fold(Rational::ZERO, |all, (t, c)| {
            let Value::Num(n) = eval(pool, model, *t) else {
                unreachable!("a number")
            };
            all.mul_add(c, &n)
        })
    }

    proptest! {
        #[test]
        fn readings_mean_what_the_literal_means(
            kind in prop_oneof![
                Just(Literal::Le), Just(Literal::Lt), Just(Literal::Eq), Just(Literal::Ne)
            ],
            factors in proptest::array::uniform3(-4i64..5),
            real in any::<bool>(),
            values in proptest::array::uniform2(-6i64..7),
        ) {
            let mut pool = Pool::new();
            let sort = if real { pool.real_sort() } else { pool.int_sort() };
            let (vars, literal) = literal(&mut pool, sort, kind, factors);
            let Some(read) = Comparison::read(&pool, literal) else {
                prop_assert!(literal == pool.tt() || literal == pool.ff());
                return Ok(());
            };
            prop_assert!(real || read.relation != Relation::Lt);
            prop_assert_eq!(read.literal(&mut pool), literal);
            let negated = pool.not(literal);
            let other = Comparison::of(&pool, literal, false).expect("arithmetic");
            prop_assert_eq!(other.literal(&mut pool), negated);
            let mut model = Model::default();
            for (var, value) in vars.into_iter().zip(values) {
                let symbol = pool.as_constant(var).expect("a constant");
                model.constants.insert(symbol, Value::Num(Rational::from(value)));
            }
            let truth = eval(&pool, &model, literal) == Value::Bool(true);
            let bound = Bound::read(&pool, literal).expect("it has a term");
            prop_assert!(bound.form[0].1.is_positive());
            let form = sum(&bound.form, &model, &pool);
            let reached = form == bound.limit;
            let holds = match bound.side {
                Side::AtMost => form < bound.limit || reached && !bound.strict,
                Side::AtLeast => form > bound.limit || reached && !bound.strict,
                Side::Is => reached,
                Side::IsNot => !reached,
            };
            prop_assert_eq!(holds, truth);
            // Solving for a term that occurs and putting the solution back leaves nothing of it.
            for (x, _) in &bound.form {
                let by = read.solved(*x);
                let mut replaced = read.clone();
                replaced.replace(*x, &by);
                prop_assert!(replaced.linear.terms.is_empty());
                prop_assert!(replaced.linear.constant.is_zero());
            }
        }
    }

    #[test]
    fn bounds_on_one_form_have_equal_forms() {
        let mut pool = Pool::new();
        let int = pool.int_sort();
        let (_, upper) = literal(&mut pool, int, Literal::Le, [2, -4, 3]);
        let (_, lower) = literal(&mut pool, int, Literal::Lt, [-3, 6, 1]);
        let (_, fixed) = literal(&mut pool, int, Literal::Eq, [-1, 2, 5]);
        let read = [upper, lower, fixed].map(|t| Bound::of_integers(&pool, t).expect("a bound"));
        assert!(read.iter().all(|b| b.form == read[0].form));
        let sides = read.map(|b| (b.side, b.limit.to_i64()));
        let expected = [
            (Side::AtMost, Some(-2)),
            (Side::AtLeast, Some(1)),
            (Side::Is, Some(5)),
        ];
        assert_eq!(sides, expected);
    }

    #[test]
    fn other_literals_are_no_comparisons() {
        let mut pool = Pool::new();
        let (int, real, bool) = (pool.int_sort(), pool.real_sort(), pool.bool_sort());
        let [p, q] = ["p", "q"].map(|n| pool.constant(n, bool));
        let same = pool.eq(p, q);
        let [a, b] = ["a", "b"].map(|n| pool.constant(n, real));
        let of_reals = pool.le(a, b);
        let x = pool.constant("x", int);
        for t in [p, same, x] {
            assert_eq!(Comparison::read(&pool, t), None);
        }
        assert!(Comparison::read(&pool, of_reals).is_some());
        assert_eq!(Comparison::of_integers(&pool, of_reals), None);
    }
}
