//! `craig validate --witness`: what another tool (or an earlier run) claims of a program, judged by
//! our own checker.
//!
//! ```text
//! F.yml ─yaml→ tree ─read→ claims ────→ proof as it is, else candidates for an engine ─→ verdict
//!                        └ waypoints ─→ inputs of a replay ────────────────────────────→ verdict
//! ```
//! Nothing in a witness is believed: `safe` comes from obligations that the checker refutes,
//! `unsafe` from an execution that the interpreter makes.

pub mod validate;

mod correctness;
mod read;
pub mod rules;
mod violation;
pub mod yaml;

use crate::load::SourceOptions;
use crate::{Error, Loaded, Properties};
use base::Budget;
use evidence::{Checked, Reason, Verdict};
use program::{Diagnostic, SourceMap};
use read::{Content, Witness};
use std::path::PathBuf;

/// Reads a witness and forgets it: its first mistake, if it has one.
pub fn first_mistake(name: &str, text: &str, sources: &mut SourceMap) -> Option<Diagnostic> {
    read::read(name, text, sources).err()
}

/// What the command line leaves to the witness.
#[derive(Clone, Copy, Debug, Default)]
pub struct Open {
    /// The property is the one that the witness names.
    pub property: bool,
    /// The data model is the one that the witness names.
    pub data_model: bool,
}

/// The end of a validation.
pub struct Validation {
    /// The verdict of our own checker.
    pub verdict: Checked<Verdict>,
    /// For people, lines.
    pub account: String,
    /// The claims were a proof, or the values an execution to the target, as they are.
    pub as_it_is: bool,
}

/// Judges the witness with this name and text on the program of these files.
pub fn validate(
    paths: &[PathBuf],
    options: &SourceOptions,
    open: Open,
    (name, text): (&str, &str),
    budget: &Budget,
) -> Result<Validation, Error> {
    let mut sources = SourceMap::default();
    let witness = read::read(name, text, &mut sources).map_err(|d| Error::Input {
        diagnostics: vec![d],
        sources,
    })?;
    let mut options = options.clone();
    adopt(&witness, open, &mut options)?;
    let mut validation = match &witness.content {
        Content::Correctness(claims) => {
            correctness::validate(paths, &options, &witness, claims, budget)?
        }
        Content::Violation(waypoints) => {
            violation::validate(paths, &options, &witness, waypoints, budget)?
        }
    };
    for what in &witness.unused {
        validation.account += &format!("  not used: {what}\n");
    }
    Ok(validation)
}

/// Refuses a witness that breaks a rule of its format, with a diagnostic for each.
pub fn hold_to_rules(name: &str, text: &str) -> Result<(), Error> {
    let mut sources = SourceMap::default();
    let diagnostics = match rules::breaches(name, text, &mut sources) {
        Ok(breaches) => breaches.into_iter().map(|b| b.diagnostic).collect(),
        Err(no_yaml) => vec![*no_yaml],
    };
    if diagnostics.is_empty() {
        return Ok(());
    }
    Err(Error::Input {
        diagnostics,
        sources,
    })
}

/// Property and data model of the witness, where the command line does not say.
fn adopt(witness: &Witness, open: Open, options: &mut SourceOptions) -> Result<(), Error> {
    if let (true, Some(text)) = (open.property, &witness.task.specification) {
        options.properties = Properties::from_specification(text)?;
    }
    if let (true, Some(model)) = (open.data_model, &witness.task.data_model) {
        options.bits32 = match model.as_str() {
            "ILP32" => true,
            "LP64" => false,
            other => return Err(Error::Message(format!("unknown data model `{other}`"))),
        };
        options.preprocessor.bits32 = options.bits32;
    }
    Ok(())
}

/// Why evidence was not accepted; here it is no engine's.
fn why(reason: &Reason, sources: &SourceMap) -> String {
    match reason {
        Reason::EvidenceRejected { why } => why.clone(),
        other => report::reason_text(other, sources),
    }
}

/// A witness speaks of files by their contents.
fn same_files(witness: &Witness, loaded: &Loaded) -> Result<(), Error> {
    for (name, hash) in &witness.task.hashes {
        if !loaded.files.iter().any(|f| f.sha256.get() == *hash) {
            return Err(Error::Message(format!(
                "the witness speaks of another program: no file has the contents that it knows as `{name}`"
            )));
        }
    }
    Ok(())
}

/// Do two paths name the same file, as far as witnesses keep them?
fn same_name(a: &str, b: &str) -> bool {
    let last = |p: &str| p.rsplit('/').next().unwrap_or(p).to_string();
    last(a) == last(b)
}
