//! What interpolation costs beside the check, phase by phase, on SMT-LIB files.
//!
//! `cargo run --release -p craig-smt --example interpolation -- FILE.itp.smt2…`
//!
//! Each file's assertions are the parts of a sequence. Best of several rounds, in
//! microseconds of CPU time:
//! the check without and with a proof log, then what is added to the latter by reading interpolants
//! off the proof, by simplifying and by checking them. The last two columns are the sum of these
//! three over the check without a log, without and with the check of the interpolants.

use base::{Budget, Id};
use logic::smtlib::{CommandKind, NoHooks, ScriptReader};
use logic::{Pool, TermId};
use smt::interpolate::{Interpolator, Options, Outcome};
use smt::proof::PartitionId;
use smt::{Answer, Solver};
use std::time::Duration;

/// CPU time of this thread so far, as the kernel counts it.
fn cpu() -> Duration {
    // The count is brought up to date when the thread yields.
    std::thread::yield_now();
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanos = text.split(' ').next().and_then(|n| n.parse().ok());
    Duration::from_nanos(nanos.unwrap_or(0))
}

fn parts_of(text: &str) -> (Pool, Vec<TermId>) {
    let mut pool = Pool::new();
    let mut reader = ScriptReader::new(text);
    let mut parts = Vec::new();
    while let Some(next) = reader.next(&mut pool, &mut NoHooks) {
        if let Ok(command) = next
            && let CommandKind::Assert { term, .. } = command.kind
        {
            parts.push(term);
        }
    }
    (pool, parts)
}

/// Time of the check, and of interpolation from its proof.
fn round(text: &str, proof: bool, options: Option<Options>) -> Option<(Duration, Duration)> {
    let (mut pool, parts) = parts_of(text);
    let budget = Budget::unlimited().with_time(Duration::from_secs(60));
    let mut solver = match proof {
        true => Solver::with_proof(),
        false => Solver::new(),
    };
    let start = cpu();
    for (i, &part) in parts.iter().enumerate() {
        solver.assert_in(&mut pool, part, PartitionId::from_index(i));
    }
    if solver.check(&mut pool, &[], &budget) != Answer::Unsat {
        return None;
    }
    let check = cpu() - start;
    let Some(options) = options else {
        return Some((check, Duration::ZERO));
    };
    let start = cpu();
    let last = parts.len() - 1;
    let parent: Vec<usize> = (0..parts.len()).map(|i| (i + 1).min(last)).collect();
    let refutation = solver.refutation()?;
    let outcome =
        Interpolator::new(options).tree_of(&mut pool, &parts, &parent, refutation, &budget);
    match outcome {
        Outcome::Interpolants(_) => Some((check, cpu() - start)),
        Outcome::Sat(_) => None,
        Outcome::Unknown(why) => {
            eprintln!("{why}");
            None
        }
    }
}

fn main() -> std::io::Result<()> {
    let ladder = [(false, false), (true, false), (true, true)];
    println!(
        "{:<24}{:>9}{:>9}{:>9}{:>9}{:>9}{:>8}{:>8}",
        "file", "check", "logging", "read", "simplify", "verify", "ratio", "all"
    );
    let [mut bare, mut full] = [0.0; 2];
    let mut count = 0;
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path)?;
        let mut best = [f64::MAX; 5];
        let mut solved = true;
        let started = cpu();
        for k in 0..15 {
            if k > 2 && cpu() - started > Duration::from_millis(1500) {
                break;
            }
            let mut note = |slot: usize, time: Option<f64>| match time {
                Some(t) => best[slot] = best[slot].min(t),
                None => solved = false,
            };
            let micros = |d: Duration| d.as_secs_f64() * 1e6;
            note(0, round(&text, false, None).map(|t| micros(t.0)));
            note(1, round(&text, true, None).map(|t| micros(t.0)));
            for (slot, (simplify, check)) in ladder.into_iter().enumerate() {
                let options = Options {
                    simplify,
                    check,
                    ..Options::default()
                };
                let time = round(&text, true, Some(options));
                note(slot + 2, time.map(|t| micros(t.1)));
            }
        }
        let name = path.rsplit('/').next().unwrap_or(&path);
        if !solved {
            println!("{name:<24} no interpolants");
            continue;
        }
        let [check, logged, read, clean, all] = best;
        let ratios = [clean, all].map(|t| ((logged - check).max(0.0) + t) / check);
        println!(
            "{name:<24}{check:>9.0}{:>9.0}{read:>9.0}{:>9.0}{:>9.0}{:>8.2}{:>8.2}",
            logged - check,
            clean - read,
            all - clean,
            ratios[0],
            ratios[1]
        );
        bare += ratios[0].ln();
        full += ratios[1].ln();
        count += 1;
    }
    let mean = |sum: f64| (sum / f64::from(count.max(1))).exp();
    println!(
        "geometric means over {count} files: {:.2} without, {:.2} with verification",
        mean(bare),
        mean(full)
    );
    Ok(())
}
