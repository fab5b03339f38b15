//! From terms to variables, clauses and theory atoms.
//!
//! Every Boolean variable stands for a Bool term. The clauses that tie it to its parts are
//! tautologies, the axioms of its operators are valid, so all of them stay for ever. What comes and goes is
//! *activity*: a term is active while an assertion in force contains it, and only active
//! variables are decided. Activating a term again after `pop` costs a look-up per subterm.

use crate::proof::Certificate;
use crate::sat::Because;
use crate::solver::Solver;
use crate::theory::euf::Euf;
use crate::{Lit, lemmas, ticks};
use base::{Budget, Stop};
use logic::{Op, Pool, TermId};

/// What the solver knows of a term.
#[derive(Debug)]
pub(crate) struct Record {
    pub(crate) term: TermId,
    pub(crate) lit: Option<Lit>,
    pub(crate) active: bool,
    registered: bool,
    role: Role,
    /// A bit that only circuits mention.
    plain_bit: bool,
    /// Terms that must be active with this one: atoms of its axioms.
    extra: Vec<TermId>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Plain,
    /// An application for congruence closure.
    Application,
    /// An operator with axioms beyond congruence.
    Special,
    Both,
    /// An equality of arrays.
    ArrayEq,
}

/// Lengths of the lists of active terms, to go back to.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ActiveMark {
    active: usize,
    applications: usize,
    specials: usize,
    array_eqs: usize,
}

/// The active terms, oldest first.
#[derive(Debug, Default)]
pub(crate) struct ActiveTerms {
    pub(crate) all: Vec<u32>,
    pub(crate) applications: Vec<TermId>,
    pub(crate) specials: Vec<TermId>,
    pub(crate) array_eqs: Vec<TermId>,
}

impl Solver {
    fn record_of(&mut self, t: TermId) -> usize {
        let next = self.records.len() as u32;
        let i = *self.record_ids.entry(t).or_insert(next);
        if i == next {
            self.records.push(Record {
                term: t,
                lit: None,
                active: false,
                registered: false,
                role: Role::Plain,
                plain_bit: false,
                extra: Vec::new(),
            });
        }
        i as usize
    }

    pub(crate) fn record(&self, t: TermId) -> Option<&Record> {
        self.record_ids.get(&t).map(|&i| &self.records[i as usize])
    }

    /// The literal of a Bool term; its clauses come when it is activated.
    pub(crate) fn lit_of(&mut self, pool: &Pool, t: TermId) -> Lit {
        match pool.op(t) {
            Op::Not => return !self.lit_of(pool, pool.args(t)[0]),
            Op::False => return !self.lit_of(pool, pool.tt()),
            _ => {}
        }
        let i = self.record_of(t);
        if let Some(l) = self.records[i].lit {
            return l;
        }
        let l = Lit::new(self.sat.new_var(), true);
        self.records[i].lit = Some(l);
        self.var_terms.push(t);
        self.feeds.push(0);
        if pool.op(t) == Op::True {
            self.add_clause(&[l], Because::Definition);
        }
        l
    }

    pub(crate) fn mark(&self) -> ActiveMark {
        ActiveMark {
            active: self.active.all.len(),
            applications: self.active.applications.len(),
            specials: self.active.specials.len(),
            array_eqs: self.active.array_eqs.len(),
        }
    }

    /// Takes back the activations since `mark`.
    pub(crate) fn deactivate(&mut self, mark: ActiveMark) {
        for i in self.active.all.drain(mark.active..) {
            let record = &mut self.records[i as usize];
            record.active = false;
            if let Some(l) = record.lit {
                self.sat.set_active(l.var(), false);
                if self.feeds[l.var()] & ARITH != 0 {
                    self.theories.arith.unlist_atom(l.var());
                }
            }
        }
        self.active.applications.truncate(mark.applications);
        self.active.specials.truncate(mark.specials);
        self.active.array_eqs.truncate(mark.array_eqs);
    }

    /// Makes a term and all it depends on part of the search. Returns whether anything was new.
    pub(crate) fn activate(&mut self, pool: &mut Pool, root: TermId) -> bool {
        let before = self.active.all.len();
        self.activate_while(pool, root, || Ok(()))
            .expect("nothing stops it");
        self.active.all.len() > before
    }

    /// The same under a budget; stopped half-way it must be taken back.
    pub(crate) fn activate_within(
        &mut self,
        pool: &mut Pool,
        root: TermId,
        budget: &Budget,
    ) -> Result<(), Stop> {
        let mut steps = 0u64;
        let result = self.activate_while(pool, root, || {
            steps += 1;
            match steps.is_multiple_of(256) {
                true => budget.spend(256 * ticks::TERM),
                false => Ok(()),
            }
        });
        budget.charge(steps % 256 * ticks::TERM);
        result
    }

    fn activate_while(
        &mut self,
        pool: &mut Pool,
        root: TermId,
        mut go_on: impl FnMut() -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        let mut stack = vec![root];
        while let Some(t) = stack.pop() {
            go_on()?;
            if let Op::Num(_) | Op::True | Op::False = pool.op(t) {
                continue;
            }
            let i = self.record_of(t);
            // A bit of a circuit that a formula speaks of is an atom like any other.
            let promoted = self.records[i].plain_bit && !self.bits.drawing;
            if self.records[i].active && !promoted {
                continue;
            }
            if !self.records[i].active {
                self.records[i].active = true;
                self.active.all.push(i as u32);
            }
            if !self.records[i].registered || promoted {
                self.records[i].registered = true;
                self.register(pool, t, i);
            }
            if let Some(l) = self.records[i].lit {
                self.sat.set_active(l.var(), true);
                self.feed_late(l);
            }
            match self.records[i].role {
                Role::Plain => {}
                Role::Application => self.active.applications.push(t),
                Role::Special => self.active.specials.push(t),
                Role::Both => {
                    self.active.applications.push(t);
                    self.active.specials.push(t);
                }
                Role::ArrayEq => self.active.array_eqs.push(t),
            }
            if self.records[i].plain_bit {
                continue;
            }
            stack.extend(&self.records[i].extra);
            stack.extend(pool.args(t));
        }
        Ok(())
    }

    /// A variable became active: arithmetic may imply it, and theories that passed over its
    /// value get it now.
    fn feed_late(&mut self, l: Lit) {
        let feeds = self.feeds[l.var()];
        if feeds & ARITH != 0 {
            self.theories.arith.list_atom(l.var());
            self.theories.arith.wake();
        }
        if feeds & PASSED != 0
            && self.sat.value(l).is_some()
            && self.sat.position_of(l.var()) < self.fed
        {
            self.feeds[l.var()] &= !PASSED;
            let l = if self.sat.is_true(l) { l } else { !l };
            self.late.push((l, NOT_YET));
        }
    }

    /// Clauses, atoms and nodes of a term seen for the first time.
    fn register(&mut self, pool: &mut Pool, t: TermId, i: usize) {
        let sort = pool.sort_of(t);
        // A bit in a circuit is a matter of clauses: arithmetic need not know how it is computed.
        self.records[i].plain_bit = self.bits.drawing && self.bits.atoms.contains(&t);
        if self.records[i].plain_bit {
            self.lit_of(pool, t);
            return;
        }
        if sort == pool.bool_sort() {
            match pool.op(t) {
                Op::Not => return,
                Op::And | Op::Or => return self.define_junction(pool, t),
                Op::Ite => return self.define_ite(pool, t),
                Op::Eq => {
                    let side = pool.sort_of(pool.args(t)[0]);
                    if side == pool.bool_sort() {
                        return self.define_iff(pool, t);
                    }
                    return self.register_eq(pool, t, i);
                }
                Op::Le => {
                    let l = self.lit_of(pool, t);
                    self.feeds[l.var()] |= ARITH;
                    self.theories.arith.register_atom(pool, l.var(), t);
                    return;
                }
                _ => {
                    self.lit_of(pool, t);
                }
            }
        }
        let application = Euf::is_application(pool, t);
        let special = lemmas::is_special(pool, t);
        // The axioms of a numeric `ite` say all, so final checks need not look at it.
        let open = special && !(pool.op(t) == Op::Ite && pool.is_arith(sort));
        self.records[i].role = match (application, open) {
            (true, true) => Role::Both,
            (true, false) => Role::Application,
            (false, true) => Role::Special,
            (false, false) => Role::Plain,
        };
        if application {
            self.node(pool, t);
        }
        if special {
            if pool.is_arith(sort) {
                self.theories.arith.register_term(pool, t);
            }
            for formula in lemmas::axioms(pool, t) {
                let atoms = self.add_formula(pool, t, formula);
                self.records[i].extra.extend(atoms);
            }
        }
    }

    fn define_junction(&mut self, pool: &Pool, t: TermId) {
        let v = self.lit_of(pool, t);
        // `or` as it is, `and` with all signs turned.
        let flip = pool.op(t) == Op::And;
        let turn = |l: Lit| if flip { !l } else { l };
        let mut long = vec![!turn(v)];
        for k in 0..pool.args(t).len() {
            let a = turn(self.lit_of(pool, pool.args(t)[k]));
            long.push(a);
            self.add_clause(&[turn(v), !a], Because::Definition);
        }
        self.add_clause(&long, Because::Definition);
    }

    fn define_ite(&mut self, pool: &Pool, t: TermId) {
        let v = self.lit_of(pool, t);
        let [c, a, b] = [0, 1, 2].map(|k| self.lit_of(pool, pool.args(t)[k]));
        for clause in [
            [!v, !c, a],
            [v, !c, !a],
            [!v, c, b],
            [v, c, !b],
            [!v, a, b],
            [v, !a, !b],
        ] {
            self.add_clause(&clause, Because::Definition);
        }
    }

    fn define_iff(&mut self, pool: &Pool, t: TermId) {
        let v = self.lit_of(pool, t);
        let [a, b] = [0, 1].map(|k| self.lit_of(pool, pool.args(t)[k]));
        for clause in [[!v, !a, b], [!v, a, !b], [v, a, b], [v, !a, !b]] {
            self.add_clause(&clause, Because::Definition);
        }
    }

    /// An equality atom: arithmetic sees its two halves, congruence closure its sides.
    fn register_eq(&mut self, pool: &mut Pool, t: TermId, i: usize) {
        let e = self.lit_of(pool, t);
        let [a, b] = *pool.args(t) else {
            unreachable!("an equality has two sides")
        };
        if pool.is_arith(pool.sort_of(a)) {
            let halves = [pool.le(a, b), pool.le(b, a)];
            let [low, high] = halves.map(|h| self.lit_of(pool, h));
            for clause in [&[!e, low] as &[Lit], &[!e, high], &[e, !low, !high]] {
                self.add_clause(clause, Because::Lemma(Certificate::Trichotomy));
            }
            self.records[i].extra.extend(halves);
            for (x, y) in [(a, b), (b, a)] {
                self.eq_sides.entry(x).or_default().push((e, y));
            }
            if let (Some(_), Some(_)) = (self.theories.euf.node_of(a), self.theories.euf.node_of(b))
            {
                self.link_eq(a, b, e);
            }
            return;
        }
        if let logic::Sort::Array(..) = pool.sort_kind(pool.sort_of(a)) {
            self.records[i].role = Role::ArrayEq;
        }
        self.node(pool, a);
        self.node(pool, b);
        self.link_eq(a, b, e);
    }

    /// Tells congruence closure that `e` decides whether `a = b`; both have nodes. Returns whether
    /// that was new.
    pub(crate) fn link_eq(&mut self, a: TermId, b: TermId, e: Lit) -> bool {
        let euf = &mut self.theories.euf;
        let (Some(x), Some(y)) = (euf.node_of(a), euf.node_of(b)) else {
            unreachable!("both sides have nodes")
        };
        let key = if x < y { (x, y) } else { (y, x) };
        let new = self.linked.insert(key);
        if new {
            euf.make_eq(x, y, e, self.sat.value(e));
            self.feeds[e.var()] |= EUF;
        }
        new
    }

    /// Makes the nodes of `t` and, for applications, of what is below it.
    fn node(&mut self, pool: &mut Pool, t: TermId) {
        let mut stack = vec![t];
        while let Some(&t) = stack.last() {
            if self.theories.euf.node_of(t).is_some() {
                stack.pop();
                continue;
            }
            if Euf::is_application(pool, t) {
                let before = stack.len();
                for &a in pool.args(t) {
                    if self.theories.euf.node_of(a).is_none() {
                        stack.push(a);
                    }
                }
                if stack.len() > before {
                    continue;
                }
            }
            stack.pop();
            let n = self.theories.euf.make(pool, t);
            let sort = pool.sort_of(t);
            if sort == pool.bool_sort() {
                if t != pool.tt() && t != pool.ff() {
                    let l = self.lit_of(pool, t);
                    self.feeds[l.var()] |= EUF;
                    self.theories.euf.link(n, l, self.sat.value(l));
                }
            } else if pool.is_arith(sort) {
                self.theories.arith.register_term(pool, t);
                // Equalities seen before their sides had nodes.
                for k in 0..self.eq_sides.get(&t).map_or(0, Vec::len) {
                    let (e, other) = self.eq_sides[&t][k];
                    if self.theories.euf.node_of(other).is_some() {
                        self.link_eq(t, other, e);
                    }
                }
            }
        }
    }

    /// Adds a valid formula, clause by clause. Returns the terms that must be active with it.
    pub(crate) fn add_formula(
        &mut self,
        pool: &mut Pool,
        term: TermId,
        formula: TermId,
    ) -> Vec<TermId> {
        let mut atoms = Vec::new();
        let known = !self.formulas.insert(formula);
        for part in pool.conjuncts(formula) {
            let disjuncts = pool.disjuncts(part);
            if !known {
                let lits: Vec<Lit> = disjuncts.iter().map(|&d| self.lit_of(pool, d)).collect();
                let cert = Certificate::Axiom { term, formula };
                self.add_clause(&lits, Because::Lemma(cert));
            }
            atoms.extend(disjuncts);
        }
        atoms
    }

    /// Adds a valid formula and activates it. Returns whether that changed anything.
    pub(crate) fn learn_formula(&mut self, pool: &mut Pool, term: TermId, formula: TermId) -> bool {
        if formula == pool.tt() {
            return false;
        }
        let mut new = !self.formulas.contains(&formula);
        for atom in self.add_formula(pool, term, formula) {
            new |= self.activate(pool, atom);
        }
        new
    }

    /// Adds a valid clause at any level. One that is false now waits for the search.
    pub(crate) fn add_clause(&mut self, lits: &[Lit], because: Because) {
        if let Some(c) = self.sat.add_clause(lits, false, because) {
            self.false_clauses.push(c);
        }
    }
}

/// In `Solver::late`: the theories wait for this literal.
pub(crate) const NOT_YET: u32 = u32::MAX;

/// Flags in `Solver::feeds`: which theories want to know a variable's value.
pub(crate) const ARITH: u8 = 1;
pub(crate) const EUF: u8 = 2;
/// The theories were not told the value it has, because it was not active.
pub(crate) const PASSED: u8 = 4;
