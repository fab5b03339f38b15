//! Reports: what a checked verdict means, for people and for other tools.
//!
//! Input is always a [`Checked`](evidence::Checked) verdict; nothing here decides anything, reads a
//! file or asks the clock. `c_expr` prints formulas as C, `loops` puts a proof's assertions at the
//! loops of the source, `trace` reads an execution as a story in source terms; the other modules
//! each write one format from these.

#![forbid(unsafe_code)]

mod acsl;
mod bytes;
pub mod c_expr;
mod decision;
mod explain;
mod findings;
mod formula;
mod harness;
mod holder;
mod html;
mod iterations;
mod json;
mod loops;
mod reason;
mod refinement;
mod relevant;
mod sarif;
mod statement;
mod text;
pub mod tidy;
mod trace;
mod witness;
mod words;

use evidence::{Checked, Findings, Verdict};
use logic::Pool;
use program::{DebugInfo, Program, SourceMap};
use serde::Serialize;

pub use acsl::contract;
pub use explain::{Accessed, Explanation, accessed, explain};
pub use findings::{FindingView, findings};
pub use harness::harness;
pub use html::html;
pub use json::json;
pub use loops::{LoopInvariant, loop_invariants};
pub use reason::{reason_advice, reason_text};
pub use refinement::LOG_SHOWN;
pub use sarif::sarif;
pub use statement::statement_start;
pub use text::text;
pub use trace::{Effect, Input, Row, inputs, rows, show_value};
pub use witness::{WitnessVersion, closing_parenthesis, witness};

/// A file of the task as the user named it.
#[derive(Clone, Debug, Serialize)]
pub struct InputFile {
    pub name: String,
    pub sha256: LazySha256,
}

/// The hash of a text, made when somebody asks for it: few outputs do.
#[derive(Clone, Debug)]
pub struct LazySha256 {
    text: std::sync::Arc<str>,
    hash: std::sync::OnceLock<String>,
}

impl LazySha256 {
    pub fn of(text: &str) -> Self {
        let hash = std::sync::OnceLock::new();
        let text = text.into();
        LazySha256 { text, hash }
    }

    pub fn get(&self) -> &str {
        self.hash.get_or_init(|| sha256(self.text.as_bytes()))
    }
}

impl Serialize for LazySha256 {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.get())
    }
}

/// The lower-case hexadecimal SHA-256 of some bytes.
pub fn sha256(bytes: &[u8]) -> String {
    use sha2::Digest;
    use std::fmt::Write;
    let mut out = String::with_capacity(64);
    for byte in sha2::Sha256::digest(bytes) {
        let _ = write!(out, "{byte:02x}");
    }
    out
}

/// Another solver that confirmed every obligation of the proof.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Confirmation {
    /// As the user named it.
    pub solver: String,
    /// How many it confirmed.
    pub obligations: usize,
}

/// Everything a report is made from.
pub struct Subject<'a> {
    pub pool: &'a Pool,
    pub program: &'a Program,
    /// What values mean in the words of the source.
    pub debug: &'a DebugInfo,
    pub sources: &'a SourceMap,
    pub files: &'a [InputFile],
    pub verdict: &'a Checked<Verdict>,
    pub engine: &'a str,
    /// As in `.prp` files: `G ! call(reach_error())`.
    pub specification: &'a str,
    /// `ILP32` or `LP64`.
    pub data_model: &'a str,
    /// ISO 8601 with offset.
    pub creation_time: &'a str,
    /// Seconds of wall-clock time, and the engine's counters.
    pub seconds: f64,
    pub stats: &'a [(String, u64)],
    /// What is known of each check of the program.
    pub findings: &'a Findings,
    /// The run was asked to decide every check, not to end with the first violation.
    pub every_check: bool,
    /// All steps of an execution are told, also those that do not matter.
    pub whole_trace: bool,
    /// What the engines did, as JSON lines, if that was asked for.
    pub log: Option<&'a str>,
    /// A second opinion on the proof.
    pub confirmation: Option<&'a Confirmation>,
}

impl Subject<'_> {
    /// Bytes of an address.
    pub fn pointer_size(&self) -> u64 {
        if self.data_model == "ILP32" { 4 } else { 8 }
    }
}

/// The name of a property as SV-COMP spells it.
pub fn property_name(property: program::Property) -> &'static str {
    property.name()
}
