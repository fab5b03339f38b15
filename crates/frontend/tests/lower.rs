//! Lowering: the programs under `lower/` check themselves (as they do when compiled by gcc) and
//! are run by the interpreter; small ones are compared as text.
#![allow(clippy::unwrap_used)]

use frontend::c::lower::{LowerOptions, lower};
use frontend::c::types::DataModel;
use frontend::c::{COptions, parse_and_check};
use logic::{Pool, Value};
use program::interp::{Interpreter, Limits, Oracle, Outcome};
use program::{EdgeId, Program, Property, SourceMap, VarId};
use std::collections::BTreeSet;

fn program(text: &str, options: &LowerOptions) -> (Pool, Program) {
    let mut sources = SourceMap::default();
    let c = COptions {
        data_model: options.data_model,
        line_markers: false,
        ..COptions::default()
    };
    let (unit, _) = parse_and_check(&[("test.c", text)], &c, &mut sources).unwrap();
    let mut pool = Pool::new();
    let program = lower(&mut pool, &unit, options, &sources).unwrap();
    program.check_invariants();
    (pool, program)
}

fn property(p: &[Property]) -> LowerOptions {
    LowerOptions {
        properties: BTreeSet::from_iter(p.iter().copied()),
        ..LowerOptions::default()
    }
}

struct Zeros;

impl Oracle for Zeros {
    fn havoc(&mut self, _: EdgeId, _: &[VarId]) -> Option<Vec<Value>> {
        Some(Vec::new())
    }
}

fn outcome(text: &str, options: &LowerOptions) -> Outcome {
    let (pool, program) = program(text, options);
    let run = Interpreter::new(&pool, &program).run(&mut Zeros, &Limits::default());
    run.outcome
}

#[test]
fn programs_that_check_themselves_exit() {
    for text in [
        include_str!("lower/numbers.c"),
        include_str!("lower/flow.c"),
        include_str!("lower/memory.c"),
    ] {
        for data_model in [DataModel::Ilp32, DataModel::Lp64] {
            let options = LowerOptions {
                data_model,
                ..LowerOptions::default()
            };
            assert_eq!(outcome(text, &options), Outcome::Exited, "{data_model:?}");
        }
    }
}

#[test]
fn memory_safety_holds_where_nothing_is_wrong() {
    let options = property(&[Property::ValidDeref, Property::ValidFree]);
    for text in [
        include_str!("lower/numbers.c"),
        include_str!("lower/flow.c"),
        include_str!("lower/memory.c"),
    ] {
        assert_eq!(outcome(text, &options), Outcome::Exited);
    }
}

fn violated(text: &str, p: Property) -> bool {
    let options = property(&[p]);
    let (pool, program) = program(text, &options);
    let run = Interpreter::new(&pool, &program).run(&mut Zeros, &Limits::default());
    match run.outcome {
        Outcome::ReachedError(at) => program.locations[at].error.as_ref().unwrap().property == p,
        _ => false,
    }
}

#[test]
fn violations_are_reached() {
    use Property::*;
    let head = "void *malloc(unsigned long); void free(void *); ";
    let twins: [(&str, Property, bool); 14] = [
        (
            "int main(void) { int x = 2147483647; x = x + 1; }",
            NoOverflow,
            true,
        ),
        (
            "int main(void) { unsigned x = 4294967295u; x = x + 1; }",
            NoOverflow,
            false,
        ),
        (
            "int main(void) { int x = -2147483647 - 1; x = -x; }",
            NoOverflow,
            true,
        ),
        (
            "int main(void) { int x = -2147483647 - 1, y = -1; x = x / y; }",
            NoOverflow,
            true,
        ),
        (
            "int main(void) { int x = 1; x = x << 31; }",
            NoOverflow,
            true,
        ),
        (
            "int main(void) { short x = 32767; x++; }",
            NoOverflow,
            false,
        ),
        (
            "int main(void) { int *p = 0; return *p; }",
            ValidDeref,
            true,
        ),
        (
            "int main(void) { int a[3], i = 3; a[i] = 1; return a[0]; }",
            ValidDeref,
            true,
        ),
        (
            "int main(void) { int a[3], i = 2; a[i] = 1; return a[2]; }",
            ValidDeref,
            false,
        ),
        (
            "int main(void) { int *p = malloc(8); p[2] = 1; }",
            ValidDeref,
            true,
        ),
        (
            "int main(void) { int *p = malloc(8); free(p); return *p; }",
            ValidDeref,
            true,
        ),
        (
            "int main(void) { int *p = malloc(8); free(p); free(p); }",
            ValidFree,
            true,
        ),
        (
            "int main(void) { int *p = malloc(8); p = 0; }",
            ValidMemtrack,
            true,
        ),
        (
            "int main(void) { int *p = malloc(8); free(p); }",
            ValidMemtrack,
            false,
        ),
    ];
    for (text, p, expected) in twins {
        assert_eq!(violated(&format!("{head}{text}"), p), expected, "{text}");
    }
}

#[test]
fn text_of_small_programs() {
    let text = "
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}
void lock(int *m) { if (*m) reach_error(); *m = 1; }
unsigned u;
int main(void) {
  int m = 0, n = __VERIFIER_nondet_int();
  lock(&m);
  while (n > 0) { n--; u = u + 1; }
  if (n && u / n > 3) lock(&m);
  return m;
}";
    let (pool, program) = program(text, &LowerOptions::default());
    insta::assert_snapshot!(program::text::print(&pool, &program));
}
