//! The checks of a program: each place where a property could be violated, with what is known of it.

use crate::{Subject, property_name, reason_text};
use evidence::Verdict;
use program::{Property, Span};

/// One place where a property could be violated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// `proved`, `violated` or `undecided`.
    pub status: &'static str,
    pub message: String,
    pub span: Span,
    pub function: String,
    pub property: &'static str,
    /// The number of the weakness in the Common Weakness Enumeration.
    pub cwe: Option<u32>,
    /// Why it is violated or undecided; empty where there is nothing to add.
    pub reason: String,
}

/// All checks in order of place; copies of one place in several instances of a function are one.
pub fn checks(subject: &Subject<'_>) -> Vec<Check> {
    let program = subject.program;
    let error = subject.verdict.record().trace.as_ref().map(|t| t.error);
    let mut out: Vec<Check> = Vec::new();
    for (id, location) in program.locations.iter_enumerated() {
        let Some(tag) = &location.error else {
            continue;
        };
        let (status, reason) = match subject.verdict.get() {
            Verdict::Safe(_) => ("proved", String::new()),
            Verdict::Unsafe(_) if Some(id) == error => ("violated", String::new()),
            Verdict::Unsafe(_) => ("undecided", "the run ended with the first violation".into()),
            Verdict::Unknown(reason) => ("undecided", reason_text(reason, subject.sources)),
        };
        let check = Check {
            status,
            message: tag.message.clone(),
            span: tag.span,
            function: program.functions[location.func].name.clone(),
            property: property_name(tag.property),
            cwe: cwe(tag.property, &tag.message),
            reason,
        };
        let same = |c: &&mut Check| c.span == check.span && c.message == check.message;
        match out.iter_mut().find(same) {
            Some(known) if check.status == "violated" => *known = check,
            Some(_) => {}
            None => out.push(check),
        }
    }
    out.sort_by_key(|c| (c.span, c.message.clone()));
    out
}

/// The weakness that a violation shows.
pub fn cwe(property: Property, message: &str) -> Option<u32> {
    Some(match property_name(property) {
        "no-overflow" => 190,
        "valid-deref" => 119,
        "valid-free" => 763,
        "valid-memtrack" | "valid-memcleanup" => 401,
        "no-div-by-zero" => 369,
        "no-shift" => 1335,
        "no-uninit" => 457,
        _ if message.contains("assert") => 617,
        _ => return None,
    })
}
