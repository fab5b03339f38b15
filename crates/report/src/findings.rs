//! Findings as data for writers: each check of the program with its name, what is known of it, why, and the
//! number of the weakness. Text, JSON, SARIF and HTML are made from this list.

use crate::{Explanation, Subject, explain, reason_text};
use evidence::{Decision, Trace};
use program::{Property, Span};
use std::fmt::Write;

/// A check with what is known of it.
#[derive(Clone, Debug)]
pub struct FindingView<'a> {
    /// Stable while the function does not change: `main/valid-deref/2`.
    pub name: &'a str,
    pub property: Property,
    pub function: &'a str,
    pub span: Span,
    /// What a violation is.
    pub message: &'a str,
    /// `proved`, `violated` or `undecided`.
    pub status: &'static str,
    /// Why it is violated, or why it is undecided; may be empty.
    pub why: String,
    /// The number in the Common Weakness Enumeration.
    pub cwe: u32,
    /// Other places that matter, with what happened there.
    pub related: Vec<(Span, String)>,
    /// The execution that violates it.
    pub trace: Option<&'a Trace>,
}

/// The checks of the program, in the order of their places.
pub fn findings<'a>(subject: &Subject<'a>) -> Vec<FindingView<'a>> {
    let all = subject.findings.list().iter();
    all.map(|finding| {
        let check = &finding.check;
        let (explanation, trace) = match &finding.decision {
            Decision::Violated(trace) => (explain(subject, trace), Some(&**trace)),
            Decision::Undecided(reason) => (
                plain(reason_text(reason, subject.sources), check.property),
                None,
            ),
            Decision::Proved => (plain(String::new(), check.property), None),
        };
        FindingView {
            name: &check.name,
            property: check.property,
            function: &check.function,
            span: check.span,
            message: &check.message,
            status: finding.decision.as_str(),
            why: explanation.text,
            cwe: explanation.cwe,
            related: explanation.related,
            trace,
        }
    })
    .collect()
}

fn plain(text: String, property: Property) -> Explanation {
    Explanation {
        text,
        cwe: property.entry().cwe,
        related: Vec::new(),
    }
}

/// The table for people.
pub(crate) fn table(subject: &Subject<'_>) -> String {
    let (proved, violated, undecided) = subject.findings.counts();
    let mut out = format!(
        "Checks: {} ({proved} proved, {violated} violated, {undecided} undecided).\n",
        proved + violated + undecided
    );
    for f in findings(subject) {
        let _ = write!(
            out,
            "  {:9} {}: {} ({}, CWE-{})",
            f.status,
            subject.sources.place(f.span),
            f.message,
            f.name,
            f.cwe
        );
        if !f.why.is_empty() {
            let _ = write!(out, ": {}", f.why);
        }
        out.push('\n');
    }
    out
}
