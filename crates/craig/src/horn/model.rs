//! A model of a Horn system from a checked proof of its program.
//!
//! - A predicate that became a location is the assertion there; where the proof has none, one is
//!   found by interpolation (`evidence::complete`).
//! - A predicate that became a function P(x), which returns exactly if P(x) can be derived, is
//!   `requires(x) => ensures(x)`: the body of a clause for P holds only if each of its calls
//!   returns, each call is inside the callee's `requires`, so each callee's `ensures` holds, and
//!   with them the exit of P has its `ensures`.

use crate::Outcome;
use base::{Budget, FxHashMap};
use evidence::complete::{Wanted, assertions_at};
use evidence::{Proof, Scope, Subject, Verdict};
use frontend::horn::{Clause, Predicate, PredicateHome, System};
use logic::smtlib::{prelude, print_sort, print_symbol, print_term};
use logic::{Op, Pool, SortId, SymbolId, TermId};
use program::{FuncId, LocId, Program, VarId, old_term};
use smt::{Answer, Solver};
use std::fmt::Write;

/// Longer conjunctions are printed as they are.
const MOST_CONJUNCTS: usize = 80;

struct Definition {
    symbol: SymbolId,
    params: Vec<TermId>,
    body: TermId,
}

/// The model as SMT-LIB writes one, or why there is none.
pub fn model(outcome: &mut Outcome, budget: &Budget) -> Result<String, String> {
    let Some(system) = outcome.input.horn.clone() else {
        return Err("models are for Horn clauses".into());
    };
    let Verdict::Safe(proof) = outcome.verdict.get().clone() else {
        return Err("the system is not known to be satisfiable".into());
    };
    let subject = outcome.verdict.record().subject.clone();
    let (pool, program) = (&mut outcome.input.pool, &outcome.input.program);
    let mut definitions = define(pool, program, &subject, &proof, &system, budget)?;
    for d in &mut definitions {
        d.body = without_implied(pool, d.body, budget);
    }
    check(pool, &definitions, &system.clauses, budget)?;
    Ok(print(pool, &definitions))
}

fn define(
    pool: &mut Pool,
    program: &Program,
    subject: &Subject,
    proof: &Proof,
    system: &System,
    budget: &Budget,
) -> Result<Vec<Definition>, String> {
    let mut params = Params::default();
    let mut out = Vec::new();
    let mut wanted = Vec::new();
    for p in &system.predicates {
        let definition = Definition {
            symbol: p.symbol,
            params: params.of(pool, p.symbol),
            body: pool.tt(),
        };
        out.push(definition);
        if let PredicateHome::Location(loc) = p.home {
            wanted.push(place(subject, p, loc)?);
        }
    }
    let about = subject.program(program);
    let assertions = assertions_at(pool, about, proof, &wanted, budget)
        .map_err(|reason| report::reason_text(&reason, &Default::default()))?;
    // A proof by execution on boxes has no contracts: what is derived is the model.
    let facts = match proof.scope {
        Scope::Tables => evidence::derived_facts(pool, program, budget),
        _ => None,
    };
    let mut places = wanted.iter();
    for (definition, p) in out.iter_mut().zip(&system.predicates) {
        let terms: Vec<TermId> = match p.home {
            PredicateHome::Location(_) => {
                let w = places.next().expect("each location was wanted");
                definition.body = assertions[&w.loc];
                w.vars.iter().map(|&v| about.vars[v].term).collect()
            }
            PredicateHome::Function(f) => {
                definition.body = match &facts {
                    Some(facts) => facts[f],
                    None => by_contract(pool, program, proof, p, f)?,
                };
                p.args.iter().map(|&v| program.vars[v].term).collect()
            }
            PredicateHome::Underivable => {
                definition.body = pool.ff();
                Vec::new()
            }
            PredicateHome::Unused => Vec::new(),
        };
        let pairs: Vec<_> = terms.into_iter().zip(definition.params.clone()).collect();
        definition.body = pool.substitute(definition.body, &pairs);
        let foreign = constants(pool, definition.body)
            .into_iter()
            .find(|t| !definition.params.contains(t));
        if let Some(t) = foreign {
            let name = &pool.symbol_data(p.symbol).name;
            let what = print_term(pool, t);
            return Err(format!("the proof ties `{name}` to another value ({what})"));
        }
    }
    Ok(out)
}

/// Where a predicate's location is in the program that the proof speaks of.
fn place(subject: &Subject, p: &Predicate, loc: LocId) -> Result<Wanted, String> {
    match subject {
        Subject::Original | Subject::Cone(_) => Ok(Wanted {
            loc,
            vars: p.args.clone(),
        }),
        Subject::Inlined(inlined) => {
            // A linear system is one function without calls: there is one copy of everything.
            let mut copies = inlined.program.locations.ids();
            let copy = copies.find(|&l| inlined.back.location(l) == Some(loc));
            let copy_of = |v: &VarId| {
                let mut copies = inlined.program.vars.ids();
                copies.find(|&c| inlined.back.var(c) == Some(*v))
            };
            let vars: Option<Vec<VarId>> = p.args.iter().map(copy_of).collect();
            match (copy, vars) {
                (Some(loc), Some(vars)) => Ok(Wanted { loc, vars }),
                _ => Err("the proof has lost a predicate".into()),
            }
        }
        Subject::LoopFree(_) => Err("the proof is about loops as functions".into()),
    }
}

fn by_contract(
    pool: &mut Pool,
    program: &Program,
    proof: &Proof,
    p: &Predicate,
    f: FuncId,
) -> Result<TermId, String> {
    if proof.scope == Scope::Inlined {
        return Err("the proof is about copies of the predicates".into());
    }
    let Some(contract) = proof.contracts.get(&f) else {
        return Ok(pool.tt());
    };
    let same: Vec<(TermId, TermId)> = p
        .args
        .iter()
        .map(|&v| (old_term(pool, program, v), program.vars[v].term))
        .collect();
    let ensures = pool.substitute(contract.ensures, &same);
    Ok(pool.implies(contract.requires, ensures))
}

/// Names of parameters, the same ones for all predicates.
#[derive(Default)]
struct Params {
    made: FxHashMap<(SortId, usize), TermId>,
}

impl Params {
    fn of(&mut self, pool: &mut Pool, symbol: SymbolId) -> Vec<TermId> {
        let sorts = pool.symbol_data(symbol).args.clone();
        let mut out = Vec::new();
        for (i, &sort) in sorts.iter().enumerate() {
            let made = self.made.entry((sort, i));
            out.push(*made.or_insert_with(|| pool.fresh_constant("x", sort)));
        }
        out
    }
}

/// The same formula without conjuncts that the others imply, for readers.
fn without_implied(pool: &mut Pool, body: TermId, budget: &Budget) -> TermId {
    let mut kept = pool.conjuncts(body);
    if kept.len() > MOST_CONJUNCTS {
        return body;
    }
    let mut order = kept.clone();
    order.sort_by_key(|&c| std::cmp::Reverse(pool.dag_size(c)));
    for c in order {
        let mut solver = Solver::new();
        for &other in kept.iter().filter(|&&k| k != c) {
            solver.assert(pool, other);
        }
        let fails = pool.not(c);
        solver.assert(pool, fails);
        if kept.len() > 1 && matches!(solver.check(pool, &[], budget), Answer::Unsat) {
            kept.retain(|&k| k != c);
        }
    }
    pool.and(&kept)
}

fn constants(pool: &Pool, formula: TermId) -> Vec<TermId> {
    let all = pool.post_order(&[formula]).into_iter();
    all.filter(|&t| matches!(pool.op(t), Op::App(_)) && pool.args(t).is_empty())
        .collect()
}

/// Every clause must be valid under the model.
fn check(
    pool: &mut Pool,
    definitions: &[Definition],
    clauses: &[Clause],
    budget: &Budget,
) -> Result<(), String> {
    let of: FxHashMap<SymbolId, &Definition> = definitions.iter().map(|d| (d.symbol, d)).collect();
    let instance = |pool: &mut Pool, atom: TermId| {
        let Op::App(symbol) = pool.op(atom) else {
            unreachable!("clauses hold applications of predicates")
        };
        let args = pool.args(atom).to_vec();
        let pairs: Vec<_> = of[&symbol].params.iter().copied().zip(args).collect();
        pool.substitute(of[&symbol].body, &pairs)
    };
    for clause in clauses {
        let mut solver = Solver::new();
        for &c in &clause.constraint {
            solver.assert(pool, c);
        }
        for &atom in &clause.body {
            let holds = instance(pool, atom);
            solver.assert(pool, holds);
        }
        if let Some(head) = clause.head {
            let holds = instance(pool, head);
            let fails = pool.not(holds);
            solver.assert(pool, fails);
        }
        match solver.check(pool, &[], budget) {
            Answer::Unsat => {}
            Answer::Sat => {
                let line = clause.span.line;
                return Err(format!("the clause in line {line} does not hold in it"));
            }
            Answer::Unknown(_) => {
                let line = clause.span.line;
                return Err(format!("the clause in line {line} could not be checked"));
            }
        }
    }
    Ok(())
}

fn print(pool: &Pool, definitions: &[Definition]) -> String {
    let bodies: Vec<TermId> = definitions.iter().map(|d| d.body).collect();
    let mut out = String::from("(\n");
    out.push_str(&prelude(pool, &bodies));
    for d in definitions {
        let mut binders = String::new();
        for &p in &d.params {
            let sort = print_sort(pool, pool.sort_of(p));
            let _ = write!(binders, "({} {sort})", print_term(pool, p));
        }
        let name = print_symbol(&pool.symbol_data(d.symbol).name).into_owned();
        let body = print_term(pool, d.body);
        let _ = writeln!(out, "  (define-fun {name} ({binders}) Bool\n    {body})");
    }
    out.push_str(")\n");
    out
}
