//! A violation witness: the values of its `function_return` waypoints are inputs for a replay.
//!
//! The k-th waypoint at a call gives the value of its k-th execution; calls that the witness does
//! not mention return the default. Only an error that the interpreter reaches at the target counts.

use super::read::{Place, Waypoint, Witness};
use super::{Validation, same_files, same_name};
use crate::load::{Loaded, SourceOptions, load};
use crate::{Account, Error, Outcome};
use base::Budget;
use evidence::{Checked, Counterexample, Reason, Step, Verdict};
use logic::{Rational, Value};
use program::{EdgeId, InputKind, Span, Stmt, VarId};
use std::path::PathBuf;

pub(super) fn validate(
    paths: &[PathBuf],
    options: &SourceOptions,
    witness: &Witness,
    waypoints: &[Waypoint],
    budget: &Budget,
) -> Result<Validation, Error> {
    let mut loaded = load(paths, options)?;
    same_files(witness, &loaded)?;
    let mut account = String::new();
    let mut steps = Vec::new();
    for waypoint in waypoints.iter().filter(|w| !w.is_target) {
        match input(&loaded, waypoint) {
            Ok(step) => steps.push(step),
            Err(why) => {
                account += &format!(
                    "  not used: waypoint in line {}: {why}\n",
                    waypoint.span.line
                );
            }
        }
    }
    let count = steps.len();
    let counterexample = Counterexample {
        initial: Vec::new(),
        steps,
    };
    let checked = evidence::check(
        &mut loaded.pool,
        &loaded.program,
        Verdict::Unsafe(counterexample),
        budget,
    );
    account = format!("The witness claims a violation on {count} values.\n{account}");
    let rejected = |account: String, why: &str| Validation {
        verdict: Checked::unknown(Reason::EvidenceRejected { why: why.into() }),
        account: format!("{account}The witness was rejected.\n  why: {why}\n"),
        as_it_is: false,
    };
    if let Verdict::Unknown(reason) = checked.get() {
        let why = super::why(reason, &loaded.sources);
        return Ok(rejected(account, &why));
    }
    if let Some(note) = &loaded.inexact {
        return Ok(rejected(account, &note.message));
    }
    let trace = checked.record().trace.as_ref();
    let tag = trace.and_then(|t| loaded.program.locations[t.error].error.as_ref());
    let Some(tag) = tag else {
        return Ok(rejected(account, "the execution has no error"));
    };
    let target = waypoints.iter().find(|w| w.is_target);
    if !target.is_some_and(|t| is_target(&loaded, tag.span, &t.place)) {
        let found = loaded.sources.place(tag.span);
        let why = format!(
            "the execution reaches another error, at {found} ({})",
            tag.message
        );
        return Ok(rejected(account, &why));
    }
    let outcome = Outcome {
        findings: crate::check::findings_of(&loaded, &checked),
        violations: Vec::new(),
        verdict: checked,
        input: loaded,
        account: Account {
            engine: "replay of the witness".into(),
            seconds: budget.elapsed().as_secs_f64(),
            ..Account::default()
        },
    };
    Ok(Validation {
        account: format!("{account}{}", outcome.text()),
        verdict: outcome.verdict,
        as_it_is: true,
    })
}

/// The error is on the target's line, or in the statement that begins at the target.
fn is_target(loaded: &Loaded, error: Span, target: &Place) -> bool {
    let file = loaded.sources.files.get(error.file);
    if !file.is_some_and(|f| same_name(&f.name, &target.file_name)) {
        return false;
    }
    let statement = report::statement_start(&loaded.sources, error).unwrap_or(error);
    (statement.line..=error.line).contains(&target.line)
}

/// The step of a replay that a `function_return` waypoint stands for.
fn input(loaded: &Loaded, waypoint: &Waypoint) -> Result<Step, String> {
    let (edge, var) = call_at(loaded, &waypoint.place)
        .ok_or("no call of an input function ends at this place")?;
    let text = waypoint.constraint.as_deref().unwrap_or("");
    let number = returned(text).ok_or_else(|| format!("`{text}` names no value"))?;
    let value = if loaded.program.vars[var].sort == loaded.pool.bool_sort() {
        Value::Bool(!number.is_zero())
    } else {
        Value::Num(number)
    };
    match loaded.program.in_range(var, &value) {
        true => Ok(Step {
            edge,
            havocs: vec![value],
        }),
        false => Err(format!("`{text}` is outside the type")),
    }
}

/// The input that is read by the call whose argument list ends at the place.
fn call_at(loaded: &Loaded, place: &Place) -> Option<(EdgeId, VarId)> {
    let program = &loaded.program;
    let mut found: Option<(u32, EdgeId, VarId)> = None;
    for (id, edge) in program.edges.iter_enumerated() {
        let Stmt::Havoc(vars, InputKind::Nondet { function }) = &edge.stmt else {
            continue;
        };
        let (&[var], Some(end)) = (
            vars.as_slice(),
            report::closing_parenthesis(&loaded.sources, edge.span, function),
        ) else {
            continue;
        };
        let file = loaded.sources.files.get(end.file);
        let inside = &program.functions[program.locations[edge.from].func].name;
        let fits = end.line == place.line
            && file.is_some_and(|f| same_name(&f.name, &place.file_name))
            && place.column.is_none_or(|c| c == end.column)
            && place.function.as_ref().is_none_or(|f| f == inside);
        // Without a column the leftmost is meant.
        if fits && found.is_none_or(|(column, ..)| end.column < column) {
            found = Some((end.column, id, var));
        }
    }
    found.map(|(_, edge, var)| (edge, var))
}

/// The number in `\result == number`, either way round.
fn returned(text: &str) -> Option<Rational> {
    let (left, right) = text.split_once("==")?;
    let other = match (left.trim(), right.trim()) {
        ("\\result", other) | (other, "\\result") => other,
        _ => return None,
    };
    let bare = other.trim_matches(['(', ')', ' ']);
    let (sign, digits) = match bare.strip_prefix('-') {
        Some(rest) => (-1, rest.trim_start()),
        None => (1, bare),
    };
    let digits = digits.trim_end_matches(['u', 'U', 'l', 'L']);
    let magnitude = match digits.strip_prefix("0x") {
        Some(hex) => u128::from_str_radix(hex, 16).ok()?,
        None => digits.parse::<u128>().ok()?,
    };
    let magnitude = i128::try_from(magnitude).ok()?;
    Some(Rational::from(sign * magnitude))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn values_of_constraints() {
        let value = |t: &str| returned(t).map(|r| r.to_string());
        assert_eq!(value("\\result == 5").unwrap(), "5");
        assert_eq!(value("\\result==-2147483648LL").unwrap(), "-2147483648");
        assert_eq!(value("(-7) == \\result").unwrap(), "-7");
        assert_eq!(value("\\result == 0xffU").unwrap(), "255");
        assert_eq!(value("\\result < 5"), None);
        assert_eq!(value("\\result == x"), None);
        assert_eq!(value(""), None);
    }
}
