//! Findings that do not count: those of a baseline, which were there before, and those that
//! `craig.toml` suppresses with a reason. They are still shown; only the exit status leaves them out.

use super::config::Suppression;
use super::results::{Answer, Finding, UnitResult};
use crate::Error;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::Path;

/// A file of known findings.
#[derive(Serialize, Deserialize)]
struct Baseline {
    format: String,
    findings: Vec<Finding>,
}

const FORMAT: &str = "craig-baseline-1";

/// The fingerprints of a baseline.
pub fn read_baseline(path: &Path) -> Result<BTreeSet<String>, Error> {
    let wrong = |e: String| Error::Message(format!("{}: {e}", path.display()));
    let text = std::fs::read_to_string(path).map_err(|e| wrong(e.to_string()))?;
    let baseline: Baseline = serde_json::from_str(&text).map_err(|e| wrong(e.to_string()))?;
    if baseline.format != FORMAT {
        return Err(wrong(format!("this is no {FORMAT}")));
    }
    Ok(baseline
        .findings
        .into_iter()
        .map(|f| f.fingerprint)
        .collect())
}

/// The baseline that knows all findings of these results.
pub fn baseline(results: &[UnitResult]) -> String {
    let findings = results.iter().flat_map(|r| r.findings.clone()).collect();
    let format = FORMAT.to_string();
    serde_json::to_string_pretty(&Baseline { format, findings }).unwrap_or_default() + "\n"
}

/// Marks findings that do not count; the suppressions that fit nothing come back.
pub fn mark<'s>(
    results: &mut [UnitResult],
    baseline: &BTreeSet<String>,
    suppressions: &'s [Suppression],
) -> Vec<&'s Suppression> {
    let mut used = vec![false; suppressions.len()];
    for result in results {
        for finding in &mut result.findings {
            let unit = result.unit.as_str();
            if let Some(i) = suppressions.iter().position(|s| fits(s, unit, finding)) {
                used[i] = true;
                finding.accepted = Some(format!("suppressed: {}", suppressions[i].reason));
            } else if baseline.contains(&finding.fingerprint) {
                finding.accepted = Some("in the baseline".into());
            }
        }
    }
    let pairs = suppressions.iter().zip(used);
    pairs.filter(|(_, used)| !used).map(|(s, _)| s).collect()
}

fn fits(s: &Suppression, unit: &str, finding: &Finding) -> bool {
    let ok = |part: &Option<String>, test: &dyn Fn(&str) -> bool| part.as_deref().is_none_or(test);
    ok(&s.property, &|p| finding.property == p)
        && ok(&s.file, &|f| {
            finding.file == f || finding.file.ends_with(&format!("/{f}"))
        })
        && ok(&s.function, &|f| {
            unit == f || unit.ends_with(&format!(":{f}"))
        })
        && ok(&s.message, &|m| finding.message.contains(m))
}

/// A unit that counts as violated: it has a finding that is not accepted, or none that could be.
pub fn counts(result: &UnitResult) -> bool {
    let new = result.findings.iter().any(|f| f.accepted.is_none());
    result.verdict == Answer::Unsafe && (new || result.findings.is_empty())
}
