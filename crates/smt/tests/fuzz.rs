//! The checks of the fuzz targets (`fuzz/`) on kept inputs and on a few random ones.

#![allow(clippy::unwrap_used)]

#[path = "../../../fuzz/checks.rs"]
mod checks;
use testkit::formulas::Random;

fn kept(folder: &str) -> Vec<Vec<u8>> {
    let path = format!(
        "{}/../../fuzz/regressions/{folder}",
        env!("CARGO_MANIFEST_DIR")
    );
    let mut files: Vec<_> = std::fs::read_dir(path)
        .unwrap()
        .map(|f| f.unwrap().path())
        .collect();
    files.sort();
    assert!(!files.is_empty());
    files.iter().map(|f| std::fs::read(f).unwrap()).collect()
}

#[test]
fn scripts() {
    let seeds = kept("smtlib");
    let mut random = Random(3);
    for seed in &seeds {
        checks::script(seed);
        // Cut, repeat, or overwrite a piece.
        for _ in 0..30 {
            let mut text = seed.clone();
            let at = random.below(text.len() as u64) as usize;
            let to = (at + 1 + random.below(12) as usize).min(text.len());
            match random.below(4) {
                0 => drop(text.drain(at..to)),
                1 => text.truncate(at),
                2 => {
                    let piece = text[at..to].to_vec();
                    text.splice(at..at, piece);
                }
                _ => text[at] = random.bytes(1)[0],
            }
            checks::script(&text);
        }
    }
}

#[test]
fn traces() {
    for seed in kept("trace") {
        checks::trace(&seed);
    }
    let mut random = Random(11);
    for _ in 0..40 {
        let bytes = random.bytes(240);
        checks::trace(&bytes);
    }
}
