//! Candidate invariants of loops that walk over strings: a known terminator lies ahead.
//!
//! Idea, on `s[n] = 0; for (p = s; *p; p++) …`: the store names a cell `z = s + n` that holds zero, and
//! `m[z] = 0 && p <= z` is inductive, since the loop goes on only where `m[p] != 0`. No fact about all cells is
//! needed, and no length: any zero ahead will do. Two walks side by side (`*t++ = *p++`) keep their distance,
//! or the one that began earlier stays behind: `t - s' <= p - s`.
//!
//! Terms. A *terminator* is a place that a number is stored at; a *walk* is an index whose variable is
//! stepped by loops; its *start* is what the variable is set to elsewhere.

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

/// Arrays with a terminator in which a condition looks at a walk's cell: loops over them end by what is in them.
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
    let mut arrays: FxHashSet<TermId> = FxHashSet::default();
    for &(array, index) in &walks.walks {
        let ends = walks.zeros.iter().any(|(a, ..)| *a == array);
        let cell = pool.select(array, index);
        if ends && read.contains(&cell) {
            arrays.insert(array);
        }
    }
    let vars = program.vars.iter_enumerated();
    let named = vars.filter(|(_, v)| arrays.contains(&v.term));
    named.map(|(id, _)| id).collect()
}

struct Walks {
    /// Cells that hold numbers: array, place, number.
    zeros: Vec<(TermId, TermId, TermId)>,
    /// Indices that arrays are accessed at, with a variable that loops step.
    walks: Vec<(TermId, TermId)>,
    /// What variables are set to, if it is not a number.
    starts: Vec<(TermId, TermId)>,
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
        let (mut stepped, mut starts) = (Vec::new(), Vec::new());
        for edge in program.edges.iter() {
            let Stmt::Assign(list) = &edge.stmt else {
                continue;
            };
            for &(var, value) in list {
                let target = program.vars[var].term;
                if !variables.contains(&target) {
                    continue;
                }
                match steps(pool, target, value) {
                    true => push_new(&mut stepped, target),
                    false => push_new(&mut starts, (target, value)),
                }
            }
        }
        let over = |pool: &Pool, t: TermId| {
            let sum = pool.linear(t);
            !sum.terms.is_empty() && sum.terms.iter().all(|(t, _)| variables.contains(t))
        };
        let mut zeros = Vec::new();
        let mut fixed: Vec<(Rational, TermId, TermId, TermId)> = Vec::new();
        for (array, place, number) in &accesses.numbers_stored {
            let walked = pool.linear(*place);
            let walked = walked.terms.iter().any(|(t, _)| stepped.contains(t));
            let number = pool.num(number.clone(), int);
            if let Some(at) = pool.as_number(*place) {
                fixed.push((at.clone(), *array, *place, number));
            } else if over(&*pool, *place) && !walked && zeros.len() < limits.zeros {
                push_new(&mut zeros, (*array, *place, number));
            }
        }
        // Of the cells of a buffer at a fixed address the last is the likely end of a string.
        fixed.sort_by(|a, b| b.0.cmp(&a.0));
        for (_, array, place, number) in fixed {
            if zeros.len() < limits.zeros {
                push_new(&mut zeros, (array, place, number));
            }
        }
        let mut walks = Vec::new();
        for &(array, index) in &accesses.places {
            let mut sum = pool.linear(index);
            let walked = sum.terms.iter().any(|(t, _)| stepped.contains(t));
            if !walked || !over(&*pool, index) || walks.len() >= limits.walks {
                continue;
            }
            push_new(&mut walks, (array, index));
            sum.constant = Rational::ZERO;
            let index = pool.from_linear(&sum, int);
            push_new(&mut walks, (array, index));
        }
        let mut cells = Vec::new();
        for (array, index, value) in stored(pool, program) {
            let walked = |t: TermId| {
                let sum = pool.linear(t);
                sum.terms.iter().any(|(t, _)| stepped.contains(t))
            };
            let exact = match pool.op(value) {
                Op::Wrap { .. } => pool.args(value)[0],
                _ => value,
            };
            if over(&*pool, exact) && !walked(index) && !walked(exact) && cells.len() < limits.cells
            {
                let read = pool.select(array, index);
                push_new(&mut cells, pool.eq(read, exact));
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
            cells,
        }
    }

    fn facts(&self, pool: &mut Pool) -> Vec<TermId> {
        let mut out = self.cells.clone();
        for &(array, place, number) in &self.zeros {
            let read = pool.select(array, place);
            out.push(pool.eq(read, number));
        }
        for &(start, value) in &self.starts {
            push_new(&mut out, pool.le(value, start));
            push_new(&mut out, pool.le(start, value));
        }
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

    /// A walk stays within a terminator's distance of another: `t - z <= p - s`.
    fn side_by_side(&self, pool: &mut Pool, out: &mut Vec<TermId>) {
        for &(p, s) in &self.starts {
            for &(t, r) in self.starts.iter().filter(|(t, _)| *t != p) {
                let (a, b) = (pool.sub(t, r), pool.sub(p, s));
                push_new(out, pool.le(a, b));
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

/// `target := target + c`, possibly wrapped.
fn steps(pool: &Pool, target: TermId, value: TermId) -> bool {
    let value = match pool.op(value) {
        Op::Wrap { .. } => pool.args(value)[0],
        _ => value,
    };
    let sum = pool.linear(value);
    sum.terms.len() == 1 && sum.terms[0].0 == target && !sum.constant.is_zero()
}
