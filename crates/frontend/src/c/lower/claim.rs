//! Claims (`c::claims`) as formulas over the variables at their location.
//!
//! The expression is lowered at a location of its own that nothing leads to. What it assumes of its
//! operands (no overflow, pointers in range) stays there: a claim is judged by others anyway. One
//! that needs more than assumptions cannot be said as a formula.

use super::super::hir::Expr;
use super::Lower;
use super::expr::Val;
use super::scalar::scalar_of;
use crate::c::sema::claims::{CLAIM, CONTRACT, ClaimKind, OLD, Part, Placed, RESULT, Refused};
use logic::{Substitution, TermId};
use program::{Stmt, VarId, VarKind};

impl Lower<'_> {
    /// The built-ins that claims are made of; `None` for others.
    pub(in crate::c) fn claim_intrinsic(
        &mut self,
        name: &str,
        args: &[Expr],
        e: &Expr,
    ) -> Option<Val> {
        match (name, args) {
            (CLAIM, [number, formula]) if !self.options.claims.is_empty() => {
                self.claim(number, formula);
                Some(Val::int(self.pool.int(0)))
            }
            (CONTRACT, [part, expression]) => {
                self.part_of_contract(part, expression);
                Some(Val::int(self.pool.int(0)))
            }
            (RESULT, []) => {
                let [r] = *self.frame.returns.as_slice() else {
                    return None;
                };
                Some(Val::int(self.var_term(r)))
            }
            (OLD, [value]) if scalar_of(&self.unit.types, e.ty).is_some() => {
                let t = self.term(value);
                Some(Val::int(self.at_entry(t, |_| true)))
            }
            _ => None,
        }
    }

    fn claim(&mut self, number: &Expr, formula: &Expr) {
        let number = number.as_int().and_then(|n| usize::try_from(n).ok());
        let Some(number) = number.filter(|n| *n < self.options.claims.len()) else {
            return;
        };
        let claim = &self.options.claims[number];
        let (kind, function) = (claim.kind, claim.function.clone());
        let here = &self.b.functions[self.b.func].name;
        let is_head = self.b.locations[self.b.at].loop_head.is_some();
        let formula = if function.as_deref().is_some_and(|f| f != here) {
            Err(Refused::Wrong(format!("the place is in `{here}`")))
        } else if kind == ClaimKind::Loop && !is_head {
            Err(Refused::Wrong("no loop begins here".into()))
        } else {
            self.formula(formula)
        };
        let formula = formula.map(|t| match kind {
            // Parameters in an `ensures` are the arguments.
            ClaimKind::Ensures => self.at_entry(t, |k| k == VarKind::Param),
            _ => t,
        });
        self.b.claims.push(Placed {
            claim: number,
            at: Some((self.b.func, self.b.at)),
            formula,
        });
    }

    /// What cannot be said as a formula is left out: it is checked as C anyway.
    fn part_of_contract(&mut self, part: &Expr, e: &Expr) {
        let number = part.as_int().and_then(|n| usize::try_from(n).ok());
        let Some(&part) = number.and_then(|n| Part::ALL.get(n)) else {
            return;
        };
        let said = self.said(e, |lower| match part {
            Part::Assigned => lower.term(e),
            Part::Requires | Part::Ensures => lower.cond(e),
        });
        let Ok(term) = said else { return };
        let term = match part {
            Part::Requires => term,
            Part::Ensures => self.at_entry(term, |k| k == VarKind::Param),
            Part::Assigned => self.at_entry(term, |_| true),
        };
        self.b.contracts.push((self.b.func, part, term));
    }

    fn formula(&mut self, e: &Expr) -> Result<TermId, Refused> {
        self.said(e, |lower| lower.cond(e))
    }

    fn said(
        &mut self,
        e: &Expr,
        lowered: impl FnOnce(&mut Self) -> TermId,
    ) -> Result<TermId, Refused> {
        if self.has_effects(e) {
            return Err(Refused::Wrong("the expression has side effects".into()));
        }
        if scalar_of(&self.unit.types, e.ty).is_none() {
            return Err(Refused::Wrong("the expression is no condition".into()));
        }
        let (at, first) = (self.b.at, self.b.edges.len());
        let mark = self.b.mark_notes();
        self.b.at = self.b.new_loc(e.span);
        let term = lowered(self);
        self.b.at = at;
        self.b.take_back_notes(mark);
        let mut made = self.b.edges.iter().skip(first);
        match made.all(|e| matches!(e.stmt, Stmt::Assume(_) | Stmt::Skip)) {
            true => Ok(term),
            false => Err(Refused::Beyond(
                "the expression cannot be said as a formula".into(),
            )),
        }
    }

    /// The term with the variables of these kinds as they were when the function was entered.
    fn at_entry(&mut self, term: TermId, which: impl Fn(VarKind) -> bool) -> TermId {
        let mut pairs = Vec::new();
        for id in self.b.vars.ids().collect::<Vec<VarId>>() {
            let var = &self.b.vars[id];
            if which(var.kind) {
                let old = self.pool.constant(&format!("old({})", var.name), var.sort);
                pairs.push((self.b.vars[id].term, old));
            }
        }
        Substitution::new(pairs).apply(self.pool, term)
    }
}
