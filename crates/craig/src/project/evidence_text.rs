//! Evidence as the store keeps it, and back. Proofs are certificates without their scripts
//! (`docs/certificates.md`), counterexamples the edges taken and the values chosen. Both speak of one
//! program, which the store knows by the hash of its text form; what is read back is a claim that the
//! checker judges like an engine's.
//!
//! A run that decides every check (`--property undefined`) has an execution for each check that is
//! violated; such evidence also says how long the checks that stayed undecided were tried, so that a
//! run with more time tries them again.

use crate::Outcome;
use evidence::{Counterexample, Verdict, certificate};
use logic::{ArrayValue, Pool, Rational, Value};
use program::{EdgeId, Program, SourceMap, Step, VarId};
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
            let list: Option<Vec<Json>> = outcome.violations.iter().map(write_execution).collect();
            let list = list?;
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
