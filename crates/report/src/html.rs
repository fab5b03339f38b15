//! One self-contained HTML page (`--report`): the account, and the source with invariants or the
//! trace beside its lines. No scripts, no fetched resources.

use crate::{Subject, loop_invariants, rows, text};
use evidence::Verdict;
use program::{FileId, Span};
use std::collections::BTreeMap;
use std::fmt::Write;

const STYLE: &str = "body{font:15px/1.5 system-ui,sans-serif;margin:2em auto;max-width:75em;padding:0 1em;color:#222}\
pre,td{font:13px/1.45 ui-monospace,monospace}pre{background:#f6f6f6;padding:1em;overflow-x:auto}\
table{border-collapse:collapse;width:100%}td{padding:0 .7em;vertical-align:top;white-space:pre-wrap}\
td.n{color:#999;text-align:right;user-select:none;white-space:nowrap}tr.hit{background:#fff7d6}tr.error{background:#ffe0e0}\
td.fact{color:#046}.safe{color:#070}.unsafe{color:#b00}.unknown{color:#860}";

/// Facts shown on one line at most: a loop body is executed often.
const FACTS_PER_LINE: usize = 6;

pub fn html(subject: &Subject<'_>) -> String {
    let word = subject.verdict.get().as_str();
    let mut facts: BTreeMap<(FileId, u32), Vec<String>> = BTreeMap::new();
    let mut add = |span: Span, fact: String| {
        if span.is_known() {
            let list = facts.entry((span.file, span.line)).or_default();
            if list.len() < FACTS_PER_LINE {
                list.push(fact);
            } else if list.len() == FACTS_PER_LINE {
                list.push("…".into());
            }
        }
    };
    let mut error = None;
    match subject.verdict.get() {
        Verdict::Safe(proof) => {
            for l in loop_invariants(subject, proof) {
                add(l.span, format!("invariant: {}", l.text));
            }
        }
        Verdict::Unsafe(_) => {
            if let Some(trace) = &subject.verdict.record().trace {
                for row in rows(subject, trace) {
                    let changes: Vec<String> = row
                        .changes
                        .iter()
                        .map(|(n, v)| format!("{n} = {v}"))
                        .collect();
                    add(row.span, changes.join(", "));
                }
                if let Some(tag) = &subject.program.locations[trace.error].error {
                    add(tag.span, format!("violated: {}", tag.message));
                    error = Some((tag.span.file, tag.span.line));
                }
            }
        }
        Verdict::Unknown(_) => {}
    }
    let mut out = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Craig: {word}</title><style>{STYLE}</style>\n<h1>verdict: <span class=\"{word}\">{word}</span></h1>\n<pre>{}</pre>\n",
        escaped(&text(subject))
    );
    let mut files: Vec<FileId> = facts.keys().map(|(f, _)| *f).collect();
    files.dedup();
    for file in files {
        let Some(source) = subject.sources.files.get(file) else {
            continue;
        };
        let _ = write!(out, "<h2>{}</h2>\n<table>\n", escaped(&source.name));
        for (i, line) in source.text.lines().enumerate() {
            let key = (file, i as u32 + 1);
            let list = facts.get(&key);
            let class = match list {
                _ if error == Some(key) => " class=\"error\"",
                Some(_) => " class=\"hit\"",
                None => "",
            };
            let _ = writeln!(
                out,
                "<tr{class}><td class=\"n\">{}</td><td>{}</td><td class=\"fact\">{}</td></tr>",
                key.1,
                escaped(line),
                escaped(&list.map(|l| l.join("\n")).unwrap_or_default())
            );
        }
        out.push_str("</table>\n");
    }
    out.push_str("</html>\n");
    out
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
