//! What a run says of each unit, as data: it travels from workers to the run, into the store, and
//! between machines as a file of a shard.

use crate::VerdictKind;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

/// A verdict as results spell it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Answer {
    /// No execution violates the property.
    Safe,
    /// Some execution does.
    Unsafe,
    /// Neither was shown.
    Unknown,
}

impl Answer {
    /// `safe`, `unsafe` or `unknown`.
    pub fn as_str(self) -> &'static str {
        match self {
            Answer::Safe => "safe",
            Answer::Unsafe => "unsafe",
            Answer::Unknown => "unknown",
        }
    }
}

impl From<VerdictKind> for Answer {
    fn from(kind: VerdictKind) -> Self {
        match kind {
            VerdictKind::Safe => Answer::Safe,
            VerdictKind::Unsafe => Answer::Unsafe,
            VerdictKind::Unknown => Answer::Unknown,
        }
    }
}

/// Where an answer comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// An engine found it in this run.
    Found,
    /// The evidence of an earlier version of the unit, which the checker accepted for this one.
    Adapted,
    /// Remembered evidence that the checker accepted again in this run.
    Rechecked,
    /// Open before, with the same program, options, version and no smaller limits.
    Remembered,
}

impl Origin {
    /// The answer is new to the store.
    pub fn is_new(self) -> bool {
        matches!(self, Origin::Found | Origin::Adapted)
    }
}

/// The result of one unit.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct UnitResult {
    /// The unit's name.
    pub unit: String,
    /// Its files, from the project's folder.
    pub files: Vec<String>,
    /// The verdict.
    pub verdict: Answer,
    /// Where it comes from.
    pub origin: Origin,
    /// Wall-clock time of this run.
    pub seconds: f64,
    /// Most memory that the worker held, in MiB.
    pub memory_mib: u64,
    /// The hash of the program's text form; empty if the front end did not get that far.
    pub program: String,
    /// A proof or a counterexample, as the store keeps it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Json>,
    /// The same in words that survive edits, for the next version of the unit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub earlier: Option<Json>,
    /// What is violated.
    #[serde(default)]
    pub findings: Vec<Finding>,
    /// What callers of a function must keep for its proof to hold: preconditions that were inferred.
    #[serde(default)]
    pub requires: Vec<String>,
    /// What else was assumed of callers of a function.
    #[serde(default)]
    pub assumes: Vec<String>,
    /// Nothing reaches the end of the function: its proof says nothing.
    #[serde(default)]
    pub vacuous: bool,
    /// Why there is no answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The memory limit ended the unit: with more it may go on.
    #[serde(default)]
    pub out_of_memory: bool,
    /// The worker ended without an answer (killed from outside, or a bug): not remembered.
    #[serde(default)]
    pub lost: bool,
    /// Results and notifications in SARIF.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sarif: Option<Json>,
}

impl UnitResult {
    /// A unit without an answer.
    pub fn open(unit: &str, files: &[String], reason: impl Into<String>) -> Self {
        UnitResult {
            unit: unit.into(),
            files: files.to_vec(),
            verdict: Answer::Unknown,
            origin: Origin::Found,
            seconds: 0.0,
            memory_mib: 0,
            program: String::new(),
            evidence: None,
            earlier: None,
            findings: Vec::new(),
            requires: Vec::new(),
            assumes: Vec::new(),
            vacuous: false,
            reason: Some(reason.into()),
            out_of_memory: false,
            lost: false,
            sarif: None,
        }
    }

    /// Everything about the answer that must be the same wherever and however often a unit is
    /// checked: all but times, memory and origin.
    pub fn answer(&self) -> (&str, Answer, &str, Vec<&str>) {
        let findings = self.findings.iter().map(|f| f.fingerprint.as_str());
        (&self.unit, self.verdict, &self.program, findings.collect())
    }
}

/// A violation.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Finding {
    /// What a baseline knows it by: survives edits elsewhere in the file.
    pub fingerprint: String,
    /// The property's name.
    pub property: String,
    /// From the project's folder.
    pub file: String,
    /// Line, from 1.
    pub line: u64,
    /// What is wrong.
    pub message: String,
    /// Why it does not count: a suppression's reason, or that a baseline has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accepted: Option<String>,
}

/// The findings of a unit, as its SARIF has them. `line_text` gives the text of a line.
pub fn findings(
    unit: &str,
    sarif: &Json,
    line_text: &dyn Fn(&str, u64) -> Option<String>,
) -> Vec<Finding> {
    let results = sarif["runs"][0]["results"].as_array();
    let mut findings: Vec<Finding> = Vec::new();
    for result in results.into_iter().flatten() {
        // Only violations; proofs and open checks have other kinds and levels.
        if result["kind"].as_str().is_some_and(|k| k != "fail") || result["level"] != "error" {
            continue;
        }
        let place = &result["locations"][0]["physicalLocation"];
        let text = |v: &Json| v.as_str().unwrap_or_default().to_string();
        let file = text(&place["artifactLocation"]["uri"]);
        let line = place["region"]["startLine"].as_u64().unwrap_or(1);
        let (property, message) = (text(&result["ruleId"]), text(&result["message"]["text"]));
        let code = line_text(&file, line).unwrap_or_default();
        let words: Vec<&str> = code.split_whitespace().collect();
        let twin = |f: &&Finding| f.property == property && f.message == message && f.file == file;
        let twins = findings.iter().filter(twin).count();
        let key = format!(
            "{unit}\n{property}\n{file}\n{message}\n{}\n{twins}",
            words.join(" ")
        );
        findings.push(Finding {
            fingerprint: report::sha256(key.as_bytes())[..32].to_string(),
            property,
            file,
            line,
            message,
            accepted: None,
        });
    }
    findings
}
