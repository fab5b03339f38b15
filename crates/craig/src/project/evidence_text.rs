//! Evidence as the store keeps it, and back. Proofs are certificates without their scripts
//! (`docs/certificates.md`), counterexamples the edges taken and the values chosen. Both speak of one
//! program, which the store knows by the hash of its text form; what is read back is a claim that the
//! checker judges like an engine's.
//!
//! A run that decides every check (`--property undefined`) has an execution for each check that is
//! violated; such evidence also says how long the checks that stayed undecided were tried, so that a
//! run with more time tries them again.

use crate::Outcome;
use evidence::{Counterexample, Decision, Trace, Verdict, certificate};
use logic::{ArrayValue, Pool, Rational, Value};
use program::{EdgeId, Program, SourceMap, Step, Stmt, VarId};
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Steps beyond which only those that choose values are kept; the interpreter finds the way between.
const MOST_STEPS: usize = 100_000;

/// What evidence claims.
pub enum Claims {
    /// One verdict.
    One(Verdict),
    /// Violations of different checks.
    Violations(Vec<Verdict>),
}

/// The evidence of an outcome; `None` where there is none or it cannot be written.
pub fn write(outcome: &mut Outcome, hash: &str, time: f64) -> Option<Json> {
    let (pool, program) = (&mut outcome.input.pool, &outcome.input.program);
    match outcome.verdict.get() {
        Verdict::Safe(proof) => {
            let heading = certificate::Heading {
                program_hash: hash,
                sources: &SourceMap::default(),
                options: json!({}),
            };
            certificate::write_proof(pool, program, proof, &heading).ok()
        }
        Verdict::Unsafe(_) if outcome.input.options.properties.every_check => {
            let violated = outcome
                .findings
                .list()
                .iter()
                .filter_map(|f| match &f.decision {
                    Decision::Violated(trace) => Some(write_execution(&execution(program, trace))),
                    _ => None,
                });
            let list = violated.collect::<Option<Vec<Json>>>()?;
            let (_, _, undecided) = outcome.findings.counts();
            Some(
                json!({ "format": EXECUTIONS, "list": list, "undecided": undecided, "time": time }),
            )
        }
        Verdict::Unsafe(counterexample) => write_execution(counterexample),
        Verdict::Unknown(_) => None,
    }
}

/// The format of several executions.
const EXECUTIONS: &str = "craig-executions";

/// The claims that evidence makes; an error if a run with so much time would look for more.
pub fn read(
    pool: &mut Pool,
    program: &Program,
    json: &Json,
    every_check: bool,
    time: f64,
) -> Result<Claims, String> {
    if json["format"] == certificate::FORMAT {
        return certificate::read(pool, program, json).map(|p| Claims::One(Verdict::Safe(p)));
    }
    let unreadable = || "no execution".to_string();
    let claim = |j: &Json| {
        read_execution(j)
            .map(Verdict::Unsafe)
            .ok_or_else(unreadable)
    };
    match (json["format"] == EXECUTIONS, every_check) {
        (true, true) => {
            let short = json["time"].as_f64().is_none_or(|tried| tried < time);
            if short && json["undecided"] != 0 {
                return Err("some checks were undecided with less time".into());
            }
            let list = json["list"].as_array().ok_or_else(unreadable)?;
            list.iter()
                .map(claim)
                .collect::<Result<_, _>>()
                .map(Claims::Violations)
        }
        (false, false) => claim(json).map(Claims::One),
        _ => Err("this evidence is for another question".into()),
    }
}

/// A replayed execution as one that can be replayed again: edges taken, values chosen.
pub(super) fn execution(program: &Program, trace: &Trace) -> Counterexample {
    let mut chosen = trace.inputs.iter().peekable();
    let mut values = |edge: EdgeId| {
        let count = match &program.edges[edge].stmt {
            Stmt::Havoc(vars, _) => vars.len(),
            _ => 0,
        };
        let mut list = Vec::new();
        while list.len() < count && chosen.peek().is_some_and(|c| c.edge == edge) {
            list.extend(chosen.next().map(|c| c.value.clone()));
        }
        list
    };
    let mut steps = Vec::new();
    if trace.steps.is_empty() {
        // Too many to keep: the choices alone.
        let mut edges: Vec<EdgeId> = trace.inputs.iter().map(|c| c.edge).collect();
        edges.reverse();
        while let Some(edge) = edges.pop() {
            let havocs = values(edge);
            edges.truncate((edges.len() + 1).saturating_sub(havocs.len().max(1)));
            steps.push(Step { edge, havocs });
        }
    } else {
        // A call is followed by what the callee does; its return is no edge of its own.
        for taken in trace.steps.iter().filter(|t| !t.returns) {
            let havocs = values(taken.edge);
            steps.push(Step {
                edge: taken.edge,
                havocs,
            });
        }
    }
    Counterexample {
        initial: Vec::new(),
        steps,
    }
}

fn write_execution(execution: &Counterexample) -> Option<Json> {
    let keep_all = execution.steps.len() <= MOST_STEPS;
    let mut steps = Vec::new();
    for step in &execution.steps {
        if keep_all || !step.havocs.is_empty() {
            let values: Option<Vec<Json>> = step.havocs.iter().map(write_value).collect();
            let mut row = vec![json!(base::Id::index(step.edge))];
            row.extend(values?);
            steps.push(Json::Array(row));
        }
    }
    let mut initial = Vec::new();
    for (var, value) in &execution.initial {
        initial.push(json!([base::Id::index(*var), write_value(value)?]));
    }
    Some(json!({ "format": "craig-execution", "initial": initial, "steps": steps }))
}

fn read_execution(json: &Json) -> Option<Counterexample> {
    let mut execution = Counterexample::default();
    for row in json["initial"].as_array()? {
        let var: VarId = base::Id::from_index(index(&row[0])?);
        execution.initial.push((var, read_value(&row[1])?));
    }
    for row in json["steps"].as_array()? {
        let (edge, values) = row.as_array()?.split_first()?;
        let edge: EdgeId = base::Id::from_index(index(edge)?);
        let havocs: Option<Vec<Value>> = values.iter().map(read_value).collect();
        execution.steps.push(Step {
            edge,
            havocs: havocs?,
        });
    }
    Some(execution)
}

fn index(json: &Json) -> Option<usize> {
    json.as_u64()
        .and_then(|n| u32::try_from(n).ok())
        .map(|n| n as usize)
}

pub(super) fn write_value(value: &Value) -> Option<Json> {
    Some(match value {
        Value::Bool(b) => json!(b),
        Value::Num(n) => json!(n.to_string()),
        Value::Array(array) => {
            let mut entries = Vec::new();
            for (k, v) in &array.entries {
                entries.push(json!([write_value(k)?, write_value(v)?]));
            }
            json!({ "default": write_value(&array.default)?, "entries": entries })
        }
        Value::Element(..) => return None,
    })
}

pub(super) fn read_value(json: &Json) -> Option<Value> {
    match json {
        Json::Bool(b) => Some(Value::Bool(*b)),
        Json::String(text) => {
            let (n, d) = text.split_once('/').unwrap_or((text, "1"));
            let (n, d) = (Rational::parse_decimal(n)?, Rational::parse_decimal(d)?);
            (!d.is_zero()).then(|| Value::Num(&n / &d))
        }
        Json::Object(_) => {
            let default = read_value(&json["default"])?;
            let mut entries = BTreeMap::new();
            for row in json["entries"].as_array()? {
                let value = read_value(&row[1])?;
                if value != default {
                    entries.insert(read_value(&row[0])?, value);
                }
            }
            Some(Value::Array(Arc::new(ArrayValue { default, entries })))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn values_come_back() {
        let num = |t: &str| Value::Num(Rational::parse_decimal(t).unwrap());
        let half = Value::Num(&Rational::from(1) / &Rational::from(-2));
        let array = Value::Array(Arc::new(ArrayValue {
            default: num("0"),
            entries: BTreeMap::from([(num("7"), num("-18446744073709551616"))]),
        }));
        for value in [Value::Bool(true), num("-3"), half, array] {
            let json = write_value(&value).unwrap();
            assert_eq!(read_value(&json), Some(value), "{json}");
        }
        assert_eq!(read_value(&json!("1/0")), None);
        assert_eq!(read_value(&json!({ "default": "x", "entries": [] })), None);
    }
}
