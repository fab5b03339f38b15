//! Candidate invariants of loops that walk over strings: a known terminator lies ahead.
//!
//! Idea, on `s[n] = 0; for (p = s; *p; p++) …`: the store names a cell `z = s + n` that holds zero, and
//! `m[z] = 0 && p <= z` is inductive, since the loop goes on only where `m[p] != 0`. No fact about all cells is
//! needed, and no length: any zero ahead will do. Two walks side by side (`*t++ = *p++`) keep their distance,
//! or the one that began earlier stays behind: `t - s' <= p - s`; a walk and a counter that falls
//! (`while (--n) *p++ = …`) keep their sum.
//!
//! Terms. A *terminator* is a place that a number is stored at, or that a loop compares its cell with
//! (`*p != a[n - 1]`); a *walk* is an index whose variable is stepped by loops, perhaps by way of a copy of it
//! (`t = p++; *t`); its *start* is what the variable is set to elsewhere.

use crate::guess::accesses::{Accesses, push_new};
use crate::guess::generator::{Candidates, Generator, Scene, Stage};
use crate::limits::{GuessLimits, StringLimits};
use base::{FxHashSet, Stop};
use logic::{Op, Pool, Rational, SymbolId, TermId};
use program::{Program, Stmt, VarId};

/// Candidates at every loop head.
pub struct Strings;

impl Generator for Strings {
    fn name(&self) -> &'static str {
        "candidates: strings"
    }

    fn stage(&self) -> Stage {
        Stage::Strings
    }

    fn most_heads(&self, limits: &GuessLimits) -> usize {
        limits.strings.heads
    }

    fn candidates(&self, scene: &mut Scene<'_, '_>) -> Result<Candidates, Stop> {
        let walks = Walks::of(scene.pool, scene.region.program, &scene.limits.strings);
        if walks.zeros.is_empty() || walks.walks.is_empty() {
            return Ok(Candidates::new());
        }
        let mut facts = walks.facts(scene.pool);
        facts.truncate(scene.limits.strings.facts);
        let heads = scene.region.heads.iter();
        Ok(heads.map(|&head| (head, facts.clone())).collect())
    }
}

/// Arrays with a terminator that are walked over and that conditions look at: loops over them end by what is in them.
pub fn walked(pool: &mut Pool, program: &Program, limits: &StringLimits) -> FxHashSet<VarId> {
    let walks = Walks::of(pool, program, limits);
    let mut read: FxHashSet<TermId> = FxHashSet::default();
    for condition in assumed(pool, program) {
        read.extend(pool.post_order(&[condition]));
    }
    // What was read into a variable first.
    for edge in program.edges.iter() {
        if let Stmt::Assign(list) = &edge.stmt {
            for &(var, value) in list {
                if read.contains(&program.vars[var].term) {
                    read.extend(pool.post_order(&[value]));
                }
            }
        }
    }
    let selects = read.iter().filter(|t| pool.op(**t) == Op::Select);
    let looked_at: FxHashSet<TermId> = selects.map(|t| pool.args(*t)[0]).collect();
    let mut arrays: FxHashSet<TermId> = FxHashSet::default();
    for &(array, _) in &walks.walks {
        let ends = walks.zeros.iter().any(|(a, ..)| *a == array);
        if ends && looked_at.contains(&array) {
            arrays.insert(array);
        }
    }
    let vars = program.vars.iter_enumerated();
    let named = vars.filter(|(_, v)| arrays.contains(&v.term));
    named.map(|(id, _)| id).collect()
}

struct Walks {
    /// Cells that hold numbers, or what loops compare their cells with: array, place, number.
    zeros: Vec<(TermId, TermId, Option<TermId>)>,
    /// Indices that arrays are accessed at, with a variable that loops step.
    walks: Vec<(TermId, TermId)>,
    /// What stepped variables are set to elsewhere.
    starts: Vec<(TermId, TermId)>,
    /// Variables that loops step, and by how much.
    steps: Vec<(TermId, Rational)>,
    /// Cells that are set to something over variables, such as the sizes of objects, and what is assumed
    /// of variables that no loop steps, such as lengths.
    cells: Vec<TermId>,
}

impl Walks {
    fn of(pool: &mut Pool, program: &Program, limits: &StringLimits) -> Walks {
        let int = pool.int_sort();
        let plain = program.vars.iter().filter(|v| v.sort == int);
        let variables: FxHashSet<TermId> = plain.map(|v| v.term).collect();
        let accesses = Accesses::of(pool, program);
        let (mut steps, mut starts) = (Vec::new(), Vec::new());
        for edge in program.edges.iter() {
            let Stmt::Assign(list) = &edge.stmt else {
                continue;
            };
            for &(var, value) in list {
                let target = program.vars[var].term;
                if !variables.contains(&target) {
                    continue;
                }
                let value = exact(pool, value);
                match step(pool, target, value) {
                    Some(by) => push_new(&mut steps, (target, by)),
                    None => push_new(&mut starts, (target, value)),
                }
            }
        }
        let stepped: FxHashSet<TermId> = steps.iter().map(|s| s.0).collect();
        let over = |pool: &Pool, t: TermId| {
            let sum = pool.linear(t);
            !sum.terms.is_empty() && sum.terms.iter().all(|(t, _)| variables.contains(t))
        };
        let walked = |pool: &Pool, t: TermId| {
            let sum = pool.linear(t);
            sum.terms.iter().any(|(t, _)| stepped.contains(t))
        };
        let mut zeros = Vec::new();
        let mut fixed: Vec<(Rational, TermId, TermId, TermId)> = Vec::new();
        for (array, place, number) in &accesses.numbers_stored {
            let number = pool.num(number.clone(), int);
            if let Some(at) = pool.as_number(*place) {
                fixed.push((at.clone(), *array, *place, number));
            } else if over(&*pool, *place) && !walked(pool, *place) && zeros.len() < limits.zeros {
                push_new(&mut zeros, (*array, *place, Some(number)));
            }
        }
        for (array, place) in compared(pool, program) {
            if over(&*pool, place) && !walked(pool, place) && zeros.len() < limits.zeros {
                push_new(&mut zeros, (array, place, None));
            }
        }
        // Of the cells of a buffer at a fixed address the last is the likely end of a string.
        fixed.sort_by(|a, b| b.0.cmp(&a.0));
        for (_, array, place, number) in fixed {
            if zeros.len() < limits.zeros {
                push_new(&mut zeros, (array, place, Some(number)));
            }
        }
        let mut walks = Vec::new();
        for &(array, index) in &accesses.places {
            if !over(&*pool, index) {
                continue;
            }
            // A variable that is set to others only is looked through.
            let is_copy = variables.contains(&index) && !stepped.contains(&index);
            let copied = starts.iter().filter(|(t, _)| is_copy && *t == index);
            let mut indices: Vec<TermId> = copied.map(|(_, value)| *value).collect();
            indices.push(index);
            for index in indices {
                if !over(&*pool, index) || !walked(pool, index) || walks.len() >= limits.walks {
                    continue;
                }
                push_new(&mut walks, (array, index));
                let mut sum = pool.linear(index);
                sum.constant = Rational::ZERO;
                let index = pool.from_linear(&sum, int);
                push_new(&mut walks, (array, index));
            }
        }
        let mut cells = Vec::new();
        for (array, index, value) in stored(pool, program) {
            let value = exact(pool, value);
            let steady = !walked(pool, index) && !walked(pool, value);
            if over(&*pool, value) && steady && cells.len() < limits.cells {
                let read = pool.select(array, index);
                push_new(&mut cells, pool.eq(read, value));
            }
        }
        let kept = program.vars.iter().filter(|v| v.sort == int);
        let kept = kept.filter(|v| !stepped.contains(&v.term));
        let steady: FxHashSet<SymbolId> = kept.flat_map(|v| pool.symbols_of(&[v.term])).collect();
        for condition in assumed(pool, program) {
            let symbols = pool.symbols_of(&[condition]);
            let stays = symbols.len() == 1 && symbols.iter().all(|s| steady.contains(s));
            if stays && cells.len() < limits.cells + limits.assumed {
                push_new(&mut cells, condition);
            }
        }
        let plain = |pool: &Pool, t: TermId| {
            let sum = pool.linear(t);
            sum.terms.iter().all(|(t, _)| variables.contains(t))
        };
        starts.retain(|&(v, value)| stepped.contains(&v) && plain(&*pool, value));
        starts.truncate(limits.starts);
        Walks {
            zeros,
            walks,
            starts,
            steps,
            cells,
        }
    }

    fn falls(&self, var: TermId) -> bool {
        self.steps
            .iter()
            .any(|(v, by)| *v == var && by.is_negative())
    }

    fn facts(&self, pool: &mut Pool) -> Vec<TermId> {
        let mut out = self.cells.clone();
        for &(array, place, number) in &self.zeros {
            if let Some(number) = number {
                let read = pool.select(array, place);
                out.push(pool.eq(read, number));
            }
        }
        for &(start, value) in &self.starts {
            push_new(&mut out, pool.le(value, start));
            push_new(&mut out, pool.le(start, value));
        }
        self.strides(pool, &mut out);
        for &(array, index) in &self.walks {
            for &(other, place, _) in &self.zeros {
                if array == other {
                    push_new(&mut out, pool.le(index, place));
                }
            }
        }
        self.side_by_side(pool, &mut out);
        out
    }

    /// Walks in steps larger than one hit only every so many addresses; counters that fall end above zero.
    fn strides(&self, pool: &mut Pool, out: &mut Vec<TermId>) {
        let int = pool.int_sort();
        let (zero, one) = (pool.num(Rational::ZERO, int), pool.num(Rational::ONE, int));
        for (v, by) in &self.steps {
            if by.is_negative() {
                push_new(out, pool.le(one, *v));
            } else if *by != Rational::ONE {
                let by = pool.num(by.clone(), int);
                for &(_, start) in self.starts.iter().filter(|(t, _)| t == v) {
                    let distance = pool.sub(*v, start);
                    let rest = pool.modulo(distance, by);
                    push_new(out, pool.eq(rest, zero));
                }
            }
        }
    }

    /// A walk stays within a terminator's distance of another: `t - z <= p - s`.
    fn side_by_side(&self, pool: &mut Pool, out: &mut Vec<TermId>) {
        for &(p, s) in &self.starts {
            for &(t, r) in self.starts.iter().filter(|(t, _)| *t != p) {
                let (a, b) = (pool.sub(t, r), pool.sub(p, s));
                push_new(out, pool.le(a, b));
                if self.falls(t) && !self.falls(p) {
                    let b = pool.sub(s, p);
                    push_new(out, pool.eq(a, b));
                }
            }
            for &(_, t) in self.walks.iter().filter(|(_, t)| *t != p) {
                for &(_, z, _) in &self.zeros {
                    let (a, b) = (pool.sub(t, z), pool.sub(p, s));
                    push_new(out, pool.le(a, b));
                }
            }
        }
    }
}

/// A value without what keeps it in its range.
fn exact(pool: &Pool, value: TermId) -> TermId {
    match pool.op(value) {
        Op::Wrap { .. } => pool.args(value)[0],
        _ => value,
    }
}

/// Cells that conditions compare with other cells of their array.
fn compared(pool: &Pool, program: &Program) -> Vec<(TermId, TermId)> {
    let mut out = Vec::new();
    for condition in assumed(pool, program) {
        for t in pool.post_order(&[condition]) {
            let (Op::Eq, &[a, b]) = (pool.op(t), pool.args(t)) else {
                continue;
            };
            if let (Op::Select, Op::Select) = (pool.op(a), pool.op(b))
                && pool.args(a)[0] == pool.args(b)[0]
            {
                push_new(&mut out, (pool.args(a)[0], pool.args(a)[1]));
                push_new(&mut out, (pool.args(b)[0], pool.args(b)[1]));
            }
        }
    }
    out
}

/// Arrays, indices and values of all assignments of one cell.
fn stored(pool: &Pool, program: &Program) -> Vec<(TermId, TermId, TermId)> {
    let mut out = Vec::new();
    for edge in program.edges.iter() {
        let Stmt::Assign(list) = &edge.stmt else {
            continue;
        };
        for &(var, value) in list {
            let array = program.vars[var].term;
            if let (Op::Store, [old, index, stored]) = (pool.op(value), pool.args(value))
                && *old == array
            {
                out.push((array, *index, *stored));
            }
        }
    }
    out
}

/// Conditions that statements assume, taken apart.
fn assumed(pool: &Pool, program: &Program) -> Vec<TermId> {
    let mut out = Vec::new();
    for edge in program.edges.iter() {
        if let Stmt::Assume(condition) = edge.stmt {
            for part in pool.conjuncts(condition) {
                push_new(&mut out, part);
            }
        }
    }
    out
}

/// What is added in `target := target + c`.
fn step(pool: &Pool, target: TermId, value: TermId) -> Option<Rational> {
    let sum = pool.linear(value);
    let steps = sum.terms.len() == 1 && sum.terms[0].0 == target && !sum.constant.is_zero();
    (steps && sum.terms[0].1.is_one()).then_some(sum.constant)
}
