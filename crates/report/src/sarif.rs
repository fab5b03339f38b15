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
#[serde(rename_all = "camelCase")]
struct Run<'a> {
    tool: Tool<'a>,
    invocations: [Invocation<'a>; 1],
    automation_details: Automation<'a>,
    #[serde(rename = "originalUriBaseIds")]
    bases: Bases,
    column_kind: &'a str,
    artifacts: Vec<ArtifactOut>,
    results: Vec<Finding<'a>>,
}

/// The category under which GitHub keeps the results.
#[derive(Serialize)]
struct Automation<'a> {
    id: &'a str,
}

/// Where relative names begin: the folder in which the command was run.
#[derive(Serialize)]
struct Bases {
    #[serde(rename = "SRCROOT")]
    root: Described,
}

#[derive(Serialize)]
struct Described {
    description: Message,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ArtifactOut {
    location: Artifact,
    source_language: &'static str,
    hashes: Hashes,
}

#[derive(Serialize)]
struct Hashes {
    #[serde(rename = "sha-256")]
    sha256: String,
}

#[derive(Serialize)]
struct Tool<'a> {
    driver: Driver<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver<'a> {
    name: &'a str,
    organization: &'a str,
    full_name: String,
    version: &'a str,
    semantic_version: &'a str,
    rules: Vec<Rule<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Rule<'a> {
    id: &'a str,
    name: String,
    short_description: Message,
    full_description: Message,
    help: Help,
    default_configuration: Level<'a>,
    properties: RuleProperties<'a>,
}

#[derive(Serialize)]
struct Level<'a> {
    level: &'a str,
}

#[derive(Serialize)]
struct Help {
    text: String,
    markdown: String,
}

#[derive(Serialize)]
struct RuleProperties<'a> {
    tags: Vec<String>,
    precision: &'a str,
    #[serde(rename = "problem.severity")]
    problem: &'a str,
    #[serde(rename = "security-severity")]
    severity: &'a str,
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
    locations: Vec<Location>,
}

#[derive(Serialize)]
struct Message {
    text: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Finding<'a> {
    rule_id: &'a str,
    rule_index: usize,
    level: &'a str,
    message: Message,
    locations: [Location; 1],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<Location>,
    partial_fingerprints: Fingerprints,
    code_flows: [CodeFlow; 1],
    properties: Tags<'a>,
}

/// What SARIF has no field for.
#[derive(Serialize)]
struct Tags<'a> {
    cwe: String,
    check: &'a str,
}

/// What stays the same when the file is edited elsewhere.
#[derive(Serialize)]
struct Fingerprints {
    #[serde(rename = "craigCheck/v1")]
    check: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CodeFlow {
    thread_flows: [ThreadFlow; 1],
}

#[derive(Serialize)]
struct ThreadFlow {
    locations: Vec<FlowLocation>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct FlowLocation {
    nesting_level: u32,
    location: Location,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    physical_location: Physical,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Message>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Physical {
    artifact_location: Artifact,
    region: Region,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Artifact {
    uri: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    uri_base_id: Option<&'static str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: u32,
    start_column: u32,
    end_column: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    snippet: Option<Message>,
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
                    organization: "Craig",
                    full_name: format!("Craig {}", env!("CARGO_PKG_VERSION")),
                    version: env!("CARGO_PKG_VERSION"),
                    semantic_version: env!("CARGO_PKG_VERSION"),
                    rules: rules(),
                },
            },
            invocations: [Invocation {
                execution_successful: !matches!(subject.verdict.get(), Verdict::Unknown(_)),
                tool_execution_notifications: notifications,
            }],
            automation_details: Automation { id: "craig/" },
            bases: Bases {
                root: Described {
                    description: message("The folder in which craig was run."),
                },
            },
            column_kind: "utf16CodeUnits",
            artifacts: artifacts(subject),
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

/// What to do about a violation, and its severity as GitHub grades it.
const HELP: &[(&str, &str, &str)] = &[
    (
        "unreach-call",
        "Follow the code flow to the inputs that lead there; correct the program, or the assertion if it asks too much.",
        "6.0",
    ),
    (
        "no-overflow",
        "Check the operands before the operation, use a wider or an unsigned type, or compile with -fwrapv and check with --wrapv.",
        "7.0",
    ),
    (
        "valid-deref",
        "Check indices against the size of the object and pointers against NULL; do not use memory after it was freed.",
        "9.0",
    ),
    (
        "valid-free",
        "Free each allocated object once, with the pointer that the allocation gave.",
        "8.0",
    ),
    (
        "valid-memtrack",
        "Free the object before the last pointer to it goes away.",
        "4.0",
    ),
    (
        "valid-memcleanup",
        "Free the object before the program ends.",
        "3.0",
    ),
    (
        "no-div-by-zero",
        "Check the divisor before the division.",
        "6.0",
    ),
    ("no-shift", "Check the amount before the shift.", "5.0"),
    (
        "no-uninit",
        "Initialise the object where it is declared.",
        "6.0",
    ),
];

fn rules() -> Vec<Rule<'static>> {
    PROPERTIES.iter().map(rule).collect()
}

fn rule(row: &'static PropertyEntry) -> Rule<'static> {
    let found = HELP.iter().find(|h| h.0 == row.name);
    let general = (
        row.name,
        "Follow the code flow to the inputs that lead there.",
        "5.0",
    );
    let &(id, help, severity) = found.unwrap_or(&general);
    let text = sentence(row.violated);
    Rule {
        id,
        name: pascal(id),
        short_description: message(text.clone()),
        full_description: message(format!(
            "{text} Craig found an execution that does so and replayed it in an interpreter with the exact meaning of C."
        )),
        help: Help {
            text: help.into(),
            markdown: format!("**{text}**\n\n{help}\n\nProperty: `{id}`."),
        },
        default_configuration: Level { level: "error" },
        properties: RuleProperties {
            // As GitHub spells them.
            tags: vec![
                "security".into(),
                "correctness".into(),
                "verification".into(),
                format!("external/cwe/cwe-{:03}", row.cwe),
            ],
            precision: "very-high",
            problem: "error",
            severity,
        },
    }
}

/// `valid-deref` as `ValidDeref`.
fn pascal(id: &str) -> String {
    let word = |w: &str| {
        let mut letters = w.chars();
        let first = letters.next().map(|c| c.to_ascii_uppercase());
        first.into_iter().chain(letters).collect::<String>()
    };
    id.split('-').map(word).collect()
}

fn artifacts(subject: &Subject<'_>) -> Vec<ArtifactOut> {
    let one = |f: &crate::InputFile| ArtifactOut {
        location: artifact(&f.name),
        source_language: "c",
        hashes: Hashes {
            sha256: f.sha256.get().to_string(),
        },
    };
    subject.files.iter().map(one).collect()
}

/// A name relative to the folder of the run, or an absolute one, as a URI.
fn artifact(name: &str) -> Artifact {
    let mut uri = String::new();
    for byte in name.trim_start_matches("./").bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' => {
                uri.push(byte as char);
            }
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    match name.starts_with('/') {
        true => Artifact {
            uri: format!("file://{uri}"),
            uri_base_id: None,
        },
        false => Artifact {
            uri,
            uri_base_id: Some("SRCROOT"),
        },
    }
}

/// A hash of the rule, the function and the statement: not of the line's number.
fn fingerprint(subject: &Subject<'_>, rule: &str, function: &str, span: Span) -> String {
    let mut statements = crate::statement::Statements::default();
    let found = statements.at(subject.sources, span);
    let text = found.map_or_else(String::new, |(_, text)| text);
    let hash = crate::sha256(format!("{rule}\0{function}\0{text}").as_bytes());
    hash[..32].to_string()
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
    let id = property_name(found.property);
    Some(Finding {
        rule_id: id,
        rule_index: PROPERTIES.iter().position(|r| r.name == id).unwrap_or(0),
        partial_fingerprints: Fingerprints {
            check: fingerprint(subject, id, found.function, found.span),
        },
        level: "error",
        message: message(sentence(&match found.why.is_empty() {
            true => found.message.to_string(),
            false => format!("{}: {}", found.message, found.why),
        })),
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
    let facts = row.facts();
    if facts.is_empty() {
        row.source.clone()
    } else {
        format!("{}    [{}]", row.source, facts.join(", "))
    }
}

/// With a capital letter and a full stop.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|c| c.to_uppercase().to_string());
    let end = if text.ends_with('.') { "" } else { "." };
    format!("{}{}{end}", first.unwrap_or_default(), letters.as_str())
}

fn location(subject: &Subject<'_>, span: Span, text: Option<String>) -> Location {
    let file = subject.sources.files.get(span.file);
    let column = span.column.max(1);
    Location {
        physical_location: Physical {
            artifact_location: artifact(file.map_or("", |f| f.name.as_str())),
            region: Region {
                start_line: span.line.max(1),
                start_column: column,
                end_column: column + span.len.max(1),
                snippet: text
                    .is_none()
                    .then(|| subject.sources.line_text(span))
                    .flatten()
                    .map(|line| message(line.trim())),
            },
        },
        message: text.map(message),
    }
}
