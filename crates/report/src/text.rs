//! The account for people that `craig check` prints before its last line.

use crate::{
    Row, Subject, explain, inputs, loop_invariants, property_name, reason_advice, reason_text, rows,
};
use base::Id;
use evidence::{Decision, Proof, Scope, Trace, Verdict};
use program::Note;
use std::fmt::Write;

/// Rows of a long trace that are shown at its beginning and at its end.
const ROWS_AT_ENDS: usize = 60;

/// Everything but the last line (`verdict: …`).
pub fn text(subject: &Subject<'_>) -> String {
    let mut out = String::new();
    line(&mut out, &format!("Engine: {}.", subject.engine));
    if subject.every_check {
        out += &crate::findings::table(subject);
    }
    match subject.verdict.get() {
        Verdict::Safe(proof) => safe(subject, proof, &mut out),
        Verdict::Unsafe(_) => {
            let of_verdict = subject.verdict.record().trace.as_ref();
            let found = subject.findings.list().iter();
            let mut traces: Vec<&Trace> = found
                .filter_map(|f| match &f.decision {
                    Decision::Violated(trace) => Some(&**trace),
                    _ => None,
                })
                .collect();
            if traces.is_empty() {
                traces.extend(of_verdict);
            }
            for trace in traces {
                unsafe_story(subject, trace, &mut out);
            }
        }
        Verdict::Unknown(reason) => {
            line(&mut out, "No answer.");
            line(
                &mut out,
                &format!("  why: {}", reason_text(reason, subject.sources)),
            );
            line(
                &mut out,
                &format!("  what would help: {}", reason_advice(reason)),
            );
        }
    }
    // With every verdict: what an error rests on is worth as much as what a proof rests on.
    let program = subject.program;
    notes(subject, "assuming", &program.assumptions, &mut out);
    notes(subject, "over-approximated", &program.notes, &mut out);
    out
}

fn line(out: &mut String, text: &str) {
    out.push_str(text);
    out.push('\n');
}

fn safe(subject: &Subject<'_>, proof: &Proof, out: &mut String) {
    let record = subject.verdict.record();
    let errors = subject.program.error_locations().count();
    line(
        out,
        &format!(
            "Proved: no execution violates a property ({errors} place{} where one could be violated).",
            if errors == 1 { "" } else { "s" }
        ),
    );
    if let Some(steps) = record.steps {
        let which = match proof.cone.is_some() {
            true => " on the way to an error",
            false => "",
        };
        line(
            out,
            &format!("Executed completely: {steps} steps; no decision{which} depends on an input."),
        );
        return;
    }
    if let Some(steps) = record.unrolled {
        line(
            out,
            &format!("Executed symbolically, all paths at once: {steps} steps."),
        );
        return;
    }
    if let Some(states) = record.states {
        line(
            out,
            &match proof.scope {
                Scope::Tables => {
                    format!("Executed on bounds of variables: {states} states of its functions.")
                }
                Scope::Sites => format!(
                    "Executed abstractly, all objects of an allocation at once: {states} states."
                ),
                _ => format!(
                    "Executed abstractly: {states} shapes of memory at loop heads and joins."
                ),
            },
        );
        return;
    }
    line(
        out,
        &format!(
            "The proof was checked: {} obligation{} in {} form.",
            record.obligations,
            if record.obligations == 1 { "" } else { "s" },
            proof.scope.as_str()
        ),
    );
    if let Some(c) = subject.confirmation {
        let _ = writeln!(
            out,
            "Cross-check: {} confirms {} obligations.",
            c.solver, c.obligations
        );
    }
    let loops = loop_invariants(subject, proof);
    if !loops.is_empty() {
        line(out, "Loop invariants:");
        for l in &loops {
            let text = if l.text == "1" { "true" } else { &l.text };
            let text = if text == "0" { "never reached" } else { text };
            let more = match l.unsaid {
                0 => String::new(),
                1 => " (and a fact about the layout of memory)".into(),
                n => format!(" (and {n} facts about the layout of memory)"),
            };
            let _ = writeln!(
                out,
                "  {} (in {}): {text}{more}",
                subject.sources.place(l.span),
                l.function
            );
        }
    }
    contracts(subject, proof, out);
}

fn contracts(subject: &Subject<'_>, proof: &Proof, out: &mut String) {
    let mut shown = Vec::new();
    for (&f, contract) in &proof.contracts {
        // Functions that a pass made of loops are shown as loop invariants.
        if f.index() >= subject.program.functions.len()
            || !subject.program.functions[f].is_written()
        {
            continue;
        }
        shown.push((f, crate::contract(subject, f, contract)));
    }
    let shown: Vec<String> = shown
        .into_iter()
        .map(|(f, (requires, ensures))| {
            let name = &subject.program.functions[f].name;
            format!("  {name}: requires {requires}; ensures {ensures}")
        })
        .collect();
    if !shown.is_empty() {
        line(out, "Function contracts:");
        shown.iter().for_each(|s| line(out, s));
    }
}

fn notes(subject: &Subject<'_>, word: &str, notes: &[Note], out: &mut String) {
    const SHOWN: usize = 10;
    for note in notes.iter().take(SHOWN) {
        let place = if note.span.is_known() {
            format!("{}: ", subject.sources.place(note.span))
        } else {
            String::new()
        };
        let _ = writeln!(out, "  {word}: {place}{}", note.message);
    }
    if notes.len() > SHOWN {
        let _ = writeln!(out, "  {word}: … and {} more", notes.len() - SHOWN);
    }
}

fn unsafe_story(subject: &Subject<'_>, trace: &Trace, out: &mut String) {
    if let Some(tag) = &subject.program.locations[trace.error].error {
        let _ = writeln!(
            out,
            "Violated: {} at {} ({})",
            tag.message,
            subject.sources.place(tag.span),
            property_name(tag.property)
        );
    }
    let list = inputs(subject, trace);
    if !list.is_empty() {
        line(out, "Inputs:");
        for input in list.iter().take(2 * ROWS_AT_ENDS) {
            let name = input.kind.source().unwrap_or("unknown");
            let _ = writeln!(
                out,
                "  {} {name}() = {}",
                subject.sources.place(input.span),
                input.text
            );
        }
        if list.len() > 2 * ROWS_AT_ENDS {
            let _ = writeln!(out, "  … and {} more", list.len() - 2 * ROWS_AT_ENDS);
        }
    }
    story(subject, trace, out);
    // Last, beside the verdict, where a reader's eyes are.
    let explanation = explain(subject, trace);
    if !explanation.text.is_empty() {
        let _ = writeln!(out, "  why: {} (CWE-{})", explanation.text, explanation.cwe);
    }
}

fn story(subject: &Subject<'_>, trace: &Trace, out: &mut String) {
    if trace.steps.is_empty() && trace.step_count > 0 {
        let _ = writeln!(
            out,
            "Trace: {} steps, too many to list; the inputs determine them",
            trace.step_count
        );
        return;
    }
    line(out, "Trace:");
    for text in folded(subject, &rows(subject, trace)) {
        line(out, &text);
    }
}

/// Runs of at least so many quiet rows are folded.
const FOLDED: usize = 3;
/// Runs of at least so many rows that do not matter are folded.
const ASIDE: usize = 2;

/// The rows as lines; iterations that do what the ones around them do, runs of quiet rows and the middle of long
/// traces are folded.
pub(crate) fn folded(subject: &Subject<'_>, rows: &[Row]) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut quiet: Vec<&Row> = Vec::new();
    let mut alike = crate::iterations::alike(rows).into_iter().peekable();
    // Is the row, for this reader, one that does not matter?
    let aside = |row: &Row| !row.matters && !subject.whole_trace;
    let flush = |quiet: &mut Vec<&Row>, lines: &mut Vec<String>| {
        match (quiet.len(), quiet.first().is_some_and(|row| aside(row))) {
            (n, true) if n >= ASIDE => lines.push(format!("  … {n} steps that do not matter")),
            (n, false) if n >= FOLDED => {
                lines.push(format!("  … {n} statements without a change"));
            }
            _ => lines.extend(quiet.iter().map(|row| show_row(subject, row))),
        }
        quiet.clear();
    };
    let mut until = 0;
    for (i, row) in rows.iter().enumerate() {
        if let Some(fold) = alike.next_if(|f| f.rows.start == i) {
            flush(&mut quiet, &mut lines);
            let indent = "  ".repeat(row.depth.min(20) as usize + 1);
            let (first, last) = fold.iterations;
            lines.push(format!("{indent}… iterations {first} to {last} are alike"));
            until = fold.rows.end;
        }
        if i < until {
            continue;
        }
        if quiet.first().is_some_and(|q| aside(q) != aside(row)) {
            flush(&mut quiet, &mut lines);
        }
        if (row.is_quiet() || aside(row)) && i + 1 < rows.len() {
            quiet.push(row);
            continue;
        }
        flush(&mut quiet, &mut lines);
        lines.push(show_row(subject, row));
    }
    flush(&mut quiet, &mut lines);
    if lines.len() > 2 * ROWS_AT_ENDS + 1 {
        let middle = lines.len() - 2 * ROWS_AT_ENDS;
        let tail = lines.split_off(lines.len() - ROWS_AT_ENDS);
        lines.truncate(ROWS_AT_ENDS);
        lines.push(format!("  … {middle} lines folded"));
        lines.extend(tail);
    }
    lines
}

fn show_row(subject: &Subject<'_>, row: &Row) -> String {
    let indent = "  ".repeat(row.depth.min(20) as usize + 1);
    let place = subject.sources.place(row.span);
    let back = if row.returned { "← " } else { "" };
    let mut text = match row.enters {
        true => format!("{indent}{place} → {}", row.source),
        false => format!("{indent}{place} {}: {back}{}", row.function, row.source),
    };
    let facts = row.facts();
    if !facts.is_empty() {
        let _ = write!(text, "    [{}]", facts.join(", "));
    }
    text
}
