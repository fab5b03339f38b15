//! What an earlier version of a unit was decided by, for the version at hand: a claim that the checker judges on
//! the new program, and candidates for the engines if that is not enough.
//!
//! Numbers of locations and edges do not survive an edit, so everything is named by what does: functions by name,
//! loop heads and inputs by their order in the function, copies of functions by the calls that lead to them.
//!
//! ```text
//! { scope: inlined, facts: [[/count#0, head 0 of 1, "(<= |i!1| |n!1|)"]], names: { i!1: [/count#0, count::i] } }
//! ```
//! Sound because nothing here is believed: a claim goes through the checker like an engine's, candidates through
//! Houdini. What does not fit the new program any more is left out or rejected.

use super::evidence_text::{read_value, write_value};
use crate::Outcome;
use crate::check::Hints;
use crate::load::Loaded;
use base::{FxHashMap, Id};
use evidence::{Contract, Counterexample, Proof, Scope, Subject, Verdict};
use logic::{Pool, TermId, smtlib};
use program::analysis::shape::reachable_functions;
use program::passes::inline::{Inlined, InstanceId, inline};
use program::passes::{Detail, cone, loops_to_recursion};
use program::{EdgeId, FuncId, LocId, Program, Step, Stmt};
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;

/// Scopes, by the words that certificates use.
const SCOPES: &[Scope] = &[
    Scope::Modular,
    Scope::Inlined,
    Scope::Recursive,
    Scope::Executed,
    Scope::Shapes,
    Scope::Sites,
    Scope::Tables,
    Scope::Unrolled,
];

/// The evidence of an outcome in words that survive edits.
pub fn write(outcome: &mut Outcome) -> Option<Json> {
    let (pool, program) = (&mut outcome.input.pool, &outcome.input.program);
    match outcome.verdict.get() {
        Verdict::Safe(proof) => Some(write_proof(
            pool,
            program,
            proof,
            &outcome.verdict.record().subject,
        )),
        Verdict::Unsafe(one) => {
            let all = match outcome.violations.as_slice() {
                [] => std::slice::from_ref(one),
                several => several,
            };
            let list: Option<Vec<Json>> = all.iter().map(|e| write_execution(program, e)).collect();
            Some(json!({ "executions": list? }))
        }
        Verdict::Unknown(_) => None,
    }
}

fn write_proof(pool: &mut Pool, program: &Program, proof: &Proof, subject: &Subject) -> Json {
    let mut out = json!({ "scope": proof.scope.as_str() });
    if let Some(detail) = proof.cone {
        out["cone"] = json!(detail.as_str());
    }
    if proof.scope.is_executed() {
        return out;
    }
    let base = proof.cone.map(|detail| cone(pool, program, detail));
    let layout = Layout::of(
        base.as_ref().unwrap_or(program),
        subject.program(program),
        inlined(subject),
    );
    let mut facts = Vec::new();
    for (&loc, &formula) in &proof.invariants {
        let Some(place) = layout.places.get(&loc) else {
            continue;
        };
        let parts = pool.conjuncts(formula);
        let parts: Vec<String> = parts.iter().map(|&t| smtlib::print_term(pool, t)).collect();
        facts.push(json!([
            place.at,
            place.function,
            place.head,
            place.of,
            parts
        ]));
    }
    let target = subject.program(program);
    let print = |t: TermId| smtlib::print_term(pool, t);
    let contracts = proof.contracts.iter().map(|(&f, c)| {
        json!([
            target.functions[f].name,
            print(c.requires),
            print(c.ensures)
        ])
    });
    out["contracts"] = contracts.collect();
    out["facts"] = Json::Array(facts);
    out["names"] = json!(layout.names);
    out
}

fn inlined(subject: &Subject) -> Option<&Inlined> {
    match subject {
        Subject::Inlined(inlined) => Some(inlined),
        _ => None,
    }
}

/// What the evidence of an earlier version may say of this program.
pub fn read(loaded: &mut Loaded, earlier: &Json) -> Hints {
    let (pool, program) = (&mut loaded.pool, &loaded.program);
    let mut hints = Hints::default();
    if let Some(list) = earlier["executions"].as_array() {
        let executions = list.iter().filter_map(|e| read_execution(program, e));
        hints.claims.extend(executions.map(Verdict::Unsafe));
        return hints;
    }
    let word = earlier["scope"].as_str();
    let Some(&scope) = SCOPES.iter().find(|s| Some(s.as_str()) == word) else {
        return hints;
    };
    let detail = earlier["cone"].as_str().and_then(Detail::named);
    hints.candidates = candidates(pool, program, earlier);
    let proof = Proof {
        rest: Vec::new(),
        scope,
        cone: detail,
        invariants: BTreeMap::new(),
        contracts: BTreeMap::new(),
    };
    hints
        .claims
        .extend(claim(pool, program, proof, earlier).map(Verdict::Safe));
    hints
}

/// The proof at the places of this program that have the names of the old ones.
fn claim(pool: &mut Pool, program: &Program, mut proof: Proof, earlier: &Json) -> Option<Proof> {
    if proof.scope.is_executed() {
        return Some(proof);
    }
    let of_cone = proof.cone.map(|detail| cone(pool, program, detail));
    let base = of_cone.as_ref().unwrap_or(program);
    let subject = match proof.scope {
        Scope::Inlined => Subject::Inlined(inline(pool, base).ok()?),
        Scope::Recursive => Subject::LoopFree(loops_to_recursion(pool, base)),
        _ => Subject::Original,
    };
    let target = subject.program(base);
    let layout = Layout::of(base, target, inlined(&subject));
    // From the names of old copies to those of new ones, by the calls that lead to them.
    let ours: BTreeMap<&(String, String), &String> =
        layout.names.iter().map(|(n, k)| (k, n)).collect();
    let names = names(pool, target);
    let old = &earlier["names"];
    let lookup = |name: &str| {
        let Some(key) = canonical(old, name) else {
            return names.get(name).copied();
        };
        names.get(ours.get(&key)?.as_str()).copied()
    };
    let by_name: BTreeMap<(&str, u64), LocId> = layout
        .places
        .iter()
        .map(|(l, p)| ((p.at.as_str(), p.head), *l))
        .collect();
    for fact in earlier["facts"].as_array()? {
        let &loc = by_name.get(&(fact[0].as_str()?, fact[2].as_u64()?))?;
        let parts: Vec<TermId> = formulas(pool, &fact[4], &lookup);
        let all = pool.and(&parts);
        proof.invariants.insert(loc, all);
    }
    for row in earlier["contracts"].as_array()? {
        let function = target
            .functions
            .iter_enumerated()
            .find(|(_, f)| row[0] == *f.name)?
            .0;
        let requires = formula(pool, row[1].as_str()?, &lookup)?;
        let ensures = formula(pool, row[2].as_str()?, &lookup)?;
        proof
            .contracts
            .insert(function, Contract { requires, ensures });
    }
    Some(proof)
}

/// Facts of single copies as facts about the function, at the same loop head; where the function has another number
/// of loops now, at each.
fn candidates(pool: &mut Pool, program: &Program, earlier: &Json) -> Vec<(LocId, TermId)> {
    let mut heads: BTreeMap<&str, Vec<LocId>> = BTreeMap::new();
    for (f, shape) in reachable_functions(program, &program.successors()) {
        heads.insert(&program.functions[f].name, shape.loop_heads);
    }
    let names = names(pool, program);
    let mut out = Vec::new();
    for fact in earlier["facts"].as_array().into_iter().flatten() {
        let here = fact[1].as_str().and_then(|f| heads.get(f));
        let Some(here) = here else { continue };
        let lookup = |name: &str| match canonical(&earlier["names"], name) {
            Some((at, var)) => names.get(var.as_str()).copied().filter(|_| fact[0] == *at),
            None => names.get(name).copied(),
        };
        let same = fact[3] == here.len();
        for term in formulas(pool, &fact[4], &lookup) {
            for (n, &loc) in here.iter().enumerate() {
                if (!same || fact[2] == n) && !out.contains(&(loc, term)) {
                    out.push((loc, term));
                }
            }
        }
    }
    out
}

/// The copy and the variable behind a name of the old program, if it is one of a copy.
fn canonical(names: &Json, name: &str) -> Option<(String, String)> {
    let pair = names.get(name)?;
    Some((pair[0].as_str()?.into(), pair[1].as_str()?.into()))
}

/// Those of the texts that are formulas of the program.
fn formulas(pool: &mut Pool, texts: &Json, lookup: &dyn Fn(&str) -> Option<TermId>) -> Vec<TermId> {
    let texts = texts
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Json::as_str);
    texts.filter_map(|t| formula(pool, t, lookup)).collect()
}

fn formula(pool: &mut Pool, text: &str, lookup: &dyn Fn(&str) -> Option<TermId>) -> Option<TermId> {
    let term = smtlib::parse_term(pool, text, lookup).ok()?;
    (pool.sort_of(term) == pool.bool_sort()).then_some(term)
}

/// What formulas about a program may name.
fn names(pool: &mut Pool, program: &Program) -> FxHashMap<String, TermId> {
    let mut names = FxHashMap::default();
    for (id, var) in program.vars.iter_enumerated() {
        names.insert(var.name.clone(), var.term);
        let old = program::old_term(pool, program, id);
        names.insert(format!("old({})", var.name), old);
    }
    for number in 0..program::MOST_ANY {
        names.insert(program::any_name(number), program::any_term(pool, number));
    }
    names
}

/// A loop head by its names.
struct Place {
    /// The copy of the function, or the function where there are no copies.
    at: String,
    function: String,
    /// Which of how many.
    head: u64,
    of: usize,
}

/// The loop heads of the program that a proof speaks of, and the variables of copies.
struct Layout {
    places: BTreeMap<LocId, Place>,
    names: BTreeMap<String, (String, String)>,
}

impl Layout {
    fn of(base: &Program, target: &Program, inlined: Option<&Inlined>) -> Layout {
        let mut places = BTreeMap::new();
        let mut names = BTreeMap::new();
        let source = if inlined.is_some() { base } else { target };
        for (f, shape) in reachable_functions(source, &source.successors()) {
            for (n, &head) in shape.loop_heads.iter().enumerate() {
                let function = source.functions[f].name.clone();
                places.insert(
                    head,
                    Place {
                        at: function.clone(),
                        function,
                        head: n as u64,
                        of: shape.loop_heads.len(),
                    },
                );
            }
        }
        let Some(inlined) = inlined else {
            return Layout { places, names };
        };
        let paths = paths(base, inlined);
        let mut of_copies = BTreeMap::new();
        for loc in inlined.program.locations.ids() {
            let origin = inlined.back.location(loc).and_then(|l| places.get(&l));
            if let Some(place) = origin {
                let at = paths[inlined.loc_instance[loc].index()].clone();
                let function = place.function.clone();
                let (head, of) = (place.head, place.of);
                of_copies.insert(
                    loc,
                    Place {
                        at,
                        function,
                        head,
                        of,
                    },
                );
            }
        }
        for (id, var) in inlined.program.vars.iter_enumerated() {
            if let (Some(copy), Some(origin)) = (inlined.var_instance[id], inlined.back.var(id)) {
                let original = base.vars[origin].name.clone();
                names.insert(var.name.clone(), (paths[copy.index()].clone(), original));
            }
        }
        Layout {
            places: of_copies,
            names,
        }
    }
}

/// The calls that lead to each copy: each callee with how many calls of it come before in the caller.
fn paths(base: &Program, inlined: &Inlined) -> Vec<String> {
    let mut order: BTreeMap<EdgeId, usize> = BTreeMap::new();
    let mut count: BTreeMap<(FuncId, FuncId), usize> = BTreeMap::new();
    for (id, edge) in base.edges.iter_enumerated() {
        if let Stmt::Call { callee, .. } = &edge.stmt {
            let n = count
                .entry((base.locations[edge.from].func, *callee))
                .or_default();
            order.insert(id, *n);
            *n += 1;
        }
    }
    let mut paths: Vec<String> = Vec::new();
    for id in inlined.instances.ids() {
        let instance = &inlined.instances[id];
        let function = &base.functions[instance.func].name;
        // Callers come before the copies that they call.
        let above = |c: InstanceId| paths.get(c.index()).map_or("", String::as_str);
        paths.push(match instance.caller {
            None => function.clone(),
            Some((caller, edge)) => {
                let n = order.get(&edge).copied().unwrap_or(0);
                format!("{}/{function}#{n}", above(caller))
            }
        });
    }
    paths
}

/// The places of each function where values are chosen, in order: inputs, and calls, whose locals have any value at first.
fn inputs(program: &Program) -> BTreeMap<EdgeId, (&str, u64)> {
    let mut out = BTreeMap::new();
    let mut count: BTreeMap<FuncId, u64> = BTreeMap::new();
    for (id, edge) in program.edges.iter_enumerated() {
        if let Stmt::Havoc(..) | Stmt::Call { .. } = edge.stmt {
            let f = program.locations[edge.from].func;
            let n = count.entry(f).or_default();
            out.insert(id, (program.functions[f].name.as_str(), *n));
            *n += 1;
        }
    }
    out
}

fn write_execution(program: &Program, execution: &Counterexample) -> Option<Json> {
    let inputs = inputs(program);
    let mut steps = Vec::new();
    for step in execution.steps.iter().filter(|s| !s.havocs.is_empty()) {
        let Some((function, n)) = inputs.get(&step.edge) else {
            continue;
        };
        let values: Option<Vec<Json>> = step.havocs.iter().map(write_value).collect();
        steps.push(json!([function, n, values?]));
    }
    let mut initial = Vec::new();
    for (var, value) in &execution.initial {
        initial.push(json!([program.vars[*var].name, write_value(value)?]));
    }
    Some(json!({ "initial": initial, "steps": steps }))
}

fn read_execution(program: &Program, known: &Json) -> Option<Counterexample> {
    let inputs: BTreeMap<(&str, u64), EdgeId> =
        inputs(program).into_iter().map(|(e, k)| (k, e)).collect();
    let mut execution = Counterexample::default();
    for row in known["initial"].as_array()? {
        let name = row[0].as_str()?;
        let var = program.vars.iter_enumerated().find(|(_, v)| v.name == name);
        if let Some((var, _)) = var {
            execution.initial.push((var, read_value(&row[1])?));
        }
    }
    for row in known["steps"].as_array()? {
        // What is not there any more is left out: the interpreter finds its way.
        let Some(&edge) = inputs.get(&(row[0].as_str()?, row[1].as_u64()?)) else {
            continue;
        };
        let havocs: Option<_> = row[2].as_array()?.iter().map(read_value).collect();
        execution.steps.push(Step {
            edge,
            havocs: havocs?,
        });
    }
    Some(execution)
}
