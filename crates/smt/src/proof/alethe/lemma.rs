//! Theory lemmas by Alethe's rules.

use super::terms::{AletheId, Literal};
use super::{StepId, Trouble, Writer};
use crate::proof::Certificate;
use logic::{Op, Rational, TermId};

impl Writer<'_> {
    pub(super) fn lemma(
        &mut self,
        certificate: &Certificate,
        negated: &[(TermId, bool)],
        clause: &[Literal],
    ) -> Result<StepId, Trouble> {
        match certificate {
            Certificate::Farkas(weights) => self.farkas(clause, weights),
            Certificate::Equality => self.equality_lemma(negated, clause),
            Certificate::Trichotomy | Certificate::Branch => self.one_dimensional(clause),
            Certificate::Divisibility(weights) => self.rounded(clause, weights, None),
            Certificate::Residue(weights) => {
                let bounds: Vec<usize> = (0..weights.len()).filter(|&i| weights[i].1).collect();
                let &[p, q] = &bounds[..] else {
                    return Err(Trouble::Gap("a residue has two bounds"));
                };
                let weights: Vec<Rational> = weights.iter().map(|w| w.0.clone()).collect();
                self.rounded(clause, &weights, Some([p, q]))
                    .or_else(|_| self.rounded(clause, &weights, Some([q, p])))
            }
            Certificate::Axiom { term, .. } => self.axiom(*term, clause),
        }
    }

    /// Comparisons about one form: two of them suffice, or an equality and its two halves.
    fn one_dimensional(&mut self, clause: &[Literal]) -> Result<StepId, Trouble> {
        let equality = clause
            .iter()
            .find(|(atom, positive)| *positive && self.steps.terms.binary(*atom, &["="]).is_some());
        if let Some(&(atom, _)) = equality {
            let others: Vec<Literal> = clause.iter().copied().filter(|l| l.0 != atom).collect();
            if let Some((x, y)) = self.steps.terms.binary(atom, &["="])
                && let Ok(step) = self.equality(x, y, &others)
            {
                return Ok(step);
            }
        }
        let plain: Vec<Literal> = clause
            .iter()
            .copied()
            .filter(|l| equality != Some(l))
            .collect();
        for (i, &first) in plain.iter().enumerate() {
            if let Ok(step) = self.linear(&[first]) {
                return Ok(step);
            }
            for &second in &plain[i + 1..] {
                if let Ok(step) = self.linear(&[first, second]) {
                    return Ok(step);
                }
            }
        }
        Err(Trouble::Gap(
            "a lemma about one form has no two literals that suffice",
        ))
    }

    /// Equations (pairs of opposite inequalities) whose weighted sum has no integer solution: the sum is rounded, and
    /// the other way round it contradicts that. With bounds, the first goes with the sum, the second against it.
    fn rounded(
        &mut self,
        clause: &[Literal],
        weights: &[Rational],
        bounds: Option<[usize; 2]>,
    ) -> Result<StepId, Trouble> {
        let missing = || Trouble::Unsupported("equations without integer solutions".into());
        let mut halves = Vec::new();
        for (half, sign) in [Rational::ONE, Rational::MINUS_ONE].iter().enumerate() {
            let mut side = vec![Rational::ZERO; clause.len()];
            for (i, w) in weights.iter().enumerate() {
                if w.is_zero() {
                    continue;
                }
                let w = w * sign;
                let (at, w) = match bounds {
                    Some(b) if b[half] == i => (i, w.abs()),
                    Some(b) if b.contains(&i) => continue,
                    _ if w.is_positive() => (i, w),
                    // The weight of a negative one goes to its partner.
                    _ => self.partner(clause, i, &w).ok_or_else(missing)?,
                };
                side[at] = &side[at] + &w;
            }
            halves.push(side);
        }
        let cut = self.cut(clause, &halves[0]).ok_or_else(missing)?;
        let one_way = self.weighted((cut, true), clause, &halves[0])?;
        let other_way = self.weighted((cut, false), clause, &halves[1])?;
        self.steps.combine(clause, &[one_way, other_way])
    }

    /// The literal that says the opposite of another, and the weight there.
    fn partner(
        &self,
        clause: &[Literal],
        i: usize,
        weight: &Rational,
    ) -> Option<(usize, Rational)> {
        let own = self.bound_form(clause[i])?;
        (0..clause.len()).find_map(|j| {
            let other = self.bound_form(clause[j])?;
            let (t, c) = own.terms.iter().next()?;
            let ratio = c / other.terms.get(t)?;
            let mut sum = own.clone();
            sum.add_scaled(&-&ratio, &other);
            let opposite = ratio.is_negative() && sum.terms.is_empty() && sum.constant.is_zero();
            opposite.then(|| (j, weight * &ratio))
        })
    }

    /// An atom for the weighted sum of forms, rounded.
    fn cut(&mut self, clause: &[Literal], weights: &[Rational]) -> Option<AletheId> {
        let mut sum = super::arithmetic::Form::default();
        for (&literal, w) in clause.iter().zip(weights) {
            sum.add_scaled(w, &self.bound_form(literal)?);
        }
        if !sum.terms.values().all(Rational::is_integer) {
            return None;
        }
        // sum >= -constant, so it is at least that rounded up.
        let limit = (-&sum.constant).ceil();
        Some(self.at_least(&sum, &limit))
    }

    fn weighted(
        &mut self,
        extra: Literal,
        clause: &[Literal],
        weights: &[Rational],
    ) -> Result<StepId, Trouble> {
        let mut lits = vec![extra];
        let mut all = vec![Rational::ONE];
        for (&l, w) in clause.iter().zip(weights) {
            if !w.is_zero() {
                lits.push(l);
                all.push(w.clone());
            }
        }
        self.farkas(&lits, &super::arithmetic::scaled(all))
    }

    /// Axioms of `ite`; other operators have none in Alethe.
    fn axiom(&mut self, term: TermId, clause: &[Literal]) -> Result<StepId, Trouble> {
        let name = self.operator_name(term);
        let unsupported = || Trouble::Unsupported(format!("the axioms of `{name}`"));
        if self.pool.op(term) != Op::Ite {
            return Err(unsupported());
        }
        let ite = self.term(term)?;
        let (mut premises, [is_x, is_y]) = self.cases_of(ite).ok_or_else(unsupported)?;
        let mut roots = vec![self.steps.terms[ite].args[0]];
        // Equalities and bounds in the solver's form.
        for &(atom, positive) in clause {
            roots.push(atom);
            for from in [is_x, is_y] {
                if atom == from || !self.is_comparison(atom) {
                    continue;
                }
                let equality = self.steps.terms.binary(atom, &["="]);
                let step = match equality {
                    Some((p, q)) if positive => self.equality(p, q, &[(from, false)]),
                    _ => self.linear(&[(atom, positive), (from, false)]),
                };
                premises.extend(step.ok());
            }
            if let (Some((p, q)), false) = (
                self.steps.terms.binary(atom, &["="]),
                self.is_comparison(atom),
            ) {
                for from in [is_x, is_y] {
                    if self.steps.terms.binary(from, &["="]) == Some((q, p)) && from != atom {
                        premises.push(self.turned(from, atom)?);
                    }
                }
            }
        }
        premises.extend(self.steps.structure_below(&roots, 1));
        self.steps
            .combine(clause, &premises)
            .map_err(|_| unsupported())
    }

    /// What `(ite c x y)` is in both cases, and the equalities with `x` and with `y`.
    pub(super) fn cases_of(&mut self, ite: AletheId) -> Option<(Vec<StepId>, [AletheId; 2])> {
        let &[c, x, y] = &*self.steps.terms[ite].args.clone() else {
            return None;
        };
        let terms = &mut self.steps.terms;
        let equalities = [x, y].map(|t| terms.formula("=", &[ite, t]));
        let same = terms.formula("=", &[ite, ite]);
        let cases = terms.formula("ite", &[c, equalities[0], equalities[1]]);
        let both = terms.formula("and", &[same, cases]);
        let intro = terms.formula("=", &[same, both]);
        let mut premises = vec![
            self.steps
                .add("eq_reflexive", vec![same], Vec::new(), Vec::new()),
            self.steps
                .add("ite_intro", vec![intro], Vec::new(), Vec::new()),
        ];
        for formula in [intro, both, cases] {
            premises.extend(self.steps.structure(formula));
        }
        Some((premises, equalities))
    }
}
