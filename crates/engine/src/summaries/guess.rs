//! First guesses for guards and summaries, before any refutation: atoms of the bodies, order and
//! sign of inputs and outputs, and affine relations between them.

use crate::guess::affine::Hull;
use crate::guess::counters::stride;
use crate::guess::program_text::neighbours;
use crate::limits::WhaleLimits;
use crate::prepare::modular::ModularProgram;
use crate::summaries::contracts::{Contracts, Facts};
use base::{Budget, FxHashSet, IndexVec, Stop};
use logic::{Op, Pool, Substitution, TermId, eval};
use program::{FuncId, Stmt, VarId, VarKind};

/// Guesses read off the text.
pub fn from_text(
    pool: &mut Pool,
    prepared: &ModularProgram,
    contracts: &mut Contracts<'_>,
    limits: &WhaleLimits,
) {
    for f in prepared.bodies.bodies.ids() {
        if let Some(flag) = prepared.flag(f) {
            let raised = prepared.bodies.program.vars[flag].term;
            let lowered = pool.not(raised);
            contracts.offer_summary(pool, f, lowered);
        }
        for fact in guards(pool, prepared, f, limits) {
            contracts.offer_guard(pool, f, fact);
        }
        for fact in joint_ranges(pool, prepared, f, limits) {
            contracts.offer_guard(pool, f, fact);
        }
        for fact in summaries(pool, prepared, f, limits) {
            contracts.offer_summary(pool, f, fact);
        }
    }
    for (f, term, stride) in steps(pool, prepared) {
        for fact in residues(pool, term, stride, limits.small_stride) {
            contracts.offer_guard(pool, f, fact);
        }
    }
}

/// Conditions of the body on its inputs, signs of inputs, and how few inputs compare.
fn guards(
    pool: &mut Pool,
    prepared: &ModularProgram,
    f: FuncId,
    limits: &WhaleLimits,
) -> Vec<TermId> {
    let mut out = Vec::new();
    for atom in atoms_of_inputs(pool, prepared, f, limits.atoms) {
        out.extend(neighbours(pool, atom));
    }
    let inputs = integers(pool, prepared, &prepared.inputs(f));
    let zero = pool.int(0);
    out.extend(inputs.iter().map(|&t| pool.le(zero, t)));
    if inputs.len() <= limits.paired {
        for &p in &inputs {
            for &q in inputs.iter().filter(|&&q| q != p) {
                out.extend([pool.le(p, q), pool.eq(p, q)]);
            }
        }
    }
    out
}

/// Sums and differences of two inputs that stay in the range of both: what one input loses another may gain, as in
/// `add(m + 1, n - 1)`, and nothing overflows.
fn joint_ranges(
    pool: &mut Pool,
    prepared: &ModularProgram,
    f: FuncId,
    limits: &WhaleLimits,
) -> Vec<TermId> {
    let program = &prepared.bodies.program;
    let ranged: Vec<_> = prepared
        .inputs(f)
        .iter()
        .filter_map(|&v| {
            let var = &program.vars[v];
            let range = var.range.clone().filter(|_| var.sort == pool.int_sort());
            Some((var.term, range?))
        })
        .collect();
    let mut out = Vec::new();
    if ranged.len() > limits.paired {
        return out;
    }
    for (n, (p, range)) in ranged.iter().enumerate() {
        for (q, other) in &ranged[n + 1..] {
            if range != other {
                continue;
            }
            let (low, high) = range;
            let (low, high) = (pool.int(low.clone()), pool.int(high.clone()));
            for joint in [pool.add(&[*p, *q]), pool.sub(*p, *q)] {
                out.extend([pool.le(low, joint), pool.le(joint, high)]);
            }
        }
    }
    out
}

/// Inputs that functions step by constants, as loops step their counters, and by how much.
fn steps(pool: &Pool, prepared: &ModularProgram) -> Vec<(FuncId, TermId, i64)> {
    let program = &prepared.flagged.program;
    let mut out = Vec::new();
    for edge in program.edges.iter() {
        let Stmt::Assign(pairs) = &edge.stmt else {
            continue;
        };
        for &(v, value) in pairs {
            let var = &program.vars[v];
            if var.kind != VarKind::Param || var.sort != pool.int_sort() {
                continue;
            }
            let stride = stride(pool, var.term, value).and_then(|s| s.to_i64());
            if let Some(stride @ 2..) = stride.and_then(i64::checked_abs) {
                let func = program.locations[edge.from].func;
                out.push((func, var.term, stride));
            }
        }
    }
    out.sort_unstable();
    out.dedup();
    out
}

/// The residues that a step keeps.
fn residues(pool: &mut Pool, term: TermId, stride: i64, small: i64) -> Vec<TermId> {
    let modulus = pool.int(stride);
    let rest = pool.modulo(term, modulus);
    let tried = if stride <= small { stride } else { 1 };
    (0..tried)
        .map(|r| {
            let r = pool.int(r);
            pool.eq(rest, r)
        })
        .collect()
}

/// How the outputs of a function with few inputs and outputs compare with 0, 1 and the inputs.
fn summaries(
    pool: &mut Pool,
    prepared: &ModularProgram,
    f: FuncId,
    limits: &WhaleLimits,
) -> Vec<TermId> {
    let inputs = integers(pool, prepared, &prepared.inputs(f));
    let outputs = integers(pool, prepared, &prepared.outputs(f));
    let mut out = Vec::new();
    if inputs.len() + outputs.len() > limits.paired {
        return out;
    }
    let (zero, one) = (pool.int(0), pool.int(1));
    for &r in &outputs {
        for bound in [zero, one] {
            out.extend([pool.le(bound, r), pool.le(r, bound)]);
        }
        for &p in &inputs {
            let below = pool.sub(p, one);
            out.extend([pool.le(p, r), pool.le(r, p)]);
            out.extend([pool.le(below, r), pool.eq(p, r)]);
        }
    }
    out
}

/// Atoms of the body that speak of the inputs only.
fn atoms_of_inputs(
    pool: &mut Pool,
    prepared: &ModularProgram,
    f: FuncId,
    most: usize,
) -> Vec<TermId> {
    let Some(t) = prepared.bodies.transition(f) else {
        return Vec::new();
    };
    let inputs: FxHashSet<TermId> = prepared
        .inputs(f)
        .iter()
        .map(|&v| prepared.bodies.program.vars[v].term)
        .collect();
    let mut pure: FxHashSet<TermId> = FxHashSet::default();
    let mut out = Vec::new();
    for term in pool.post_order(&[t.formula]) {
        let op = pool.op(term);
        let is_pure = match op {
            Op::App(_) if pool.args(term).is_empty() => inputs.contains(&term),
            _ => pool.args(term).iter().all(|a| pure.contains(a)),
        };
        if is_pure {
            pure.insert(term);
            let arith_eq = op == Op::Eq && pool.sort_of(pool.args(term)[0]) == pool.int_sort();
            if op == Op::Le || arith_eq {
                out.push(term);
            }
        }
    }
    out.truncate(most);
    out
}

fn integers(pool: &Pool, prepared: &ModularProgram, vars: &[VarId]) -> Vec<TermId> {
    let vars = vars.iter().map(|&v| &prepared.bodies.program.vars[v]);
    vars.filter(|v| v.sort == pool.int_sort())
        .map(|v| v.term)
        .collect()
}

/// Affine relations between integer inputs and outputs of executions without error, by symbolic
/// abstraction (see [`crate::guess::affine`]): bodies are run with the relations found so far for their
/// callees, from "no execution" upwards.
pub fn affine(
    pool: &mut Pool,
    prepared: &ModularProgram,
    contracts: &mut Contracts<'_>,
    limits: &WhaleLimits,
    budget: &Budget,
) -> Result<(), Stop> {
    let functions: Vec<FuncId> = prepared.bodies.bodies.ids().collect();
    let nothing = Facts {
        guards: Vec::new(),
        summaries: vec![pool.ff()],
    };
    let mut facts: IndexVec<FuncId, Facts> = IndexVec::filled(nothing, functions.len());
    let mut hulls: IndexVec<FuncId, Hull> = IndexVec::new();
    for &f in &functions {
        let mut terms = integers(pool, prepared, &prepared.inputs(f));
        terms.extend(integers(pool, prepared, &prepared.outputs(f)));
        if terms.len() > limits.affine_terms {
            facts[f].summaries.clear();
        }
        hulls.push(Hull::over(terms));
    }
    let mut changed = true;
    while changed {
        changed = false;
        for &f in &functions {
            if hulls[f].terms.len() > limits.affine_terms {
                continue;
            }
            let mut exit = Substitution::new(contracts.own_map(pool, f));
            changed |= hulls[f].grow(pool, |pool, hull| {
                if let Some(equations) = hull.equations(pool) {
                    let flagged = equations.into_iter();
                    facts[f].summaries = flagged
                        .map(|e| without_error(pool, prepared, f, e))
                        .collect();
                }
                let post = pool.and(&facts[f].summaries);
                let model = contracts.run_outside(pool, f, &facts, post, budget)?;
                Ok(model.map(|model| {
                    let value = |t: &TermId| {
                        let at_exit = exit.apply(pool, *t);
                        eval(pool, &model, at_exit)
                    };
                    hull.terms.iter().map(value).collect()
                }))
            })?;
        }
    }
    for &f in &functions {
        for &fact in &facts[f].summaries {
            contracts.offer_summary(pool, f, fact);
        }
    }
    Ok(())
}

/// Affine relations between the integer inputs of each function that hold at every call, from "never
/// called" upwards, with calls known by their proven summaries. For loops these are invariants.
pub fn affine_guards(
    pool: &mut Pool,
    prepared: &ModularProgram,
    contracts: &mut Contracts<'_>,
    limits: &WhaleLimits,
    budget: &Budget,
) -> Result<(), Stop> {
    let functions: Vec<FuncId> = prepared.bodies.bodies.ids().collect();
    let ff = pool.ff();
    let proven = contracts.proven();
    let mut facts: IndexVec<FuncId, Facts> = proven.clone();
    let inputs = |f: &FuncId| Hull::over(integers(pool, prepared, &prepared.inputs(*f)));
    let mut hulls: IndexVec<FuncId, Hull> = functions.iter().map(inputs).collect();
    let mut called: IndexVec<FuncId, bool> = IndexVec::filled(false, functions.len());
    called[prepared.entry] = true;
    let mut changed = true;
    while changed {
        changed = false;
        for &f in functions.iter() {
            if !called[f] {
                continue;
            }
            for (call, site) in prepared.bodies.bodies[f].calls.iter().enumerate() {
                let g = site.callee;
                if hulls[g].terms.len() > limits.affine_terms || g == prepared.entry {
                    changed |= !called[g];
                    called[g] = true;
                    continue;
                }
                changed |= hulls[g].grow(pool, |pool, hull| {
                    let inside = match hull.equations(pool) {
                        Some(equations) => {
                            facts[g].guards = proven[g].guards.clone();
                            facts[g].guards.extend(equations);
                            pool.and(&facts[g].guards)
                        }
                        None => ff,
                    };
                    contracts.call_outside(pool, f, call, &facts, inside, &hull.terms, budget)
                })?;
                called[g] |= !hulls[g].is_empty();
            }
        }
    }
    for &f in &functions {
        for &fact in &facts[f].guards {
            contracts.offer_guard(pool, f, fact);
        }
    }
    Ok(())
}

/// The fact for executions that do not err: after an error the outputs mean nothing.
fn without_error(pool: &mut Pool, prepared: &ModularProgram, f: FuncId, fact: TermId) -> TermId {
    match prepared.flag(f) {
        Some(flag) => {
            let raised = prepared.bodies.program.vars[flag].term;
            pool.or2(raised, fact)
        }
        None => fact,
    }
}
