//! SARIF 2.1.0, the format that code hosts and editors read (`--sarif`): a violation is one result
//! with its execution as a code flow; a proof is a run without results. Why there is no answer, what
//! was assumed and what was over-approximated are notifications of the run.

use crate::json::pretty;
use crate::{Row, Subject, property_name, reason_text, rows};
use evidence::Verdict;
use program::{Note, Span};
use serde::Serialize;

/// Rows of the code flow at most; viewers get slow beyond.
const FLOW_LIMIT: usize = 500;

#[derive(Serialize)]
struct Log<'a> {
    #[serde(rename = "$schema")]
    schema: &'a str,
    version: &'a str,
    runs: [Run<'a>; 1],
}

#[derive(Serialize)]
struct Run<'a> {
    tool: Tool<'a>,
    invocations: [Invocation<'a>; 1],
    results: Vec<Finding<'a>>,
}

#[derive(Serialize)]
struct Tool<'a> {
    driver: Driver<'a>,
}

#[derive(Serialize)]
struct Driver<'a> {
    name: &'a str,
    version: &'a str,
    rules: Vec<Rule<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Rule<'a> {
    id: &'a str,
    short_description: Message,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Invocation<'a> {
    execution_successful: bool,
    tool_execution_notifications: Vec<Notification<'a>>,
}

#[derive(Serialize)]
struct Notification<'a> {
    level: &'a str,
    message: Message,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    locations: Vec<Location<'a>>,
}

#[derive(Serialize)]
struct Message {
    text: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Finding<'a> {
    rule_id: &'a str,
    level: &'a str,
    message: Message,
    locations: [Location<'a>; 1],
    code_flows: [CodeFlow<'a>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CodeFlow<'a> {
    thread_flows: [ThreadFlow<'a>; 1],
}

#[derive(Serialize)]
struct ThreadFlow<'a> {
    locations: Vec<FlowLocation<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct FlowLocation<'a> {
    nesting_level: u32,
    location: Location<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location<'a> {
    physical_location: Physical<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Message>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Physical<'a> {
    artifact_location: Artifact<'a>,
    region: Region,
}

#[derive(Serialize)]
struct Artifact<'a> {
    uri: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: u32,
    start_column: u32,
}

/// The result as SARIF text.
pub fn sarif(subject: &Subject<'_>) -> String {
    let mut results = Vec::new();
    let mut notifications = Vec::new();
    match subject.verdict.get() {
        Verdict::Unsafe(_) => results.extend(violation(subject)),
        Verdict::Unknown(reason) => notifications.push(Notification {
            level: "warning",
            message: message(reason_text(reason, subject.sources)),
            locations: Vec::new(),
        }),
        Verdict::Safe(_) => {}
    }
    let program = subject.program;
    let assumed = program.assumptions.iter().map(|n| ("assuming", n));
    let loose = program.notes.iter().map(|n| ("over-approximated", n));
    notifications.extend(assumed.chain(loose).map(|(word, n)| note(subject, word, n)));
    pretty(&Log {
        schema: "https://json.schemastore.org/sarif-2.1.0.json",
        version: "2.1.0",
        runs: [Run {
            tool: Tool {
                driver: Driver {
                    name: "Craig",
                    version: env!("CARGO_PKG_VERSION"),
                    rules: rules(),
                },
            },
            invocations: [Invocation {
                execution_successful: !matches!(subject.verdict.get(), Verdict::Unknown(_)),
                tool_execution_notifications: notifications,
            }],
            results,
        }],
    })
}

fn message(text: impl Into<String>) -> Message {
    Message { text: text.into() }
}

fn note<'a>(subject: &Subject<'a>, word: &str, note: &Note) -> Notification<'a> {
    let known = note.span.is_known();
    Notification {
        level: "note",
        message: message(format!("{word}: {}", note.message)),
        locations: known
            .then(|| location(subject, note.span, None))
            .into_iter()
            .collect(),
    }
}

fn rules() -> Vec<Rule<'static>> {
    [
        ("unreach-call", "an assertion fails or an error is reached"),
        ("no-overflow", "signed arithmetic overflows"),
        ("valid-deref", "an invalid pointer is dereferenced"),
        ("valid-free", "an invalid pointer is freed"),
        ("valid-memtrack", "allocated memory is lost"),
    ]
    .into_iter()
    .map(|(id, text)| Rule {
        id,
        short_description: message(text),
    })
    .collect()
}

fn violation<'a>(subject: &Subject<'a>) -> Option<Finding<'a>> {
    let trace = subject.verdict.record().trace.as_ref()?;
    let tag = subject.program.locations[trace.error].error.as_ref()?;
    let all = rows(subject, trace);
    let flow = all.iter().skip(all.len().saturating_sub(FLOW_LIMIT));
    let locations = flow
        .map(|row| FlowLocation {
            nesting_level: row.depth,
            location: location(subject, row.span, Some(described(row))),
        })
        .collect();
    Some(Finding {
        rule_id: property_name(tag.property),
        level: "error",
        message: message(&tag.message),
        locations: [location(subject, tag.span, None)],
        code_flows: [CodeFlow {
            thread_flows: [ThreadFlow { locations }],
        }],
    })
}

fn described(row: &Row) -> String {
    let facts = row.facts();
    if facts.is_empty() {
        row.source.clone()
    } else {
        format!("{}    [{}]", row.source, facts.join(", "))
    }
}

fn location<'a>(subject: &Subject<'a>, span: Span, text: Option<String>) -> Location<'a> {
    let file = subject.sources.files.get(span.file);
    Location {
        physical_location: Physical {
            artifact_location: Artifact {
                uri: file.map_or("", |f| f.name.as_str()),
            },
            region: Region {
                start_line: span.line.max(1),
                start_column: span.column.max(1),
            },
        },
        message: text.map(message),
    }
}
