//! The machine-readable report of a run (`--json`).

use crate::{
    Subject, inputs, loop_invariants, property_name, reason_advice, reason_text, rows, show_value,
};
use evidence::Verdict;
use program::{Note, Span};
use serde_json::{Value as Json, json as object};

/// A place as `{file, line, column}`, or null.
pub(crate) fn place(subject: &Subject<'_>, span: Span) -> Json {
    match subject.sources.files.get(span.file) {
        Some(file) if span.is_known() => {
            object!({ "file": file.name, "line": span.line, "column": span.column })
        }
        _ => Json::Null,
    }
}

fn notes(subject: &Subject<'_>, notes: &[Note]) -> Json {
    notes
        .iter()
        .map(|n| object!({ "message": n.message, "place": place(subject, n.span) }))
        .collect()
}

pub fn json(subject: &Subject<'_>) -> Json {
    let mut out = object!({
        "tool": "craig",
        "version": env!("CARGO_PKG_VERSION"),
        "verdict": subject.verdict.get().word(),
        "engine": subject.engine,
        "specification": subject.specification,
        "data_model": subject.data_model,
        "seconds": subject.seconds,
        "files": subject.files.iter()
            .map(|f| object!({ "name": f.name, "sha256": f.sha256 }))
            .collect::<Vec<_>>(),
        "assumptions": notes(subject, &subject.program.assumptions),
        "notes": notes(subject, &subject.program.notes),
        "statistics": subject.stats.iter()
            .map(|(k, v)| (k.clone(), Json::from(*v)))
            .collect::<serde_json::Map<_, _>>(),
    });
    match subject.verdict.get() {
        Verdict::Safe(proof) => {
            out["proof"] = object!({
                "scope": proof.scope.word(),
                "obligations": subject.verdict.record().obligations,
                "loop_invariants": loop_invariants(subject, proof).iter().map(|l| object!({
                    "place": place(subject, l.span),
                    "function": l.function,
                    "invariant": l.text,
                    "c_expression": l.strict,
                })).collect::<Vec<_>>(),
            });
        }
        Verdict::Unsafe(_) => {
            if let Some(trace) = &subject.verdict.record().trace {
                let tag = subject.program.locations[trace.error].error.as_ref();
                out["violation"] = object!({
                    "property": property_name(trace.property),
                    "message": tag.map(|t| t.message.as_str()),
                    "place": tag.map_or(Json::Null, |t| place(subject, t.span)),
                    "inputs": inputs(subject.program, trace).iter().map(|i| object!({
                        "function": i.kind.source().unwrap_or(""),
                        "value": show_value(&i.value),
                        "place": place(subject, i.span),
                    })).collect::<Vec<_>>(),
                    "trace": rows(subject, trace).iter().map(|r| object!({
                        "place": place(subject, r.span),
                        "function": r.function,
                        "depth": r.depth,
                        "source": r.source,
                        "changes": r.changes.iter()
                            .map(|(n, v)| (n.clone(), Json::from(v.as_str())))
                            .collect::<serde_json::Map<_, _>>(),
                    })).collect::<Vec<_>>(),
                });
            }
        }
        Verdict::Unknown(reason) => {
            out["reason"] = object!({
                "text": reason_text(reason, subject.sources),
                "what_would_help": reason_advice(reason),
            });
        }
    }
    out
}
