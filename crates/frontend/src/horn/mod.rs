//! Constrained Horn clauses (SMT-LIB, logic HORN as CHC-COMP writes it) as programs.
//!
//! A system is satisfiable exactly if `false` cannot be derived, which is safety of the program:
//! - *linear* systems (at most one predicate in a body) become one function: a location per
//!   predicate, its arguments as variables (shared where `registers` says so), a clause as an edge,
//!   queries lead to the error;
//! - *non-linear* ones become recursive functions: `P(x)` chooses a clause for P, guesses the
//!   clause's other variables, calls the predicates of its body and returns. It returns exactly if
//!   `P(x)` can be derived, so a summary of the function is a model of the predicate.

mod build;
mod clauses;
mod prune;
mod registers;
mod solve;

pub use build::{HornProgram, Predicate, PredicateHome, Shape, System};
pub use clauses::Clause;

use logic::smtlib::{CommandKind, Position, ScriptReader};
use logic::{Pool, SymbolId};
use program::{Diagnostic, FileId, Severity, SourceMap, Span};

/// Reads a Horn system.
pub fn read(
    pool: &mut Pool,
    name: &str,
    text: &str,
    shape: Shape,
    sources: &mut SourceMap,
) -> Result<HornProgram, Vec<Diagnostic>> {
    let file = sources.add(name, text);
    let mut diagnostics = Vec::new();
    let mut predicates: Vec<SymbolId> = Vec::new();
    let mut system: Vec<Clause> = Vec::new();
    let mut reader = ScriptReader::new(text);
    let mut quantified = clauses::Quantified::default();
    let bool_sort = pool.bool_sort();
    while let Some(next) = reader.next(pool, &mut quantified) {
        let command = match next {
            Ok(c) => c,
            Err(e) => {
                diagnostics.push(error(span(file, e.position), e.message));
                continue;
            }
        };
        match command.kind {
            CommandKind::Declare(symbol) => {
                if pool.symbol_data(symbol).sort != bool_sort {
                    let message = format!(
                        "`{}` is no predicate: a Horn system declares functions to Bool only",
                        pool.symbol_data(symbol).name
                    );
                    diagnostics.push(error(span(file, command.position), message));
                }
                predicates.push(symbol);
            }
            CommandKind::Assert { term, .. } => {
                let at = span(file, command.position);
                match clauses::extract(pool, term, &predicates, &quantified, at) {
                    Ok(found) => system.extend(found),
                    Err(why) => diagnostics.push(error(at, why)),
                }
            }
            _ => {}
        }
    }
    if !diagnostics.is_empty() {
        return Err(diagnostics);
    }
    Ok(build::build(pool, &predicates, system, shape))
}

fn span(file: FileId, at: Position) -> Span {
    Span {
        file,
        line: at.line,
        column: at.column,
        len: 1,
    }
}

fn error(span: Span, message: String) -> Diagnostic {
    Diagnostic {
        severity: Severity::Error,
        span,
        message,
        help: None,
    }
}
