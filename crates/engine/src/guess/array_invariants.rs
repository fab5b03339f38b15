//! Candidate invariants about all cells of an array: `0 <= k < i => a[k] = 7`, for any `k`.
//!
//! Idea: what a loop does to `a[i]`, or asks of it, holds of all cells that `i` has passed. So each
//! store `a[i] := v` and each condition over `a[i]` of the program is generalised (`i` becomes `k`,
//! `program::any_term`), and guarded by the ranges that counters run through: below a counter, above it, up to
//! what it is compared with, with the stride of its steps. Cells of the heap are such ranges
//! too: `alloc.top` counts them.
//!
//! No quantifier is needed: `k` is a constant that nothing changes, a proof for any `k` is one for all,
//! and facts known for all `k` are used at the places where a block accesses arrays (`core::block_solver`). The checker
//! does the same on its own (`evidence::obligations`).

use crate::guess::affine::Region;
use crate::guess::counters;
use crate::guess::generator::{Candidates, Generator, Scene, Stage};
use crate::guess::heap::live_variables;
use crate::limits::{ArrayLimits, GuessLimits};
use base::{FxHashMap, FxHashSet, Stop};
use logic::{Comparison, Op, Pool, Rational, Sort, TermId, machine};
use program::{Program, Stmt, VarId, any_term};
use std::collections::BTreeMap;

/// Which candidates are made: the plain ones, or also those with a case left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    Plain,
    /// "… unless a flag is set" (`found => …`), "… except at one place" (`k != z => …`).
    Cases,
}

/// What the array accesses of a region suggest at every loop head; nothing for programs without.
pub struct Arrays(pub Detail);

impl Generator for Arrays {
    fn name(&self) -> &'static str {
        match self.0 {
            Detail::Plain => "candidates: arrays",
            Detail::Cases => "candidates: arrays with cases",
        }
    }

    fn stage(&self) -> Stage {
        match self.0 {
            Detail::Plain => Stage::Arrays,
            Detail::Cases => Stage::ArrayCases,
        }
    }

    fn most_heads(&self, limits: &GuessLimits) -> usize {
        limits.arrays.heads
    }

    fn candidates(&self, scene: &mut Scene<'_, '_>) -> Result<Candidates, Stop> {
        let limits = &scene.limits.arrays;
        Ok(candidates(scene.pool, scene.region, self.0, limits))
    }
}

fn candidates(
    pool: &mut Pool,
    region: &Region<'_>,
    detail: Detail,
    limits: &ArrayLimits,
) -> Candidates {
    let program = region.program;
    let statements: Vec<&Stmt> = region
        .edges
        .iter()
        .map(|&e| &program.edges[e].stmt)
        .collect();
    let mut gathered = Gathered::new(pool, program, limits);
    gathered.steps(pool, program, &statements);
    for &stmt in &statements {
        match stmt {
            Stmt::Assign(list) => {
                for &(var, value) in list {
                    let target = program.vars[var].term;
                    gathered.conditions(pool, value);
                    gathered.cells(pool, value);
                    gathered.stores(pool, target, value);
                }
            }
            Stmt::Assume(condition) => {
                gathered.conditions(pool, *condition);
                gathered.cells(pool, *condition);
            }
            Stmt::Skip | Stmt::Havoc(..) | Stmt::Call { .. } => {}
        }
    }
    // What is asked of a cell as a whole comes after its parts.
    gathered.clauses(pool, program, &region.edges);
    if gathered.counters.is_empty() {
        return Candidates::new();
    }
    gathered.bounds(pool, &statements);
    let pointers = gathered.pointers(pool);
    let most = match detail {
        Detail::Plain => limits.facts,
        Detail::Cases => limits.facts_with_cases,
    };
    if detail == Detail::Cases {
        gathered.add_cases(pool);
    }
    // A counter that is written before it is read again says nothing.
    let live = live_variables(pool, region);
    let ids: FxHashMap<TermId, VarId> = program
        .vars
        .iter_enumerated()
        .map(|(id, v)| (v.term, id))
        .collect();
    let mut out = Candidates::new();
    for &head in region.heads {
        let matters = |t: &TermId| ids.get(t).is_none_or(|&id| live.is_live(head, id));
        let guards = gathered.guards(pool, matters);
        let mut facts = pointers.clone();
        // What a cell has in common with a value that is there for one lap only is forgotten in the next. Arrays that nobody reads
        // any more link others: `a[k] == b[k]` and `b[k] == c[k]`.
        let stays = |t: &TermId| !gathered.variables.contains(t) || matters(t);
        let lasting = |body: &TermId| pool.post_order(&[*body]).iter().all(stays);
        let bodies: Vec<TermId> = gathered.bodies.iter().copied().filter(lasting).collect();
        for (guard, body) in gathered.pairs(&guards, &bodies) {
            let fact = pool.implies(guard, body);
            if fact != pool.tt() && facts.len() < most {
                facts.push(fact);
            }
        }
        if !facts.is_empty() {
            out.insert(head, facts);
        }
    }
    out
}

pub(super) struct Gathered<'l> {
    pub(super) limits: &'l ArrayLimits,
    /// The constant "for any".
    pub(super) any: TermId,
    variables: FxHashSet<TermId>,
    /// What may hold of a cell, over `any`.
    bodies: Vec<TermId>,
    /// Those of them that a store leaves behind, and those that conditions ask.
    stored: Vec<TermId>,
    asked: Vec<TermId>,
    /// Variables that arrays are accessed at, with a constant added perhaps.
    counters: Vec<TermId>,
    /// Constants that variables start from.
    starts: Vec<(TermId, Rational)>,
    /// What all steps of a variable are multiples of.
    strides: BTreeMap<TermId, i64>,
    /// Array reads at counters, over `any`.
    reads: Vec<TermId>,
    /// Conditions that make a case: of `any`, or of variables that are no counters.
    cases: Vec<TermId>,
    /// What counters are compared with: `counter <= term` or its negation.
    ends: Vec<TermId>,
}

impl<'l> Gathered<'l> {
    fn new(pool: &mut Pool, program: &Program, limits: &'l ArrayLimits) -> Self {
        let int = pool.int_sort();
        let plain = program.vars.iter().filter(|v| v.sort == int);
        Gathered {
            limits,
            any: any_term(pool, 0),
            variables: plain.map(|v| v.term).collect(),
            bodies: Vec::new(),
            stored: Vec::new(),
            asked: Vec::new(),
            counters: Vec::new(),
            starts: Vec::new(),
            strides: BTreeMap::new(),
            reads: Vec::new(),
            cases: Vec::new(),
            ends: Vec::new(),
        }
    }

    /// The variable of an index `x + c`, of `(x + c) div d`, or of an address `p + 4x`: the one that is
    /// stepped, if there are several.
    fn counter_of(&self, pool: &Pool, index: TermId) -> Option<TermId> {
        if pool.sort_of(index) != pool.int_sort() {
            return None;
        }
        // Objects are numbered by their addresses' leading digits.
        let index = match pool.op(index) {
            Op::IntDiv => pool.args(index)[0],
            _ => index,
        };
        let sum = pool.linear(index);
        if !sum.terms.iter().all(|(t, _)| self.variables.contains(t)) {
            return None;
        }
        if let [(variable, factor)] = sum.terms.as_slice()
            && *factor == Rational::ONE
        {
            return Some(*variable);
        }
        let mut stepped = sum.terms.iter().map(|(t, _)| *t);
        let counter = stepped.find(|t| self.strides.contains_key(t))?;
        let another = stepped.any(|t| self.strides.contains_key(&t));
        (!another).then_some(counter)
    }

    /// The counters by which a term reads arrays.
    pub(super) fn counters_in(&self, pool: &Pool, term: TermId) -> Vec<TermId> {
        let mut out = Vec::new();
        for t in pool.post_order(&[term]) {
            if pool.op(t) == Op::Select
                && let Some(counter) = self.counter_of(pool, pool.args(t)[1])
            {
                push_new(&mut out, counter);
            }
        }
        out
    }

    /// Atoms that speak of a cell, and their negations.
    fn conditions(&mut self, pool: &mut Pool, term: TermId) {
        if is_type_range(pool, term) {
            return;
        }
        for atom in pool.post_order(&[term]) {
            if !is_atom(pool, atom) {
                continue;
            }
            for counter in self.counters_in(pool, atom) {
                push_new(&mut self.counters, counter);
                let body = pool.substitute(atom, &[(counter, self.any)]);
                let not = pool.not(body);
                for asked in [body, not] {
                    self.body(pool, asked);
                    push_new(&mut self.asked, asked);
                }
            }
        }
    }

    /// What a store leaves in its cell.
    fn stores(&mut self, pool: &mut Pool, target: TermId, value: TermId) {
        for t in pool.post_order(&[value]) {
            if pool.op(t) != Op::Store {
                continue;
            }
            let [_, index, stored] = *pool.args(t) else {
                continue;
            };
            let Some(counter) = self.counter_of(pool, index) else {
                continue;
            };
            push_new(&mut self.counters, counter);
            let itself = pool.post_order(&[stored]).contains(&target);
            if itself || matches!(pool.sort_kind(pool.sort_of(stored)), Sort::Array(..)) {
                continue;
            }
            let read = pool.select(target, index);
            let equal = pool.eq(read, stored);
            let body = pool.substitute(equal, &[(counter, self.any)]);
            self.body(pool, body);
            push_new(&mut self.stored, body);
        }
    }

    /// Array reads at counters, wherever they are.
    fn cells(&mut self, pool: &mut Pool, term: TermId) {
        for t in pool.post_order(&[term]) {
            if pool.op(t) != Op::Select || pool.sort_of(t) != pool.int_sort() {
                continue;
            }
            if let Some(counter) = self.counter_of(pool, pool.args(t)[1]) {
                push_new(&mut self.counters, counter);
                let read = pool.substitute(t, &[(counter, self.any)]);
                push_new(&mut self.reads, read);
            }
        }
    }

    pub(super) fn body(&mut self, pool: &Pool, body: TermId) {
        let whole = body == pool.tt() || body == pool.ff();
        if !whole && self.bodies.len() < self.limits.bodies && !self.bodies.contains(&body) {
            self.bodies.push(body);
        }
    }

    /// Where variables start and how they step.
    fn steps(&mut self, pool: &Pool, program: &Program, statements: &[&Stmt]) {
        for stmt in statements {
            if let Stmt::Assign(list) = stmt {
                for &(var, value) in list {
                    self.step(pool, program.vars[var].term, value);
                }
            }
        }
    }

    /// What counters are compared with.
    fn bounds(&mut self, pool: &mut Pool, statements: &[&Stmt]) {
        for stmt in statements {
            if let Stmt::Assume(condition) = stmt {
                self.comparisons(pool, *condition);
            }
        }
    }

    fn step(&mut self, pool: &Pool, variable: TermId, value: TermId) {
        if !self.variables.contains(&variable) {
            return;
        }
        if let Some(start) = pool.as_number(value) {
            push_new(&mut self.starts, (variable, start.clone()));
            return;
        }
        let Some(sum) = counters::added(pool, variable, value) else {
            return;
        };
        let stride = match sum.terms.as_slice() {
            [] => sum.constant.to_i64().and_then(i64::checked_abs),
            _ => Some(1),
        };
        let stride = stride.filter(|s| *s > 0).unwrap_or(1);
        let old = self.strides.get(&variable).copied().unwrap_or(0);
        self.strides.insert(variable, gcd(old, stride));
    }

    fn comparisons(&mut self, pool: &mut Pool, condition: TermId) {
        let int = pool.int_sort();
        if is_type_range(pool, condition) {
            return;
        }
        for atom in pool.post_order(&[condition]) {
            let is_atom = matches!(pool.op(atom), Op::Le | Op::Eq);
            let read = is_atom.then(|| Comparison::of_integers(pool, atom));
            let Some(Comparison { linear: sum, .. }) = read.flatten() else {
                continue;
            };
            let flag = |(t, _): &(TermId, Rational)| {
                self.variables.contains(t) && !self.counters.contains(t)
            };
            if sum.terms.len() == 1 && sum.terms.iter().all(flag) {
                push_new(&mut self.cases, atom);
                push_new(&mut self.cases, pool.not(atom));
            }
            for (counter, factor) in sum.terms.clone() {
                if pool.op(atom) == Op::Eq && self.counters.contains(&counter) {
                    let case = pool.substitute(atom, &[(counter, self.any)]);
                    push_new(&mut self.cases, case);
                    push_new(&mut self.cases, pool.not(case));
                }
                let unit = factor == Rational::ONE || factor == Rational::MINUS_ONE;
                if !unit || !self.counters.contains(&counter) {
                    continue;
                }
                // counter + rest <= 0 or -counter + rest <= 0.
                let mut end = sum.without(counter);
                end.scale(&-&factor);
                let known = |(t, _): &(TermId, Rational)| self.variables.contains(t);
                if end.terms.len() > self.limits.end_variables || !end.terms.iter().all(known) {
                    continue;
                }
                // A loop that goes on while `counter < end` (or `!=`) does not pass the end itself.
                let mut last = end.clone();
                if factor == Rational::MINUS_ONE || pool.op(atom) == Op::Eq {
                    last.constant = &last.constant - &Rational::ONE;
                }
                for end in [last, end] {
                    let end = pool.from_linear(&end, int);
                    if !self.ends.contains(&end) && !self.counters.contains(&end) {
                        self.ends.push(end);
                    }
                }
            }
        }
    }

    /// `term` in the range that a variable has run through from its start, on its stride.
    fn passed(&self, pool: &mut Pool, term: TermId, start: &Rational, variable: TermId) -> TermId {
        let below = pool.lt(term, variable);
        let from = self.from(pool, term, start, variable);
        pool.and(&[from, below])
    }

    fn from(&self, pool: &mut Pool, term: TermId, start: &Rational, variable: TermId) -> TermId {
        let low = pool.num(start.clone(), pool.int_sort());
        let from = pool.le(low, term);
        let stride = self.strides.get(&variable).copied().unwrap_or(1);
        if stride < 2 {
            return from;
        }
        let modulus = pool.int(stride);
        let (mine, first) = (pool.modulo(term, modulus), pool.modulo(low, modulus));
        let residue = pool.eq(mine, first);
        pool.and(&[from, residue])
    }

    /// Variables with a constant start and steps that no array is accessed at (`alloc.top`).
    fn tops(&self) -> Vec<(TermId, Rational)> {
        let stepped = |v: &TermId| self.strides.get(v).is_some_and(|s| *s > 1);
        let all = self.starts.iter().filter(|(v, _)| stepped(v));
        all.filter(|(v, _)| !self.counters.contains(v))
            .cloned()
            .collect()
    }

    /// Facts that variables and cells are null or lie in a range that has been run through.
    fn pointers(&mut self, pool: &mut Pool) -> Vec<TermId> {
        let tops = self.tops();
        let zero = pool.int(0);
        let null_or_in = |me: &Self, pool: &mut Pool, term: TermId| {
            let null = pool.eq(term, zero);
            let inside = tops
                .iter()
                .map(|(top, start)| me.passed(pool, term, start, *top));
            let mut out = Vec::new();
            for inside in inside.collect::<Vec<_>>() {
                out.push(inside);
                out.push(pool.or(&[null, inside]));
            }
            out
        };
        let mut facts = Vec::new();
        for &counter in self.counters.iter().take(self.limits.pointers) {
            facts.extend(null_or_in(self, pool, counter));
        }
        let reads: Vec<TermId> = self
            .reads
            .iter()
            .take(self.limits.pointers)
            .copied()
            .collect();
        let mut bodies = Vec::new();
        for read in reads {
            bodies.extend(null_or_in(self, pool, read));
        }
        self.bodies.splice(0..0, bodies);
        facts
    }

    /// Each body weakened by each case, and what a store leaves by what a condition asks of a cell:
    /// `if (a[i] >= 0) b[i] = 1` means `a[k] < 0` or `b[k] = 1`.
    fn add_cases(&mut self, pool: &mut Pool) {
        // "Except at one place" is about cells, and mostly what helps; "only at one place" says little.
        let rank = |case: &TermId| match (
            pool.post_order(&[*case]).contains(&self.any),
            pool.op(*case),
        ) {
            (true, Op::Eq) => 0,
            (false, _) => 1,
            (true, _) => 2,
        };
        self.cases.sort_by_key(rank);
        self.cases.truncate(self.limits.cases);
        let plain = std::mem::take(&mut self.bodies);
        let (mut weaker, mut conditional) = (Vec::new(), Vec::new());
        for &case in &self.cases {
            for &body in &plain {
                push_new(&mut weaker, pool.or(&[case, body]));
            }
        }
        for &asked in &self.asked {
            for &stored in &self.stored {
                push_new(&mut conditional, pool.or(&[asked, stored]));
            }
        }
        // Some of each kind come early.
        let longest = plain.len().max(weaker.len()).max(conditional.len());
        for at in 0..longest {
            for list in [&plain, &conditional, &weaker] {
                if let Some(&body) = list.get(at)
                    && body != pool.tt()
                {
                    push_new(&mut self.bodies, body);
                }
            }
        }
    }

    /// Guards and bodies, the likely ones first.
    fn pairs(&self, guards: &[TermId], bodies: &[TermId]) -> Vec<(TermId, TermId)> {
        let mut pairs: Vec<(usize, TermId, TermId)> = Vec::new();
        for (rank, &guard) in guards.iter().enumerate() {
            let own = |own: usize| own + self.limits.bodies_a_guard * rank;
            let bodies = bodies.iter().enumerate();
            pairs.extend(bodies.map(|(at, &body)| (own(at), guard, body)));
        }
        pairs.sort_by_key(|(rank, ..)| *rank);
        pairs.into_iter().map(|(_, g, b)| (g, b)).collect()
    }

    /// Ranges of `any` by the counters that matter, most likely ones first.
    fn guards(&self, pool: &mut Pool, matters: impl Fn(&TermId) -> bool) -> Vec<TermId> {
        let mut out: Vec<TermId> = Vec::new();
        for (top, start) in self.tops() {
            push_new(&mut out, self.passed(pool, self.any, &start, top));
        }
        let counters = self.counters.iter().copied().filter(matters);
        let counters: Vec<TermId> = counters.collect();
        for &counter in &counters {
            for start in self.starts_of(counter) {
                push_new(&mut out, self.passed(pool, self.any, &start, counter));
            }
        }
        for &counter in &self.counters {
            for start in self.starts_of(counter) {
                for &end in &self.ends {
                    let from = self.from(pool, self.any, &start, counter);
                    let to = pool.le(self.any, end);
                    push_new(&mut out, pool.and(&[from, to]));
                }
            }
        }
        for &counter in &counters {
            for &end in &self.ends {
                // What is ahead of a counter that goes up, and behind one that goes down.
                let to = pool.le(self.any, end);
                for above in [pool.le(counter, self.any), pool.lt(counter, self.any)] {
                    push_new(&mut out, pool.and(&[above, to]));
                }
            }
        }
        out.retain(|&g| g != pool.ff());
        out.truncate(self.limits.guards);
        out
    }

    /// Where a counter may have started. What lies before that may have been done by hand: `m = a[0]`.
    fn starts_of(&self, counter: TermId) -> Vec<Rational> {
        let own = self.starts.iter().filter(|(c, _)| *c == counter);
        let mut starts: Vec<Rational> = own.map(|(_, s)| s.clone()).collect();
        let counts = self.strides.get(&counter) == Some(&1);
        let later = starts.iter().all(|s| *s > Rational::ZERO);
        if later && (counts || starts.is_empty() && self.strides.contains_key(&counter)) {
            starts.push(Rational::ZERO);
        }
        starts
    }
}

pub(super) fn is_atom(pool: &Pool, term: TermId) -> bool {
    match pool.op(term) {
        Op::Le => true,
        Op::Eq => pool.sort_of(pool.args(term)[0]) == pool.int_sort(),
        _ => false,
    }
}

/// `low <= a[i] <= high` with the ends of a machine type: what the front end says of every read.
pub(super) fn is_type_range(pool: &Pool, condition: TermId) -> bool {
    let parts = pool.conjuncts(condition);
    let [low, high] = parts.as_slice() else {
        return false;
    };
    if pool.op(*low) != Op::Not || pool.op(*high) != Op::Le {
        return false;
    }
    let (below, above) = (pool.args(pool.args(*low)[0]), pool.args(*high));
    let bounds = (below.len() == 2 && below[0] == above[0])
        .then(|| (pool.as_number(below[1]), pool.as_number(above[1])));
    let Some((Some(below), Some(high))) = bounds else {
        return false;
    };
    let low = below + &Rational::ONE;
    [8, 16, 32, 64].into_iter().any(|bits| {
        [true, false]
            .into_iter()
            .any(|signed| machine::type_range(bits, signed) == (low.clone(), high.clone()))
    })
}

fn gcd(a: i64, b: i64) -> i64 {
    let (mut a, mut b) = (a, b);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

fn push_new<T: PartialEq>(list: &mut Vec<T>, fact: T) {
    if !list.contains(&fact) {
        list.push(fact);
    }
}
