//! Steps of linear arithmetic: `la_generic` with its coefficients, and equalities from two inequalities.
//!
//! A clause of comparisons is refuted in its negation: each literal, negated, is `form >= 0`, `form > 0` or
//! `form = 0`, and the weighted sum of forms is a contradiction. Terms that the user wrote in another way than the
//! solver keeps them are joined by equations, which the writer knows (`Writer::equations`) and which are resolved away.

use super::terms::{AletheId, Kind, Literal};
use super::{StepId, Trouble, Writer};
use logic::Rational;
use std::collections::BTreeMap;

/// A linear form over terms that rules take as they stand.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Form {
    pub terms: BTreeMap<AletheId, Rational>,
    pub constant: Rational,
}

impl Form {
    pub(super) fn add_scaled(&mut self, factor: &Rational, other: &Form) {
        for (&t, c) in &other.terms {
            let sum = self.terms.entry(t).or_insert(Rational::ZERO);
            *sum = &*sum + &(factor * c);
            if sum.is_zero() {
                self.terms.remove(&t);
            }
        }
        self.constant = &self.constant + &(factor * &other.constant);
    }
}

/// What the negation of a literal says: `form >= 0`, `> 0` if `strict`, or `= 0` if `equation`.
struct Hypothesis {
    form: Form,
    equation: bool,
    strict: bool,
}

impl Hypothesis {
    /// Over integers: `form > 0` means that it is at least the greatest common divisor of its numbers.
    fn round(&mut self) {
        let form = &mut self.form;
        if !form.terms.values().all(Rational::is_integer) {
            return;
        }
        match self.strict {
            true if form.constant.is_integer() => {
                let divisor = form
                    .terms
                    .values()
                    .fold(form.constant.abs(), |d, c| d.gcd(c));
                let divisor = if divisor.is_zero() {
                    Rational::ONE
                } else {
                    divisor
                };
                form.constant = &form.constant - &divisor;
                self.strict = false;
            }
            true => {
                form.constant = &form.constant.ceil() - &Rational::ONE;
                self.strict = false;
            }
            false => form.constant = form.constant.floor(),
        }
    }
}

const COMPARISONS: [&str; 4] = ["<=", "<", ">=", ">"];

impl Writer<'_> {
    /// Is it a comparison of numbers?
    pub(super) fn is_comparison(&self, a: AletheId) -> bool {
        let terms = &self.steps.terms;
        terms.binary(a, &COMPARISONS).is_some()
            || terms
                .binary(a, &["="])
                .is_some_and(|(x, _)| terms[x].kind.is_number())
    }

    /// The form of a term, as checkers of `la_generic` read it.
    pub(super) fn form(&self, term: AletheId) -> Form {
        let terms = &self.steps.terms;
        let mut sum = Form::default();
        let mut open = vec![(term, Rational::ONE)];
        while let Some((a, factor)) = open.pop() {
            let node = &terms[a];
            match (&*node.head, &*node.args) {
                _ if terms.as_number(a).is_some() => {
                    let value = terms.as_number(a).unwrap_or(Rational::ZERO);
                    sum.constant = &sum.constant + &(&factor * &value);
                }
                ("+", args) => open.extend(args.iter().map(|&x| (x, factor.clone()))),
                ("-", &[x]) => open.push((x, -&factor)),
                ("-", [x, rest @ ..]) => {
                    open.push((*x, factor.clone()));
                    open.extend(rest.iter().map(|&y| (y, -&factor)));
                }
                ("*", &[x, y]) => match (terms.as_number(x), terms.as_number(y)) {
                    (Some(c), _) => open.push((y, &factor * &c)),
                    (None, Some(c)) => open.push((x, &factor * &c)),
                    (None, None) => sum.add_scaled(&factor, &single(a)),
                },
                _ => sum.add_scaled(&factor, &single(a)),
            }
        }
        sum
    }

    fn hypothesis(&self, (atom, positive): Literal) -> Result<Hypothesis, Trouble> {
        let terms = &self.steps.terms;
        let all = ["<=", "<", ">=", ">", "="];
        let (x, y) = terms
            .binary(atom, &all)
            .ok_or_else(|| Trouble::gap("a literal is no comparison"))?;
        let mut form = self.form(x);
        form.add_scaled(&Rational::MINUS_ONE, &self.form(y));
        let head = &*terms[atom].head;
        if head == "=" && positive {
            return Err(Trouble::gap("a disequality is no linear fact"));
        }
        // The literal is negated: x <= y in the clause is x > y here.
        let upward = (matches!(head, "<=" | "<")) == positive;
        if head != "=" && !upward {
            let minus = std::mem::take(&mut form);
            form.add_scaled(&Rational::MINUS_ONE, &minus);
        }
        let strict = matches!(head, "<" | ">") != positive;
        let mut hypothesis = Hypothesis {
            form,
            equation: head == "=",
            strict: strict && head != "=",
        };
        let whole = |a: &AletheId| terms[*a].kind == Kind::Int;
        if !hypothesis.equation && hypothesis.form.terms.keys().all(whole) {
            hypothesis.round();
        }
        Ok(hypothesis)
    }

    /// `form >= 0`, as the negation of a literal says.
    pub(super) fn bound_form(&self, literal: Literal) -> Option<Form> {
        let hypothesis = self.hypothesis(literal).ok()?;
        (!hypothesis.strict).then_some(hypothesis.form)
    }

    /// The atom `form without its constant >= limit`, over integers.
    pub(super) fn at_least(&mut self, form: &Form, limit: &Rational) -> AletheId {
        let terms = &mut self.steps.terms;
        let mut summands = Vec::new();
        for (&t, c) in &form.terms {
            let factor = terms.number(c, false);
            summands.push(terms.node("*", &[factor, t], Kind::Int));
        }
        let sum = match summands[..] {
            [one] => one,
            _ => terms.node("+", &summands, Kind::Int),
        };
        let limit = terms.number(limit, false);
        terms.formula(">=", &[sum, limit])
    }

    /// For `x = y` over integers: the atom that says on which side of the solution the form is, divided by the
    /// common divisor of its coefficients.
    pub(super) fn middle(&mut self, x: AletheId, y: AletheId) -> Option<AletheId> {
        let mut form = self.form(x);
        form.add_scaled(&Rational::MINUS_ONE, &self.form(y));
        let form = self.rewritten(&form);
        let divisor = form.terms.values().fold(Rational::ZERO, |d, c| d.gcd(c));
        if divisor.is_zero() || !form.terms.values().all(Rational::is_integer) {
            return None;
        }
        let mut divided = Form::default();
        divided.add_scaled(&divisor.recip(), &form);
        let limit = (-&divided.constant).ceil();
        Some(self.at_least(&divided, &limit))
    }

    /// A clause of comparisons that holds by the sum of its negations, weighted.
    pub(super) fn farkas(
        &mut self,
        clause: &[Literal],
        weights: &[Rational],
    ) -> Result<StepId, Trouble> {
        let mut sum = Form::default();
        let (mut strict, mut equations) = (false, true);
        for (&literal, weight) in clause.iter().zip(weights) {
            let hypothesis = self.hypothesis(literal)?;
            if !weight.is_zero() {
                strict |= hypothesis.strict;
                equations &= hypothesis.equation;
            }
            sum.add_scaled(weight, &hypothesis.form);
        }
        let mut conclusion: Vec<AletheId> = Vec::new();
        for &l in clause {
            conclusion.push(self.steps.terms.written(l));
        }
        let mut weights = weights.to_vec();
        let mut premises = Vec::new();
        // What is left of terms as the user wrote them goes by their equations.
        loop {
            let rewritten = sum.terms.iter().find_map(|(t, c)| {
                let (step, image) = *self.equations.get(t)?;
                Some((*t, c.clone(), step, image))
            });
            let Some((term, coefficient, step, image)) = rewritten else {
                break;
            };
            let equal = self.steps.terms.formula("=", &[term, image]);
            conclusion.push(self.steps.terms.not(equal));
            let weight = -&coefficient;
            sum.add_scaled(&weight, &single(term));
            sum.add_scaled(&-&weight, &self.form(image));
            weights.push(weight);
            premises.push(step);
        }
        if !sum.terms.is_empty() {
            return Err(Trouble::gap(
                "the terms of a linear lemma do not cancel out",
            ));
        }
        let impossible = match () {
            _ if equations => !sum.constant.is_zero(),
            _ if strict => !sum.constant.is_positive(),
            _ => sum.constant.is_negative(),
        };
        if !impossible {
            return Err(Trouble::gap(
                "the sum of a linear lemma is no contradiction",
            ));
        }
        let mut args = Vec::new();
        for w in &weights {
            args.push(self.steps.terms.number(w, !w.is_integer()));
        }
        let lemma = self.steps.add("la_generic", conclusion, Vec::new(), args);
        if premises.is_empty() {
            return Ok(lemma);
        }
        premises.push(lemma);
        self.steps.combine(clause, &premises)
    }

    /// A clause of one or two comparisons; the weights are found.
    pub(super) fn linear(&mut self, clause: &[Literal]) -> Result<StepId, Trouble> {
        let weights = match clause {
            [_] => vec![Rational::ONE],
            &[first, second] => {
                let (first, second) = (self.hypothesis(first)?, self.hypothesis(second)?);
                let (f, g) = (self.rewritten(&first.form), self.rewritten(&second.form));
                match f.terms.iter().next() {
                    None => vec![Rational::ONE, Rational::ZERO],
                    Some((t, c)) => {
                        let Some(d) = g.terms.get(t) else {
                            return Err(Trouble::gap("two comparisons speak of different terms"));
                        };
                        // c * w1 + d * w2 = 0, the weights of inequalities positive.
                        let [w1, w2] = match (first.equation, second.equation) {
                            (true, false) => [&(-d) / c, Rational::ONE],
                            _ => [Rational::ONE, &(-c) / d],
                        };
                        let wrong = |equation: bool, w: &Rational| !equation && w.is_negative();
                        if wrong(first.equation, &w1) || wrong(second.equation, &w2) {
                            return Err(Trouble::gap(
                                "two comparisons do not contradict each other",
                            ));
                        }
                        vec![w1, w2]
                    }
                }
            }
            _ => return Err(Trouble::gap("a linear clause has one or two literals here")),
        };
        self.farkas(clause, &scaled(weights))
    }

    /// The form over the solver's terms.
    fn rewritten(&self, form: &Form) -> Form {
        let mut out = form.clone();
        while let Some((t, c, image)) = out.terms.iter().find_map(|(t, c)| {
            let (_, image) = self.equations.get(t)?;
            Some((*t, c.clone(), *image))
        }) {
            out.add_scaled(&-&c, &single(t));
            out.add_scaled(&c, &self.form(image));
        }
        out
    }

    /// `x = y`, or one of the other literals holds; each half by one of them at most.
    pub(super) fn equality(
        &mut self,
        x: AletheId,
        y: AletheId,
        others: &[Literal],
    ) -> Result<StepId, Trouble> {
        let terms = &mut self.steps.terms;
        let equal = terms.formula("=", &[x, y]);
        let (up, down) = (terms.formula("<=", &[x, y]), terms.formula("<=", &[y, x]));
        let (not_up, not_down) = (terms.not(up), terms.not(down));
        let or = terms.formula("or", &[equal, not_up, not_down]);
        let mut premises = vec![
            self.steps
                .add("la_disequality", vec![or], Vec::new(), Vec::new()),
        ];
        premises.extend(self.steps.structure(or));
        for half in [up, down] {
            premises.push(self.with_one_of((half, true), others)?);
        }
        let mut target = vec![(equal, true)];
        target.extend_from_slice(others);
        self.steps.combine(&target, &premises)
    }

    /// A literal, or one of the others.
    fn with_one_of(&mut self, literal: Literal, others: &[Literal]) -> Result<StepId, Trouble> {
        let alone = self.linear(&[literal]);
        if others.is_empty() || alone.is_ok() {
            return alone;
        }
        for &other in others {
            if let Ok(step) = self.linear(&[literal, other]) {
                return Ok(step);
            }
        }
        Err(Trouble::gap("no literal gives half of an equality"))
    }
}

fn single(a: AletheId) -> Form {
    Form {
        terms: BTreeMap::from([(a, Rational::ONE)]),
        constant: Rational::ZERO,
    }
}

/// Weights without fractions.
pub(super) fn scaled(weights: Vec<Rational>) -> Vec<Rational> {
    let mut factor = Rational::ONE;
    for w in &weights {
        let scaled = &factor * w;
        if !scaled.is_integer() {
            factor = &factor * &Rational::new(scaled.denominator(), 1);
        }
    }
    weights.iter().map(|w| w * &factor).collect()
}
