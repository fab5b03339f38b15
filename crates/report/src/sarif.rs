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
    name: &'a str,
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
    partial_fingerprints: Fingerprints,
    code_flows: [CodeFlow; 1],
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

/// A rule: property, name, sentence, what to do, weakness, severity as GitHub grades it.
type RuleRow = (
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    Option<u32>,
    &'static str,
);

const RULES: &[RuleRow] = &[
    (
        "unreach-call",
        "ErrorReached",
        "An assertion fails or an error function is called.",
        "Follow the code flow to the inputs that lead there; correct the program, or the assertion if it asks too much.",
        Some(617),
        "6.0",
    ),
    (
        "no-overflow",
        "SignedOverflow",
        "Signed arithmetic overflows, which is undefined in C.",
        "Check the operands before the operation, use a wider or an unsigned type, or compile with -fwrapv and check with --wrapv.",
        Some(190),
        "7.0",
    ),
    (
        "valid-deref",
        "InvalidDereference",
        "A pointer that points to no living object, or outside of its object, is dereferenced.",
        "Check indices against the size of the object and pointers against NULL; do not use memory after it was freed.",
        Some(119),
        "9.0",
    ),
    (
        "valid-free",
        "InvalidFree",
        "Memory is freed that was not allocated, or was freed before.",
        "Free each allocated object once, with the pointer that the allocation gave.",
        Some(763),
        "8.0",
    ),
    (
        "valid-memtrack",
        "MemoryLeak",
        "Allocated memory is lost before it was freed.",
        "Free the object before the last pointer to it goes away.",
        Some(401),
        "4.0",
    ),
    (
        "valid-memcleanup",
        "MemoryNotFreed",
        "Allocated memory is not freed when the program ends.",
        "Free the object before the program ends.",
        Some(401),
        "3.0",
    ),
    (
        "no-div-by-zero",
        "DivisionByZero",
        "An integer is divided by zero.",
        "Check the divisor before the division.",
        Some(369),
        "6.0",
    ),
    (
        "no-shift",
        "InvalidShift",
        "A value is shifted by a negative amount or by its width and more.",
        "Check the amount before the shift.",
        Some(1335),
        "5.0",
    ),
    (
        "no-uninit",
        "UninitialisedValue",
        "The value of an object is used before it was given one.",
        "Initialise the object where it is declared.",
        Some(457),
        "6.0",
    ),
];

fn rules() -> Vec<Rule<'static>> {
    RULES.iter().map(rule).collect()
}

fn rule(row: &RuleRow) -> Rule<'static> {
    let &(id, name, text, help, cwe, severity) = row;
    let mut tags = vec![
        "security".to_string(),
        "correctness".into(),
        "verification".into(),
    ];
    // As GitHub spells them.
    tags.extend(cwe.map(|n| format!("external/cwe/cwe-{n:03}")));
    Rule {
        id,
        name,
        short_description: message(text),
        full_description: message(format!(
            "{text} Craig found an execution that does so and replayed it in an interpreter with the exact meaning of C."
        )),
        help: Help {
            text: help.into(),
            markdown: format!("**{text}**\n\n{help}\n\nProperty: `{id}`."),
        },
        default_configuration: Level { level: "error" },
        properties: RuleProperties {
            tags,
            precision: "very-high",
            problem: "error",
            severity,
        },
    }
}

fn artifacts(subject: &Subject<'_>) -> Vec<ArtifactOut> {
    let one = |f: &crate::InputFile| ArtifactOut {
        location: artifact(&f.name),
        source_language: "c",
        hashes: Hashes {
            sha256: f.sha256.clone(),
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
    let id = property_name(tag.property);
    let function = &subject.program.functions[subject.program.locations[trace.error].func].name;
    Some(Finding {
        rule_id: id,
        rule_index: RULES.iter().position(|r| r.0 == id).unwrap_or(0),
        partial_fingerprints: Fingerprints {
            check: fingerprint(subject, id, function, tag.span),
        },
        level: "error",
        message: message(sentence(&tag.message)),
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
