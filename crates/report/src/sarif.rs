//! SARIF 2.1.0, the format that code hosts and editors read (`--sarif`): a violation is one result
//! with its execution as a code flow; a proof is a run without results.

use crate::{Row, Subject, property_name, reason_text, rows};
use evidence::Verdict;
use program::Span;
use serde_json::{Value as Json, json};

/// Rows of the code flow at most; viewers get slow beyond.
const FLOW_LIMIT: usize = 500;

pub fn sarif(subject: &Subject<'_>) -> Json {
    let mut results = Vec::new();
    let mut notifications = Vec::new();
    match subject.verdict.get() {
        Verdict::Unsafe(_) => results.extend(violation(subject)),
        Verdict::Unknown(reason) => notifications.push(json!({
            "level": "warning",
            "message": { "text": reason_text(reason, subject.sources) },
        })),
        Verdict::Safe(_) => {}
    }
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "Craig",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules(),
            }},
            "invocations": [{
                "executionSuccessful": !matches!(subject.verdict.get(), Verdict::Unknown(_)),
                "toolExecutionNotifications": notifications,
            }],
            "results": results,
        }]
    })
}

fn rules() -> Json {
    [
        ("unreach-call", "an assertion fails or an error is reached"),
        ("no-overflow", "signed arithmetic overflows"),
        ("valid-deref", "an invalid pointer is dereferenced"),
        ("valid-free", "an invalid pointer is freed"),
        ("valid-memtrack", "allocated memory is lost"),
    ]
    .iter()
    .map(|(id, text)| json!({ "id": id, "shortDescription": { "text": text } }))
    .collect()
}

fn violation(subject: &Subject<'_>) -> Option<Json> {
    let trace = subject.verdict.record().trace.as_ref()?;
    let tag = subject.program.locations[trace.error].error.as_ref()?;
    let all = rows(subject, trace);
    let flow: Vec<Json> = all
        .iter()
        .skip(all.len().saturating_sub(FLOW_LIMIT))
        .map(|row| {
            json!({
                "nestingLevel": row.depth,
                "location": location(subject, row.span, Some(&described(row))),
            })
        })
        .collect();
    Some(json!({
        "ruleId": property_name(tag.property),
        "level": "error",
        "message": { "text": tag.message },
        "locations": [location(subject, tag.span, None)],
        "codeFlows": [{ "threadFlows": [{ "locations": flow }] }],
    }))
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

fn location(subject: &Subject<'_>, span: Span, message: Option<&str>) -> Json {
    let file = subject.sources.files.get(span.file);
    let mut out = json!({
        "physicalLocation": {
            "artifactLocation": { "uri": file.map_or("", |f| f.name.as_str()) },
            "region": { "startLine": span.line.max(1), "startColumn": span.column.max(1) },
        }
    });
    if let Some(text) = message {
        out["message"] = json!({ "text": text });
    }
    out
}
