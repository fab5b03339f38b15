//! Memory is left out as far as it does not matter: how many rounds that takes is in the statistics.
#![allow(clippy::unwrap_used)]

use craig::{Checker, EngineKind};
use evidence::Verdict;
use std::path::Path;
use std::time::Duration;

fn rounds(program: &str, engine: EngineKind) -> Option<u64> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../tests/programs/memory")
        .join(program);
    let checker = Checker::new().engine(engine);
    let outcome = checker.time(Duration::from_secs(60)).check_file(&path);
    let outcome = outcome.ok().unwrap();
    assert!(matches!(outcome.verdict.get(), Verdict::Safe(_)));
    let found = outcome
        .account
        .counters
        .iter()
        .find(|(name, _)| name == "rounds with less memory");
    found.map(|(_, count)| *count)
}

#[test]
fn what_matters_comes_back() {
    for engine in [EngineKind::Impact, EngineKind::Predabs, EngineKind::Split] {
        // Nothing in memory matters.
        let nothing = rounds("balanced_calls_safe.c", engine);
        assert_eq!(nothing, Some(1), "{engine}");
        // One of the arrays does.
        assert_eq!(rounds("flag_in_memory_safe.c", engine), Some(2), "{engine}");
        // The error looks at the arrays itself: none is left out.
        assert_eq!(rounds("heap_arrays_safe.c", engine), None, "{engine}");
    }
}
