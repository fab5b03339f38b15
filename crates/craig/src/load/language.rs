//! The front ends behind one signature.

use crate::Error;
use crate::load::{Language, SourceOptions, SourceText};
use frontend::boogie::{BoogieOptions, BoogieProgram};
use frontend::c::hir::Unit;
use frontend::c::lower::{LowerOptions, Lowered, lower_with_claims};
use frontend::c::sema::claims::{Claim, Placed};
use frontend::c::syntax::lexer::{Interner, lex};
use frontend::c::types::DataModel;
use frontend::c::{COptions, parse_with_claims};
use logic::Pool;
use program::{DebugInfo, Diagnostic, Note, Program, SourceMap};
use std::fmt::Write;

/// What a front end gives.
pub struct Front {
    pub program: Program,
    /// What values mean in the words of the source.
    pub debug: DebugInfo,
    pub sources: SourceMap,
    pub warnings: Vec<Diagnostic>,
    /// Why an error found may be none: the program has more executions than the text.
    pub inexact: Option<Note>,
    /// The Horn system that the program stands for.
    pub horn: Option<frontend::horn::System>,
    /// What the caller of an entry with arguments chooses and assumes.
    pub caller: Option<frontend::c::entry::Description>,
}

fn data_model(options: &SourceOptions) -> DataModel {
    if options.bits32 {
        DataModel::Ilp32
    } else {
        DataModel::Lp64
    }
}

/// Parses and links C files; places are the user's own.
fn parse_c(
    texts: &[SourceText],
    options: &SourceOptions,
    claims: &[Claim],
) -> Result<(Unit, Vec<Diagnostic>, SourceMap), Error> {
    let mut sources = SourceMap::default();
    for t in texts {
        sources.add(&t.name, &t.text);
    }
    let files: Vec<(&str, &str)> = texts
        .iter()
        .map(|t| {
            (
                t.name.as_str(),
                t.preprocessed.as_ref().unwrap_or(&t.text).as_str(),
            )
        })
        .collect();
    let c_options = COptions {
        data_model: data_model(options),
        // A file that came preprocessed is what the user has: its own lines count.
        line_markers: texts.iter().any(|t| t.preprocessed.is_some()),
        running: options.running,
    };
    let parsed = parse_with_claims(&files, &c_options, claims, &mut sources);
    // Headers that the markers named, for diagnostics and traces.
    for file in sources.files.iter_mut().filter(|f| f.text.is_empty()) {
        file.text = std::fs::read_to_string(&file.name).unwrap_or_default();
    }
    match parsed {
        Ok((unit, warnings)) => Ok((unit, warnings, sources)),
        Err(diagnostics) => Err(Error::Input {
            diagnostics,
            sources,
        }),
    }
}

pub fn c(pool: &mut Pool, texts: &[SourceText], options: &SourceOptions) -> Result<Front, Error> {
    c_with_claims(pool, texts, options, &[]).map(|(front, _)| front)
}

/// A C program and what claims say at their places in it.
pub fn c_with_claims(
    pool: &mut Pool,
    texts: &[SourceText],
    options: &SourceOptions,
    claims: &[Claim],
) -> Result<(Front, Vec<Placed>), Error> {
    let (mut unit, warnings, sources) = parse_c(texts, options, claims)?;
    let (mut caller, mut reach_end) = (None, false);
    if let Some(environment) = &options.environment {
        let added = frontend::c::entry::add(&mut unit, environment, &sources);
        caller = Some(added.map_err(Error::Message)?);
        reach_end = environment.reach_end;
    }
    let entry = match &caller {
        Some(_) => frontend::c::entry::ENTRY,
        None => options.entry.as_deref().unwrap_or("main"),
    };
    let lower_options = LowerOptions {
        data_model: data_model(options),
        properties: options.properties.checked.iter().copied().collect(),
        wrapv: options.wrapv,
        entry: entry.into(),
        reach_end,
        claims: claims.to_vec(),
        library_writes: options
            .externs_write
            .unwrap_or(!options.properties.competition),
        malloc_may_fail: options.malloc_may_fail,
        running: options.running,
    };
    match lower_with_claims(pool, &unit, &lower_options, &sources) {
        Ok(Lowered {
            program,
            claims: placed,
            debug,
        }) => Ok((
            Front {
                program,
                debug,
                sources,
                warnings,
                inexact: None,
                horn: None,
                caller,
            },
            placed,
        )),
        Err(diagnostics) => Err(Error::Input {
            diagnostics,
            sources,
        }),
    }
}

pub fn boogie(
    pool: &mut Pool,
    texts: &[SourceText],
    options: &SourceOptions,
) -> Result<Front, Error> {
    let text = single(texts, "Boogie programs")?;
    let mut sources = SourceMap::default();
    let options = BoogieOptions {
        entry: options.entry.clone(),
    };
    let read = frontend::boogie::read(pool, &text.name, &text.text, &options, &mut sources);
    boogie_front(read, sources)
}

/// A program of the IPROC paper's language.
pub fn iproc(
    pool: &mut Pool,
    texts: &[SourceText],
    options: &SourceOptions,
) -> Result<Front, Error> {
    let text = single(texts, "IPROC programs")?;
    let mut sources = SourceMap::default();
    let entry = options.entry.as_deref();
    let read = frontend::iproc::read(pool, &text.name, &text.text, entry, &mut sources);
    boogie_front(read, sources)
}

/// The only text of a language that has no linker.
fn single<'t>(texts: &'t [SourceText], what: &str) -> Result<&'t SourceText, Error> {
    match texts {
        [text] => Ok(text),
        _ => Err(Error::Message(format!(
            "{what} are read from one file at a time"
        ))),
    }
}

fn boogie_front(
    read: Result<BoogieProgram, Vec<Diagnostic>>,
    sources: SourceMap,
) -> Result<Front, Error> {
    match read {
        Ok(read) => Ok(Front {
            program: read.program,
            debug: DebugInfo::default(),
            sources,
            warnings: read.warnings,
            inexact: read.inexact,
            horn: None,
            caller: None,
        }),
        Err(diagnostics) => Err(Error::Input {
            diagnostics,
            sources,
        }),
    }
}

/// A system of constrained Horn clauses: safe if it is satisfiable.
pub fn horn(
    pool: &mut Pool,
    texts: &[SourceText],
    options: &SourceOptions,
) -> Result<Front, Error> {
    let text = single(texts, "Horn clauses")?;
    let mut sources = SourceMap::default();
    let shape = options.horn_shape;
    match frontend::horn::read(pool, &text.name, &text.text, shape, &mut sources) {
        Ok(horn) => Ok(Front {
            program: horn.program,
            debug: DebugInfo::default(),
            sources,
            warnings: Vec::new(),
            inexact: None,
            horn: Some(horn.system),
            caller: None,
        }),
        Err(diagnostics) => Err(Error::Input {
            diagnostics,
            sources,
        }),
    }
}

/// LLVM assembly, perhaps of a file in another language.
pub fn llvm(
    pool: &mut Pool,
    texts: &[SourceText],
    options: &SourceOptions,
) -> Result<Front, Error> {
    let text = single(texts, "LLVM modules")?;
    let mut sources = SourceMap::default();
    sources.add(&text.name, &text.text);
    let entry = options.entry.as_deref().unwrap_or("main");
    let read = match &text.preprocessed {
        Some(assembly) => {
            let name = format!("{} (LLVM)", text.name);
            frontend::llvm::read(&name, assembly, entry, &mut sources)
        }
        None => frontend::llvm::read(&text.name, &text.text, entry, &mut sources),
    };
    for file in sources.files.iter_mut().filter(|f| f.text.is_empty()) {
        file.text = std::fs::read_to_string(&file.name).unwrap_or_default();
    }
    let read = match read {
        Ok(read) => read,
        Err(diagnostics) => {
            return Err(Error::Input {
                diagnostics,
                sources,
            });
        }
    };
    let lower_options = LowerOptions {
        data_model: if read.bits32 {
            DataModel::Ilp32
        } else {
            DataModel::Lp64
        },
        properties: options.properties.checked.iter().copied().collect(),
        wrapv: options.wrapv,
        entry: read.entry,
        claims: Vec::new(),
        library_writes: options
            .externs_write
            .unwrap_or(!options.properties.competition),
        malloc_may_fail: options.malloc_may_fail,
        running: options.running,
        reach_end: false,
    };
    match lower_with_claims(pool, &read.unit, &lower_options, &sources) {
        Ok(lowered) => Ok(Front {
            program: lowered.program,
            debug: lowered.debug,
            sources,
            warnings: read.warnings,
            inexact: None,
            horn: None,
            caller: None,
        }),
        Err(diagnostics) => Err(Error::Input {
            diagnostics,
            sources,
        }),
    }
}

/// The text form of the program model; errors have a line.
pub fn model(pool: &mut Pool, texts: &[SourceText]) -> Result<Front, Error> {
    let text = single(texts, "programs in text form")?;
    let program = program::text::parse(pool, &text.text)
        .map_err(|e| Error::Message(format!("{}: {e}", text.name)))?;
    let mut sources = SourceMap::default();
    sources.add(&text.name, &text.text);
    Ok(Front {
        program,
        debug: DebugInfo::default(),
        sources,
        warnings: Vec::new(),
        inexact: None,
        horn: None,
        caller: None,
    })
}

/// The tokens of C files, one a line.
pub fn show_tokens(texts: &[SourceText]) -> String {
    let mut out = String::new();
    for t in texts {
        let text = t.preprocessed.as_ref().unwrap_or(&t.text);
        let mut names = Interner::new();
        let lexed = lex(text, &mut names);
        for token in &lexed.tokens {
            let _ = writeln!(out, "{token:?}");
        }
    }
    out
}

/// The typed tree of a C program or LLVM module.
pub fn show_tree(texts: &[SourceText], options: &SourceOptions) -> Result<String, Error> {
    if let [text] = texts
        && Language::of(std::path::Path::new(&text.name)) == Some(Language::Llvm)
    {
        let mut sources = SourceMap::default();
        let assembly = text.preprocessed.as_ref().unwrap_or(&text.text);
        let read = frontend::llvm::read(&text.name, assembly, "main", &mut sources);
        return match read {
            Ok(read) => Ok(frontend::c::hir::dump::dump(&read.unit)),
            Err(diagnostics) => Err(Error::Input {
                diagnostics,
                sources,
            }),
        };
    }
    let (unit, _, _) = parse_c(texts, options, &[])?;
    Ok(frontend::c::hir::dump::dump(&unit))
}

/// The functions of a C program that can be entries of their own.
pub fn c_entries(texts: &[SourceText], options: &SourceOptions) -> Result<Vec<String>, Error> {
    let (unit, _, sources) = parse_c(texts, options, &[])?;
    // Functions of headers are others' business.
    let given = |f| texts.iter().any(|t| t.name == sources.files[f].name);
    Ok(frontend::c::entry::entries(&unit, given))
}
