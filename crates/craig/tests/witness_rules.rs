//! Every rule of the witness formats is broken once, by one change of a good witness, and nothing else is then wrong.
#![allow(clippy::unwrap_used)]

mod common;

use craig::witness::rules::{breaches, names};
use program::SourceMap;

const HEAD: &str = r#"- entry_type: KIND
  metadata:
    format_version: "2.0"
    uuid: "91023a0f-9f45-4385-88c4-1152ade45537"
    creation_time: "2026-01-31T12:00:00+01:00"
    producer:
      name: X
      version: "1"
    task:
      input_files: ["f.c"]
      input_file_hashes: {"f.c": "aaaaaaaabbbbbbbbccccccccddddddddeeeeeeeeffffffff0000000011111111"}
      specification: "G ! call(reach_error())"
      data_model: ILP32
      language: C
  content:
"#;

const INVARIANT: &str = r#"    - invariant:
        type: loop_invariant
        location: {file_name: f.c, line: 18, column: 3, function: main}
        value: "x >= 0"
        format: c_expression
"#;

const CONTRACT: &str = r#"    - contract:
        type: function_contract
        location: {file_name: f.c, line: 5}
        requires: "b >= 0"
        ensures: "\\result == 1"
        format: ext_c_expression
"#;

const VIOLATION: &str = r#"    - segment:
      - waypoint:
          type: branching
          action: avoid
          location: {file_name: f.c, line: 3}
          constraint: {value: "false"}
      - waypoint:
          type: function_return
          action: follow
          location: {file_name: f.c, line: 4, column: 44, function: main}
          constraint: {value: "\\result == 4", format: acsl_expression}
    - segment:
      - waypoint:
          type: target
          action: follow
          location: {file_name: f.c, line: 9, column: 5}
"#;

/// Which good witness, its version, the rule, what is replaced by what.
const CHANGES: &[(Good, &str, &str, &str, &str)] = &[
    (Safe, "2.0", "entry-type", "invariant_set", "invariants"),
    (Safe, "2.0", "entry-metadata", "  metadata:", "  meta:"),
    (Safe, "2.0", "entry-content", "  content:", "  contents:"),
    (Safe, "2.0", "format-version", "\"2.0\"", "2.0"),
    (Safe, "2.0", "known-version", "\"2.0\"", "\"1.0\""),
    (Safe, "2.0", "uuid", "91023a0f-", "91023a0f"),
    (Safe, "2.0", "creation-time", "+01:00", ""),
    (Safe, "2.0", "producer", "producer:", "maker:"),
    (Safe, "2.0", "producer-name", "      name: X\n", ""),
    (
        Safe,
        "2.0",
        "producer-version",
        "      version: \"1\"\n",
        "",
    ),
    (
        Safe,
        "2.0",
        "producer-configuration",
        "name: X",
        "name: X\n      configuration: []",
    ),
    (
        Safe,
        "2.0",
        "producer-command-line",
        "name: X",
        "name: X\n      command_line: []",
    ),
    (
        Safe,
        "2.0",
        "producer-description",
        "name: X",
        "name: X\n      description: []",
    ),
    (Safe, "2.0", "task", "task:", "job:"),
    (Safe, "2.0", "input-files", "[\"f.c\"]", "f.c"),
    (Safe, "2.0", "input-file-hashes", "aaaaaaaab", "b"),
    (Safe, "2.0", "hashes-of-files", "{\"f.c\"", "{\"g.c\""),
    (
        Safe,
        "2.0",
        "specification",
        "      specification: \"G ! call(reach_error())\"\n",
        "",
    ),
    (Safe, "2.0", "data-model", "ILP32", "ILP31"),
    (Safe, "2.0", "language", "language: C", "language: B"),
    (Safe, "2.0", "invariant-type", "loop_invariant", "loop"),
    (
        Safe,
        "2.0",
        "location",
        "        location: {file_name: f.c, line: 18, column: 3, function: main}\n",
        "",
    ),
    (
        Safe,
        "2.0",
        "invariant-value",
        "        value: \"x >= 0\"\n",
        "",
    ),
    (
        Safe,
        "2.0",
        "invariant-format",
        "format: c_expression",
        "format: c",
    ),
    (
        Safe,
        "2.0",
        "format-of-version",
        "format: c_expression",
        "format: acsl_expression",
    ),
    (
        Safe,
        "2.0",
        "invariant-labels",
        "format: c_expression",
        "format: c_expression\n        labels: [inductive]",
    ),
    (
        Safe,
        "2.0",
        "transition-version",
        "loop_invariant",
        "loop_transition_invariant",
    ),
    (Safe, "2.0", "location-file", "file_name: f.c, ", ""),
    (Safe, "2.0", "location-line", "line: 18", "line: 0"),
    (Safe, "2.0", "location-column", "column: 3", "column: three"),
    (
        Safe,
        "2.0",
        "location-function",
        "function: main",
        "function: []",
    ),
    (
        Safe,
        "2.0",
        "unknown-key",
        "language: C",
        "language: C\n      dialect: gnu",
    ),
    (
        Safe,
        "2.0",
        "key-twice",
        "language: C",
        "language: C\n      language: C",
    ),
    (
        Safe,
        "2.0",
        "list-of-entries",
        "- entry_type",
        "  entry_type",
    ),
    (
        Safe,
        "2.0",
        "one-claim",
        "- entry_type: invariant_set",
        "- entry_type: ghost_instrumentation",
    ),
    (
        Safe,
        "2.0",
        "invariant-or-contract",
        "    - invariant:",
        "    - fact:",
    ),
    (Contracts, "2.1", "contract-version", "\"2.1\"", "\"2.0\""),
    (
        Contracts,
        "2.1",
        "contract-type",
        "function_contract",
        "contract",
    ),
    (
        Contracts,
        "2.1",
        "contract-requires",
        "        requires: \"b >= 0\"\n",
        "",
    ),
    (Contracts, "2.1", "contract-ensures", "ensures:", "ensure:"),
    (
        Contracts,
        "2.1",
        "contract-format",
        "ext_c_expression",
        "c_expression",
    ),
    (
        Contracts,
        "2.1",
        "contract-labels",
        "format: ext_c_expression",
        "format: ext_c_expression\n        labels: yes",
    ),
    (
        Unsafe,
        "2.0",
        "waypoint-type",
        "type: branching",
        "type: branch",
    ),
    (
        Unsafe,
        "2.0",
        "waypoint-action",
        "action: follow",
        "action: go",
    ),
    (
        Unsafe,
        "2.0",
        "waypoint-constraint",
        "{value: \"false\"}",
        "no",
    ),
    (
        Unsafe,
        "2.0",
        "waypoint-thread",
        "action: avoid",
        "action: avoid\n          thread_id: 0",
    ),
    (
        Unsafe,
        "2.0",
        "constraint-value",
        "{value: \"false\"}",
        "{}",
    ),
    (
        Unsafe,
        "2.0",
        "constraint-format",
        "acsl_expression",
        "acsl",
    ),
    (
        Unsafe,
        "2.0",
        "constraint-of-type",
        "          constraint: {value: \"false\"}\n",
        "",
    ),
    (Unsafe, "2.0", "branching-value", "\"false\"", "\"no\""),
    (Unsafe, "2.0", "return-value", "result == 4", "result"),
    (
        Unsafe,
        "2.0",
        "last-follow",
        "action: avoid",
        "action: follow",
    ),
    (
        Unsafe,
        "2.0",
        "target-last",
        "type: target",
        "type: function_enter",
    ),
    (
        Unsafe,
        "2.0",
        "cycle-version",
        "action: follow",
        "action: cycle",
    ),
    (Unsafe, "2.0", "segment", "    - segment:", "    - part:"),
    (Unsafe, "2.0", "waypoint", "- waypoint:", "- point:"),
];

#[derive(Clone, Copy, PartialEq)]
enum Good {
    Safe,
    Contracts,
    Unsafe,
}
use Good::{Contracts, Safe, Unsafe};

fn good(which: Good, version: &str) -> String {
    let (kind, content) = match which {
        Safe => ("invariant_set", INVARIANT.to_string()),
        Contracts => ("invariant_set", format!("{INVARIANT}{CONTRACT}")),
        Unsafe => ("violation_sequence", VIOLATION.to_string()),
    };
    let head = HEAD.replace("KIND", kind).replace("2.0", version);
    format!("{head}{content}")
}

fn broken(text: &str) -> Vec<&'static str> {
    let found = breaches("w.yml", text, &mut SourceMap::default()).unwrap();
    found
        .iter()
        .map(|b| {
            assert!(b.diagnostic.span.line > 0);
            b.rule
        })
        .collect()
}

#[test]
fn good_witnesses_break_no_rule() {
    for version in ["2.0", "2.1", "2.2"] {
        assert_eq!(broken(&good(Safe, version)), [] as [&str; 0]);
        assert_eq!(broken(&good(Unsafe, version)), [] as [&str; 0]);
    }
    assert_eq!(broken(&good(Contracts, "2.1")), [] as [&str; 0]);
}

#[test]
fn each_rule_can_be_broken() {
    for &(which, version, rule, from, to) in CHANGES {
        let text = good(which, version);
        assert!(text.contains(from), "{rule}: nothing to change");
        let found = broken(&text.replacen(from, to, 1));
        assert!(found.contains(&rule), "{rule}: {found:?}");
    }
    let tried: Vec<&str> = CHANGES.iter().map(|c| c.2).collect();
    let never: Vec<_> = names().into_iter().filter(|n| !tried.contains(n)).collect();
    assert!(never.is_empty(), "never broken: {never:?}");
}

#[test]
fn the_document_lists_the_rules() {
    let path = common::root().join("../../docs/witnesses.md");
    let text = std::fs::read_to_string(path).unwrap();
    for name in names() {
        assert!(text.contains(&format!("`{name}`")), "{name}");
    }
}

/// Witnesses and certificates may come from an enemy: damaged ones are read, or refused with a place. Many with
/// `CRAIG_CAMPAIGN=COUNT:SEED`.
#[test]
fn damaged_witnesses() {
    let texts = vec![
        good(Safe, "2.0"),
        good(Contracts, "2.1"),
        good(Unsafe, "2.0"),
    ];
    let read = |text: &str| {
        let mut sources = SourceMap::default();
        match craig::witness::first_mistake("w.yml", text, &mut sources) {
            Some(d) if d.message.is_empty() || !d.span.is_known() => {
                Err(format!("refused without a place: {}", d.message))
            }
            _ => {
                let _ = breaches("w.yml", text, &mut sources);
                Ok(())
            }
        }
    };
    testkit::damage::deeply(move || match testkit::damage::campaign() {
        Some(_) => assert_eq!(testkit::damage::run_campaign(".yml", &texts, read), 0),
        None => assert!(testkit::damage::try_all(&texts, read, 100, 0, testkit::damage::fail) > 0),
    });
}

#[test]
fn damaged_certificates() {
    let program = "extern void reach_error(void); int main(void) { unsigned n = 0; \
                   while (n < 1000000) n += 2; if (n % 2) reach_error(); return 0; }";
    let mut outcome = craig::Checker::new().check_text("f.c", program).unwrap();
    let texts = vec![outcome.certificate().unwrap()];
    let loaded = std::sync::Mutex::new(outcome.input);
    let read = move |text: &str| {
        let Ok(json) = serde_json::from_str(text) else {
            return Ok(());
        };
        let mut loaded = loaded.lock().unwrap();
        let loaded = &mut *loaded;
        match evidence::certificate::read(&mut loaded.pool, &loaded.program, &json) {
            Err(message) if message.is_empty() => Err("refused without a word".to_string()),
            _ => Ok(()),
        }
    };
    testkit::damage::deeply(move || match testkit::damage::campaign() {
        Some(_) => assert_eq!(testkit::damage::run_campaign(".cert", &texts, read), 0),
        None => assert!(testkit::damage::try_all(&texts, read, 200, 0, testkit::damage::fail) > 0),
    });
}
