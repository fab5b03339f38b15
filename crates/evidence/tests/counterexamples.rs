//! Counterexamples, real ones and such that were tampered with: whatever the checker accepts is an
//! execution to the error by the meaning of the program, checked here by enumeration; and a real one
//! is always accepted.
#![allow(clippy::unwrap_used)]

use base::{Budget, Id};
use evidence::{Counterexample, Reason, Step, Trace, Verdict, check};
use logic::{Pool, Rational, Value};
use program::{EdgeId, Program, Stmt, VarId, text};
use proptest::prelude::*;
use std::collections::{BTreeMap, VecDeque};
use testkit::small::{Act, ERROR, act, post, reachable, source};

type Edges = [(usize, usize, Act)];
/// A location and a state (x + 4 * y).
type Point = (usize, u16);

fn value(n: u16) -> Value {
    Value::Num(Rational::from(i64::from(n)))
}

fn number(v: &Value) -> u16 {
    match v {
        Value::Num(n) => n.to_i64().unwrap() as u16,
        other => panic!("{other:?} is no number"),
    }
}

/// A shortest execution to the error: the first state, and the edges with the states after them.
fn shortest(edges: &Edges) -> Option<(u16, Vec<(usize, u16)>)> {
    let mut from: BTreeMap<Point, Option<(Point, usize)>> = BTreeMap::new();
    let mut queue: VecDeque<Point> = (0..16).map(|s| (0, s)).collect();
    from.extend(queue.iter().map(|p| (*p, None)));
    while let Some(point) = queue.pop_front() {
        if point.0 == ERROR {
            let mut path = Vec::new();
            let mut at = point;
            while let Some((before, edge)) = from[&at] {
                path.push((edge, at.1));
                at = before;
            }
            path.reverse();
            return Some((at.1, path));
        }
        for (i, (l, to, act)) in edges.iter().enumerate().filter(|(_, e)| e.0 == point.0) {
            debug_assert_eq!(*l, point.0);
            let after = post(act, 1 << point.1);
            for s in (0..16).filter(|s| after >> s & 1 == 1) {
                if let std::collections::btree_map::Entry::Vacant(e) = from.entry((*to, s)) {
                    e.insert(Some((point, i)));
                    queue.push_back((*to, s));
                }
            }
        }
    }
    None
}

fn variables(program: &Program) -> (VarId, VarId) {
    let var = |name: &str| {
        let mut all = program.vars.iter_enumerated();
        all.find(|(_, v)| v.name.ends_with(name)).unwrap().0
    };
    (var("x"), var("y"))
}

fn counterexample(program: &Program, edges: &Edges) -> Option<Counterexample> {
    let (first, path) = shortest(edges)?;
    let (x, y) = variables(program);
    let steps = path.iter().map(|&(edge, after)| Step {
        edge: EdgeId::from_index(edge),
        havocs: match edges[edge].2 {
            Act::Havoc { y: true } => vec![value(after / 4)],
            Act::Havoc { y: false } => vec![value(after % 4)],
            _ => Vec::new(),
        },
    });
    Some(Counterexample {
        initial: vec![(x, value(first % 4)), (y, value(first / 4))],
        steps: steps.collect(),
    })
}

/// Is the trace an execution of the program to its error, step by step?
fn is_execution(program: &Program, edges: &Edges, trace: &Trace) -> bool {
    let (x, y) = variables(program);
    let mut at = 0;
    // Initial values are not part of a trace: any that fits.
    let mut states = u16::MAX;
    for step in &trace.steps {
        let (from, to, act) = &edges[step.edge.index()];
        if *from != at {
            return false;
        }
        at = *to;
        states = post(act, states);
        for change in &step.changes {
            let fits = |s: u16| {
                let component = if change.var == x { s % 4 } else { s / 4 };
                component == number(&change.value)
            };
            assert!(change.var == x || change.var == y);
            states = (0..16)
                .filter(|s| states >> s & 1 == 1 && fits(*s))
                .fold(0, |m, s| m | 1 << s);
        }
    }
    at == ERROR && states != 0 && program.locations[trace.error].error.is_some()
}

#[derive(Clone, Debug)]
enum Tamper {
    Nothing,
    Value(usize, u16),
    Initial(usize, u16),
    Drop(usize),
    Swap(usize, usize),
    Edge(usize, usize),
    Cut(usize),
}

fn tamper() -> impl Strategy<Value = Tamper> {
    prop_oneof![
        Just(Tamper::Nothing),
        (0usize..8, 0u16..6).prop_map(|(i, v)| Tamper::Value(i, v)),
        (0usize..2, 0u16..6).prop_map(|(i, v)| Tamper::Initial(i, v)),
        (0usize..8).prop_map(Tamper::Drop),
        (0usize..8, 0usize..8).prop_map(|(i, j)| Tamper::Swap(i, j)),
        (0usize..8, 0usize..12).prop_map(|(i, e)| Tamper::Edge(i, e)),
        (0usize..8).prop_map(Tamper::Cut),
    ]
}

fn tampered(mut cex: Counterexample, how: &Tamper, edges: usize) -> Counterexample {
    let length = cex.steps.len().max(1);
    match *how {
        Tamper::Nothing => {}
        Tamper::Value(i, v) => {
            let mut havocs = cex.steps.iter_mut().filter(|s| !s.havocs.is_empty());
            if let Some(step) = havocs.nth(i % 2) {
                step.havocs[0] = value(v);
            }
        }
        Tamper::Initial(i, v) => cex.initial[i].1 = value(v),
        Tamper::Drop(i) if !cex.steps.is_empty() => drop(cex.steps.remove(i % length)),
        Tamper::Swap(i, j) if !cex.steps.is_empty() => cex.steps.swap(i % length, j % length),
        Tamper::Edge(i, e) if !cex.steps.is_empty() => {
            cex.steps[i % length].edge = EdgeId::from_index(e % edges);
        }
        Tamper::Cut(i) => cex.steps.truncate(i % length),
        _ => {}
    }
    cex
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..Default::default() })]

    #[test]
    fn only_executions_are_accepted(
        mut edges in prop::collection::vec((0usize..4, 0usize..6, act()), 4..12),
        how in tamper(),
        steps in prop::collection::vec((0usize..12, 0u16..4), 0..6),
    ) {
        // Without loops, as a tampered execution may not end; and not from the error on.
        edges.retain(|(from, to, _)| from < to);
        prop_assume!(!edges.is_empty());
        let mut pool = Pool::new();
        let program = text::parse(&mut pool, &source(&edges)).unwrap();
        let real = counterexample(&program, &edges);
        prop_assert_eq!(real.is_some(), reachable(&edges)[ERROR] != 0);
        // Where there is none, make one up.
        let invented = || Counterexample {
            initial: Vec::new(),
            steps: steps.iter().map(|&(e, v)| {
                let edge = EdgeId::from_index(e % edges.len());
                let is_havoc = matches!(program.edges[edge].stmt, Stmt::Havoc(..));
                Step { edge, havocs: if is_havoc { vec![value(v)] } else { Vec::new() } }
            }).collect(),
        };
        let is_real = real.is_some();
        let cex = match real {
            Some(real) => tampered(real, &how, edges.len()),
            None => invented(),
        };
        let checked = check(&mut pool, &program, Verdict::Unsafe(cex), &Budget::unlimited());
        match checked.get() {
            Verdict::Unsafe(_) => {
                prop_assert!(is_real);
                let trace = checked.record().trace.as_ref().unwrap();
                prop_assert!(is_execution(&program, &edges, trace));
            }
            Verdict::Unknown(Reason::EvidenceRejected { .. }) => {
                prop_assert!(!(is_real && matches!(how, Tamper::Nothing)));
            }
            other => panic!("an execution is accepted or rejected, not {other:?}"),
        }
    }
}

/// Where nothing is left open, tampering with an input must be noticed.
#[test]
fn a_changed_input_is_noticed() {
    let text = "fn main() {
        locals x: Int [0, 255], y: Int [0, 255]
        entry l0
        exit l5
        error l4: unreach \"e\"
        l0 -> l1: havoc x nondet \"__VERIFIER_nondet_uchar\"
        l1 -> l2: havoc y nondet \"__VERIFIER_nondet_uchar\"
        l2 -> l3: assume (= x (+ y 7))
        l2 -> l5: assume (!= x (+ y 7))
        l3 -> l4: assume (= y 100)
        l3 -> l5: assume (!= y 100)
      }";
    let mut pool = Pool::new();
    let program = text::parse(&mut pool, text).unwrap();
    let mut attempt = |x: u16, y: u16| {
        let steps = [(0, Some(x)), (1, Some(y)), (2, None), (4, None)];
        let steps = steps.iter().map(|&(e, v)| Step {
            edge: EdgeId::from_index(e),
            havocs: v.map(value).into_iter().collect(),
        });
        let cex = Counterexample {
            initial: Vec::new(),
            steps: steps.collect(),
        };
        let checked = check(
            &mut pool,
            &program,
            Verdict::Unsafe(cex),
            &Budget::unlimited(),
        );
        checked.get().as_str()
    };
    assert_eq!(attempt(107, 100), "unsafe");
    for (x, y) in [(106, 100), (107, 101), (107, 99), (0, 0), (300, 293)] {
        assert_eq!(attempt(x, y), "unknown", "{x} {y}");
    }
}
