//! Rules such as Horn clauses decided from their facts upwards: accepted only where no error can be derived, as brute force
//! over small numbers says, and accepted where all that matters has few values.
#![allow(clippy::unwrap_used)]

use base::{Budget, Random, Work};
use evidence::{Proof, Scope, Verdict, check};
use logic::Pool;
use program::text::parse;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

fn accepted(text: &str) -> bool {
    let mut pool = Pool::new();
    let program = parse(&mut pool, text).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
    let proof = Proof {
        rest: Vec::new(),
        cone: None,
        scope: Scope::Tables,
        invariants: BTreeMap::new(),
        contracts: BTreeMap::new(),
    };
    let budget = Budget::unlimited().with_slice(Work::thousand(400));
    let verdict = check(&mut pool, &program, Verdict::Safe(proof), &budget);
    matches!(verdict.get(), Verdict::Safe(_))
}

/// Two threads that pass a token: a position of each, and whose turn it is. Each moves only in its turn.
fn token(step: &str, bad: &str) -> String {
    format!(
        "entry main
fn state(a: Int, b: Int, turn: Int, n: Int) {{
  locals a0: Int, t0: Int, n0: Int
  entry s
  s -> exit: assume (and (= a 0) (= b 0) (= turn 0) (= n 0))
  s -> x0: havoc a0
  x0 -> x1: assume (and (= a0 0) (= turn 0) (= a 1))
  x1 -> exit: call state(a0, b, turn, n)
  s -> y0: havoc a0, t0, n0
  y0 -> y1: assume (and (= a0 1) (= t0 {step}) (= a 0) (= turn 1) (= n (+ n0 1)))
  y1 -> exit: call state(a0, b, t0, n0)
  s -> z0: havoc t0
  z0 -> z1: assume (= turn (- 1 t0))
  z1 -> exit: call state(b, a, t0, n)
}}
fn main() {{
  locals i: Int, j: Int, t: Int, k: Int
  entry m0
  error e: unreach \"both are in\"
  m0 -> m1: havoc i, j, t, k
  m1 -> m2: assume (and (>= i 1) (>= j {bad}))
  m2 -> e: call state(i, j, t, k)
}}"
    )
}

#[test]
fn counters_and_positions_of_threads_are_enumerated() {
    assert!(accepted(&token("0", "1")));
}

#[test]
fn what_can_be_derived_is_not_accepted() {
    assert!(!accepted(&token("0", "0")));
    // A thread that leaves whoever's turn it is makes room for the other.
    assert!(!accepted(&token("(* 0 b)", "0")));
}

/// A rule over the variables 0..=3, each from 0 to 3.
struct Rule {
    /// The predicate of the head with its arguments; none for an error.
    head: Option<(usize, Vec<usize>)>,
    body: Vec<(usize, Vec<usize>)>,
    /// `v = k`, `v = w + k` or `v <= w + k`.
    conditions: Vec<(usize, char, Option<usize>, i64)>,
}

const ARITIES: [usize; 2] = [2, 3];
const VARS: usize = 4;
const VALUES: i64 = 4;

fn atom(random: &mut Random) -> (usize, Vec<usize>) {
    let predicate = random.below(2) as usize;
    let args = (0..ARITIES[predicate]).map(|_| random.below(VARS as u64) as usize);
    (predicate, args.collect())
}

fn rule(random: &mut Random, head: bool) -> Rule {
    let body = random.below(if head { 3 } else { 2 }) + u64::from(!head);
    let conditions = 1 + random.below(3);
    Rule {
        head: head.then(|| atom(random)),
        body: (0..body).map(|_| atom(random)).collect(),
        conditions: (0..conditions)
            .map(|_| {
                let (v, w) = (random.below(4) as usize, random.below(4) as usize);
                match random.below(3) {
                    0 => (v, '=', None, random.between(0, 3)),
                    1 => (v, '=', Some(w), random.between(-1, 1)),
                    _ => (v, '<', Some(w), random.between(-2, 1)),
                }
            })
            .collect(),
    }
}

fn text(rules: &[Rule]) -> String {
    let mut bodies = [String::new(), String::new(), String::new()];
    for (n, rule) in rules.iter().enumerate() {
        let function = rule.head.as_ref().map_or(2, |(p, _)| *p);
        let body = &mut bodies[function];
        let mut parts: Vec<String> = (0..VARS)
            .map(|v| format!("(<= 0 v{v}{function}) (< v{v}{function} {VALUES})"))
            .collect();
        if let Some((_, args)) = &rule.head {
            parts.extend(
                args.iter()
                    .enumerate()
                    .map(|(x, v)| format!("(= x{x}{function} v{v}{function})")),
            );
        }
        for (v, sign, w, k) in &rule.conditions {
            let k = if *k < 0 {
                format!("(- {})", -k)
            } else {
                k.to_string()
            };
            let right = w.map_or(k.clone(), |w| format!("(+ v{w}{function} {k})"));
            let sign = if *sign == '=' { "=" } else { "<=" };
            parts.push(format!("({sign} v{v}{function} {right})"));
        }
        writeln!(
            body,
            "  s{function} -> h{n}: havoc v0{function}, v1{function}, v2{function}, v3{function}"
        )
        .unwrap();
        writeln!(body, "  h{n} -> c{n}0: assume (and {})", parts.join(" ")).unwrap();
        for (c, (p, args)) in rule.body.iter().enumerate() {
            let args: Vec<String> = args.iter().map(|v| format!("v{v}{function}")).collect();
            writeln!(
                body,
                "  c{n}{c} -> c{n}{}: call p{p}({})",
                c + 1,
                args.join(", ")
            )
            .unwrap();
        }
        let end = if function == 2 { "e" } else { "exit" };
        writeln!(body, "  c{n}{} -> {end}: skip", rule.body.len()).unwrap();
    }
    let locals = |f: usize| {
        format!("  locals v0{f}: Int, v1{f}: Int, v2{f}: Int, v3{f}: Int\n  entry s{f}\n")
    };
    format!(
        "entry main\nfn p0(x00: Int, x10: Int) {{\n{}{}}}\nfn p1(x01: Int, x11: Int, x21: Int) {{\n{}{}}}\nfn main() {{\n{}  error e: unreach \"derived\"\n{}}}",
        locals(0),
        bodies[0],
        locals(1),
        bodies[1],
        locals(2),
        bodies[2]
    )
}

/// Whether an error can be derived: all facts, from below.
fn derivable(rules: &[Rule]) -> bool {
    let mut facts: BTreeSet<(usize, Vec<i64>)> = BTreeSet::new();
    loop {
        let before = facts.len();
        for rule in rules {
            for code in 0..VALUES.pow(VARS as u32) {
                let value = |v: usize| code / VALUES.pow(v as u32) % VALUES;
                let holds = |(v, sign, w, k): &(usize, char, Option<usize>, i64)| {
                    let right = w.map_or(0, value) + k;
                    if *sign == '=' {
                        value(*v) == right
                    } else {
                        value(*v) <= right
                    }
                };
                let fact = |(p, args): &(usize, Vec<usize>)| {
                    (*p, args.iter().map(|v| value(*v)).collect::<Vec<_>>())
                };
                if rule.conditions.iter().all(holds)
                    && rule.body.iter().all(|a| facts.contains(&fact(a)))
                {
                    match &rule.head {
                        Some(head) => facts.insert(fact(head)),
                        None => return true,
                    };
                }
            }
        }
        if facts.len() == before {
            return false;
        }
    }
}

#[test]
fn random_rules_agree_with_brute_force() {
    let (mut proved, mut failed) = (0, 0);
    for seed in 0..1500 {
        let mut random = Random::new(seed);
        let count = 3 + random.below(5);
        let mut rules: Vec<Rule> = (0..count).map(|_| rule(&mut random, true)).collect();
        rules.push(rule(&mut random, false));
        let text = text(&rules);
        let (accepted, wrong) = (accepted(&text), derivable(&rules));
        assert!(!(accepted && wrong), "seed {seed}:\n{text}");
        proved += u32::from(accepted);
        failed += u32::from(wrong);
    }
    assert!(
        proved > 300 && failed > 300,
        "{proved} proved, {failed} wrong"
    );
}
