//! Linear arithmetic over Int and Real: the theory solver the SAT core talks to.
//!
//! Terms. An *atom* is a `Le` term, read as a bound on a *form*: a linear combination of terms with
//! coprime integer coefficients and a positive leading one. A form of one term is that term's
//! variable; any other form has a *slack* variable of its own, shared by all atoms over it. So
//! asserting a literal is tightening one bound of one variable, and backtracking restores bounds
//! from a trail; pivots are never undone (Dutertre and de Moura, CAV 2006).
//!
//! Where we differ: a slack variable has a row only while it has been bounded; rows that lost
//! their bounds are dropped when they outnumber the others, so old queries do not burden new ones.
//!
//! Invariants. After `check` returned `Ok` and did not stop, every variable in the tableau is
//! within its bounds. Non-basic variables outside their bounds are in `touched`, basic ones in
//! `suspects` or `touched`.

mod bounds;
pub mod certificate;
mod delta;
mod diophantine;
mod eliminate;
pub(crate) mod integer;
mod propagate;
mod rows;
mod simplex;
mod tableau;
#[cfg(test)]
mod tests;

pub use crate::theory::{Conflict, FinalCheck, TheoryLemma};
use crate::theory::{Interrupt, Source, Theory};
use crate::{BoolVar, Lit};
use base::{Budget, FxHashMap, IndexVec, Stop, new_id};
use bounds::{Atom, Bound};
use delta::Delta;
use eliminate::Elimination;
use logic::{Linear, Op, Pool, Rational, TermId};
use propagate::Reason;
use rows::{DerivedBound, Node};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;
use tableau::Tableau;

new_id!(
    /// A variable of the simplex: a term or a slack.
    pub(crate) Var, "x");

/// What a variable stands for.
#[derive(Clone, Debug)]
enum Meaning {
    Term(TermId),
    /// A form of at least two term variables.
    Slack(Vec<(Var, Rational)>),
    /// The number 1.
    One,
}

#[derive(Clone, Debug)]
struct VarState {
    meaning: Meaning,
    /// Integral in every model.
    is_int: bool,
    value: Delta,
    lower: Option<Bound>,
    upper: Option<Bound>,
    derived_lower: Option<DerivedBound>,
    derived_upper: Option<DerivedBound>,
    /// In the tableau, as basic or non-basic variable. Slacks and solved terms come in with their
    /// first bound.
    present: bool,
    /// For a term: the equation that was solved for it.
    solved: Option<u32>,
    /// For a slack: its equation was solved.
    settled: bool,
    /// In `touched`.
    touched: bool,
    /// In `suspects`.
    suspect: bool,
    /// Listed atoms over this variable in order of their bound, see `sort_atoms`.
    atoms: Vec<BoolVar>,
    /// Atoms were added at the end since they were last sorted.
    unsorted: bool,
    /// For a slack: its definition, minus itself, is 0.
    equation: Option<Arc<[(Var, Rational)]>>,
    /// For a term: the slacks defined with it that have listed atoms.
    slacks: Vec<Var>,
}

#[derive(Clone, Debug)]
enum Undo {
    Bound {
        var: Var,
        upper: bool,
        old: Option<Bound>,
    },
    /// Goes with the last node.
    Derived {
        var: Var,
        upper: bool,
        old: Option<DerivedBound>,
    },
    Assigned(BoolVar),
    Reason(Lit),
}

/// Counts of work, for statistics.
#[derive(Clone, Copy, Debug, Default)]
pub struct ArithStats {
    pub pivots: u64,
    pub checks: u64,
    pub conflicts: u64,
    pub propagations: u64,
    pub branches: u64,
    pub divisibility_conflicts: u64,
}

/// The theory solver.
#[derive(Clone, Debug, Default)]
pub struct Arith {
    vars: IndexVec<Var, VarState>,
    term_vars: FxHashMap<TermId, Var>,
    slacks: FxHashMap<Vec<(TermId, Rational)>, Var>,
    tableau: Tableau,
    elimination: Elimination,
    atoms: IndexVec<BoolVar, Option<Atom>>,
    trail: Vec<Undo>,
    levels: Vec<usize>,
    /// Variables whose bounds changed since the last check.
    touched: Vec<Var>,
    /// Basic variables that may be out of bounds, smallest first.
    suspects: BinaryHeap<Reverse<Var>>,
    /// Slack variables in the tableau without bounds.
    idle: usize,
    /// Implied literals not yet handed out.
    implied: Vec<Lit>,
    /// Those of the last propagation, last first.
    outbox: Vec<Lit>,
    /// Something was asserted or listed since the last propagation.
    dirty: bool,
    reasons: Vec<Option<Reason>>,
    /// The derived bounds in force, oldest first.
    nodes: Vec<Node>,
    /// Variables with a changed bound since the last propagation.
    changed: Vec<Var>,
    /// The value chosen for the infinitesimal.
    epsilon: Rational,
    stopped: Option<Stop>,
    /// Branches made since the last model or reset, to give up on divergence.
    branch_effort: u32,
    stats: ArithStats,
}

/// The linear view of a term with `to_real` seen through: `to_real(x + 1)` is `x + 1`.
pub fn linearise(pool: &Pool, term: TermId) -> Linear {
    let outer = pool.linear(term);
    if outer.terms.iter().all(|(t, _)| pool.op(*t) != Op::ToReal) {
        return outer;
    }
    let mut sum = Linear::constant(outer.constant.clone());
    for (t, c) in &outer.terms {
        let inner = if pool.op(*t) == Op::ToReal {
            pool.linear(pool.args(*t)[0])
        } else {
            Linear {
                terms: vec![(*t, Rational::ONE)],
                constant: Rational::ZERO,
            }
        };
        sum = sum.add_scaled(c, &inner);
    }
    sum
}

/// `a - b` for an atom `a <= b`.
pub fn atom_form(pool: &Pool, atom: TermId) -> Linear {
    let [a, b] = *pool.args(atom) else {
        panic!("a Le atom has two sides");
    };
    linearise(pool, a).add_scaled(&Rational::MINUS_ONE, &linearise(pool, b))
}

impl Arith {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn stats(&self) -> &ArithStats {
        &self.stats
    }

    /// Makes `var` stand for the `Le` atom `atom`. Registering again replaces the meaning.
    pub fn register_atom(&mut self, pool: &mut Pool, var: BoolVar, atom: TermId) {
        use base::Id;
        assert!(pool.op(atom) == Op::Le, "arithmetic atoms are inequalities");
        self.atoms.grow(var.index() + 1, None);
        if self.reasons.len() < 2 * self.atoms.len() {
            self.reasons.resize(2 * self.atoms.len(), None);
        }
        if let Some(old) = &self.atoms[var] {
            if old.term == atom {
                return self.list_atom(var);
            }
            self.unlist_atom(var);
        }
        let form = atom_form(pool, atom);
        let int_atom = pool.sort_of(pool.args(atom)[0]) == pool.int_sort();
        let (x, factor) = self.form_var(pool, &form);
        let position = -(&form.constant / &factor);
        self.atoms[var] = Some(Atom::new(atom, x, factor, position, int_atom));
        self.list_atom(var);
    }

    /// Lets bounds imply the literals of an atom.
    pub fn list_atom(&mut self, var: BoolVar) {
        let atom = self.atom(var);
        if atom.listed {
            return;
        }
        let x = atom.var;
        let last = self.vars[x].atoms.last();
        let unsorted = last.is_some_and(|b| self.atom(*b).position > atom.position);
        self.atoms[var]
            .as_mut()
            .expect("the atom is registered")
            .listed = true;
        self.vars[x].atoms.push(var);
        self.vars[x].unsorted |= unsorted;
        if self.vars[x].atoms.len() == 1 {
            self.each_part(x, |slacks| slacks.push(x));
        }
        for upper in [true, false] {
            let state = &self.vars[x];
            let bound = if upper { &state.upper } else { &state.lower };
            if let Some(bound) = bound
                && let Some(lit) = self.implied_by(var, upper, &bound.value)
            {
                let reason = Reason::Bound(bound.reason);
                self.imply(lit, reason);
            }
        }
    }

    /// Puts the atoms over a variable in order, before anything depends on it: adding many is then
    /// not quadratic.
    fn sort_atoms(&mut self, x: Var) {
        if self.vars[x].unsorted {
            let mut atoms = std::mem::take(&mut self.vars[x].atoms);
            atoms.sort_by(|a, b| self.atom(*a).position.cmp(&self.atom(*b).position));
            self.vars[x].atoms = atoms;
            self.vars[x].unsorted = false;
        }
    }

    /// Keeps an atom out of propagation until it is listed again. Asserting it still counts.
    pub fn unlist_atom(&mut self, var: BoolVar) {
        if !matches!(self.atoms.get(var), Some(Some(atom)) if atom.listed) {
            return;
        }
        let atom = self.atoms[var].as_mut().expect("it was just read");
        atom.listed = false;
        let x = atom.var;
        self.sort_atoms(x);
        let position = &self.atom(var).position;
        let atoms = &self.vars[x].atoms;
        let from = atoms.partition_point(|b| self.atom(*b).position < *position);
        let at = from + atoms[from..].iter().position(|b| *b == var).unwrap_or(0);
        debug_assert!(atoms[at] == var, "a listed atom is in its list");
        self.vars[x].atoms.remove(at);
        if self.vars[x].atoms.is_empty() {
            self.each_part(x, |slacks| {
                if let Some(i) = slacks.iter().rposition(|s| *s == x) {
                    slacks.remove(i);
                }
            });
        }
    }

    /// Visits the slack lists of the terms of a slack's definition.
    fn each_part(&mut self, x: Var, mut f: impl FnMut(&mut Vec<Var>)) {
        let Some(equation) = self.vars[x].equation.clone() else {
            return;
        };
        for (part, _) in equation.iter().filter(|(part, _)| *part != x) {
            f(&mut self.vars[*part].slacks);
        }
    }

    /// Makes sure the term has a value in models.
    pub fn register_term(&mut self, pool: &mut Pool, term: TermId) {
        for (t, _) in linearise(pool, term).terms {
            self.term_var(pool, t);
        }
    }

    fn atom(&self, var: BoolVar) -> &Atom {
        self.atoms[var].as_ref().expect("the atom is registered")
    }

    fn term_var(&mut self, pool: &Pool, term: TermId) -> Var {
        if let Some(&v) = self.term_vars.get(&term) {
            return v;
        }
        let is_int = pool.sort_of(term) == pool.int_sort();
        let v = self.new_var(Meaning::Term(term), is_int, true, Delta::ZERO);
        self.term_vars.insert(term, v);
        v
    }

    fn new_var(&mut self, meaning: Meaning, is_int: bool, present: bool, value: Delta) -> Var {
        self.tableau.add_var();
        self.vars.push(VarState {
            meaning,
            is_int,
            value,
            lower: None,
            upper: None,
            derived_lower: None,
            derived_upper: None,
            present,
            solved: None,
            settled: false,
            touched: false,
            suspect: false,
            atoms: Vec::new(),
            unsorted: false,
            equation: None,
            slacks: Vec::new(),
        })
    }

    /// The variable of a linear form without its constant, and the factor: `form = factor * var`.
    fn form_var(&mut self, pool: &Pool, form: &Linear) -> (Var, Rational) {
        let (first, lead) = &form.terms[0];
        if form.terms.len() == 1 {
            return (self.term_var(pool, *first), lead.clone());
        }
        let mut divisor = Rational::ZERO;
        let mut multiple = Rational::ONE;
        for (_, c) in &form.terms {
            if !c.is_integer() {
                let d = Rational::from(c.denominator());
                multiple = &(&multiple / &multiple.gcd(&d)) * &d;
            }
        }
        for (_, c) in &form.terms {
            divisor = tableau::gcd(&divisor, &(c * &multiple));
            if divisor.is_one() {
                break;
            }
        }
        let mut factor = &divisor / &multiple;
        if lead.is_negative() {
            factor = -factor;
        }
        let key: Vec<(TermId, Rational)> =
            form.terms.iter().map(|(t, c)| (*t, c / &factor)).collect();
        if let Some(&v) = self.slacks.get(&key) {
            return (v, factor);
        }
        let definition: Vec<(Var, Rational)> = key
            .iter()
            .map(|(t, c)| (self.term_var(pool, *t), c.clone()))
            .collect();
        let is_int = definition.iter().all(|(v, _)| self.vars[*v].is_int);
        let mut equation = definition.clone();
        let v = self.vars.next_id();
        equation.push((v, Rational::MINUS_ONE));
        self.new_var(Meaning::Slack(definition), is_int, false, Delta::ZERO);
        self.vars[v].equation = Some(equation.into());
        self.slacks.insert(key, v);
        (v, factor)
    }

    /// Opens a decision level.
    pub fn push(&mut self) {
        self.levels.push(self.trail.len());
    }

    /// Closes `n` decision levels.
    pub fn pop(&mut self, n: usize) {
        if n == 0 {
            return;
        }
        let keep = self.levels.len().checked_sub(n);
        let keep = keep.expect("no more levels are closed than were opened");
        let to = self.levels[keep];
        self.levels.truncate(keep);
        while self.trail.len() > to {
            match self.trail.pop().expect("the trail is longer than its mark") {
                Undo::Bound { var, upper, old } => {
                    let state = &mut self.vars[var];
                    *(if upper {
                        &mut state.upper
                    } else {
                        &mut state.lower
                    }) = old;
                    if self.is_idle(var) {
                        self.idle += 1;
                    }
                }
                Undo::Derived { var, upper, old } => {
                    let state = &mut self.vars[var];
                    *(if upper {
                        &mut state.derived_upper
                    } else {
                        &mut state.derived_lower
                    }) = old;
                    self.nodes.pop();
                }
                Undo::Assigned(b) => {
                    self.atoms[b].as_mut().expect("it was assigned").assigned = false;
                }
                Undo::Reason(l) => self.reasons[l.index()] = None,
            }
        }
        self.implied.clear();
    }

    /// The stop that cut the last `check` short, if one did: then its `Ok` means nothing.
    pub fn stopped(&mut self) -> Option<Stop> {
        self.stopped.take()
    }

    /// The value of an arithmetic term in the model that the last `final_check` found.
    /// `None` when it contains a term that was never registered.
    pub fn value(&self, pool: &Pool, term: TermId) -> Option<Rational> {
        let form = linearise(pool, term);
        let mut sum = form.constant.clone();
        for (t, c) in &form.terms {
            let v = *self.term_vars.get(t)?;
            sum = sum.mul_add(c, &self.vars[v].value.at(&self.epsilon));
        }
        Some(sum)
    }

    /// The same for a registered term that is no sum, product by a numeral, or `to_real`.
    pub fn term_value(&self, term: TermId) -> Option<Rational> {
        let v = *self.term_vars.get(&term)?;
        Some(self.vars[v].value.at(&self.epsilon))
    }

    /// Integrality, then the value of the infinitesimal. Call after `check` returned `Ok`.
    pub fn final_check(&mut self, pool: &mut Pool, budget: &Budget) -> FinalCheck {
        match self.check(budget) {
            Err(conflict) => return FinalCheck::Conflict(conflict),
            Ok(()) => {
                if let Some(stop) = self.stopped() {
                    return FinalCheck::Stop(stop);
                }
            }
        }
        self.refresh();
        let result = self.check_integers(pool, budget);
        self.refresh();
        if matches!(result, FinalCheck::Ok) {
            self.choose_epsilon();
            self.branch_effort = 0;
        }
        result
    }

    /// A value of the infinitesimal for which every bound holds.
    fn choose_epsilon(&mut self) {
        // low + a*e <= high + b*e with low <= high: any e if a <= b or e <= (high-low)/(a-b).
        let mut epsilon = Rational::ONE;
        let mut limit = |low: &Delta, high: &Delta| {
            if low.delta > high.delta {
                let most = &(&high.real - &low.real) / &(&low.delta - &high.delta);
                if most < epsilon {
                    epsilon = most;
                }
            }
        };
        for state in self.vars.iter().filter(|s| s.present) {
            if let Some(b) = &state.lower {
                limit(&b.value, &state.value);
            }
            if let Some(b) = &state.upper {
                limit(&state.value, &b.value);
            }
        }
        self.epsilon = epsilon;
    }
}
