//! The machine-readable report of a run (`--json`), as data that `serde` writes.

use crate::{
    Confirmation, FindingView, Input, InputFile, Row, Subject, findings, inputs, loop_invariants,
    property_name, reason_advice, reason_text, rows,
};
use evidence::{Proof, Reason, Trace, Verdict};
use program::{Note, Span};
use serde::Serialize;
use std::collections::BTreeMap;

#[derive(Serialize)]
struct Report<'a> {
    tool: &'a str,
    version: &'a str,
    verdict: &'a str,
    engine: &'a str,
    specification: &'a str,
    data_model: &'a str,
    seconds: f64,
    files: &'a [InputFile],
    assumptions: Vec<NoteAt<'a>>,
    notes: Vec<NoteAt<'a>>,
    statistics: BTreeMap<&'a str, u64>,
    findings: Vec<FindingOut<'a>>,
    #[serde(flatten)]
    evidence: Evidence<'a>,
}

/// What the verdict rests on; each kind under a key of its own.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Evidence<'a> {
    Proof(ProofOut<'a>),
    Violation(Violation<'a>),
    Reason(ReasonOut),
}

/// A place; null where it is not known.
#[derive(Serialize)]
struct Place<'a> {
    file: &'a str,
    line: u32,
    column: u32,
}

#[derive(Serialize)]
struct NoteAt<'a> {
    message: &'a str,
    place: Option<Place<'a>>,
}

#[derive(Serialize)]
struct ProofOut<'a> {
    scope: &'a str,
    obligations: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    cross_check: Option<&'a Confirmation>,
    loop_invariants: Vec<LoopOut<'a>>,
}

#[derive(Serialize)]
struct LoopOut<'a> {
    place: Option<Place<'a>>,
    function: String,
    invariant: String,
    c_expression: Option<String>,
}

/// A check of the program and what is known of it.
#[derive(Serialize)]
struct FindingOut<'a> {
    check: &'a str,
    property: &'a str,
    status: &'a str,
    cwe: u32,
    message: &'a str,
    function: &'a str,
    place: Option<Place<'a>>,
    #[serde(skip_serializing_if = "String::is_empty")]
    why: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related: Vec<RelatedOut<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    violation: Option<Violation<'a>>,
}

#[derive(Serialize)]
struct RelatedOut<'a> {
    place: Option<Place<'a>>,
    what: String,
}

#[derive(Serialize)]
struct Violation<'a> {
    property: &'a str,
    message: Option<&'a str>,
    place: Option<Place<'a>>,
    inputs: Vec<InputOut<'a>>,
    trace: Vec<RowOut<'a>>,
}

#[derive(Serialize)]
struct InputOut<'a> {
    function: String,
    value: String,
    place: Option<Place<'a>>,
}

#[derive(Serialize)]
struct RowOut<'a> {
    place: Option<Place<'a>>,
    function: String,
    depth: u32,
    source: String,
    changes: BTreeMap<String, String>,
    /// The violation depends on it.
    matters: bool,
}

#[derive(Serialize)]
struct ReasonOut {
    text: String,
    what_would_help: &'static str,
}

/// The report as JSON text.
pub fn json(subject: &Subject<'_>) -> String {
    let evidence = match (subject.verdict.get(), &subject.verdict.record().trace) {
        (Verdict::Safe(proof), _) => Evidence::Proof(proof_out(subject, proof)),
        (Verdict::Unsafe(_), Some(trace)) => Evidence::Violation(violation(subject, trace)),
        (Verdict::Unsafe(_), None) => unreachable!("an `unsafe` verdict was replayed"),
        (Verdict::Unknown(reason), _) => Evidence::Reason(reason_out(subject, reason)),
    };
    let stats = subject.stats.iter().map(|(k, v)| (k.as_str(), *v));
    pretty(&Report {
        tool: "craig",
        version: env!("CARGO_PKG_VERSION"),
        verdict: subject.verdict.get().as_str(),
        engine: subject.engine,
        specification: subject.specification,
        data_model: subject.data_model,
        seconds: subject.seconds,
        files: subject.files,
        assumptions: notes(subject, &subject.program.assumptions),
        notes: notes(subject, &subject.program.notes),
        statistics: stats.collect(),
        findings: findings(subject)
            .into_iter()
            .map(|f| finding(subject, f))
            .collect(),
        evidence,
    })
}

/// Data as indented JSON with a last newline.
pub(crate) fn pretty(data: &impl Serialize) -> String {
    let text = serde_json::to_string_pretty(data);
    text.expect("plain data with string keys is JSON") + "\n"
}

fn place<'a>(subject: &Subject<'a>, span: Span) -> Option<Place<'a>> {
    let file = subject.sources.files.get(span.file)?;
    span.is_known().then_some(Place {
        file: &file.name,
        line: span.line,
        column: span.column,
    })
}

fn notes<'a>(subject: &Subject<'a>, notes: &'a [Note]) -> Vec<NoteAt<'a>> {
    let at = |n: &'a Note| NoteAt {
        message: &n.message,
        place: place(subject, n.span),
    };
    notes.iter().map(at).collect()
}

fn proof_out<'a>(subject: &Subject<'a>, proof: &Proof) -> ProofOut<'a> {
    let loops = loop_invariants(subject, proof).into_iter();
    ProofOut {
        scope: proof.scope.as_str(),
        obligations: subject.verdict.record().obligations,
        cross_check: subject.confirmation,
        loop_invariants: loops
            .map(|l| LoopOut {
                place: place(subject, l.span),
                function: l.function,
                invariant: l.text,
                c_expression: l.strict,
            })
            .collect(),
    }
}

fn finding<'a>(subject: &Subject<'a>, f: FindingView<'a>) -> FindingOut<'a> {
    let related = f.related.into_iter().map(|(span, what)| RelatedOut {
        place: place(subject, span),
        what,
    });
    FindingOut {
        check: f.name,
        property: property_name(f.property),
        status: f.status,
        cwe: f.cwe,
        message: f.message,
        function: f.function,
        place: place(subject, f.span),
        why: f.why,
        related: related.collect(),
        violation: f.trace.map(|t| violation(subject, t)),
    }
}

fn violation<'a>(subject: &Subject<'a>, trace: &Trace) -> Violation<'a> {
    let tag = subject.program.locations[trace.error].error.as_ref();
    let input = |i: Input| InputOut {
        function: i.kind.source().unwrap_or_default().to_string(),
        value: i.text,
        place: place(subject, i.span),
    };
    let row = |r: Row| RowOut {
        place: place(subject, r.span),
        function: r.function,
        depth: r.depth,
        source: r.source,
        changes: r.changes.into_iter().collect(),
        matters: r.matters,
    };
    Violation {
        property: property_name(trace.property),
        message: tag.map(|t| t.message.as_str()),
        place: tag.and_then(|t| place(subject, t.span)),
        inputs: inputs(subject, trace).into_iter().map(input).collect(),
        trace: rows(subject, trace).into_iter().map(row).collect(),
    }
}

fn reason_out(subject: &Subject<'_>, reason: &Reason) -> ReasonOut {
    ReasonOut {
        text: reason_text(reason, subject.sources),
        what_would_help: reason_advice(reason),
    }
}
