//! Switches, as in the example of the module: which runs there are and what they end in.
#![allow(clippy::unwrap_used)]

use super::summaries;
use crate::limits::TABULATION;
use logic::Pool;
use program::{FuncId, Program};

/// Main switches `on` to each of `states`; `set` errs if it is there already.
fn switches(states: &[i64]) -> String {
    let mut out = String::from(
        "entry main\nfn main() returns (main.err: Bool) {\n  locals on: Int, e: Bool\n  \
         entry m0\n  m0 -> c0: on := 1, main.err := false\n",
    );
    for (k, state) in states.iter().enumerate() {
        out += &format!(
            "  c{k} -> t{k}: on, e := call set(on, {state})\n  t{k} -> c{0}: assume (not e)\n  \
             t{k} -> bad: assume e\n",
            k + 1
        );
    }
    out += &format!(
        "  c{} -> exit: skip\n  bad -> exit: main.err := true\n}}\n",
        states.len()
    );
    out += "fn set(was: Int, s: Int) returns (now: Int, set.err: Bool) {\n  entry s0\n  \
            s0 -> s1: assume (= was s)\n  s1 -> exit: now := 0, set.err := true\n  \
            s0 -> s2: assume (not (= was s))\n  s2 -> exit: now := s, set.err := false\n}\n";
    out
}

fn parsed(pool: &mut Pool, text: &str) -> Program {
    program::text::parse(pool, text).unwrap()
}

fn func(program: &Program, name: &str) -> FuncId {
    let mut ids = program.functions.ids();
    ids.find(|&f| program.functions[f].name == name).unwrap()
}

fn printed(pool: &mut Pool, text: &str, name: &str) -> Vec<String> {
    let program = parsed(pool, text);
    let found = summaries(pool, &program);
    let f = func(&program, name);
    let show = |t| program::text::print_expr(pool, t);
    found[f].iter().map(|&t| show(t)).collect()
}

#[test]
fn runs_are_told_apart_by_their_inputs() {
    let mut pool = Pool::new();
    // Every call finds the switch in the other state.
    assert_eq!(
        printed(&mut pool, &switches(&[0, 1, 0]), "main"),
        ["(not main.err)"]
    );
    assert_eq!(printed(&mut pool, &switches(&[0, 1, 0]), "set").len(), 2);
    // The last call does not, and nothing else can happen.
    assert_eq!(
        printed(&mut pool, &switches(&[0, 1, 1]), "main"),
        ["main.err"]
    );
}

#[test]
fn what_is_computed_is_not_known() {
    let mut pool = Pool::new();
    let text = switches(&[0]).replace("on := 1", "on := (+ on 1)");
    // Then main may err or not, which says nothing.
    assert_eq!(printed(&mut pool, &text, "main"), [] as [String; 0]);
}

#[test]
fn many_runs_become_one() {
    let mut pool = Pool::new();
    let states: Vec<i64> = (2..TABULATION.runs as i64 + 10).collect();
    let text = switches(&states);
    let program = parsed(&mut pool, &text);
    let set = func(&program, "set");
    // One run more is for all the inputs that have none of their own.
    let found = summaries(&mut pool, &program)[set].len();
    assert!(found <= TABULATION.runs + 1, "{found}");
}
