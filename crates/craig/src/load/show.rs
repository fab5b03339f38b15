//! `craig show`: a program in one of its forms.

use super::{Language, Loaded, SourceOptions, load, read_all};
use crate::Error;
use clap::ValueEnum;
use logic::smtlib;
use program::{BlockKind, BlockSize, Stmt, blocks};
use std::fmt::Write;
use std::path::PathBuf;

/// The forms a program can be shown in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Form {
    /// Control-flow automata, in the text form that can be read back
    Cfa,
    /// The graph of large blocks
    Blocks,
    /// The formula of each block
    Ssa,
    /// Constrained Horn clauses, for other solvers
    Chc,
    /// Tokens of the source (C)
    Tokens,
    /// Typed syntax tree (C)
    Tree,
    /// Sizes
    Stats,
}

/// A program as text in the form asked for.
pub fn show(
    files: &[PathBuf],
    options: &SourceOptions,
    form: Form,
    dot: bool,
) -> Result<String, Error> {
    if dot && !matches!(form, Form::Cfa | Form::Blocks) {
        return Err(Error::Message("--dot is for cfa and blocks".into()));
    }
    if matches!(form, Form::Tokens | Form::Tree) {
        let (texts, language) = read_all(files, options)?;
        return match (language, form) {
            (Language::C, Form::Tokens) => Ok(crate::load::language::show_tokens(&texts)),
            (Language::C | Language::Llvm, _) => crate::load::language::show_tree(&texts, options),
            _ => Err(Error::Message(
                "tokens are for C, trees for C and LLVM".into(),
            )),
        };
    }
    let mut loaded = load(files, options)?;
    Ok(match form {
        Form::Cfa if dot => program::export::dot::program(&loaded.pool, &loaded.program),
        Form::Cfa => program::text::print(&loaded.pool, &loaded.program),
        Form::Blocks | Form::Ssa => show_blocks(&mut loaded, form == Form::Ssa, dot),
        Form::Chc => show_clauses(&mut loaded),
        Form::Stats | Form::Tokens | Form::Tree => stats(&loaded),
    })
}

/// The clauses, after what a reader of `unsat` should know.
fn show_clauses(loaded: &mut Loaded) -> String {
    let mut out = String::new();
    for note in loaded.program.assumptions.iter() {
        let _ = writeln!(out, "; assumed: {}", note.message);
    }
    for note in loaded.program.notes.iter() {
        let place = loaded.sources.place(note.span);
        let _ = writeln!(out, "; over-approximated: {place}: {}", note.message);
    }
    out + &program::export::chc::print(&mut loaded.pool, &loaded.program)
}

fn show_blocks(loaded: &mut Loaded, formulas: bool, dot: bool) -> String {
    let program = &loaded.program;
    let graph = blocks::encode(&mut loaded.pool, program, BlockSize::Large);
    if dot {
        return program::export::dot::blocks(&loaded.pool, program, &graph);
    }
    let mut out = String::new();
    for (id, block) in graph.blocks.iter_enumerated() {
        let function = &program.functions[program.locations[block.from].func].name;
        let _ = write!(out, "{id} {function}: {} -> {}", block.from, block.to);
        match &block.kind {
            BlockKind::Call(edge) => {
                let text =
                    program::text::print_stmt(&loaded.pool, program, &program.edges[*edge].stmt);
                let _ = writeln!(out, ": {text}");
            }
            BlockKind::Transition(t) => {
                let names = |vars: &[program::VarId]| {
                    vars.iter()
                        .map(|&v| program.vars[v].name.as_str())
                        .collect::<Vec<_>>()
                        .join(" ")
                };
                let _ = writeln!(
                    out,
                    ": {} edges, reads [{}], modifies [{}]",
                    t.edges.len(),
                    names(&t.reads),
                    names(&t.modified)
                );
                if formulas {
                    let _ = writeln!(out, "  {}", smtlib::print_term(&loaded.pool, t.formula));
                }
            }
        }
    }
    out
}

fn stats(loaded: &Loaded) -> String {
    let program = &loaded.program;
    let count =
        |pick: &dyn Fn(&Stmt) -> bool| program.edges.iter().filter(|e| pick(&e.stmt)).count();
    let loops = program
        .locations
        .iter()
        .filter(|l| l.loop_head.is_some())
        .count();
    let rows = [
        ("functions", program.functions.len()),
        ("variables", program.vars.len()),
        ("globals", program.globals.len()),
        ("locations", program.locations.len()),
        ("edges", program.edges.len()),
        ("assignments", count(&|s| matches!(s, Stmt::Assign(_)))),
        ("assumes", count(&|s| matches!(s, Stmt::Assume(_)))),
        ("havocs", count(&|s| matches!(s, Stmt::Havoc(..)))),
        ("calls", count(&|s| matches!(s, Stmt::Call { .. }))),
        ("loops", loops),
        ("errors", program.error_locations().count()),
        ("terms", loaded.pool.term_count()),
        ("assumptions", program.assumptions.len()),
        ("notes", program.notes.len()),
    ];
    let mut out = String::new();
    for (name, value) in rows {
        let _ = writeln!(out, "{name:<12} {value}");
    }
    out
}
