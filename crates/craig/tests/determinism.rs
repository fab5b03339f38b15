//! The same input gives the same output: every engine, run twice on a sample of the test programs, says the
//! same in every form of output, times apart.
#![allow(clippy::unwrap_used)]

mod common;

use common::{Expectation, programs, read_head, root, source_options};
use craig::{Checker, Engine};
use serde_json::Value as Json;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Every so many of the programs that most engines run are run.
const EVERY: usize = 6;
/// Which is far more than they need: a run that is cut off by time may end anywhere.
const TIME: Duration = Duration::from_secs(120);

/// All outputs of one run, without what speaks of time and memory.
fn said(path: &Path, engine: &Engine) -> Option<Vec<String>> {
    let head = read_head(&std::fs::read_to_string(path).unwrap());
    let options = engine::EngineOptions {
        log: Some(usize::MAX),
        ..Default::default()
    };
    let mut outcome = Checker::new()
        .engine(engine.clone())
        .engine_options(options)
        .time(TIME)
        .source(source_options(&head).unwrap())
        .check_file(path)
        .unwrap();
    if outcome.kind().as_str() == "unknown" {
        return None;
    }
    let mut json: Json = serde_json::from_str(&outcome.json()).unwrap();
    without_times(&mut json);
    let mut out = vec![outcome.text(), json.to_string()];
    out.extend(outcome.certificate());
    out.extend(outcome.harness());
    out.extend(outcome.account.log.clone());
    Some(out)
}

fn without_times(json: &mut Json) {
    match json {
        Json::Object(fields) => {
            fields.retain(|name, _| {
                !["seconds", "time", "memory", "date"]
                    .iter()
                    .any(|of_time| name.contains(of_time))
            });
            fields.values_mut().for_each(without_times);
        }
        Json::Array(list) => list.iter_mut().for_each(without_times),
        _ => {}
    }
}

fn runs_on(head: &Expectation, engine: &Engine) -> bool {
    common::runs_on(head, &engine.to_string())
}

#[test]
fn runs_are_the_same_twice() {
    let mut files: Vec<PathBuf> = Vec::new();
    programs(&root(), &mut files).unwrap();
    files.retain(|f| f.extension().is_some_and(|e| e == "c"));
    let engines: Vec<Engine> = Engine::all().filter(|e| *e != Engine::Portfolio).collect();
    files.retain(|f| {
        let head = read_head(&std::fs::read_to_string(f).unwrap());
        engines.iter().filter(|e| runs_on(&head, e)).count() > 4
    });
    files.sort();
    let mut compared = 0;
    for path in files.iter().step_by(EVERY) {
        let head = read_head(&std::fs::read_to_string(path).unwrap());
        for engine in engines.iter().filter(|e| runs_on(&head, e)) {
            let Some(first) = said(path, engine) else {
                continue;
            };
            let second = said(path, engine).unwrap();
            for (a, b) in first.iter().zip(&second) {
                assert_eq!(a, b, "{engine} on {}", path.display());
            }
            compared += 1;
        }
    }
    assert!(compared > 20, "only {compared} runs were compared");
}
