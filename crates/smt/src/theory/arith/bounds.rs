//! Bounds, the atoms that set them, and asserting a literal.
//!
//! An atom `form + c <= 0` with `form = factor * x` is `x <= -c/factor` for a positive factor and
//! `x >= -c/factor` for a negative one; `position` is that quotient. The negation is, over Int,
//! `form + c >= 1` and, over Real, `form + c > 0`.

use super::delta::Delta;
use super::{Arith, Conflict, Meaning, Undo, Var};
use crate::Lit;
use crate::proof::Certificate;
use logic::{Rational, TermId};

#[derive(Clone, Debug)]
pub(crate) struct Bound {
    pub value: Delta,
    /// The true literal that says so.
    pub reason: Lit,
}

#[derive(Clone, Debug)]
pub(crate) struct Atom {
    pub term: TermId,
    pub var: Var,
    pub factor: Rational,
    pub position: Rational,
    /// The bounds that the literals set.
    pub when_true: Delta,
    pub when_false: Delta,
    /// A literal of it was asserted.
    pub assigned: bool,
    /// Bounds may imply it.
    pub listed: bool,
}

impl Atom {
    /// `form <= 0` as a bound at `position`; over Int the negation is not strict.
    pub fn new(term: TermId, var: Var, factor: Rational, position: Rational, int: bool) -> Self {
        let when_false = if int {
            Delta::from(&position + &factor.recip())
        } else if factor.is_positive() {
            Delta::new(position.clone(), Rational::ONE)
        } else {
            Delta::new(position.clone(), Rational::MINUS_ONE)
        };
        Atom {
            term,
            var,
            when_true: Delta::from(position.clone()),
            when_false,
            factor,
            position,
            assigned: false,
            listed: false,
        }
    }

    /// The bound that the literal of this sign sets: whether it is an upper one, and its value.
    #[inline]
    pub fn bound(&self, positive: bool) -> (bool, &Delta) {
        let value = if positive {
            &self.when_true
        } else {
            &self.when_false
        };
        (self.factor.is_positive() == positive, value)
    }
}

impl Arith {
    /// A slack (or solved term) in the tableau that nothing bounds.
    pub(crate) fn is_idle(&self, var: Var) -> bool {
        let s = &self.vars[var];
        s.present
            && s.lower.is_none()
            && s.upper.is_none()
            && (matches!(s.meaning, Meaning::Slack(_)) || s.solved.is_some())
    }

    /// Assumes a literal of a registered atom; others are ignored.
    pub fn assert_lit(&mut self, lit: Lit) -> Result<(), Conflict> {
        let Some(Some(atom)) = self.atoms.get(lit.var()) else {
            return Ok(());
        };
        let x = atom.var;
        let (upper, value) = atom.bound(lit.is_positive());
        let state = &self.vars[x];
        let (same, opposite) = if upper {
            (&state.upper, &state.lower)
        } else {
            (&state.lower, &state.upper)
        };
        let tighter = |a: &Delta, b: &Delta| if upper { a < b } else { a > b };
        if same.as_ref().is_some_and(|b| !tighter(value, &b.value)) {
            self.note_assigned(lit);
            return Ok(());
        }
        if let Some(other) = opposite.as_ref().filter(|b| tighter(value, &b.value)) {
            let other = other.reason;
            self.stats.conflicts += 1;
            return Err(self.conflict_of(&[(lit, Rational::ONE), (other, Rational::ONE)]));
        }
        let value = value.clone();
        self.note_assigned(lit);
        let was_idle = self.is_idle(x);
        let state = &mut self.vars[x];
        let slot = if upper {
            &mut state.upper
        } else {
            &mut state.lower
        };
        let old = slot.replace(Bound { value, reason: lit });
        if !state.touched {
            state.touched = true;
            self.touched.push(x);
        }
        if was_idle {
            self.idle -= 1;
        }
        let before = old.as_ref().map(|b| b.value.clone());
        self.trail.push(Undo::Bound { var: x, upper, old });
        self.imply_same_form(x, upper, before.as_ref());
        Ok(())
    }

    fn note_assigned(&mut self, lit: Lit) {
        if let Some(atom) = &mut self.atoms[lit.var()]
            && !atom.assigned
        {
            atom.assigned = true;
            self.trail.push(Undo::Assigned(lit.var()));
        }
    }

    /// The clause that refutes true literals, from the weights of the bounds they set.
    ///
    /// Sound because a bound on `x` with weight `w` is its atom with weight `w / |factor|`.
    pub(crate) fn conflict_of(&self, weighted: &[(Lit, Rational)]) -> Conflict {
        let mut lits = Vec::with_capacity(weighted.len());
        let mut weights = Vec::with_capacity(weighted.len());
        for (lit, w) in weighted {
            lits.push(!*lit);
            let factor = &self.atom(lit.var()).factor;
            weights.push(if factor.is_one() {
                w.clone()
            } else {
                w / &factor.abs()
            });
        }
        Conflict {
            lits,
            cert: Certificate::Farkas(weights),
        }
    }
}
