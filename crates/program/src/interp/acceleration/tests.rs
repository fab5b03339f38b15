#![allow(clippy::unwrap_used)]
use crate::interp::{Interpreter, Limits, Oracle, Outcome, Run};
use crate::text::parse;
use crate::{EdgeId, LocId, VarId};
use logic::{Pool, Value};
use testkit::Random;

/// Nothing is left open; says whether iterations may be jumped over.
struct Fixed(bool);

impl Oracle for Fixed {
    fn havoc(&mut self, _: EdgeId, _: &[VarId]) -> Option<Vec<Value>> {
        Some(Vec::new())
    }

    fn may_skip(&self, _: LocId) -> bool {
        self.0
    }
}

fn run(text: &str, skip: bool, steps: u64) -> (Run, Vec<Option<Value>>) {
    let mut pool = Pool::new();
    let program = parse(&mut pool, text).unwrap();
    let mut interpreter = Interpreter::new(&pool, &program);
    let limits = Limits {
        steps,
        ..Limits::default()
    };
    let run = interpreter.run(&mut Fixed(skip), &limits);
    let values = program.vars.ids().map(|v| interpreter.value(v)).collect();
    (run, values)
}

/// A loop over `x` and `y` with two phases, its body partly in a function, and an error where it ends
/// with an odd `x`.
fn program(bound: &str, phase: &str, first: &str, second: &str) -> String {
    format!(
        "entry main
fn main() returns (main::r: Int [0, 1]) {{
  locals main::x: Int [0, 4294967295], main::y: Int [-2147483648, 2147483647]
  entry l0
  exit l1
  error l2: unreach \"odd\"
  l0 -> l3: main::x := 0, main::y := 7
  l3 -> l4: assume {bound}
  l3 -> l5: assume (not {bound})
  l4 -> l6: assume {phase}
  l4 -> l7: assume (not {phase})
  l6 -> l3: {first}
  l7 -> l3: main::x := call f(main::x)
  l5 -> l2: assume (= (mod main::x 2) 1)
  l5 -> l1: assume (= (mod main::x 2) 0)
}}
fn f(f::z: Int [0, 4294967295]) returns (f::r: Int [0, 4294967295]) {{
  entry l8
  exit l9
  l8 -> l9: f::r := {second}
}}
"
    )
}

#[test]
fn a_long_count_is_jumped_over() {
    let text = program(
        "(< main::x 268435455)",
        "(< main::x 65520)",
        "main::x := (wrap.u32 (+ main::x 1))",
        "(wrap.u32 (+ f::z 2))",
    );
    let (run, _) = run(&text, true, 200_000);
    assert!(matches!(run.outcome, Outcome::Exited), "{run:?}");
    assert!(run.steps > 300_000_000 && run.skipped > 300_000_000);
}

/// Jumping changes neither where a run ends nor its state nor its length.
#[test]
fn jumps_change_nothing() {
    let mut random = Random::new(11);
    let mut jumped = 0;
    for _ in 0..60 {
        let mut pick = |list: &[&str]| list[random.below(list.len() as u64) as usize].to_string();
        let bound = pick(&[
            "(< main::x 30011)",
            "(not (= main::x 40000))",
            "(<= (+ main::x main::y) 70000)",
            "(< (+ main::x (* 3 main::y)) 50001)",
            "(> 4294967290 main::x)",
        ]);
        let phase = pick(&[
            "(< main::x 20002)",
            "(<= 15000 main::x)",
            "(= (mod main::x 3) 0)",
            "(= main::x 25000)",
            "(< main::y 30000)",
            "(< (wrap.i8 main::x) 100)",
        ]);
        let first = pick(&[
            "main::x := (wrap.u32 (+ main::x 1))",
            "main::x := (wrap.u32 (+ main::x -3)), main::y := (+ main::y 1)",
            "main::x := (wrap.u32 (+ main::x 2)), main::y := (wrap.i32 (+ main::y -1))",
            "main::x := (wrap.u32 (+ main::x main::y))",
            "main::x := (ite (< main::y 500) (+ main::x 1) (+ main::x 2)), main::y := (+ main::y 1)",
        ]);
        let second = pick(&[
            "(wrap.u32 (+ f::z 2))",
            "(wrap.u32 (+ f::z -1))",
            "(wrap.u16 (+ f::z 1))",
            "(wrap.u32 (* 2 f::z))",
            "(+ f::z 5)",
        ]);
        let text = program(&bound, &phase, &first, &second);
        let (slow, slow_values) = run(&text, false, 600_000);
        let (fast, fast_values) = run(&text, true, 600_000);
        if slow.outcome == Outcome::OutOfSteps {
            continue;
        }
        assert_eq!(slow.outcome, fast.outcome, "{text}");
        assert_eq!(slow.steps, fast.steps, "{text}");
        assert_eq!(slow_values, fast_values, "{text}");
        jumped += u64::from(fast.skipped > 0);
    }
    assert!(jumped > 10, "{jumped}");
}
