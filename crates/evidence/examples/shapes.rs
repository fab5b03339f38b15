//! Local.
#![allow(clippy::unwrap_used, clippy::print_stdout)]
use base::{Budget, Work};
use evidence::{Proof, Scope, Verdict, check};
use logic::Pool;
use program::text::parse;
use std::collections::BTreeMap;
fn main() {
    let work: u64 = std::env::var("WORK").ok().and_then(|w| w.parse().ok()).unwrap_or(4000);
    for file in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&file).unwrap();
        let mut pool = Pool::new();
        let program = match parse(&mut pool, &text) { Ok(p) => p, Err(e) => { println!("{file}: {e:?}"); continue; } };
        let claim = Verdict::Safe(Proof { cone: None, scope: Scope::Shapes, invariants: BTreeMap::new(), contracts: BTreeMap::new() });
        let budget = Budget::unlimited().with_slice(Work::thousand(work));
        let start = std::time::Instant::now();
        let done = check(&mut pool, &program, claim, &budget);
        let text = format!("{:?}", done.get());
        let name = file.rsplit('/').next().unwrap();
        println!("{name}: {} {:.2}s", if matches!(done.get(), Verdict::Safe(_)) { "SAFE".to_string() } else { text.chars().take(160).collect() }, start.elapsed().as_secs_f64());
    }
}
