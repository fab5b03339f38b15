//! Candidate invariants from single statements anywhere in the program, seen from later on.
//!
//! Idea: after `assume c` or `x[i] := v` the facts `c` and `x[i] = v` hold until somebody changes
//! what they speak of, and `p := p + 4` keeps `p mod 4`. That a loop over a string stays inside it rests on
//! such facts (`mem[s + n - 1] = 0`, `size[s] = n`, `n <= 100`) and on the order of addresses
//! (`s <= p <= s + n - 1`), so all terms used as addresses are compared too. Random states refute
//! most of these guesses before a solver sees them (`samples`).

use crate::guess::affine::Region;
use crate::guess::counters;
use crate::guess::generator::{Candidates, Generator, Scene, Stage};
use crate::limits::GuessLimits;
use base::{FxHashSet, Stop};
use logic::{Op, Pool, Sort, TermId};
use program::{Program, Stmt, VarId};

/// What the statements of a region suggest.
pub struct Statements;

impl Generator for Statements {
    fn name(&self) -> &'static str {
        "candidates: statements"
    }

    fn stage(&self) -> Stage {
        Stage::Text
    }

    fn candidates(&self, scene: &mut Scene<'_, '_>) -> Result<Candidates, Stop> {
        let gathered = Gathered::of_region(scene.pool, scene.region, scene.limits);
        let facts = match scene.sampled {
            true => gathered.facts(scene.pool),
            false => gathered.stores_and_residues(),
        };
        let heads = scene.region.heads.iter();
        Ok(heads.map(|&head| (head, facts.clone())).collect())
    }
}

/// Array reads at fixed places that the region stores at.
pub fn cells(pool: &mut Pool, region: &Region<'_>, limits: &GuessLimits) -> Vec<TermId> {
    Gathered::of_region(pool, region, limits).cells
}

/// `x mod c = r` for the steps of the region.
pub fn residues(pool: &mut Pool, region: &Region<'_>, limits: &GuessLimits) -> Vec<TermId> {
    Gathered::of_region(pool, region, limits).residues
}

struct Gathered<'l> {
    limits: &'l GuessLimits,
    /// `x[i] = v` for the stores of the program.
    stores: Vec<TermId>,
    /// `x mod c = r` for the steps of the program.
    residues: Vec<TermId>,
    assumed: Vec<TermId>,
    addresses: Vec<TermId>,
    /// What is stored at fixed places (sizes of objects among others).
    cells: Vec<TermId>,
    /// The values stored there, and where.
    sizes: Vec<(TermId, TermId)>,
    /// Variables that something is added to.
    counters: Vec<TermId>,
}

impl<'l> Gathered<'l> {
    fn of_region(pool: &mut Pool, region: &Region<'_>, limits: &'l GuessLimits) -> Self {
        let program = region.program;
        let statements = region.edges.iter().map(|&e| &program.edges[e].stmt);
        let mut gathered = Gathered {
            limits,
            stores: Vec::new(),
            residues: Vec::new(),
            assumed: Vec::new(),
            addresses: Vec::new(),
            cells: Vec::new(),
            sizes: Vec::new(),
            counters: Vec::new(),
        };
        for stmt in statements {
            match stmt {
                Stmt::Assign(list) => gathered.assignment(pool, program, list),
                Stmt::Assume(condition) => {
                    gathered.addresses_in(pool, &[*condition]);
                    gathered.assumption(pool, *condition);
                }
                Stmt::Skip | Stmt::Havoc(..) | Stmt::Call { .. } => {}
            }
        }
        gathered
    }

    /// What the statements store, and the residues they keep: the part of the candidates that is small
    /// enough to be tried without samples.
    fn stores_and_residues(self) -> Vec<TermId> {
        let mut facts = self.stores;
        facts.extend(self.residues);
        facts
    }

    fn facts(self, pool: &mut Pool) -> Vec<TermId> {
        let mut facts = self.stores;
        facts.extend(self.residues);
        facts.extend(self.assumed);
        // What was assumed of a stored value holds of the cell, even when the variable is gone.
        let mut stored = logic::Substitution::new(self.sizes);
        for fact in facts.clone() {
            push_new(&mut facts, stored.apply(pool, fact));
        }
        let one = pool.int(1);
        let mut counts = self.cells;
        counts.extend(&self.counters);
        for comparable in [&self.addresses, &counts] {
            for &a in comparable {
                for &b in comparable {
                    if a != b {
                        let after = pool.add(&[a, one]);
                        facts.push(pool.le(a, b));
                        facts.push(pool.le(after, b));
                    }
                }
            }
        }
        facts
    }

    fn assignment(&mut self, pool: &mut Pool, program: &Program, list: &[(VarId, TermId)]) {
        let values: Vec<TermId> = list.iter().map(|(_, t)| *t).collect();
        self.addresses_in(pool, &values);
        for &(var, value) in list {
            self.step(pool, program.vars[var].term, value);
        }
        let vars = &program.vars;
        // What an assigned variable was before lives on only in a copy that the same statement makes.
        let assigned: FxHashSet<TermId> = list.iter().map(|&(v, _)| vars[v].term).collect();
        let copies: Vec<(TermId, TermId)> = list
            .iter()
            .filter(|(_, t)| assigned.contains(t))
            .map(|&(v, t)| (t, vars[v].term))
            .collect();
        let lost: FxHashSet<TermId> = assigned
            .iter()
            .copied()
            .filter(|t| copies.iter().all(|(old, _)| old != t))
            .collect();
        let mut after = logic::Substitution::new(copies);
        for &(var, value) in list {
            let mut term = value;
            while pool.op(term) == Op::Store {
                let [array, index, stored] = *pool.args(term) else {
                    break;
                };
                term = array;
                let gone = pool
                    .post_order(&[index, stored])
                    .iter()
                    .any(|t| lost.contains(t));
                if gone || self.stores.len() >= self.limits.stores {
                    continue;
                }
                let index = after.apply(pool, index);
                let stored = after.apply(pool, stored);
                if matches!(pool.sort_kind(pool.sort_of(stored)), Sort::Array(..)) {
                    continue;
                }
                let read = pool.select(vars[var].term, index);
                let fixed =
                    pool.as_number(index).is_some() && pool.sort_of(read) == pool.int_sort();
                if fixed && self.cells.len() < self.limits.addresses {
                    push_new(&mut self.cells, read);
                    if pool.as_number(stored).is_none() {
                        self.sizes.push((stored, read));
                    }
                }
                let fact = pool.eq(read, stored);
                push_new(&mut self.stores, fact);
            }
        }
    }

    /// `x := x + c` keeps the residue of `x`; which one, the samples say.
    fn step(&mut self, pool: &mut Pool, variable: TermId, value: TermId) {
        if pool.sort_of(variable) != pool.int_sort() {
            return;
        }
        let Some(stride) = counters::stride(pool, variable, value) else {
            return;
        };
        let Some(stride) = stride.to_i64().and_then(i64::checked_abs) else {
            return;
        };
        if self.counters.len() < self.limits.addresses {
            push_new(&mut self.counters, variable);
        }
        if stride < 2 {
            return;
        }
        let modulus = pool.int(stride);
        let rest = pool.modulo(variable, modulus);
        let residues = if stride <= self.limits.small_stride {
            stride
        } else {
            1
        };
        for r in 0..residues {
            let r = pool.int(r);
            push_new(&mut self.residues, pool.eq(rest, r));
        }
    }

    /// The arithmetic atoms of an assumption, and their negations.
    fn assumption(&mut self, pool: &mut Pool, condition: TermId) {
        for t in pool.post_order(&[condition]) {
            let plain = match pool.op(t) {
                Op::Le | Op::Eq => {
                    let [a, b] = *pool.args(t) else { continue };
                    pool.sort_of(a) == pool.int_sort()
                        && pool.symbols_of(&[a, b]).len() <= self.limits.symbols
                }
                _ => false,
            };
            if plain && self.assumed.len() < self.limits.assumed {
                push_new(&mut self.assumed, t);
                push_new(&mut self.assumed, pool.not(t));
            }
        }
    }

    /// Terms that arrays of the program are read or written at.
    fn addresses_in(&mut self, pool: &mut Pool, roots: &[TermId]) {
        for t in pool.post_order(roots) {
            if !matches!(pool.op(t), Op::Select | Op::Store) {
                continue;
            }
            let mut index = pool.args(t)[1];
            // Objects are numbered by their addresses' leading digits.
            if pool.op(index) == Op::IntDiv {
                index = pool.args(index)[0];
            }
            let wanted = pool.sort_of(index) == pool.int_sort()
                && self.addresses.len() < self.limits.addresses
                && !self.addresses.contains(&index)
                && is_plain(pool, index, self.limits.symbols);
            if wanted {
                self.addresses.push(index);
            }
        }
    }
}

fn push_new(list: &mut Vec<TermId>, fact: TermId) {
    if !list.contains(&fact) {
        list.push(fact);
    }
}

/// A short linear term over variables.
fn is_plain(pool: &Pool, term: TermId, most: usize) -> bool {
    let sum = pool.linear(term);
    let variable = |t: TermId| matches!(pool.op(t), Op::App(_)) && pool.args(t).is_empty();
    !sum.terms.is_empty() && sum.terms.len() <= most && sum.terms.iter().all(|(t, _)| variable(*t))
}
