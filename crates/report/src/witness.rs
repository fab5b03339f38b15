//! Witnesses in the YAML format of SV-COMP, versions 2.0 and 2.1, for both verdicts.
//!
//! A correctness witness gives loop invariants (2.1: function contracts too); a violation witness
//! one `function_return` waypoint per nondeterministic value and the target, the form that most
//! validators follow. The types below are the format's own, as data that `serde` writes.

use crate::c_expr::{Named, Style, c_conjunction};
use crate::{InputFile, Subject, inputs, loop_invariants, show_value, statement_start};
use base::Id;
use evidence::{Proof, Trace, Verdict};
use logic::{TermId, Value};
use program::{BODY, FuncId, Function, InputKind, SourceMap, Span, VarId};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use uuid::Uuid;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WitnessVersion {
    V2_0,
    V2_1,
}

impl WitnessVersion {
    fn text(self) -> &'static str {
        match self {
            WitnessVersion::V2_0 => "2.0",
            WitnessVersion::V2_1 => "2.1",
        }
    }
}

/// The witness of a definite verdict about a C program; `None` for `unknown`.
pub fn witness(subject: &Subject<'_>, version: WitnessVersion) -> Option<String> {
    let is_c = |f: &InputFile| f.name.ends_with(".c") || f.name.ends_with(".i");
    if !subject.files.iter().all(is_c) {
        return None;
    }
    match subject.verdict.get() {
        Verdict::Safe(proof) => Some(correctness(subject, proof, version)),
        Verdict::Unsafe(_) => {
            let trace = subject.verdict.record().trace.as_ref()?;
            Some(violation(subject, trace, version))
        }
        Verdict::Unknown(_) => None,
    }
}

#[derive(Serialize)]
struct Entry<'a> {
    entry_type: &'a str,
    metadata: Metadata<'a>,
    content: Content<'a>,
}

#[derive(Serialize)]
struct Metadata<'a> {
    format_version: &'a str,
    uuid: String,
    creation_time: &'a str,
    producer: Producer<'a>,
    task: TaskOut<'a>,
}

#[derive(Serialize)]
struct Producer<'a> {
    name: &'a str,
    version: &'a str,
    configuration: &'a str,
}

#[derive(Serialize)]
struct TaskOut<'a> {
    input_files: Vec<&'a str>,
    input_file_hashes: BTreeMap<&'a str, &'a str>,
    specification: &'a str,
    data_model: &'a str,
    language: &'a str,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Content<'a> {
    Invariants(Vec<Fact<'a>>),
    Segments(Vec<Segment<'a>>),
}

#[derive(Serialize)]
#[serde(untagged)]
enum Fact<'a> {
    Invariant { invariant: Invariant<'a> },
    Contract { contract: ContractOut<'a> },
}

#[derive(Serialize)]
struct Invariant<'a> {
    #[serde(rename = "type")]
    kind: &'a str,
    location: Location<'a>,
    value: String,
    format: &'a str,
}

#[derive(Serialize)]
struct ContractOut<'a> {
    #[serde(rename = "type")]
    kind: &'a str,
    location: Location<'a>,
    requires: String,
    ensures: String,
    format: &'a str,
}

#[derive(Serialize)]
struct Segment<'a> {
    segment: [Point<'a>; 1],
}

#[derive(Serialize)]
struct Point<'a> {
    waypoint: Waypoint<'a>,
}

#[derive(Serialize)]
struct Waypoint<'a> {
    #[serde(rename = "type")]
    kind: &'a str,
    action: &'a str,
    location: Location<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    constraint: Option<Constraint<'a>>,
}

#[derive(Serialize)]
struct Constraint<'a> {
    value: String,
    format: &'a str,
}

#[derive(Serialize)]
struct Location<'a> {
    file_name: &'a str,
    line: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    function: Option<String>,
}

fn written(subject: &Subject<'_>, version: WitnessVersion, content: Content<'_>) -> String {
    let entry_type = match content {
        Content::Invariants(_) => "invariant_set",
        Content::Segments(_) => "violation_sequence",
    };
    let mut name = format!("{entry_type} {} ", version.text());
    for f in subject.files {
        name.push_str(f.sha256.get());
    }
    name.push_str(subject.specification);
    let files = subject.files.iter();
    let entry = Entry {
        entry_type,
        metadata: Metadata {
            format_version: version.text(),
            // Made from the name: the same task gives the same one.
            uuid: Uuid::new_v5(&Uuid::NAMESPACE_OID, name.as_bytes()).to_string(),
            creation_time: subject.creation_time,
            producer: Producer {
                name: "Craig",
                version: env!("CARGO_PKG_VERSION"),
                configuration: subject.engine,
            },
            task: TaskOut {
                input_files: files.clone().map(|f| f.name.as_str()).collect(),
                input_file_hashes: files.map(|f| (f.name.as_str(), f.sha256.get())).collect(),
                specification: subject.specification,
                data_model: subject.data_model,
                language: "C",
            },
        },
        content,
    };
    yaml_serde::to_string(&[entry]).expect("plain data with string keys is YAML")
}

fn location<'a>(subject: &Subject<'a>, span: Span, function: &str) -> Location<'a> {
    let file = subject.sources.files.get(span.file);
    Location {
        file_name: file.map_or("", |f| f.name.as_str()),
        line: span.line,
        column: (span.column > 0).then_some(span.column),
        function: (!function.is_empty()).then(|| function.to_string()),
    }
}

/// Whether the place is in a file of the task and the function is one that it defines: models of the library
/// have dotted names.
fn in_source(subject: &Subject<'_>, span: Span, function: &str) -> bool {
    let file = subject.sources.files.get(span.file);
    let given = |name: &str| subject.files.iter().any(|f| f.name == name);
    span.is_known() && file.is_some_and(|f| given(&f.name)) && !function.contains('.')
}

fn correctness(subject: &Subject<'_>, proof: &Proof, version: WitnessVersion) -> String {
    let mut content = Vec::new();
    for l in loop_invariants(subject, proof) {
        let Some(value) = l.strict else { continue };
        if !in_source(subject, l.span, &l.function) {
            continue;
        }
        content.push(Fact::Invariant {
            invariant: Invariant {
                kind: "loop_invariant",
                location: location(subject, l.span, &l.function),
                value,
                format: "c_expression",
            },
        });
    }
    if version == WitnessVersion::V2_1 {
        content.extend(contracts(subject, proof));
    }
    written(subject, version, Content::Invariants(content))
}

fn contracts<'a>(subject: &Subject<'a>, proof: &Proof) -> Vec<Fact<'a>> {
    let about = subject.verdict.record().subject.program(subject.program);
    let mut out = Vec::new();
    // What has a contract in the text is divided into parts, none of which lies where the text has the function.
    let divided: BTreeSet<&str> = (about.functions.iter())
        .filter(|f| f.name.starts_with(BODY))
        .map(Function::written_name)
        .collect();
    for (&f, contract) in &proof.contracts {
        let function = &about.functions[f];
        // Functions that a pass made of loops are not in the source.
        if f.index() >= subject.program.functions.len()
            || !function.is_written()
            || divided.contains(function.name.as_str())
            || !in_source(subject, function.span, &function.name)
        {
            continue;
        }
        let name = |t| contract_name(subject, f, t, true);
        let print = |term| {
            let parts = subject.pool.conjuncts(term);
            let text = c_conjunction(subject.pool, &parts, Style::Strict, &name);
            text.unwrap_or_else(|| "1".into())
        };
        let start = statement_start(subject.sources, function.span);
        out.push(Fact::Contract {
            contract: ContractOut {
                kind: "function_contract",
                location: location(subject, start.unwrap_or(function.span), &function.name),
                requires: print(contract.requires),
                ensures: print(contract.ensures),
                format: "ext_c_expression",
            },
        });
    }
    out
}

/// How a constant reads in the contract of a function. In the witness form, old values are
/// `\at(x,Old)` and the returned value is `\result`.
pub(crate) fn contract_name(
    subject: &Subject<'_>,
    function: FuncId,
    term: TermId,
    for_witness: bool,
) -> Option<Named> {
    let symbol = subject.pool.as_constant(term)?;
    let name = &subject.pool.symbol_data(symbol).name;
    let program = subject.verdict.record().subject.program(subject.program);
    let f = &program.functions[function];
    let named = |var: VarId, text: String| Named {
        text,
        range: program.vars[var].range.clone(),
    };
    // Locals whose address is taken are global to the model, not to the text.
    let of_file = |v: &&VarId| !program.vars[**v].name.contains("::");
    let globals = program.globals.iter().filter(of_file);
    let mut candidates = f.params.iter().chain(&f.returns).chain(globals);
    if let Some(&var) = candidates.clone().find(|&&v| program.vars[v].term == term) {
        let text = if f.returns.contains(&var) {
            "\\result".to_string()
        } else {
            program.vars[var].source_name.clone()?
        };
        return Some(named(var, text));
    }
    let &var = candidates.find(|&&v| **name == *format!("old({})", program.vars[v].name))?;
    let source = program.vars[var].source_name.as_ref()?;
    let text = if for_witness {
        format!("\\at({source},Old)")
    } else {
        format!("old({source})")
    };
    Some(named(var, text))
}

fn violation(subject: &Subject<'_>, trace: &Trace, version: WitnessVersion) -> String {
    let format = match version {
        WitnessVersion::V2_0 => "acsl_expression",
        WitnessVersion::V2_1 => "ext_c_expression",
    };
    let segment = |kind, place, function: &str, constraint| Segment {
        segment: [Point {
            waypoint: Waypoint {
                kind,
                action: "follow",
                location: location(subject, place, function),
                constraint,
            },
        }],
    };
    let mut segments = Vec::new();
    for input in inputs(subject, trace) {
        let InputKind::Nondet { function } = &input.kind else {
            continue;
        };
        let (Value::Num(_), Some(place)) = (
            &input.value,
            closing_parenthesis(subject.sources, input.span, function),
        ) else {
            continue;
        };
        if function.ends_with("float") || function.ends_with("double") {
            continue;
        }
        let value = format!("\\result == {}", show_value(&input.value));
        let constraint = Some(Constraint { value, format });
        segments.push(segment(
            "function_return",
            place,
            &input.function,
            constraint,
        ));
    }
    let error = &subject.program.locations[trace.error];
    let span = error.error.as_ref().map_or(error.span, |tag| tag.span);
    let span = statement_start(subject.sources, span).unwrap_or(span);
    let function = &subject.program.functions[error.func].name;
    segments.push(segment("target", span, function, None));
    written(subject, version, Content::Segments(segments))
}

/// Where the argument list of a call that begins at or after `span` on its line ends. A call that a macro makes is where
/// the macro is used.
pub fn closing_parenthesis(sources: &SourceMap, span: Span, function: &str) -> Option<Span> {
    let line = sources.line_text(span)?;
    let from = (span.column as usize).saturating_sub(1).min(line.len());
    let start = line.get(from..)?.find(function).map(|i| i + from);
    let start = match start.or_else(|| line.find(function)) {
        Some(start) => start + function.len(),
        None => {
            let rest = line.get(from..)?;
            let name = rest.find(|c: char| !(c.is_alphanumeric() || c == '_'))?;
            let called = rest[name..].trim_start().starts_with('(');
            called.then_some(from + name)?
        }
    };
    let mut open = 0usize;
    for (i, c) in line.get(start..)?.char_indices() {
        match c {
            '(' => open += 1,
            ')' if open == 1 => {
                return Some(Span {
                    column: u32::try_from(start + i + 1).ok()?,
                    len: 1,
                    ..span
                });
            }
            ')' => open = open.checked_sub(1)?,
            _ => {}
        }
    }
    None
}
