//! SARIF 2.1.0, the format that code hosts and editors read (`--sarif`): a violation is one result
//! with its execution as a code flow; a proof is a run without results. Why there is no answer, what
//! was assumed and what was over-approximated are notifications of the run.

use crate::json::pretty;
use crate::{FindingView, Row, Subject, findings, property_name, reason_text, rows};
use evidence::Verdict;
use program::{Note, PROPERTIES, PropertyEntry, Span};
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
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<Location<'a>>,
    code_flows: [CodeFlow<'a>; 1],
    properties: Tags<'a>,
}

/// What SARIF has no field for.
#[derive(Serialize)]
struct Tags<'a> {
    cwe: String,
    check: &'a str,
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
        Verdict::Unsafe(_) => {
            let found = findings(subject).into_iter();
            results.extend(found.filter_map(|f| violation(subject, &f)));
        }
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
    let rule = |row: &'static PropertyEntry| Rule {
        id: row.name,
        short_description: message(row.violated),
    };
    PROPERTIES.iter().map(rule).collect()
}

fn violation<'a>(subject: &Subject<'a>, found: &FindingView<'a>) -> Option<Finding<'a>> {
    let trace = found.trace?;
    let all = rows(subject, trace);
    let flow = all.iter().skip(all.len().saturating_sub(FLOW_LIMIT));
    let locations = flow
        .map(|row| FlowLocation {
            nesting_level: row.depth,
            location: location(subject, row.span, Some(described(row))),
        })
        .collect();
    Some(Finding {
        rule_id: property_name(found.property),
        level: "error",
        message: message(match found.why.is_empty() {
            true => found.message.to_string(),
            false => format!("{}: {}", found.message, found.why),
        }),
        locations: [location(subject, found.span, None)],
        related_locations: found
            .related
            .iter()
            .map(|(span, what)| location(subject, *span, Some(what.clone())))
            .collect(),
        properties: Tags {
            cwe: format!("CWE-{}", found.cwe),
            check: found.name,
        },
        code_flows: [CodeFlow {
            thread_flows: [ThreadFlow { locations }],
        }],
    })
}

fn described(row: &Row) -> String {
    let facts: Vec<String> = row
        .changes
        .iter()
        .map(|(n, v)| format!("{n} = {v}"))
        .collect();
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
