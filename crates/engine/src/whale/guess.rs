//! First guesses for guards and summaries, before any refutation: atoms of the bodies, order and
//! sign of inputs and outputs, and affine relations between them.

use crate::affine::Space;
use crate::candidates::neighbours;
use crate::modular::contracts::{Contracts, Facts};
use crate::modular::prepare::ModularProgram;
use logic::{Budget, FxHashSet, IndexVec, Op, Pool, Rational, Stop, TermId, eval};
use program::{FuncId, VarId};

/// Most integer inputs and outputs of a function for which pairs are compared.
const MOST_PAIRED: usize = 8;
/// Most integer inputs and outputs for affine relations.
const MOST_AFFINE: usize = 30;

/// Guesses read off the text.
pub fn from_text(pool: &mut Pool, prepared: &ModularProgram, contracts: &mut Contracts<'_>) {
    for f in prepared.bodies.bodies.ids() {
        if let Some(flag) = prepared.flag(f) {
            let raised = prepared.bodies.program.vars[flag].term;
            let lowered = pool.not(raised);
            contracts.offer_summary(pool, f, lowered);
        }
        for atom in atoms_of_inputs(pool, prepared, f) {
            for fact in neighbours(pool, atom) {
                contracts.offer_guard(pool, f, fact);
            }
        }
        let inputs = integers(pool, prepared, &prepared.inputs(f));
        let outputs = integers(pool, prepared, &prepared.outputs(f));
        let (zero, one) = (pool.int(0), pool.int(1));
        for &t in &inputs {
            let positive = pool.le(zero, t);
            contracts.offer_guard(pool, f, positive);
        }
        if inputs.len() <= MOST_PAIRED {
            for &p in &inputs {
                for &q in inputs.iter().filter(|&&q| q != p) {
                    let facts = [pool.le(p, q), pool.eq(p, q)];
                    facts
                        .into_iter()
                        .for_each(|t| contracts.offer_guard(pool, f, t));
                }
            }
        }
        if inputs.len() + outputs.len() > MOST_PAIRED {
            continue;
        }
        for &r in &outputs {
            for bound in [zero, one] {
                let facts = [pool.le(bound, r), pool.le(r, bound)];
                facts
                    .into_iter()
                    .for_each(|t| contracts.offer_summary(pool, f, t));
            }
            for &p in &inputs {
                let below = pool.sub(p, one);
                let facts = [
                    pool.le(p, r),
                    pool.le(r, p),
                    pool.le(below, r),
                    pool.eq(p, r),
                ];
                facts
                    .into_iter()
                    .for_each(|t| contracts.offer_summary(pool, f, t));
            }
        }
    }
}

/// Atoms of the body that speak of the inputs only.
fn atoms_of_inputs(pool: &mut Pool, prepared: &ModularProgram, f: FuncId) -> Vec<TermId> {
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
    out.truncate(60);
    out
}

fn integers(pool: &Pool, prepared: &ModularProgram, vars: &[VarId]) -> Vec<TermId> {
    let vars = vars.iter().map(|&v| &prepared.bodies.program.vars[v]);
    vars.filter(|v| v.sort == pool.int_sort())
        .map(|v| v.term)
        .collect()
}

/// Affine relations between integer inputs and outputs of executions without error, by symbolic
/// abstraction (see [`crate::affine`]): bodies are run with the relations found so far for their
/// callees, from "no execution" upwards.
pub fn affine(
    pool: &mut Pool,
    prepared: &ModularProgram,
    contracts: &mut Contracts<'_>,
    budget: &Budget,
) -> Result<(), Stop> {
    let functions: Vec<FuncId> = prepared.bodies.bodies.ids().collect();
    let ff = pool.ff();
    let mut spaces: IndexVec<FuncId, Option<Space>> = functions.iter().map(|_| None).collect();
    let mut facts: IndexVec<FuncId, Facts> = functions
        .iter()
        .map(|_| Facts {
            guards: Vec::new(),
            summaries: vec![ff],
        })
        .collect();
    let terms: IndexVec<FuncId, Vec<TermId>> = functions
        .iter()
        .map(|&f| {
            let mut t = integers(pool, prepared, &prepared.inputs(f));
            t.extend(integers(pool, prepared, &prepared.outputs(f)));
            t
        })
        .collect();
    let mut changed = true;
    while changed {
        changed = false;
        for &f in &functions {
            if terms[f].len() > MOST_AFFINE {
                facts[f].summaries.clear();
                continue;
            }
            loop {
                let post = pool.and(&facts[f].summaries.clone());
                let known = facts.clone();
                let Some(model) = contracts.run_outside(pool, f, &known, post, budget)? else {
                    break;
                };
                let map = contracts.own_map(pool, f);
                let point: Option<Vec<Rational>> = terms[f]
                    .iter()
                    .map(|&t| {
                        let at_exit = pool.substitute(t, &map);
                        eval(pool, &model, at_exit).as_num().cloned()
                    })
                    .collect();
                let Some(point) = point else { break };
                let grown = match &mut spaces[f] {
                    Some(space) => space.join(&point),
                    none => {
                        *none = Some(Space::at(point));
                        true
                    }
                };
                if !grown {
                    break;
                }
                changed = true;
                let equations = spaces[f].as_ref().map(|s| s.equations(&terms[f]));
                let int = pool.int_sort();
                facts[f].summaries = equations
                    .into_iter()
                    .flatten()
                    .map(|l| {
                        let equality = pool.eq_zero(l, int);
                        without_error(pool, prepared, f, equality)
                    })
                    .collect();
            }
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
    budget: &Budget,
) -> Result<(), Stop> {
    let functions: Vec<FuncId> = prepared.bodies.bodies.ids().collect();
    let ff = pool.ff();
    let mut spaces: IndexVec<FuncId, Option<Space>> = functions.iter().map(|_| None).collect();
    let mut facts: IndexVec<FuncId, Facts> = contracts.proven.clone();
    let terms: IndexVec<FuncId, Vec<TermId>> = functions
        .iter()
        .map(|&f| integers(pool, prepared, &prepared.inputs(f)))
        .collect();
    let proven = contracts.proven.clone();
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
                if terms[g].len() > MOST_AFFINE || g == prepared.entry {
                    changed |= !called[g];
                    called[g] = true;
                    continue;
                }
                loop {
                    let inside = match called[g] {
                        true => pool.and(&facts[g].guards.clone()),
                        false => ff,
                    };
                    let found =
                        contracts.call_outside(pool, f, call, &facts, inside, &terms[g], budget)?;
                    let Some(values) = found else { break };
                    let point: Option<Vec<Rational>> =
                        values.iter().map(|v| v.as_num().cloned()).collect();
                    let Some(point) = point else { break };
                    let grown = match &mut spaces[g] {
                        Some(space) => space.join(&point),
                        none => {
                            *none = Some(Space::at(point));
                            true
                        }
                    };
                    if called[g] && !grown {
                        break;
                    }
                    changed = true;
                    called[g] = true;
                    let int = pool.int_sort();
                    let equations = spaces[g].as_ref().map(|s| s.equations(&terms[g]));
                    facts[g].guards = proven[g].guards.clone();
                    for l in equations.into_iter().flatten() {
                        facts[g].guards.push(pool.eq_zero(l, int));
                    }
                }
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
