//! Every witness that the test programs give is well-formed and is accepted by our own validator.
//!
//! The lint is written against the description of the format and shares no code with the writer;
//! positions are compared with the text of the program.
#![allow(clippy::unwrap_used)]

mod common;

use base::{Budget, Id};
use common::{programs, read_head, root, source_options};
use craig::witness::yaml::{Node, parse};
use craig::witness::{Open, validate};
use craig::{Checker, Outcome};
use evidence::Verdict;
use program::FileId;
use report::WitnessVersion;
use std::path::Path;
use std::time::Duration;

const TIME: Duration = Duration::from_secs(30);

fn run(path: &Path) -> Option<Outcome> {
    let head = read_head(&std::fs::read_to_string(path).unwrap());
    let options = source_options(&head).ok()?;
    let checker = Checker::new().time(TIME).source(options);
    Some(checker.check_file(path).unwrap())
}

fn text<'n>(node: &'n Node, key: &str) -> &'n str {
    let value = node
        .get(key)
        .unwrap_or_else(|| panic!("`{key}` is missing"));
    value.text().unwrap_or_else(|| panic!("`{key}` is no text"))
}

/// Does the text have this shape? `d` is a digit, `x` a hexadecimal one, `±` a sign.
fn shaped(text: &str, shape: &str) -> bool {
    text.chars().count() == shape.chars().count()
        && text.chars().zip(shape.chars()).all(|(c, s)| match s {
            'd' => c.is_ascii_digit(),
            'x' => c.is_ascii_hexdigit() && !c.is_uppercase(),
            '±' => c == '+' || c == '-',
            _ => c == s,
        })
}

fn lint_metadata(metadata: &Node, version: &str, path: &Path, source: &str) {
    assert_eq!(text(metadata, "format_version"), version);
    assert!(shaped(
        text(metadata, "uuid"),
        "xxxxxxxx-xxxx-5xxx-xxxx-xxxxxxxxxxxx"
    ));
    let time = text(metadata, "creation_time");
    assert!(shaped(time, "dddd-dd-ddTdd:dd:dd±dd:dd"), "{time}");
    let producer = metadata.get("producer").unwrap();
    assert!(!text(producer, "name").is_empty() && !text(producer, "version").is_empty());
    let task = metadata.get("task").unwrap();
    let name = path.display().to_string();
    let files = task.get("input_files").unwrap().list().unwrap();
    assert_eq!(
        files.iter().map(|f| f.text().unwrap()).collect::<Vec<_>>(),
        [&name]
    );
    let hashes = task.get("input_file_hashes").unwrap();
    assert_eq!(text(hashes, &name), report::sha256(source.as_bytes()));
    assert!(text(task, "specification").starts_with("G "));
    assert!(matches!(text(task, "data_model"), "ILP32" | "LP64"));
    assert_eq!(text(task, "language"), "C");
}

/// The text of the program from the place on, and what is before it.
fn place<'s>(node: &Node, path: &Path, source: &'s str) -> (&'s str, &'s str) {
    let location = node.get("location").unwrap();
    assert_eq!(text(location, "file_name"), path.display().to_string());
    let number = |key| text(location, key).parse::<usize>().unwrap();
    let (line, column) = (number("line"), number("column"));
    assert!(!text(location, "function").is_empty());
    let start: usize = source
        .split_inclusive('\n')
        .take(line - 1)
        .map(str::len)
        .sum();
    (&source[..start + column - 1], &source[start + column - 1..])
}

/// Words and operators of an expression.
fn pieces(expression: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let word = |c: char| c.is_alphanumeric() || c == '_' || c == '\\';
    for c in expression.chars() {
        match out.last_mut() {
            Some(last) if word(c) && last.chars().all(word) => last.push(c),
            Some(last) if c == '=' && matches!(last.as_str(), "=" | "!" | "<" | ">") => {
                last.push(c)
            }
            _ if c.is_whitespace() => out.push(String::new()),
            _ => out.push(c.to_string()),
        }
    }
    out.retain(|p| !p.is_empty());
    out
}

fn lint_expression(expression: &str) {
    let pieces = pieces(expression);
    assert!(!pieces.is_empty());
    for pair in pieces.windows(2) {
        let name = pair[0].starts_with(|c: char| c.is_alphabetic() || c == '_');
        let calls = name && pair[1] == "(";
        assert!(!calls, "a call in {expression}");
        assert!(pair != ["+", "+"] && pair != ["-", "-"], "{expression}");
    }
    assert!(
        !pieces.iter().any(|p| p == "="),
        "an assignment in {expression}"
    );
}

fn lint_invariants(content: &[Node], version: &str, path: &Path, source: &str) -> usize {
    for item in content {
        if let Some(contract) = item.get("contract") {
            assert_eq!(version, "2.1", "contracts came with 2.1");
            assert_eq!(text(contract, "type"), "function_contract");
            assert_eq!(text(contract, "format"), "ext_c_expression");
            lint_expression(text(contract, "requires"));
            lint_expression(&text(contract, "ensures").replace("\\at(", "("));
            let function = text(contract.get("location").unwrap(), "function");
            let (_, after) = place(contract, path, source);
            let first = after.split(['{', ';']).next().unwrap();
            assert!(
                first.contains(function),
                "{function} is not defined at `{first}`"
            );
            continue;
        }
        let invariant = item.get("invariant").unwrap();
        assert_eq!(text(invariant, "type"), "loop_invariant");
        assert_eq!(text(invariant, "format"), "c_expression");
        let value = text(invariant, "value");
        lint_expression(value);
        let (before, after) = place(invariant, path, source);
        let word: String = after.chars().take_while(|c| c.is_alphanumeric()).collect();
        assert!(
            matches!(word.as_str(), "for" | "while" | "do"),
            "no loop at `{word}`"
        );
        assert!(!before.ends_with(|c: char| c.is_alphanumeric() || c == '_'));
        // Names declared in the head of the loop are not in scope before it.
        if word == "for" {
            let head = after.split(';').next().unwrap();
            let mut declared = pieces(head.trim_start_matches("for"));
            declared.retain(|p| p != "*");
            if let [_, ty, name, ..] = declared.as_slice()
                && matches!(ty.as_str(), "int" | "unsigned" | "long" | "char" | "short")
            {
                assert!(
                    !pieces(value).contains(name),
                    "{name} is not in scope: {value}"
                );
            }
        }
    }
    content.len()
}

fn lint_violation(content: &[Node], version: &str, path: &Path, source: &str) -> usize {
    for (i, item) in content.iter().enumerate() {
        let segment = item.get("segment").unwrap().list().unwrap();
        assert_eq!(segment.len(), 1, "one follow, nothing to avoid");
        let waypoint = segment[0].get("waypoint").unwrap();
        assert_eq!(text(waypoint, "action"), "follow");
        let (before, after) = place(waypoint, path, source);
        let last = i + 1 == content.len();
        match text(waypoint, "type") {
            "target" => {
                assert!(last, "the target is last");
                assert!(waypoint.get("constraint").is_none());
                assert!(after.starts_with(|c: char| !c.is_whitespace()));
                let end = without_comments(before);
                let end = end.trim_end();
                assert!(
                    end.ends_with([';', '{', '}', ':', ')', '('])
                        || end.ends_with("else")
                        || end.ends_with("do"),
                    "no statement begins after `{}`",
                    &end[end.len().saturating_sub(20)..]
                );
            }
            "function_return" => {
                assert!(!last, "the target is last");
                assert!(after.starts_with(')'));
                let constraint = waypoint.get("constraint").unwrap();
                let value = text(constraint, "value");
                let number = value.strip_prefix("\\result == ").unwrap();
                assert!(number.parse::<i128>().is_ok(), "{number}");
                let format = if version == "2.0" {
                    "acsl_expression"
                } else {
                    "ext_c_expression"
                };
                assert_eq!(text(constraint, "format"), format);
            }
            "assumption" => {
                assert!(!last, "the target is last");
                let constraint = waypoint.get("constraint").unwrap();
                lint_expression(text(constraint, "value"));
                assert_eq!(text(constraint, "format"), "c_expression");
            }
            other => panic!("unexpected waypoint {other}"),
        }
    }
    content.len()
}

fn without_comments(text: &str) -> String {
    let mut out = String::new();
    for line in text.split_inclusive('\n') {
        out.push_str(line.split("//").next().unwrap());
    }
    out
}

/// Checks one witness; says how many items it has.
fn lint(witness: &str, outcome: &Outcome, version: &str, path: &Path) -> usize {
    let source = std::fs::read_to_string(path).unwrap();
    let root = parse(witness, FileId::from_index(0)).unwrap();
    let [entry] = root.list().unwrap() else {
        panic!("one entry");
    };
    lint_metadata(entry.get("metadata").unwrap(), version, path, &source);
    let content = entry.get("content").unwrap().list().unwrap();
    match outcome.verdict.get() {
        Verdict::Safe(_) => {
            assert_eq!(text(entry, "entry_type"), "invariant_set");
            lint_invariants(content, version, path, &source)
        }
        _ => {
            assert_eq!(text(entry, "entry_type"), "violation_sequence");
            lint_violation(content, version, path, &source)
        }
    }
}

#[test]
fn all_programs() {
    let mut paths = Vec::new();
    programs(&root(), &mut paths).unwrap();
    paths.retain(|p| p.extension().is_some_and(|e| e == "c"));
    paths.sort();
    let budget = || Budget::unlimited().with_time(TIME);
    let (mut proofs, mut as_they_are, mut items, mut troubles) = (0, 0, 0, Vec::new());
    for (i, path) in paths.iter().enumerate() {
        let Some(outcome) = run(path) else { continue };
        for (version, word) in [(WitnessVersion::V2_0, "2.0"), (WitnessVersion::V2_1, "2.1")] {
            let Some(witness) = report::witness(&outcome.subject(), version) else {
                continue;
            };
            let said = lint(&witness, &outcome, word, path);
            items += said;
            craig::witness::hold_to_rules("w.yml", &witness).unwrap();
            // Also with the property and the data model that only the witness tells.
            let open = Open {
                property: true,
                data_model: true,
            };
            let files = [path.clone()];
            let result = craig::on_deep_stack(|| {
                let input = ("w.yml", witness.as_str());
                validate(&files, &outcome.input.options, open, input, &budget())
            });
            // Nor do waypoints say what the arguments of `main` are, or that a float is no number.
            let entry = &outcome.input.program.functions[outcome.input.program.entry];
            let text = std::fs::read_to_string(path).unwrap();
            // Nor what memory held that nobody wrote.
            let unwritten =
                matches!(outcome.verdict.get(), Verdict::Unsafe(c) if !c.initial.is_empty());
            // Nor what the environment gives or writes.
            let unsaid = !entry.params.is_empty()
                || unwritten
                || text.contains("nondet_float")
                || text.contains("nondet_memory")
                || text.contains("#include");
            if outcome.kind().as_str() == "unsafe" && unsaid {
                continue;
            }
            let end = result.unwrap_or_else(|t| panic!("{}: {t}\n{witness}", path.display()));
            if end.verdict.get().kind() != outcome.kind() && !end.account.contains("time limit") {
                troubles.push(format!(
                    "{} {word}: {}\n{witness}",
                    path.display(),
                    end.account
                ));
            }
            // Executions of the checker leave no invariants to say.
            if outcome.kind().as_str() == "safe" && said > 0 {
                proofs += 1;
                as_they_are += usize::from(end.as_it_is);
            }
        }
        if i % 20 == 0 {
            let again = report::witness(&run(path).unwrap().subject(), WitnessVersion::V2_1);
            let first = report::witness(&outcome.subject(), WitnessVersion::V2_1);
            let timeless = |w: Option<String>| {
                let text = w.unwrap_or_default();
                let kept = text.lines().filter(|l| !l.contains("creation_time"));
                kept.map(str::to_string).collect::<Vec<_>>()
            };
            assert_eq!(timeless(first), timeless(again), "{}", path.display());
        }
    }
    eprintln!("{proofs} proofs, {as_they_are} accepted as they are, {items} items");
    assert!(troubles.is_empty(), "{}", troubles.join("\n"));
    assert!(items > 200 && 2 * as_they_are > proofs);
}
