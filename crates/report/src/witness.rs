//! Witnesses in the YAML format of SV-COMP, versions 2.0 and 2.1, for both verdicts.
//!
//! A correctness witness gives loop invariants (2.1: function contracts too); a violation witness
//! one `function_return` waypoint per nondeterministic value and the target, the form that most
//! validators follow. Strings are written as JSON strings, which are YAML.

use crate::c_expr::{Named, Style, c_conjunction};
use crate::{InputFile, Subject, inputs, loop_invariants, sha256, show_value, statement_start};
use base::Id;
use evidence::{Proof, Trace, Verdict};
use logic::{TermId, Value};
use program::{FuncId, InputKind, SourceMap, Span, VarId};
use std::fmt::Write;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WitnessVersion {
    V2_0,
    V2_1,
}

impl WitnessVersion {
    fn text(self) -> &'static str {
        match self {
            WitnessVersion::V2_0 => "2.0",
            WitnessVersion::V2_1 => "2.1",
        }
    }
}

/// The witness of a definite verdict about a C program; `None` for `unknown`.
pub fn witness(subject: &Subject<'_>, version: WitnessVersion) -> Option<String> {
    let is_c = |f: &InputFile| f.name.ends_with(".c") || f.name.ends_with(".i");
    if !subject.files.iter().all(is_c) {
        return None;
    }
    match subject.verdict.get() {
        Verdict::Safe(proof) => Some(correctness(subject, proof, version)),
        Verdict::Unsafe(_) => {
            let trace = subject.verdict.record().trace.as_ref()?;
            Some(violation(subject, trace, version))
        }
        Verdict::Unknown(_) => None,
    }
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn header(subject: &Subject<'_>, entry_type: &str, version: WitnessVersion) -> String {
    let mut out = String::new();
    let mut seed = format!("{entry_type} {} ", version.text());
    for f in subject.files {
        seed.push_str(&f.sha256);
    }
    seed.push_str(subject.specification);
    let names: Vec<String> = subject.files.iter().map(|f| quoted(&f.name)).collect();
    let hashes: Vec<String> = subject
        .files
        .iter()
        .map(|f| format!("{}: {}", quoted(&f.name), quoted(&f.sha256)))
        .collect();
    let _ = write!(
        out,
        "- entry_type: {entry_type}\n  metadata:\n    format_version: \"{}\"\n    uuid: \"{}\"\n    creation_time: {}\n    producer:\n      name: \"Craig\"\n      version: \"{}\"\n      configuration: {}\n    task:\n      input_files: [{}]\n      input_file_hashes: {{{}}}\n      specification: {}\n      data_model: {}\n      language: C\n",
        version.text(),
        uuid(&seed),
        quoted(subject.creation_time),
        env!("CARGO_PKG_VERSION"),
        quoted(subject.engine),
        names.join(", "),
        hashes.join(", "),
        quoted(subject.specification),
        subject.data_model,
    );
    out
}

/// A name-based UUID: the same task gives the same one.
fn uuid(seed: &str) -> String {
    let hash = sha256(seed.as_bytes());
    let variant = match hash.as_bytes()[16] {
        b'0' | b'4' | b'8' | b'c' => '8',
        b'1' | b'5' | b'9' | b'd' => '9',
        b'2' | b'6' | b'a' | b'e' => 'a',
        _ => 'b',
    };
    format!(
        "{}-{}-5{}-{variant}{}-{}",
        &hash[0..8],
        &hash[8..12],
        &hash[13..16],
        &hash[17..20],
        &hash[20..32]
    )
}

fn location(subject: &Subject<'_>, span: Span, function: &str, indent: &str) -> String {
    let file = subject
        .sources
        .files
        .get(span.file)
        .map_or("", |f| f.name.as_str());
    let mut out = format!(
        "{indent}location:\n{indent}  file_name: {}\n{indent}  line: {}\n",
        quoted(file),
        span.line
    );
    if span.column > 0 {
        let _ = writeln!(out, "{indent}  column: {}", span.column);
    }
    if !function.is_empty() {
        let _ = writeln!(out, "{indent}  function: {}", quoted(function));
    }
    out
}

fn correctness(subject: &Subject<'_>, proof: &Proof, version: WitnessVersion) -> String {
    let mut out = header(subject, "invariant_set", version);
    let mut content = String::new();
    for l in loop_invariants(subject, proof) {
        let Some(value) = l.strict else { continue };
        content.push_str("    - invariant:\n        type: loop_invariant\n");
        content.push_str(&location(subject, l.span, &l.function, "        "));
        let _ = writeln!(
            content,
            "        value: {}\n        format: c_expression",
            quoted(&value)
        );
    }
    if version == WitnessVersion::V2_1 {
        for (&f, contract) in &proof.contracts {
            let about = subject.verdict.record().subject.program(subject.program);
            let function = &about.functions[f];
            // Functions that a pass made of loops are not in the source.
            if f.index() >= subject.program.functions.len() || !function.span.is_known() {
                continue;
            }
            let name = |t| contract_name(subject, f, t, true);
            let print = |term| {
                c_conjunction(
                    subject.pool,
                    &subject.pool.conjuncts(term),
                    Style::Strict,
                    &name,
                )
                .unwrap_or_else(|| "1".into())
            };
            content.push_str("    - contract:\n        type: function_contract\n");
            let start = statement_start(subject.sources, function.span);
            content.push_str(&location(
                subject,
                start.unwrap_or(function.span),
                &function.name,
                "        ",
            ));
            let _ = writeln!(
                content,
                "        requires: {}\n        ensures: {}\n        format: ext_c_expression",
                quoted(&print(contract.requires)),
                quoted(&print(contract.ensures))
            );
        }
    }
    if content.is_empty() {
        out.push_str("  content: []\n");
    } else {
        out.push_str("  content:\n");
        out.push_str(&content);
    }
    out
}

/// How a constant reads in the contract of a function. In the witness form, old values are
/// `\at(x,Old)` and the returned value is `\result`.
pub(crate) fn contract_name(
    subject: &Subject<'_>,
    function: FuncId,
    term: TermId,
    for_witness: bool,
) -> Option<Named> {
    let symbol = subject.pool.as_constant(term)?;
    let name = &subject.pool.symbol_data(symbol).name;
    let program = subject.verdict.record().subject.program(subject.program);
    let f = &program.functions[function];
    let named = |var: VarId, text: String| Named {
        text,
        range: program.vars[var].range.clone(),
    };
    let mut candidates = f.params.iter().chain(&f.returns).chain(&program.globals);
    if let Some(&var) = candidates.clone().find(|&&v| program.vars[v].term == term) {
        let text = if f.returns.contains(&var) {
            "\\result".to_string()
        } else {
            program.vars[var].source_name.clone()?
        };
        return Some(named(var, text));
    }
    let &var = candidates.find(|&&v| **name == *format!("old({})", program.vars[v].name))?;
    let source = program.vars[var].source_name.as_ref()?;
    let text = if for_witness {
        format!("\\at({source},Old)")
    } else {
        format!("old({source})")
    };
    Some(named(var, text))
}

fn violation(subject: &Subject<'_>, trace: &Trace, version: WitnessVersion) -> String {
    let mut out = header(subject, "violation_sequence", version);
    out.push_str("  content:\n");
    let format = match version {
        WitnessVersion::V2_0 => "acsl_expression",
        WitnessVersion::V2_1 => "ext_c_expression",
    };
    for input in inputs(subject.program, trace) {
        let InputKind::Nondet { function } = &input.kind else {
            continue;
        };
        let (Value::Num(_), Some(place)) = (
            &input.value,
            closing_parenthesis(subject.sources, input.span, function),
        ) else {
            continue;
        };
        if function.ends_with("float") || function.ends_with("double") {
            continue;
        }
        out.push_str("    - segment:\n      - waypoint:\n          type: function_return\n          action: follow\n");
        out.push_str(&location(subject, place, &input.function, "          "));
        let _ = writeln!(
            out,
            "          constraint:\n            value: {}\n            format: {format}",
            quoted(&format!("\\result == {}", show_value(&input.value)))
        );
    }
    let error = &subject.program.locations[trace.error];
    let span = error.error.as_ref().map_or(error.span, |tag| tag.span);
    let span = statement_start(subject.sources, span).unwrap_or(span);
    out.push_str(
        "    - segment:\n      - waypoint:\n          type: target\n          action: follow\n",
    );
    let function = &subject.program.functions[error.func].name;
    out.push_str(&location(subject, span, function, "          "));
    out
}

/// Where the argument list of a call that begins at or after `span` on its line ends.
pub fn closing_parenthesis(sources: &SourceMap, span: Span, function: &str) -> Option<Span> {
    let line = sources.line_text(span)?;
    let from = (span.column as usize).saturating_sub(1).min(line.len());
    let start = line.get(from..)?.find(function).map(|i| i + from);
    let start = start.or_else(|| line.find(function))? + function.len();
    let mut open = 0usize;
    for (i, c) in line.get(start..)?.char_indices() {
        match c {
            '(' => open += 1,
            ')' if open == 1 => {
                return Some(Span {
                    column: u32::try_from(start + i + 1).ok()?,
                    len: 1,
                    ..span
                });
            }
            ')' => open = open.checked_sub(1)?,
            _ => {}
        }
    }
    None
}
