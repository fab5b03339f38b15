//! The account for people that `craig check` prints before its last line.

use crate::{
    Row, Subject, explain, inputs, loop_invariants, property_name, reason_advice, reason_text,
    rows, show_value,
};
use base::Id;
use evidence::{Decision, Proof, Trace, Verdict};
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
            notes(
                subject,
                "over-approximated",
                &subject.program.notes,
                &mut out,
            );
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
        line(
            out,
            &format!("Executed completely: {steps} steps; no decision depends on an input."),
        );
        notes(subject, "assuming", &subject.program.assumptions, out);
        notes(subject, "over-approximated", &subject.program.notes, out);
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
            let _ = writeln!(
                out,
                "  {} (in {}): {text}",
                subject.sources.place(l.span),
                l.function
            );
        }
    }
    contracts(subject, proof, out);
}

fn contracts(subject: &Subject<'_>, proof: &Proof, out: &mut String) {
    use crate::c_expr::{Style, c_conjunction};
    let mut shown = Vec::new();
    for (&f, contract) in &proof.contracts {
        // Functions that a pass made of loops are shown as loop invariants.
        if f.index() >= subject.program.functions.len() {
            continue;
        }
        let name = |t| crate::witness::contract_name(subject, f, t, false);
        let print = |term| {
            c_conjunction(
                subject.pool,
                &subject.pool.conjuncts(term),
                Style::People,
                &name,
            )
            .unwrap_or_else(|| "true".into())
        };
        shown.push(format!(
            "  {}: requires {}; ensures {}",
            subject.program.functions[f].name,
            print(contract.requires),
            print(contract.ensures)
        ));
    }
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
        let explanation = explain(subject, trace);
        if !explanation.text.is_empty() {
            let _ = writeln!(out, "  why: {} (CWE-{})", explanation.text, explanation.cwe);
        }
    }
    let list = inputs(subject.program, trace);
    if !list.is_empty() {
        line(out, "Inputs:");
        for input in list.iter().take(2 * ROWS_AT_ENDS) {
            let name = input.kind.source().unwrap_or("unknown");
            let _ = writeln!(
                out,
                "  {} {name}() = {}",
                subject.sources.place(input.span),
                show_value(&input.value)
            );
        }
        if list.len() > 2 * ROWS_AT_ENDS {
            let _ = writeln!(out, "  … and {} more", list.len() - 2 * ROWS_AT_ENDS);
        }
    }
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

/// The rows as lines; runs of quiet rows and the middle of long traces are folded.
pub(crate) fn folded(subject: &Subject<'_>, rows: &[Row]) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut quiet = 0;
    let flush = |quiet: &mut usize, lines: &mut Vec<String>| {
        if *quiet > 0 {
            lines.push(format!(
                "  … {quiet} line{} without a change",
                if *quiet == 1 { "" } else { "s" }
            ));
            *quiet = 0;
        }
    };
    for (i, row) in rows.iter().enumerate() {
        let enters = i > 0 && rows[i - 1].depth != row.depth;
        if row.is_quiet() && !enters && i + 1 < rows.len() {
            quiet += 1;
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
    let mut text = format!(
        "{indent}{} {}: {}",
        subject.sources.place(row.span),
        row.function,
        row.source
    );
    let mut facts: Vec<String> = row
        .inputs
        .iter()
        .map(|(f, v)| format!("{f}() = {v}"))
        .collect();
    facts.extend(row.changes.iter().map(|(n, v)| format!("{n} = {v}")));
    if !facts.is_empty() {
        let _ = write!(text, "    [{}]", facts.join(", "));
    }
    text
}
