//! Results of all units in one file for other tools: JSON, and SARIF with one run. A violation that
//! several units have (they share the file) is one result that names them all.

use super::results::UnitResult;
use super::summary::Summary;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;

/// All results as JSON.
pub fn json(results: &[UnitResult], problems: &[(String, String)], s: &Summary) -> String {
    let units: Vec<Json> = results
        .iter()
        .map(|r| {
            json!({
                "unit": r.unit, "files": r.files, "verdict": r.verdict, "origin": r.origin,
                "seconds": r.seconds, "memory_mib": r.memory_mib, "program": r.program,
                "findings": r.findings, "reason": r.reason, "requires": r.requires,
                "assumes": r.assumes, "vacuous": r.vacuous,
            })
        })
        .collect();
    let unread: Vec<Json> = problems
        .iter()
        .map(|(file, why)| json!({ "file": file, "reason": why }))
        .collect();
    let all = json!({
        "tool": "craig", "version": env!("CARGO_PKG_VERSION"),
        "summary": {
            "units": results.len(), "proved": s.proved, "violated": s.violated, "accepted": s.accepted,
            "open": s.open, "not_reached": s.missing, "files_not_read": s.unread,
            "rechecked": s.rechecked, "adapted": s.adapted, "remembered": s.remembered, "seconds": s.seconds,
        },
        "units": units,
        "not_read": unread,
    });
    format!("{all:#}\n")
}

/// All results as one SARIF run.
pub fn sarif(results: &[UnitResult]) -> String {
    let runs = || {
        results
            .iter()
            .filter_map(|r| Some((r, r.sarif.as_ref()?["runs"].get(0)?)))
    };
    // Violations by what a reader tells them apart by.
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    let mut all: Vec<Json> = Vec::new();
    let mut notes: Vec<Json> = Vec::new();
    for (unit, run) in runs() {
        let mut findings = unit.findings.iter();
        for result in run["results"].as_array().into_iter().flatten() {
            let finding = match result["level"] == "error" {
                true => findings.next(),
                false => None,
            };
            let key = json!([result["ruleId"], result["message"], result["locations"]]).to_string();
            if let Some(&at) = places.get(&key) {
                if let Some(units) = all[at]["properties"]["units"].as_array_mut() {
                    units.push(json!(unit.unit));
                }
                continue;
            }
            let mut result = result.clone();
            if !result["properties"].is_object() {
                result["properties"] = json!({});
            }
            result["properties"]["units"] = json!([unit.unit]);
            if let Some(finding) = finding {
                if !result["partialFingerprints"].is_object() {
                    result["partialFingerprints"] = json!({});
                }
                result["partialFingerprints"]["craigProject/v1"] = json!(finding.fingerprint);
                if let Some(why) = &finding.accepted {
                    result["suppressions"] = json!([{ "kind": "external", "justification": why }]);
                }
            }
            places.insert(key, all.len());
            all.push(result);
        }
        for note in run["invocations"][0]["toolExecutionNotifications"]
            .as_array()
            .into_iter()
            .flatten()
        {
            if !notes.contains(note) {
                notes.push(note.clone());
            }
        }
    }
    let tool = runs().map(|(_, run)| run["tool"].clone()).next().unwrap_or_else(|| {
        json!({ "driver": { "name": "Craig", "version": env!("CARGO_PKG_VERSION"), "rules": [] } })
    });
    let mut run = json!({
        "tool": tool,
        "invocations": [{ "executionSuccessful": true, "toolExecutionNotifications": notes }],
        "results": all,
    });
    if let Some(bases) = runs().find_map(|(_, r)| r.get("originalUriBaseIds")) {
        run["originalUriBaseIds"] = bases.clone();
    }
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [run],
    });
    format!("{log:#}\n")
}
