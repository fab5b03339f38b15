//! What a proof must satisfy, as a list of formulas to refute. Knows no engine and no solver.
//!
//! For each function that calls can reach from the entry (Floyd's method with contracts):
//! - *entry*: `requires` implies the assertion at the entry (old values are the current ones);
//! - *inductive*: from each asserted location, every loop-free path to the next one establishes the
//!   assertion there;
//! - *error*: an error location's assertion is `false`;
//! - *exit*: at the exit, `ensures` holds;
//! - *call*: at each call, the callee's `requires` holds; afterwards its `ensures` may be assumed.
//!
//! Sound because of induction over the length of an execution, across all calls: each contract is
//! used only for calls that begin and end earlier than the step it helps to prove. The entry
//! function's `requires` must be true, for every initial state is possible.
//!
//! A constant of an assertion that does not occur in the program stands for any value: the assertion
//! holds for all of them. A hypothesis may be used at several values (`elsewhere`).

use crate::boxes::{self, BoxChecker};
use crate::context::Context;
use crate::region::Region;
use crate::{Contract, Proof};
use base::{Budget, FxHashMap, FxHashSet};
use logic::{Pool, TermId, array_indices, instances, neighbour_instances};
use program::{EdgeId, FuncId, LocId, Program, VarKind};

/// The kind of an obligation, with where it stands in the program of the proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Duty {
    /// The assertion at the entry of a function.
    Entry(FuncId),
    /// The assertion at `to` along all paths from `from`.
    Inductive {
        /// The cut point that the paths begin at.
        from: LocId,
        /// The cut point that they end at.
        to: LocId,
    },
    /// The error location cannot be reached from `from`.
    Error {
        /// The cut point that the paths begin at.
        from: LocId,
        /// The error location.
        error: LocId,
    },
    /// The `ensures` of a function (and the assertion at its exit).
    Exit {
        /// The cut point that the paths begin at.
        from: LocId,
        /// The function that is left.
        function: FuncId,
    },
    /// The `requires` of the callee of an edge.
    Call {
        /// The cut point that the paths begin at.
        from: LocId,
        /// The call.
        edge: EdgeId,
    },
}

/// One formula that must have no model together with the hypotheses of its group.
#[derive(Clone, Copy, Debug)]
pub struct Obligation {
    /// What it is for.
    pub duty: Duty,
    /// Reached, and the goal does not hold.
    pub violation: TermId,
}

/// Why a proof is not a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejection {
    pub why: String,
}

/// Who takes the obligations: the solver, or a certificate.
pub(crate) trait Sink {
    /// Obligations that share their hypotheses (the paths out of one cut point).
    fn group(
        &mut self,
        pool: &mut Pool,
        hypotheses: &[TermId],
        obligations: &[Obligation],
    ) -> Result<(), crate::Reason>;

    /// The budget for showing obligations without formulas; `None` if formulas are wanted.
    fn by_execution(&self) -> Option<&Budget> {
        None
    }
}

fn rejected(why: String) -> crate::Reason {
    crate::Reason::EvidenceRejected { why }
}

/// Walks all obligations of a proof about `program` (which is the inlined one for such proofs).
pub(crate) fn walk(
    pool: &mut Pool,
    program: &Program,
    proof: &Proof,
    sink: &mut dyn Sink,
) -> Result<(), crate::Reason> {
    let cx = Context::new(pool, program, &proof.contracts);
    check_vocabulary(&cx, pool, proof).map_err(|r| rejected(r.why))?;
    if let Some(contract) = proof.contracts.get(&program.entry)
        && contract.requires != pool.tt()
    {
        return Err(rejected(format!(
            "the entry function `{}` requires something of the initial states",
            program.functions[program.entry].name
        )));
    }
    let mut checker = None;
    let mut seen: FxHashSet<FuncId> = FxHashSet::default();
    let mut work = vec![program.entry];
    seen.insert(program.entry);
    while let Some(function) = work.pop() {
        for callee in walk_function(&cx, pool, proof, function, sink, &mut checker)? {
            if seen.insert(callee) {
                work.push(callee);
            }
        }
    }
    Ok(())
}

/// The obligations of one function; returns the functions it calls.
fn walk_function<'a>(
    cx: &Context<'a>,
    pool: &mut Pool,
    proof: &Proof,
    function: FuncId,
    sink: &mut dyn Sink,
    checker: &mut Option<BoxChecker<'a>>,
) -> Result<Vec<FuncId>, crate::Reason> {
    let program = cx.program;
    let (entry, exit) = (
        program.functions[function].entry,
        program.functions[function].exit,
    );
    let requires = contract_of(pool, proof, function).requires;
    let cuts = cut_points(cx, proof, entry, exit);
    let mut callees = Vec::new();
    let mut seen: FxHashSet<LocId> = FxHashSet::default();
    let mut work = vec![entry];
    seen.insert(entry);
    let entry_is_cut = cuts.contains(&entry);
    if entry_is_cut {
        let mut region = Region::empty(cx, pool, entry, true);
        let hypothesis = region.at_start(pool, requires);
        let goal = assertion(pool, cx, proof, entry);
        let goal = region.at_start(pool, goal);
        let violation = pool.not(goal);
        region.constraints.push(hypothesis);
        let obligation = Obligation {
            duty: Duty::Entry(function),
            violation,
        };
        emit(pool, sink, &region.constraints, &[obligation])?;
    }
    while let Some(start) = work.pop() {
        let at_entry = start == entry && !entry_is_cut;
        let hypothesis = if at_entry {
            requires
        } else {
            assertion(pool, cx, proof, start)
        };
        if let Some(next) = by_boxes(cx, pool, proof, (start, hypothesis), &cuts, sink, checker)? {
            work.extend(next.into_iter().filter(|l| seen.insert(*l)));
            continue;
        }
        let mut region = Region::encode(cx, pool, start, &cuts, at_entry);
        let hypothesis = region.at_start(pool, hypothesis);
        let mut obligations = Vec::new();
        for target in region.targets.clone() {
            if seen.insert(target) {
                work.push(target);
            }
            let duty = if program.locations[target].error.is_some() {
                Duty::Error {
                    from: start,
                    error: target,
                }
            } else if target == exit {
                Duty::Exit {
                    from: start,
                    function,
                }
            } else {
                Duty::Inductive {
                    from: start,
                    to: target,
                }
            };
            let goal = assertion(pool, cx, proof, target);
            let goal = region.at_target(pool, target, goal);
            let fails = pool.not(goal);
            let violation = pool.and(&[region.reach(target), fails]);
            obligations.push(Obligation { duty, violation });
        }
        for duty in &region.duties {
            let fails = pool.not(duty.requires);
            let violation = pool.and(&[duty.reach, fails]);
            obligations.push(Obligation {
                duty: Duty::Call {
                    from: start,
                    edge: duty.edge,
                },
                violation,
            });
        }
        callees.extend(region.callees());
        let more = elsewhere(cx, pool, hypothesis, &region.constraints, &obligations);
        region.constraints.push(hypothesis);
        region.constraints.extend(more);
        emit(pool, sink, &region.constraints, &obligations)?;
    }
    callees.sort_unstable();
    callees.dedup();
    Ok(callees)
}

/// Tries to show all obligations from a cut point by execution on boxes, where assertions are many boxes.
/// Returns the cut points behind it if they are shown.
///
/// Sound because a region without calls has no other obligations than the assertions at its ends.
fn by_boxes<'a>(
    cx: &Context<'a>,
    pool: &mut Pool,
    proof: &Proof,
    (start, hypothesis): (LocId, TermId),
    cuts: &FxHashSet<LocId>,
    sink: &mut dyn Sink,
    checker: &mut Option<BoxChecker<'a>>,
) -> Result<Option<Vec<LocId>>, crate::Reason> {
    let Some(budget) = sink.by_execution() else {
        return Ok(None);
    };
    let targets = targets(cx, start, cuts);
    let goals: Vec<(LocId, TermId)> = targets
        .iter()
        .map(|&l| (l, assertion(pool, cx, proof, l)))
        .collect();
    let assertions = goals.iter().map(|(_, t)| *t).chain([hypothesis]);
    if !assertions.into_iter().any(|t| boxes::many(pool, t)) {
        return Ok(None);
    }
    let checker = checker.get_or_insert_with(|| BoxChecker::new(pool, cx));
    let goals: FxHashMap<LocId, TermId> = goals.into_iter().collect();
    let shown = checker
        .shown(pool, cx, start, hypothesis, &goals, budget)
        .map_err(crate::Reason::OutOfBudget)?;
    Ok(shown.then_some(targets))
}

/// The cut points that end the region from `start`, sorted.
fn targets(cx: &Context<'_>, start: LocId, cuts: &FxHashSet<LocId>) -> Vec<LocId> {
    let mut seen: FxHashSet<LocId> = FxHashSet::default();
    let mut out = Vec::new();
    let mut work = vec![start];
    while let Some(loc) = work.pop() {
        for &edge in &cx.successors[loc] {
            let to = cx.program.edges[edge].to;
            if !seen.insert(to) {
                continue;
            }
            match cuts.contains(&to) {
                true => out.push(to),
                false => work.push(to),
            }
        }
    }
    out.sort_unstable();
    out
}

/// The hypothesis at other values of its constants that the program does not know.
///
/// Sound because no execution depends on such a constant and every obligation is shown for arbitrary
/// values of it, so by the induction above the assertions hold for all its values at once, the
/// hypothesis among them. A constant of the program has one value in an execution and is left alone.
fn elsewhere(
    cx: &Context<'_>,
    pool: &mut Pool,
    hypothesis: TermId,
    constraints: &[TermId],
    obligations: &[Obligation],
) -> Vec<TermId> {
    let int = pool.int_sort();
    let any: FxHashSet<TermId> = pool
        .post_order(&[hypothesis])
        .into_iter()
        .filter(|t| pool.as_constant(*t).is_some() && pool.sort_of(*t) == int)
        .filter(|t| !cx.var_of.contains_key(t) && !cx.var_of_old.contains_key(t))
        .filter(|t| !cx.rigid.contains(t))
        .collect();
    if any.is_empty() {
        return Vec::new();
    }
    let mut around = constraints.to_vec();
    around.extend(obligations.iter().map(|o| o.violation));
    let indices = array_indices(pool, &around);
    let facts = pool.conjuncts(hypothesis);
    let near = instances(pool, &facts, &any, &indices);
    let far = neighbour_instances(pool, &facts, &any, &indices, &near);
    near.into_iter().chain(far).map(|i| i.fact).collect()
}

fn emit(
    pool: &mut Pool,
    sink: &mut dyn Sink,
    hypotheses: &[TermId],
    obligations: &[Obligation],
) -> Result<(), crate::Reason> {
    let open: Vec<Obligation> = obligations
        .iter()
        .copied()
        .filter(|o| o.violation != pool.ff())
        .collect();
    if open.is_empty() || hypotheses.contains(&pool.ff()) {
        return Ok(());
    }
    sink.group(pool, hypotheses, &open)
}

pub(crate) fn contract_of(pool: &Pool, proof: &Proof, function: FuncId) -> Contract {
    proof.contracts.get(&function).cloned().unwrap_or(Contract {
        requires: pool.tt(),
        ensures: pool.tt(),
    })
}

/// What must hold whenever a location is reached.
pub(crate) fn assertion(pool: &mut Pool, cx: &Context<'_>, proof: &Proof, loc: LocId) -> TermId {
    let location = &cx.program.locations[loc];
    if location.error.is_some() {
        return pool.ff();
    }
    let given = proof.invariants.get(&loc).copied().unwrap_or(pool.tt());
    if cx.program.functions[location.func].exit == loc {
        let ensures = contract_of(pool, proof, location.func).ensures;
        pool.and(&[given, ensures])
    } else {
        given
    }
}

/// Asserted locations, the exit, errors, and a location of each cycle that none of these meets.
pub(crate) fn cut_points(
    cx: &Context<'_>,
    proof: &Proof,
    entry: LocId,
    exit: LocId,
) -> FxHashSet<LocId> {
    let program = cx.program;
    let function = program.locations[entry].func;
    let mut cuts: FxHashSet<LocId> = proof
        .invariants
        .keys()
        .copied()
        .filter(|&l| program.locations[l].func == function)
        .collect();
    cuts.insert(exit);
    // Depth first, never into a cut point: a back edge closes a cycle without one.
    let mut roots: Vec<LocId> = cuts.iter().copied().collect();
    roots.push(entry);
    roots.sort_unstable();
    let mut done: FxHashSet<LocId> = FxHashSet::default();
    let mut on_stack: FxHashSet<LocId> = FxHashSet::default();
    let mut extra = Vec::new();
    for root in roots {
        if !done.insert(root) {
            continue;
        }
        on_stack.insert(root);
        let mut stack = vec![(root, 0usize)];
        while let Some((loc, next)) = stack.pop() {
            let Some(&edge) = cx.successors[loc].get(next) else {
                on_stack.remove(&loc);
                continue;
            };
            stack.push((loc, next + 1));
            let to = program.edges[edge].to;
            if program.locations[to].error.is_some() {
                extra.push(to);
            } else if cuts.contains(&to) {
                continue;
            } else if on_stack.contains(&to) {
                extra.push(to);
            } else if done.insert(to) {
                on_stack.insert(to);
                stack.push((to, 0));
            }
        }
    }
    cuts.extend(extra);
    cuts
}

/// Formulas speak only of what is in scope where they stand. (Other constants would be read as
/// "for any value", which is sound; a variable out of scope is a mistake worth naming.)
fn check_vocabulary(cx: &Context<'_>, pool: &Pool, proof: &Proof) -> Result<(), Rejection> {
    let program = cx.program;
    let complain = |what: &str, var: program::VarId| {
        Err(Rejection {
            why: format!(
                "{what} speaks of `{}`, which it may not",
                program.vars[var].name
            ),
        })
    };
    let bool_sort = pool.bool_sort();
    let mut owner =
        base::IndexVec::<program::VarId, Option<FuncId>>::filled(None, program.vars.len());
    for (id, f) in program.functions.iter_enumerated() {
        for &v in f.params.iter().chain(&f.returns).chain(&f.locals) {
            owner[v] = Some(id);
        }
    }
    for (&loc, &formula) in &proof.invariants {
        let Some(location) = program.locations.get(loc) else {
            return Err(Rejection {
                why: format!("there is no location {loc}"),
            });
        };
        if pool.sort_of(formula) != bool_sort {
            return Err(Rejection {
                why: format!("the assertion at {loc} is no formula"),
            });
        }
        for t in pool.post_order(&[formula]) {
            if let Some(&v) = cx.var_of.get(&t) {
                if owner[v].is_some_and(|f| f != location.func) {
                    return complain(&format!("the assertion at {loc}"), v);
                }
            } else if let Some(&v) = cx.var_of_old.get(&t)
                && !old_allowed(program, v, location.func, &owner)
            {
                return complain(&format!("the assertion at {loc}"), v);
            }
        }
    }
    for (&function, contract) in &proof.contracts {
        if program.functions.get(function).is_none()
            || pool.sort_of(contract.requires) != bool_sort
            || pool.sort_of(contract.ensures) != bool_sort
        {
            return Err(Rejection {
                why: format!("the contract of {function} is none"),
            });
        }
        let name = &program.functions[function].name;
        let allowed = |v: program::VarId, kind: VarKind| {
            program.vars[v].kind == VarKind::Global
                || (program.vars[v].kind == kind && owner[v] == Some(function))
        };
        for t in pool.post_order(&[contract.requires]) {
            match (cx.var_of.get(&t), cx.var_of_old.get(&t)) {
                (Some(&v), _) if !allowed(v, VarKind::Param) => {
                    return complain(&format!("`requires` of `{name}`"), v);
                }
                (None, Some(&v)) => {
                    return complain(&format!("`requires` of `{name}` (old value)"), v);
                }
                _ => {}
            }
        }
        for t in pool.post_order(&[contract.ensures]) {
            match (cx.var_of.get(&t), cx.var_of_old.get(&t)) {
                (Some(&v), _) if !allowed(v, VarKind::Return) => {
                    return complain(&format!("`ensures` of `{name}`"), v);
                }
                (None, Some(&v)) if !allowed(v, VarKind::Param) => {
                    return complain(&format!("`ensures` of `{name}` (old value)"), v);
                }
                _ => {}
            }
        }
    }
    Ok(())
}

fn old_allowed(
    program: &Program,
    var: program::VarId,
    function: FuncId,
    owner: &base::IndexVec<program::VarId, Option<FuncId>>,
) -> bool {
    match program.vars[var].kind {
        VarKind::Global => true,
        VarKind::Param => owner[var] == Some(function),
        VarKind::Return | VarKind::Local => false,
    }
}
