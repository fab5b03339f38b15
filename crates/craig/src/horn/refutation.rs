//! A derivation of `false` in a Horn system from the replayed execution of its program.
//!
//! In a linear system an execution is the derivation: each use of a clause puts the next fact into
//! the variables of its head. In others a call of P(x) that returns is a derivation of P(x), and
//! the calls made on the way are its premises.

use crate::Outcome;
use base::{Budget, FxHashMap};
use frontend::horn::{Predicate, PredicateHome, System};
use logic::smtlib::{parse_term, print_symbol, print_value};
use logic::{Pool, Value};
use program::interp::{Change, Taken};
use program::{Program, Stmt, VarId};
use smt::{Answer, Solver};
use std::fmt::Write;
use std::sync::Arc;

/// A fact of the derivation; the last one is `false`.
struct Fact {
    /// The clause that gives it.
    clause: usize,
    /// Of the head's predicate.
    values: Vec<Value>,
    /// Earlier facts, one for each predicate of the clause's body.
    premises: Vec<usize>,
}

/// The derivation as text, one fact a line, or why there is none.
pub fn refutation(outcome: &mut Outcome, budget: &Budget) -> Result<String, String> {
    let Some(system) = outcome.input.horn.clone() else {
        return Err("derivations are for Horn clauses".into());
    };
    let Some(trace) = outcome.verdict.record().trace.clone() else {
        return Err("the system is not known to be unsatisfiable".into());
    };
    if trace.steps.is_empty() {
        return Err("it is too long to be kept".into());
    }
    let (pool, program) = (&mut outcome.input.pool, &outcome.input.program);
    let facts = derive(pool, program, &system, &trace.steps)?;
    check(pool, &system, &facts, budget)?;
    Ok(print(pool, &system, &facts))
}

/// Variables of one call of a function, and what it has derived so far.
#[derive(Default)]
struct Frame {
    values: FxHashMap<VarId, Value>,
    premises: Vec<usize>,
    clause: Option<usize>,
}

impl Frame {
    fn change(&mut self, pool: &Pool, program: &Program, change: &Change) {
        let Some(index) = &change.index else {
            self.values.insert(change.var, change.value.clone());
            return;
        };
        let value = self.values.entry(change.var);
        let value = value.or_insert_with(|| program.default_value(pool, change.var));
        if let Value::Array(array) = value {
            Arc::make_mut(array).set(index.clone(), change.value.clone());
        }
    }

    fn args(&self, pool: &Pool, program: &Program, predicate: &Predicate) -> Vec<Value> {
        let value = |v: &VarId| match self.values.get(v) {
            Some(value) => value.clone(),
            None => program.default_value(pool, *v),
        };
        predicate.args.iter().map(value).collect()
    }
}

fn derive(
    pool: &Pool,
    program: &Program,
    system: &System,
    steps: &[Taken],
) -> Result<Vec<Fact>, String> {
    let mut facts: Vec<Fact> = Vec::new();
    let mut frames = vec![Frame::default()];
    for step in steps {
        let call = matches!(program.edges[step.edge].stmt, Stmt::Call { .. });
        if call && step.returns {
            let done = frames.pop().filter(|f| f.clause.is_some());
            let done = done.ok_or("a call ends without a clause")?;
            let clause = done.clause.expect("just looked");
            let predicate = head(pool, system, clause).ok_or("a query returns")?;
            let values = done.args(pool, program, predicate);
            let premises = done.premises;
            facts.push(Fact {
                clause,
                values,
                premises,
            });
            let caller = frames.last_mut().ok_or("a return without a call")?;
            caller.premises.push(facts.len() - 1);
            continue;
        }
        if call {
            frames.push(Frame::default());
        }
        let frame = frames.last_mut().ok_or("a return without a call")?;
        for change in &step.changes {
            frame.change(pool, program, change);
        }
        let Some(&clause) = system.conclusions.get(&step.edge) else {
            continue;
        };
        match head(pool, system, clause) {
            Some(p) if matches!(p.home, PredicateHome::Location(_)) => {
                let values = frame.args(pool, program, p);
                let premises = std::mem::take(&mut frame.premises);
                frame.premises.push(facts.len());
                facts.push(Fact {
                    clause,
                    values,
                    premises,
                });
            }
            Some(_) => frame.clause = Some(clause),
            None => {
                let premises = std::mem::take(&mut frame.premises);
                facts.push(Fact {
                    clause,
                    values: Vec::new(),
                    premises,
                });
                return Ok(facts);
            }
        }
    }
    Err("the execution does not end at a query".into())
}

fn head<'s>(pool: &Pool, system: &'s System, clause: usize) -> Option<&'s Predicate> {
    let head = system.clauses[clause].head?;
    let logic::Op::App(symbol) = pool.op(head) else {
        return None;
    };
    system.predicates.iter().find(|p| p.symbol == symbol)
}

/// Each fact must follow from its premises by its clause.
fn check(pool: &mut Pool, system: &System, facts: &[Fact], budget: &Budget) -> Result<(), String> {
    for fact in facts {
        let clause = &system.clauses[fact.clause];
        if fact.premises.len() != clause.body.len() {
            return Err("a premise is missing".into());
        }
        let mut solver = Solver::new();
        for &c in &clause.constraint {
            solver.assert(pool, c);
        }
        let premises = fact.premises.iter().map(|&p| &facts[p].values);
        let mut atoms: Vec<_> = clause.body.iter().copied().zip(premises).collect();
        atoms.extend(clause.head.map(|h| (h, &fact.values)));
        for (atom, values) in atoms {
            for (arg, value) in pool.args(atom).to_vec().into_iter().zip(values) {
                let text = print_value(pool, value, pool.sort_of(arg));
                let value = parse_term(pool, &text, &|_| None).map_err(|e| e.message)?;
                let value = match pool.sort_of(arg) == pool.real_sort() {
                    true if pool.sort_of(value) == pool.int_sort() => pool.to_real(value),
                    _ => value,
                };
                let same = pool.eq(arg, value);
                solver.assert(pool, same);
            }
        }
        // Sound either way: the interpreter has executed it. This looks for slips on the way back.
        if matches!(solver.check(pool, &[], budget), Answer::Unsat) {
            let line = clause.span.line;
            return Err(format!(
                "the clause in line {line} does not give the next fact"
            ));
        }
    }
    Ok(())
}

fn print(pool: &Pool, system: &System, facts: &[Fact]) -> String {
    let mut out = String::from("Derivation:\n");
    for (i, fact) in facts.iter().enumerate() {
        let mut text = String::from("false");
        if let Some(p) = head(pool, system, fact.clause) {
            let data = pool.symbol_data(p.symbol);
            text = print_symbol(&data.name).into_owned();
            for (value, &sort) in fact.values.iter().zip(data.args.iter()) {
                let _ = write!(text, " {}", print_value(pool, value, sort));
            }
            if !fact.values.is_empty() {
                text = format!("({text})");
            }
        }
        let from: Vec<String> = fact.premises.iter().map(|p| (p + 1).to_string()).collect();
        let from = match from.is_empty() {
            true => String::new(),
            false => format!(" from {}", from.join(", ")),
        };
        let line = system.clauses[fact.clause].span.line;
        let _ = writeln!(
            out,
            "  {}. {text}  by the clause in line {line}{from}",
            i + 1
        );
    }
    out
}
