//! Why a call that must not happen happened: the last decision of the program before it, with the values that
//! decided.
//!
//! ```text
//!   `a > 3 && b == 7` was decided with a = 4, b = 7
//! ```

use crate::Subject;
use crate::statement::Statements;
use crate::words::Words;
use base::FxHashMap;
use evidence::Trace;
use logic::Value;
use program::{Span, Stmt, VarId, VarKind};

/// Values shown at most.
const SHOWN: usize = 6;

/// The last condition of the source, or the statement that a macro makes one of, that was decided on the way to the error, with its variables.
pub fn last_decision(subject: &Subject<'_>, trace: &Trace) -> Option<String> {
    let program = subject.program;
    let mut statements = Statements::default();
    // A condition with `&&` or `||` is several decisions of one statement.
    let mut deciding: Option<(Span, String)> = None;
    let mut first = trace.steps.len();
    for (i, step) in trace.steps.iter().enumerate().rev() {
        let edge = &program.edges[step.edge];
        let function = &program.functions[program.locations[edge.from].func].name;
        let told = edge.span.is_known() && !function.contains('.');
        if !told || crate::trace::is_compiled(subject, edge.span) || matches!(edge.stmt, Stmt::Skip)
        {
            continue;
        }
        let found = statements.at(subject.sources, edge.span);
        let decides = matches!(edge.stmt, Stmt::Assume(_));
        match (&deciding, found) {
            (None, Some(found)) if decides => {
                deciding = Some(found);
                first = i;
            }
            (Some(last), Some(found)) if last.0 == found.0 => first = i,
            (Some(_), Some(_)) => break,
            _ => {}
        }
    }
    let (_, text) = deciding?;
    let values = values(subject, trace, first, text.as_str());
    let plain = text.trim_end_matches(';');
    let inner = plain
        .split_once('(')
        .and_then(|(_, rest)| rest.strip_suffix(')'));
    let condition = inner.filter(|_| is_condition(plain)).unwrap_or(plain);
    let values = values.join(", ");
    (!values.is_empty()).then(|| format!("`{condition}` was decided with {values}"))
}

fn is_condition(text: &str) -> bool {
    let asks = ["if (", "while (", "switch (", "assert("];
    text.ends_with(')') && asks.iter().any(|w| text.starts_with(w))
}

/// The variables that the text names, with the values that they had before the step.
fn values(subject: &Subject<'_>, trace: &Trace, before: usize, text: &str) -> Vec<String> {
    let program = subject.program;
    let depth = trace.steps[before].depth;
    let mut known: FxHashMap<VarId, &Value> = FxHashMap::default();
    for step in &trace.steps[..before] {
        let enters = !step.returns && matches!(program.edges[step.edge].stmt, Stmt::Call { .. });
        let inner = step.depth + u32::from(enters);
        for change in step.changes.iter().filter(|c| c.index.is_none()) {
            if program.vars[change.var].kind == VarKind::Global || inner == depth {
                known.insert(change.var, &change.value);
            }
        }
    }
    let words = Words::new(subject.debug, subject.sources, subject.pointer_size());
    let function = program.locations[program.edges[trace.steps[before].edge].from].func;
    let mut out = Vec::new();
    let mut names: Vec<&str> = Vec::new();
    for name in text.split(|c: char| !(c.is_alphanumeric() || c == '_')) {
        if names.contains(&name) || name.is_empty() {
            continue;
        }
        names.push(name);
        let locals = program.functions[function].locals.iter();
        let own = locals.chain(&program.functions[function].params);
        let globals = program
            .vars
            .ids()
            .filter(|v| program.vars[*v].kind == VarKind::Global);
        let mut all = own.copied().chain(globals);
        let found = all.find(|v| {
            program.vars[*v].source_name.as_deref() == Some(name) && known.contains_key(v)
        });
        let Some(var) = found else { continue };
        let ty = subject.debug.vars.get(&program.vars[var].term).copied();
        // Pointers to objects that this execution made have no words here.
        let pointer = ty.is_some_and(|t| words.pointee(t).is_some());
        if matches!(known[&var], Value::Num(_) | Value::Bool(_)) && !pointer {
            out.push(format!("{name} = {}", words.value(known[&var], ty)));
        }
    }
    out.truncate(SHOWN);
    out
}
