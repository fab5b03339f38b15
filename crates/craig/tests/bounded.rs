//! The engines up to a bound: `bmc` and `kind` say how far they looked, and a bound is exact.

use craig::{Checker, EngineKind, EngineOptions, Outcome};
use evidence::{Reason, Verdict};

const COUNT: &str = "
    void reach_error(void);
    int __VERIFIER_nondet_int(void);
    int main(void) {
        int x = 0, n = __VERIFIER_nondet_int();
        while (x < n) x += 3;
        if (x == 21) reach_error();
        return 0;
    }";

const NESTED: &str = "
    void reach_error(void);
    int __VERIFIER_nondet_int(void);
    int f(int n) { return n <= 0 ? 0 : 1 + f(n - 1); }
    int main(void) {
        if (f(__VERIFIER_nondet_int()) == 9) reach_error();
        return 0;
    }";

/// Three values that change places; what the assertion needs takes two laps to follow.
const ROTATE: &str = "
    void reach_error(void);
    int __VERIFIER_nondet_int(void);
    int main(void) {
        int a = 1, b = 2, c = 3;
        while (__VERIFIER_nondet_int()) {
            int t = a; a = b; b = c; c = t;
            if (a == b) reach_error();
        }
        return 0;
    }";

/// The algorithm alone.
fn check(text: &str, engine: EngineKind, bound: Option<u64>) -> Outcome {
    let options = EngineOptions {
        aids: false,
        bound,
        ..Default::default()
    };
    Checker::new()
        .engine(engine)
        .engine_options(options)
        .time(std::time::Duration::from_secs(20))
        .check_text("bounded.c", text)
        .expect("the program is well formed")
}

fn looked_at(outcome: &Outcome) -> Option<(u64, Option<u64>)> {
    match outcome.verdict.get() {
        Verdict::Unknown(Reason::NoErrorUpTo { blocks, calls, .. }) => Some((*blocks, *calls)),
        _ => None,
    }
}

#[test]
fn a_bound_is_exact() {
    for engine in [EngineKind::Bmc, EngineKind::Kind] {
        // To the head, seven laps, and out of the loop.
        let short = check(COUNT, engine, Some(8));
        assert_eq!(looked_at(&short), Some((8, None)), "{engine}");
        let long = check(COUNT, engine, Some(9));
        assert!(matches!(long.verdict.get(), Verdict::Unsafe(_)), "{engine}");
    }
}

#[test]
fn the_bound_is_told() {
    let outcome = check(COUNT, EngineKind::Bmc, Some(3));
    assert!(
        outcome.text().contains("no error up to 3"),
        "{}",
        outcome.text()
    );
    assert!(outcome.json().contains("no error up to 3"));
}

#[test]
fn recursion_is_unrolled() {
    let deep = check(NESTED, EngineKind::Bmc, None);
    assert!(matches!(deep.verdict.get(), Verdict::Unsafe(_)));
    let shallow = check(NESTED, EngineKind::Bmc, Some(4));
    assert!(matches!(looked_at(&shallow), Some((_, Some(4)))));
}

#[test]
fn induction_over_several_laps_is_a_proof() {
    let outcome = check(ROTATE, EngineKind::Kind, None);
    assert!(matches!(outcome.verdict.get(), Verdict::Safe(_)));
    // One lap is not enough, so nothing but the bound is known.
    let one = check(ROTATE, EngineKind::Kind, Some(1));
    assert_eq!(looked_at(&one), Some((1, None)));
}
