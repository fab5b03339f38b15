//! The checker accepts what is a proof and rejects seeded lies.
//!
//! The property test draws small programs over two variables with four values each, takes an
//! assertion per location as a set of the sixteen states, mutates it, and compares the checker with
//! an explicit check of the same obligations.
#![allow(clippy::unwrap_used)]

use base::Budget;
use evidence::certificate::{self, Heading};
use evidence::{Contract, Proof, Reason, Rest, Scope, Verdict, check};
use logic::{Pool, TermId};
use program::passes::Detail;
use program::{FuncId, LocId, Program, SourceMap, text};
use proptest::prelude::*;
use std::collections::BTreeMap;
use testkit::small::{ERROR, act, live_locations, post, reachable, source};

fn verdict(pool: &mut Pool, program: &Program, proof: Proof) -> Result<(), String> {
    match check(pool, program, Verdict::Safe(proof), &Budget::unlimited()).get() {
        Verdict::Safe(_) => Ok(()),
        Verdict::Unknown(Reason::EvidenceRejected { why }) => Err(why.clone()),
        other => panic!("a proof is accepted or rejected, not {other:?}"),
    }
}

fn loc(n: usize) -> LocId {
    base::Id::from_index(n)
}

fn function(program: &Program, name: &str) -> FuncId {
    let mut all = program.functions.iter_enumerated();
    all.find(|(_, f)| f.name == name).unwrap().0
}

fn proof(scope: Scope) -> Proof {
    Proof {
        rest: Vec::new(),
        cone: None,
        scope,
        invariants: BTreeMap::new(),
        contracts: BTreeMap::new(),
    }
}

const LOOP: &str = "
    fn main() {
      locals x: Int [-2147483648, 2147483647], y: Int [-2147483648, 2147483647]
      entry l0
      exit l4
      error l3: unreach \"x is not y\"
      l0 -> l1: x := 0, y := 0
      l1 -> l2: assume (< x 1000)
      l2 -> l1: x := (+ x 1), y := (+ y 1)
      l1 -> l5: assume (>= x 1000)
      l5 -> l3: assume (!= x y)
      l5 -> l4: assume (= x y)
    }";

#[test]
fn loop_invariant() {
    for scope in [Scope::Modular, Scope::Inlined] {
        let mut pool = Pool::new();
        let program = text::parse(&mut pool, LOOP).unwrap();
        let mut attempt = |formula: &str| {
            let mut p = proof(scope);
            let formula = text::parse_expr(&mut pool, formula).unwrap();
            p.invariants.insert(loc(1), formula);
            verdict(&mut pool, &program, p)
        };
        attempt("(= x y)").unwrap();
        attempt("(and (= x y) (<= x 1000))").unwrap();
        // Too weak, not inductive, not initial.
        assert!(attempt("(<= x y)").unwrap_err().contains("unreachable"));
        assert!(
            attempt("(and (= x y) (<= x 999))")
                .unwrap_err()
                .contains("assertion at")
        );
        assert!(attempt("(and (= x y) (>= x 1))").is_err());
        assert!(attempt("true").is_err());
        // False is a fine assertion for no reachable location.
        assert!(attempt("false").is_err());
    }
}

const TWO: &str = "
    fn main() {
      locals x: Int [-2147483648, 2147483647], y: Int [-2147483648, 2147483647]
      entry l0
      exit l4
      error l3: unreach \"x is not y\"
      error l6: unreach \"x is too large\"
      l0 -> l1: x := 0, y := 0
      l1 -> l2: assume (< x 1000)
      l2 -> l1: x := (+ x 1), y := (+ y 1)
      l1 -> l5: assume (>= x 1000)
      l5 -> l3: assume (!= x y)
      l5 -> l6: assume (> x 1000)
      l5 -> l4: assume (= x y)
    }";

/// Each part needs an assertion of its own; no error may be in no part, and no part may be wrong.
#[test]
fn a_proof_in_parts() {
    let mut pool = Pool::new();
    let program = text::parse(&mut pool, TWO).unwrap();
    let mut attempt = |own: &str, errors: &[usize], other: &str| {
        let mut part = |formula: &str| {
            let mut p = proof(Scope::Modular);
            let formula = text::parse_expr(&mut pool, formula).unwrap();
            p.invariants.insert(loc(1), formula);
            p
        };
        let mut own = part(own);
        own.rest.push(Rest {
            errors: errors.iter().map(|n| loc(*n)).collect(),
            proof: part(other),
        });
        let heading = Heading {
            program_hash: "",
            options: serde_json::Value::Null,
            sources: &SourceMap::default(),
        };
        let written = certificate::write(&mut pool, &program, &own, &heading).unwrap();
        let read = certificate::read(&mut pool, &program, &written).unwrap();
        let verdicts = [own, read].map(|p| verdict(&mut pool, &program, p));
        assert_eq!(verdicts[0], verdicts[1]);
        verdicts[0].clone()
    };
    attempt("(= x y)", &[6], "(<= x 1000)").unwrap();
    attempt("(<= x 1000)", &[3], "(= x y)").unwrap();
    assert!(attempt("(= x y)", &[3], "(<= x 1000)").is_err());
    assert!(attempt("(= x y)", &[6], "(<= x 999)").is_err());
    assert!(attempt("(= x y)", &[6], "true").is_err());
    // An error that is given to no part stays with the first one.
    assert!(attempt("(= x y)", &[], "(<= x 1000)").is_err());
    attempt("true", &[3, 6], "(and (= x y) (<= x 1000))").unwrap();
}

#[test]
fn a_loop_without_assertion_counts_as_true() {
    let mut pool = Pool::new();
    let program = text::parse(&mut pool, LOOP).unwrap();
    assert!(verdict(&mut pool, &program, proof(Scope::Inlined)).is_err());
}

/// The loop does not matter to the error: without assertions there is a proof of the cone and none of the whole.
/// With an error that the loop decides about there is none of either.
#[test]
fn a_proof_may_speak_of_the_cone_alone() {
    for (step, holds) in [("skip", true), ("x := n", false)] {
        let text = format!(
            "fn main() {{
               locals x: Int, n: Int
               entry l0
               exit l4
               error l3: unreach \"x is seven\"
               l0 -> l1: x := 0, n := 5
               l1 -> l1: n := (+ n 1)
               l1 -> l2: {step}
               l2 -> l3: assume (= x 7)
               l2 -> l4: assume (!= x 7)
             }}"
        );
        for scope in [Scope::Modular, Scope::Inlined] {
            let mut pool = Pool::new();
            let program = text::parse(&mut pool, &text).unwrap();
            let of = |cone: bool| Proof {
                rest: Vec::new(),
                cone: cone.then_some(Detail::Full),
                ..proof(scope)
            };
            assert!(verdict(&mut pool, &program, of(false)).is_err());
            assert_eq!(
                verdict(&mut pool, &program, of(true)).is_ok(),
                holds,
                "{text}"
            );
        }
    }
}

#[test]
fn ranges_are_free_invariants() {
    let mut pool = Pool::new();
    let program = text::parse(
        &mut pool,
        "fn main() {
           locals x: Int [0, 255]
           entry l0
           exit l2
           error l1: unreach \"too large\"
           l0 -> l0: x := (+ x 1)
           l0 -> l1: assume (> x 255)
           l0 -> l2: skip
         }",
    )
    .unwrap();
    verdict(&mut pool, &program, proof(Scope::Modular)).unwrap();
}

const CALLS: &str = "
    entry main
    global g: Int
    global h: Int
    fn main() {
      locals a: Int, b: Int
      entry l0
      exit l5
      error l4: unreach \"wrong sum\"
      l0 -> l1: g := 1, h := 7
      l1 -> l2: havoc a nondet \"__VERIFIER_nondet_int\"
      l2 -> l6: assume (and (>= a 0) (<= a 100))
      l6 -> l3: b := call sum(a)
      l3 -> l4: assume (or (!= b (* 2 a)) (< g 1) (!= h 7))
      l3 -> l5: skip
    }
    fn sum(n: Int) returns (r: Int) {
      locals t: Int
      entry l7
      exit l8
      l7 -> l9: assume (<= n 0)
      l9 -> l8: r := 0
      l7 -> l10: assume (> n 0)
      l10 -> l11: t := call sum((- n 1))
      l11 -> l8: r := (+ t 2), g := (+ g 1)
    }";

fn contract(pool: &mut Pool, program: &Program, requires: &str, ensures: &str) -> Proof {
    let mut p = proof(Scope::Modular);
    for v in program.vars.ids() {
        program::old_term(pool, program, v);
    }
    let requires = text::parse_expr(pool, requires).unwrap();
    let ensures = text::parse_expr(pool, ensures).unwrap();
    p.contracts
        .insert(function(program, "sum"), Contract { requires, ensures });
    p
}

#[test]
fn contracts_of_recursive_functions() {
    let mut pool = Pool::new();
    let program = text::parse(&mut pool, CALLS).unwrap();
    let n = program.functions[function(&program, "sum")].params[0];
    let r = program.functions[function(&program, "sum")].returns[0];
    let (n, r) = (program.vars[n].name.clone(), program.vars[r].name.clone());
    let mut attempt = |requires: &str, ensures: &str| {
        let fill = |t: &str| {
            t.replace("$n", &format!("|{n}|"))
                .replace("$on", &format!("|old({n})|"))
                .replace("$r", &format!("|{r}|"))
        };
        let p = contract(&mut pool, &program, &fill(requires), &fill(ensures));
        verdict(&mut pool, &program, p)
    };
    attempt("(>= $n 0)", "(and (= $r (* 2 $on)) (>= g |old(g)|))").unwrap();
    // Weaker or stronger than what holds.
    assert!(attempt("(>= $n 0)", "(>= g |old(g)|)").is_err());
    assert!(attempt("(>= $n 0)", "(= $r (* 2 $on))").is_err());
    assert!(attempt("true", "(and (= $r (* 2 $on)) (>= g |old(g)|))").is_err());
    assert!(attempt("(>= $n 1)", "(and (= $r (* 2 $on)) (>= g |old(g)|))").is_err());
    assert!(attempt("(>= $n 0)", "(and (= $r (* 2 $on)) (> g |old(g)|))").is_err());
    assert!(attempt("false", "false").unwrap_err().contains("requires"));
    // A parameter's value at exit is not part of a contract.
    assert!(
        attempt("(>= $n 0)", "(= $r (* 2 $n))")
            .unwrap_err()
            .contains("speaks of")
    );
}

#[test]
fn the_entry_function_requires_nothing() {
    let mut pool = Pool::new();
    let program = text::parse(&mut pool, LOOP).unwrap();
    let mut p = proof(Scope::Modular);
    p.contracts.insert(
        program.entry,
        Contract {
            requires: pool.ff(),
            ensures: pool.tt(),
        },
    );
    assert!(
        verdict(&mut pool, &program, p)
            .unwrap_err()
            .contains("initial")
    );
}

// ---- small random programs, explicit states ----

fn formula(pool: &mut Pool, x: TermId, y: TermId, states: u16) -> TermId {
    let mut parts = Vec::new();
    for s in (0..16i64).filter(|s| states >> s & 1 == 1) {
        let (a, b) = (pool.int(s % 4), pool.int(s / 4));
        let both = [pool.eq(x, a), pool.eq(y, b)];
        parts.push(pool.and(&both));
    }
    pool.or(&parts)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..Default::default() })]

    #[test]
    fn agrees_with_explicit_check(
        mut edges in prop::collection::vec((0usize..4, 0usize..6, act()), 4..10),
        mutation in 0usize..5,
        at in 0usize..4,
        other in 0usize..4,
        bit in 0u32..16,
        keep in any::<[bool; 4]>(),
    ) {
        edges.retain(|(from, _, _)| *from != ERROR);
        let exact = reachable(&edges);
        let mut sets = exact;
        match mutation {
            0 => {}
            1 => sets[at] |= 1 << bit,
            2 => sets[at] &= !(1 << bit),
            3 => sets.swap(at, other),
            _ => sets[at] = u16::MAX,
        }
        let mut pool = Pool::new();
        let program = text::parse(&mut pool, &source(&edges)).unwrap();
        let var = |name: &str| program.vars.iter().find(|v| v.name.ends_with(name)).unwrap().term;
        let (x, y) = (var("x"), var("y"));
        let mut p = proof(Scope::Modular);
        for (i, &set) in sets.iter().enumerate().take(4) {
            if keep[i] {
                let f = formula(&mut pool, x, y, set);
                p.invariants.insert(loc(i), f);
            }
        }
        let accepted = verdict(&mut pool, &program, p).is_ok();
        // Never accepts when the error can be reached.
        prop_assert!(!accepted || exact[ERROR] == 0);
        if keep == [true; 4] {
            // With an assertion everywhere, obligations are exactly those of single edges.
            let live: Vec<bool> = live_locations(&edges);
            let holds = sets[0] == u16::MAX
                && edges.iter().filter(|(from, _, _)| live[*from]).all(|(from, to, act)| {
                    let goal = match *to { ERROR => 0, 5 => u16::MAX, l => sets[l] };
                    post(act, sets[*from]) & !goal == 0
                });
            prop_assert_eq!(accepted, holds);
        }
    }
}

/// A function of one argument: `if (n <= bound) r = n + low; else r = n + high;`, where a result
/// outside 0..=3 blocks, and `None` is any result. A caller that passes `0..=most` and errs on the
/// results in `bad`.
fn caller(bound: i64, arms: [Option<i64>; 2], most: i64, bad: u8) -> String {
    let arm = |add: Option<i64>| match add {
        Some(add) => format!("r := (+ n {add})"),
        None => "havoc r".into(),
    };
    let wrong: Vec<String> = (0..4)
        .filter(|v| bad >> v & 1 == 1)
        .map(|v| format!("(= b {v})"))
        .collect();
    let wrong = match wrong.len() {
        0 => "false".into(),
        1 => wrong[0].clone(),
        _ => format!("(or {})", wrong.join(" ")),
    };
    format!(
        "entry main
         fn main() {{
           locals a: Int [0, 3], b: Int [0, 3]
           entry l0
           exit l5
           error l4: unreach \"bad\"
           l0 -> l1: havoc a nondet \"__VERIFIER_nondet_int\"
           l1 -> l2: assume (<= a {most})
           l2 -> l3: b := call f(a)
           l3 -> l4: assume {wrong}
           l3 -> l5: skip
         }}
         fn f(n: Int [0, 3]) returns (r: Int [0, 3]) {{
           entry l6
           exit l7
           l6 -> l8: assume (<= n {bound})
           l8 -> l7: {}
           l6 -> l9: assume (> n {bound})
           l9 -> l7: {}
         }}",
        arm(arms[0]),
        arm(arms[1])
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 120, failure_persistence: None, ..Default::default() })]

    /// Contracts: the exact one, weakened or strengthened at random, against the obligations by
    /// enumeration.
    #[test]
    fn contracts_agree_with_enumeration(
        bound in 0i64..3,
        arms in any::<[Option<bool>; 2]>(),
        shift in -1i64..=2,
        most in 0i64..4,
        bad in 0u8..16,
        requires_flip in prop::option::of(0u32..4),
        ensures_flip in prop::option::of(0u32..16),
        weak in 0usize..4,
    ) {
        let arms = arms.map(|a| a.map(|up| if up { shift } else { -shift }));
        let results = |n: i64| -> Vec<i64> {
            match if n <= bound { arms[0] } else { arms[1] } {
                Some(add) => Some(n + add).filter(|r| (0..4).contains(r)).into_iter().collect(),
                None => (0..4).collect(),
            }
        };
        // Sets of arguments, and of (argument, result) as argument + 4 * result.
        let mut requires: u16 = (0..=most).fold(0, |set, a| set | 1 << a);
        let mut ensures: u16 = 0;
        for n in 0..4 {
            results(n).iter().for_each(|r| ensures |= 1 << (n + 4 * r));
        }
        match weak {
            0 => requires = 0xf,
            1 => ensures = 0xffff,
            _ => {}
        }
        requires ^= requires_flip.map_or(0, |b| 1 << b);
        ensures ^= ensures_flip.map_or(0, |b| 1 << b);
        let mut pool = Pool::new();
        let program = text::parse(&mut pool, &caller(bound, arms, most, bad)).unwrap();
        let f = function(&program, "f");
        let (n, r) = (program.functions[f].params[0], program.functions[f].returns[0]);
        let old = program::old_term(&mut pool, &program, n);
        let (n, r) = (program.vars[n].term, program.vars[r].term);
        let alone: Vec<TermId> = (0..4i64)
            .filter(|v| requires >> v & 1 == 1)
            .map(|v| { let v = pool.int(v); pool.eq(n, v) })
            .collect();
        let mut p = proof(Scope::Modular);
        let contract = Contract {
            requires: pool.or(&alone),
            ensures: formula(&mut pool, old, r, ensures),
        };
        p.contracts.insert(f, contract);
        let accepted = verdict(&mut pool, &program, p).is_ok();
        let call = (0..=most).all(|a| requires >> a & 1 == 1);
        let body = (0..4)
            .filter(|n| requires >> n & 1 == 1)
            .all(|n| results(n).iter().all(|r| ensures >> (n + 4 * r) & 1 == 1));
        let error = (0..=most).all(|a| {
            (0..4).all(|r| ensures >> (a + 4 * r) & 1 == 0 || bad >> r & 1 == 0)
        });
        prop_assert_eq!(accepted, call && body && error);
    }
}
