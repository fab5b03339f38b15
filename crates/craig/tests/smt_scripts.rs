//! Scripts in `tests/smt/` give the output in the file beside them (`BLESS=1` writes it anew), and
//! no text makes the reader panic.
#![allow(clippy::unwrap_used)]

use craig::smt_command::run;
use logic::Budget;
use proptest::prelude::*;
use std::path::PathBuf;
use std::time::Duration;

fn scripts() -> Vec<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/smt");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|e| e.unwrap().path())
        .filter(|p| p.extension().is_some_and(|e| e == "smt2"))
        .collect();
    files.sort();
    files
}

fn output(text: &str) -> String {
    let budget = Budget::unlimited().with_time(Duration::from_secs(60));
    let mut out = Vec::new();
    let status = run(text, &budget, &mut out).unwrap();
    format!("{}; status {status}\n", String::from_utf8(out).unwrap())
}

#[test]
fn scripts_give_their_expected_output() {
    let mut wrong = Vec::new();
    for file in scripts() {
        let found = output(&std::fs::read_to_string(&file).unwrap());
        let beside = file.with_extension("expected");
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&beside, &found).unwrap();
            continue;
        }
        let expected = std::fs::read_to_string(&beside).unwrap_or_default();
        if found != expected {
            wrong.push(format!(
                "{}:\n--- expected\n{expected}--- found\n{found}",
                file.display()
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Takes a script apart and puts it together wrongly.
fn mutate(text: &str, edits: &[(usize, usize, u8)]) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for &(at, length, what) in edits {
        if chars.is_empty() {
            break;
        }
        let at = at % chars.len();
        let end = (at + length).min(chars.len());
        match what % 5 {
            0 => drop(chars.drain(at..end)),
            1 => {
                let piece: Vec<char> = chars[at..end].to_vec();
                chars.splice(at..at, piece);
            }
            2 => chars[at] = ['(', ')', '"', '|', ':', '#', ';', 'é', '0', '-'][length % 10],
            3 => chars.insert(at, ['(', ')', ' ', '!', '_'][length % 5]),
            _ => chars[at..end].reverse(),
        }
    }
    chars.into_iter().collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn mutated_scripts_never_panic(
        which in any::<prop::sample::Index>(),
        edits in prop::collection::vec((any::<usize>(), 0..12usize, any::<u8>()), 1..6),
    ) {
        let files = scripts();
        let text = std::fs::read_to_string(which.get(&files)).unwrap();
        let text = mutate(&text, &edits);
        let mut pool = logic::Pool::new();
        let _ = logic::smtlib::parse_script(&mut pool, &text);
    }

    #[test]
    fn arbitrary_text_never_panics(text in "[()a-z0-9 :|\";.#!_\n-]{0,80}") {
        let mut pool = logic::Pool::new();
        let _ = logic::smtlib::parse_script(&mut pool, &text);
        let _ = logic::smtlib::parse_term(&mut pool, &text, &|_| None);
    }
}
