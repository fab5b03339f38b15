//! Scripts in `tests/smt/` give the output in the file beside them (`BLESS=1` writes it anew), and
//! no text makes the reader panic.
#![allow(clippy::unwrap_used)]

use base::Budget;
use craig::smt::run;
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

/// Large and deep texts on a thread with a small stack: an answer or a positioned error, in time.
#[test]
fn bad_texts_are_answered() {
    let many = 200_000;
    let head = "(declare-fun x () Int)(declare-fun p () Bool)(declare-fun f (Int) Int)";
    let nested = |open: &str, inside: &str, close: &str| {
        let (open, close) = (open.repeat(many), close.repeat(many));
        format!("{head}(assert {open}{inside}{close})(check-sat)")
    };
    let cases = [
        ("negations", nested("(not ", "p", ")"), "sat"),
        ("sums", nested("(= x (f (+ 1 ", "x", ")))"), "error \"1:"),
        (
            "terms",
            format!(
                "{head}(assert (= x {}x{}))(check-sat)",
                "(f (+ 1 ".repeat(many),
                "))".repeat(many)
            ),
            "sat",
        ),
        (
            "bindings",
            nested("(let ((x (+ x 1))) ", "(> x 0)", ")"),
            "sat",
        ),
        ("annotations", nested("(! ", "p", " :a b)"), "sat"),
        (
            "quantifiers",
            nested("(forall ((x Int)) ", "p", ")"),
            "error \"1:",
        ),
        ("open", "(".repeat(5 * many), "1:1: this list is not closed"),
        ("closed", ")".repeat(5 * many), "errors in a row"),
        ("zeros", "\0".repeat(5 * many), "errors in a row"),
        (
            "a string",
            format!("(echo \"{}", "a".repeat(many)),
            "1:7: this string",
        ),
        (
            "a symbol",
            format!("(assert |{}|)", "a".repeat(many)),
            "1:9: `aaa",
        ),
        (
            "a number",
            format!("{head}(assert (> x {}))(check-sat)", "9".repeat(many)),
            "sat",
        ),
        (
            "scopes",
            format!("{}(check-sat)", "(push 1)".repeat(many)),
            "sat",
        ),
        (
            "a huge scope",
            "(push 4000000000)".into(),
            "1:7: a small numeral",
        ),
        (
            "definitions that double",
            {
                let mut text = format!("{head}(define-fun g0 ((a Int)) Int a)");
                for k in 1..60 {
                    let g = format!("g{}", k - 1);
                    text += &format!("(define-fun g{k} ((a Int)) Int (+ ({g} a) ({g} (+ a {k}))))");
                }
                text + "(assert (= x (g59 x)))(check-sat)"
            },
            "sat",
        ),
        (
            "sorts",
            format!("{head}(assert (> p 0))"),
            "1:79: the arguments have sorts Bool and Int",
        ),
        (
            "names",
            format!("{head}(assert (> y 0))"),
            "1:82: `y` is not declared",
        ),
    ];
    for (name, text, wanted) in cases {
        let budget = Budget::unlimited().with_time(Duration::from_secs(20));
        let mut out = Vec::new();
        run(&text, &budget, &mut out).unwrap();
        let out = String::from_utf8(out).unwrap();
        assert!(
            out.contains(wanted),
            "{name}: {}",
            &out[..out.len().min(300)]
        );
    }
}

/// A text that takes long to read stops soon after its time.
#[test]
fn reading_stops_in_time() {
    let mut text = String::from("(declare-fun x () Int)(assert (and ");
    for k in 0..400_000 {
        text += &format!("(or (< x {k}) (> (+ x {k}) (* 3 x)))");
    }
    text += "))(check-sat)";
    let budget = Budget::unlimited().with_time(Duration::from_millis(20));
    let mut out = Vec::new();
    run(&text, &budget, &mut out).unwrap();
    assert_eq!(String::from_utf8(out).unwrap(), "unknown\n");
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
