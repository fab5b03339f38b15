//! What an editor shows of a run: diagnostics, hovers, lenses and hints, as the protocol spells them.

use crate::{Error, Outcome, Verdict};
use program::{Severity, SourceMap, Span};
use report::{FindingView, LoopInvariant};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;

/// Steps of a trace that are told as related information, at most: the last ones.
const RELATED: usize = 50;

/// What is shown of one file.
#[derive(Default)]
pub struct View {
    pub diagnostics: Vec<Value>,
    pub lenses: Vec<Value>,
    /// Invariants and contracts by line, from 0: the text, and the column behind the line.
    facts: BTreeMap<u64, Vec<(String, u64)>>,
}

impl View {
    /// What a run found about the file.
    pub fn of(path: &Path, outcome: &Outcome) -> View {
        let mut view = View::default();
        let subject = outcome.subject();
        let name = path.display().to_string();
        let sources = &outcome.input.sources;
        let here = |span: Span| {
            let file = sources.files.get(span.file);
            span.is_known() && file.is_some_and(|f| f.name == name)
        };
        match outcome.verdict.get() {
            Verdict::Unsafe(_) => view.violation(outcome, &here),
            Verdict::Unknown(reason) => {
                let text = report::reason_text(reason, sources);
                let help = report::reason_advice(reason);
                let message = format!("No answer: {text}. What would help: {help}.");
                view.diagnostics
                    .push(diagnostic(json!(range(sources, None)), 3, &message));
            }
            Verdict::Safe(proof) => {
                for l in outcome.loop_invariants().iter().filter(|l| here(l.span)) {
                    view.fact(sources, l.span, invariant(l));
                }
                for (&f, contract) in &proof.contracts {
                    let Some(function) = outcome.input.program.functions.get(f) else {
                        continue;
                    };
                    if here(function.span) {
                        let (requires, ensures) = report::contract(&subject, f, contract);
                        let text = format!("requires {requires}; ensures {ensures}");
                        view.fact(sources, function.span, text);
                    }
                }
            }
        }
        view.lenses_of(outcome, &here);
        view
    }

    /// The file could not be read.
    pub fn of_error(path: &Path, error: &Error) -> View {
        let mut view = View::default();
        let name = path.display().to_string();
        match error {
            Error::Message(text) => {
                let at = json!(range(&SourceMap::default(), None));
                view.diagnostics.push(diagnostic(at, 1, text));
            }
            Error::Input {
                diagnostics,
                sources,
            } => {
                for d in diagnostics {
                    let file = sources.files.get(d.span.file);
                    let here = file.is_some_and(|f| f.name == name);
                    let at = json!(range(sources, Some(d.span).filter(|_| here)));
                    let severity = match d.severity {
                        Severity::Error => 1,
                        Severity::Warning => 2,
                    };
                    view.diagnostics.push(diagnostic(at, severity, &d.message));
                }
            }
        }
        view
    }

    fn violation(&mut self, outcome: &Outcome, here: &dyn Fn(Span) -> bool) {
        let sources = &outcome.input.sources;
        let Some(trace) = outcome.verdict.record().trace.as_ref() else {
            return;
        };
        let Some(tag) = &outcome.input.program.locations[trace.error].error else {
            return;
        };
        let rows = report::rows(&outcome.subject(), trace);
        let known = rows.iter().filter(|r| r.span.is_known());
        let known: Vec<_> = known.filter(|r| !r.is_quiet()).collect();
        let related: Vec<Value> = known[known.len().saturating_sub(RELATED)..]
            .iter()
            .map(|row| {
                let facts = row.facts().join(", ");
                let message = format!("{}  [{facts}]", row.source);
                let uri = uri_of(&sources.files[row.span.file].name);
                let location = json!({ "uri": uri, "range": range(sources, Some(row.span)) });
                json!({ "location": location, "message": message })
            })
            .collect();
        let at = Some(tag.span).filter(|s| here(*s));
        let inputs: Vec<String> = outcome
            .inputs()
            .iter()
            .map(|i| format!("{}() = {}", i.kind.source().unwrap_or("input"), i.text))
            .collect();
        let mut message = format!("Violated: {}", tag.message);
        if !inputs.is_empty() {
            message.push_str(&format!(" (with {})", inputs.join(", ")));
        }
        let mut found = diagnostic(json!(range(sources, at)), 1, &message);
        found["code"] = json!(report::property_name(tag.property));
        found["relatedInformation"] = json!(related);
        self.diagnostics.push(found);
    }

    fn fact(&mut self, sources: &SourceMap, span: Span, text: String) {
        let line = u64::from(span.line.saturating_sub(1));
        let width = sources
            .line_text(span)
            .map_or(0, |l| l.encode_utf16().count());
        let facts = self.facts.entry(line).or_default();
        facts.push((text, width as u64));
    }

    /// One lens a function that has checks: the worst of them.
    fn lenses_of(&mut self, outcome: &Outcome, here: &dyn Fn(Span) -> bool) {
        let subject = outcome.subject();
        let mut by_function: BTreeMap<&str, Vec<FindingView<'_>>> = BTreeMap::new();
        for check in report::findings(&subject) {
            by_function.entry(check.function).or_default().push(check);
        }
        for function in outcome
            .input
            .program
            .functions
            .iter()
            .filter(|f| here(f.span))
        {
            let Some(checks) = by_function.get(function.name.as_str()) else {
                continue;
            };
            let count = |status: &str| checks.iter().filter(|c| c.status == status).count();
            let all = checks.len();
            let title = match (count("violated"), count("undecided")) {
                (0, 0) => format!("✓ proved ({all} checks)"),
                (0, open) => format!("? undecided ({open} of {all} checks)"),
                (bad, _) => format!("✗ violated ({bad} of {all} checks)"),
            };
            self.lenses.push(json!({
                "range": range(&outcome.input.sources, Some(function.span)),
                "command": { "title": title, "command": "" },
            }));
        }
    }

    /// Invariants and contracts of a line.
    pub fn hover(&self, line: u64) -> Value {
        let Some(facts) = self.facts.get(&line) else {
            return Value::Null;
        };
        let texts: Vec<&str> = facts.iter().map(|(text, _)| text.as_str()).collect();
        let value = format!("Proved by Craig:\n```c\n{}\n```", texts.join("\n"));
        json!({ "contents": { "kind": "markdown", "value": value } })
    }

    /// Invariants behind the lines of a range.
    pub fn hints(&self, from: u64, to: u64) -> Value {
        let inside = self.facts.range(from..=to.max(from));
        let hints = inside.flat_map(|(line, facts)| {
            facts.iter().map(move |(text, width)| {
                json!({
                    "position": { "line": line, "character": width },
                    "label": text,
                    "paddingLeft": true,
                })
            })
        });
        Value::Array(hints.collect())
    }
}

fn invariant(l: &LoopInvariant) -> String {
    let text = if l.text == "1" { "true" } else { &l.text };
    format!("invariant {text}")
}

fn diagnostic(range: Value, severity: u8, message: &str) -> Value {
    json!({ "range": range, "severity": severity, "source": "craig", "message": message })
}

fn uri_of(name: &str) -> String {
    let path = std::path::absolute(name).unwrap_or_else(|_| name.into());
    let mut out = String::from("file://");
    for byte in path.display().to_string().bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' => {
                out.push(byte as char);
            }
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

/// A place as the protocol counts: from 0, in units of UTF-16. Without a place, the first line.
fn range(sources: &SourceMap, span: Option<Span>) -> Value {
    let Some(span) = span else {
        let start = json!({ "line": 0, "character": 0 });
        return json!({ "start": start.clone(), "end": start });
    };
    let line = span.line.saturating_sub(1);
    let text = sources.line_text(span).unwrap_or("");
    let units = |column: usize| {
        let before = text.get(..column.min(text.len())).unwrap_or(text);
        before.encode_utf16().count()
    };
    let from = span.column.saturating_sub(1) as usize;
    let start = json!({ "line": line, "character": units(from) });
    let end = json!({ "line": line, "character": units(from + span.len.max(1) as usize) });
    json!({ "start": start, "end": end })
}
