//! An execution as a story in source terms: one row per source line, with what changed on it.
//!
//! Edges of one line and one call depth are one row. A row on which no variable of the user changed
//! and no input was read is *quiet*; runs of quiet rows are folded by the writers.

use crate::Subject;
use crate::heap::Heap;
use evidence::Trace;
use logic::Value;
use program::{InputKind, Program, Span, Stmt};

/// Consecutive steps on one source line.
#[derive(Clone, Debug)]
pub struct Row {
    pub span: Span,
    pub function: String,
    pub depth: u32,
    /// The line as the user wrote it, trimmed.
    pub source: String,
    /// `name = value`, the last value of each variable.
    pub changes: Vec<(String, String)>,
    /// Inputs read on this line: function and value.
    pub inputs: Vec<(String, String)>,
    /// Edges taken.
    pub steps: usize,
}

impl Row {
    pub fn is_quiet(&self) -> bool {
        self.changes.is_empty() && self.inputs.is_empty()
    }
}

/// A value that the program did not determine.
#[derive(Clone, Debug)]
pub struct Input {
    pub kind: InputKind,
    pub value: Value,
    pub span: Span,
    /// Name of the function in which it was read.
    pub function: String,
}

/// The nondeterministic values of an execution that come from a function call, in order.
pub fn inputs(program: &Program, trace: &Trace) -> Vec<Input> {
    let mut out = Vec::new();
    for chosen in &trace.inputs {
        let edge = &program.edges[chosen.edge];
        if let Stmt::Havoc(_, kind) = &edge.stmt
            && kind.source().is_some()
        {
            let function = program.locations[edge.from].func;
            out.push(Input {
                kind: kind.clone(),
                value: chosen.value.clone(),
                span: edge.span,
                function: program.functions[function].name.clone(),
            });
        }
    }
    out
}

pub fn rows(subject: &Subject<'_>, trace: &Trace) -> Vec<Row> {
    let program = subject.program;
    let mut out: Vec<Row> = Vec::new();
    let mut heap = Heap::default();
    for step in &trace.steps {
        let edge = &program.edges[step.edge];
        let of_memory = heap.rows(program, &step.changes);
        if !edge.span.is_known() {
            continue;
        }
        let function = &program.functions[program.locations[edge.from].func].name;
        let same = out.last().is_some_and(|r| {
            r.span.file == edge.span.file
                && r.span.line == edge.span.line
                && r.depth == step.depth
                && r.function == *function
        });
        if !same {
            out.push(Row {
                span: edge.span,
                function: function.clone(),
                depth: step.depth,
                source: subject
                    .sources
                    .line_text(edge.span)
                    .unwrap_or("")
                    .trim()
                    .to_string(),
                changes: Vec::new(),
                inputs: Vec::new(),
                steps: 0,
            });
        }
        let row = out.last_mut().expect("a row was pushed above");
        row.steps += 1;
        if let Stmt::Havoc(vars, kind) = &edge.stmt {
            let name = kind.source().unwrap_or("");
            for &var in vars.iter().filter(|_| !name.is_empty()) {
                if let Some(change) = step.changes.iter().find(|c| c.var == var) {
                    row.inputs
                        .push((name.to_string(), show_value(&change.value)));
                }
            }
        }
        for (name, value) in of_memory {
            match row.changes.iter_mut().find(|(n, _)| *n == name) {
                Some(entry) => entry.1 = value,
                None => row.changes.push((name, value)),
            }
        }
        for change in &step.changes {
            let Some(name) = &program.vars[change.var].source_name else {
                continue;
            };
            let name = match &change.index {
                // Elements of an array are one variable, called `a[]`.
                Some(index) => {
                    let array = name.strip_suffix("[]").unwrap_or(name);
                    format!("{array}[{}]", show_value(index))
                }
                None if matches!(change.value, Value::Array(_)) => continue,
                None => name.clone(),
            };
            let value = show_value(&change.value);
            match row.changes.iter_mut().find(|(n, _)| *n == name) {
                Some(entry) => entry.1 = value,
                None => row.changes.push((name, value)),
            }
        }
    }
    out
}

pub fn show_value(value: &Value) -> String {
    match value {
        Value::Bool(b) => b.to_string(),
        Value::Num(n) => n.to_string(),
        Value::Array(a) => {
            let mut parts: Vec<String> = a
                .entries
                .iter()
                .take(8)
                .map(|(i, v)| format!("[{}] = {}", show_value(i), show_value(v)))
                .collect();
            parts.push(format!("else {}", show_value(&a.default)));
            format!("{{{}}}", parts.join(", "))
        }
        Value::Element(_, n) => format!("#{n}"),
    }
}
