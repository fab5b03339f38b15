//! Damaged texts: no reader panics or hangs, whatever it is given. Seeds are the texts under
//! `tests/` and `tests/programs`; tokens are dropped, doubled, swapped and exchanged at random
//! (the same ones in each run), bytes flipped, brackets nested deeply.
#![allow(clippy::unwrap_used)]

use frontend::c::lower::{LowerOptions, lower};
use logic::Pool;
use program::{Property, SourceMap};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const ROUNDS: usize = 60;
/// Far more than any text of this size needs.
const LIMIT: Duration = Duration::from_secs(10);

/// A text to damage, and how it is read.
type Reader = fn(&str);

fn c(text: &str) {
    let mut sources = SourceMap::default();
    let read = frontend::c::parse_and_check(&[("x.c", text)], &Default::default(), &mut sources);
    let Ok((unit, _)) = read else { return };
    for properties in [vec![Property::Unreach], vec![Property::ValidDeref]] {
        let options = LowerOptions {
            properties: BTreeSet::from_iter(properties),
            ..LowerOptions::default()
        };
        if let Ok(program) = lower(&mut Pool::new(), &unit, &options, &sources) {
            program.check_invariants();
        }
    }
}

fn boogie(text: &str) {
    let options = Default::default();
    let read = frontend::boogie::read(
        &mut Pool::new(),
        "x.bpl",
        text,
        &options,
        &mut SourceMap::default(),
    );
    if let Ok(read) = read {
        read.program.check_invariants();
    }
}

fn iproc(text: &str) {
    let read = frontend::iproc::read(
        &mut Pool::new(),
        "x.iproc",
        text,
        None,
        &mut SourceMap::default(),
    );
    if let Ok(read) = read {
        read.program.check_invariants();
    }
}

fn horn(text: &str) {
    for shape in [
        frontend::horn::Shape::Natural,
        frontend::horn::Shape::Functions,
    ] {
        let read = frontend::horn::read(
            &mut Pool::new(),
            "x.smt2",
            text,
            shape,
            &mut SourceMap::default(),
        );
        if let Ok(read) = read {
            read.program.check_invariants();
        }
    }
}

fn texts(end: &str) -> Vec<String> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut work: Vec<PathBuf> = vec![here.join("tests"), here.join("../../tests/programs")];
    let mut paths = Vec::new();
    while let Some(path) = work.pop() {
        if path.is_dir() {
            work.extend(std::fs::read_dir(path).unwrap().map(|e| e.unwrap().path()));
        } else if path.to_str().unwrap().ends_with(end) {
            paths.push(path);
        }
    }
    paths.sort();
    assert!(!paths.is_empty());
    let read = |p: &PathBuf| std::fs::read_to_string(p).unwrap();
    paths.iter().map(read).collect()
}

struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n.max(1) as u64) as usize
    }
}

/// Words, numbers and single signs, with the blanks between them.
fn tokens(text: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let mut start = 0;
    let mut last = None;
    for (i, c) in text.char_indices() {
        let kind = (c.is_alphanumeric() || c == '_', c.is_whitespace());
        if last.is_some_and(|l| l != kind || kind == (false, false)) {
            out.push(&text[start..i]);
            start = i;
        }
        last = Some(kind);
    }
    out.push(&text[start..]);
    out
}

fn damage(dice: &mut Dice, text: &str, all: &[&str]) -> String {
    let mut list = tokens(text);
    for _ in 0..1 + dice.below(4) {
        if list.len() < 2 {
            break;
        }
        let (a, b) = (dice.below(list.len()), dice.below(list.len()));
        match dice.below(7) {
            0 => drop(list.remove(a)),
            1 => list.insert(a, list[b]),
            2 => list.swap(a, b),
            3 => list[a] = all[dice.below(all.len())],
            4 => list.insert(a, all[dice.below(all.len())]),
            5 => list.truncate(a.max(1)),
            _ => {
                let part: Vec<&str> = list[a.min(b)..a.max(b)].to_vec();
                list.splice(a..a, part);
            }
        }
    }
    let mut bytes = list.concat().into_bytes();
    if dice.below(4) == 0 && !bytes.is_empty() {
        let at = dice.below(bytes.len());
        bytes[at] ^= 1 << dice.below(8);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn try_all(
    end: &str,
    read: Reader,
    rounds: usize,
    seed: u64,
    mut bad: impl FnMut(&str, &str),
) -> usize {
    let texts = texts(end);
    let all: Vec<&str> = texts.iter().flat_map(|t| tokens(t)).collect();
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15 ^ seed);
    for text in &texts {
        for _ in 0..rounds {
            let damaged = damage(&mut dice, text, &all);
            let shown = damaged.clone();
            let start = Instant::now();
            let result = std::panic::catch_unwind(move || read(&damaged));
            let trouble = match result {
                Err(_) => "panic",
                Ok(()) if start.elapsed() > LIMIT => "too long",
                Ok(()) => continue,
            };
            bad(trouble, &shown);
        }
    }
    texts.len() * rounds
}

/// One text that breaks a reader is enough.
fn fail(trouble: &str, text: &str) {
    panic!("{trouble} on:\n{text}");
}

/// `CRAIG_CAMPAIGN=COUNT:SEED`: about COUNT damaged texts of each language.
#[test]
#[ignore = "a campaign: minutes to hours"]
fn campaign() {
    let wanted = std::env::var("CRAIG_CAMPAIGN").unwrap_or("10000:1".into());
    let (count, seed) = wanted.split_once(':').unwrap_or((&wanted, "1"));
    let (count, seed): (usize, u64) = (count.parse().unwrap(), seed.parse().unwrap());
    let readers: [(&str, Reader); 4] = [
        (".c", c),
        (".bpl", boogie),
        (".iproc", iproc),
        (".smt2", horn),
    ];
    // All that breaks a reader is kept, for a look at the end.
    let dir = std::env::temp_dir().join("craig-damaged");
    std::fs::create_dir_all(&dir).unwrap();
    let mut kept = 0;
    for (end, read) in readers {
        let rounds = count.div_ceil(texts(end).len());
        let tried = try_all(end, read, rounds, seed, |trouble, text| {
            kept += 1;
            let file = dir.join(format!("{seed}-{kept}{end}"));
            std::fs::write(&file, text).unwrap();
            println!("{trouble}: {}", file.display());
        });
        println!("{end}: {tried} texts");
    }
    assert_eq!(kept, 0);
}

#[test]
fn damaged_c() {
    try_all(".c", c, 2, 0, fail);
}

#[test]
fn damaged_boogie() {
    try_all(".bpl", boogie, ROUNDS, 0, fail);
}

#[test]
fn damaged_iproc() {
    try_all(".iproc", iproc, ROUNDS, 0, fail);
}

#[test]
fn damaged_horn() {
    try_all(".smt2", horn, ROUNDS, 0, fail);
}

/// Deep nesting is refused or read, never a stack overflow (checks run on deep stacks; this is
/// what a reader must survive on the stack that checks have).
#[test]
fn deep_nesting() {
    let run = || {
        for depth in [300, 20_000] {
            let (open, close) = ("(".repeat(depth), ")".repeat(depth));
            let text = format!("procedure main() {{ assert {open} true {close}; }}");
            boogie(&text);
            boogie(&format!(
                "procedure main() {{ assert {}true; }}",
                "!".repeat(depth)
            ));
            let text = format!("proc main() returns (x) {{ assume {open} x == 0 {close}; }}");
            iproc(&text);
            let not = "(not ".repeat(depth);
            let text = "(set-logic HORN)(declare-fun p (Int) Bool)(assert (forall ((x Int)) ";
            horn(&format!("{text} {not} (p x) {close}))(check-sat)"));
            horn(&format!(
                "{text} (=> {not} (= x 0) {close} (p x))))(check-sat)"
            ));
        }
    };
    let thread = std::thread::Builder::new().stack_size(1 << 30).spawn(run);
    assert!(thread.unwrap().join().is_ok());
}
