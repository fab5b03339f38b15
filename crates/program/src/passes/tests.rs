//! Passes keep whether (and which) errors are reachable, on random programs.
#![allow(clippy::unwrap_used)]
use super::*;
use crate::LocId;
use crate::analysis::reads::VarsOf;
use crate::interp::explore::{Explored, explore};
use crate::text::{parse, print};
use logic::Pool;
use std::collections::{BTreeMap, BTreeSet};
use testkit::programs as random;

const STATES: usize = 1_500;

fn programs() -> impl Iterator<Item = (Pool, Program, Explored, String)> {
    (0..45).filter_map(|seed| {
        let text = match seed % 3 {
            0 => random::single(seed),
            1 => random::with_calls(seed, false),
            _ => random::with_calls(seed, true),
        };
        let mut pool = Pool::new();
        let program = parse(&mut pool, &text).unwrap();
        let explored = explore(&pool, &program, STATES);
        explored.complete.then_some((pool, program, explored, text))
    })
}

fn errors_back(t: &Transformed, explored: &Explored) -> BTreeSet<LocId> {
    let errors = explored.errors.iter();
    errors.filter_map(|l| t.back.location(*l)).collect()
}

#[test]
fn dead_code_keeps_errors() {
    for (pool, program, before, text) in programs() {
        let t = dead_code(&program);
        t.program.check_invariants();
        assert!(t.program.edges.len() <= program.edges.len());
        let after = explore(&pool, &t.program, STATES);
        assert_eq!(errors_back(&t, &after), before.errors, "{text}");
    }
}

#[test]
fn constants_keep_errors_and_exits() {
    for (mut pool, program, before, text) in programs() {
        let t = constants(&mut pool, &program);
        t.program.check_invariants();
        let after = explore(&pool, &t.program, STATES);
        assert_eq!(after.errors, before.errors, "{text}");
        assert_eq!(after.exits, before.exits, "{text}");
    }
}

#[test]
fn constants_end_with_the_budget() {
    let (mut pool, program, ..) = programs().next().unwrap();
    let budget = base::Budget::unlimited();
    assert!(constants_within(&mut pool, &program, &budget).is_ok());
    let used_up = budget.with_slice(base::Work::ticks(0));
    let stopped = constants_within(&mut pool, &program, &used_up);
    assert_eq!(stopped.err(), Some(base::Stop::Work));
}

#[test]
fn slices_have_at_least_the_errors() {
    has_at_least_the_errors(slice);
    has_at_least_the_errors(slice_with_calls);
}

fn has_at_least_the_errors(slice: fn(&mut Pool, &Program) -> Transformed) {
    let mut same = 0;
    let mut all = 0;
    for (mut pool, program, before, text) in programs() {
        let t = slice(&mut pool, &program);
        t.program.check_invariants();
        let after = explore(&pool, &t.program, STATES);
        assert!(after.errors.is_superset(&before.errors), "{text}");
        all += 1;
        same += usize::from(after.errors == before.errors);
    }
    assert!(2 * same > all, "slices are precise: {same} of {all}");
}

#[test]
fn cones_have_at_least_the_errors() {
    let (mut same, mut all, mut smaller) = (0, 0, 0);
    for seed in 0..300 {
        let text = match seed % 3 {
            0 => random::single(seed),
            1 => random::with_calls(seed, false),
            _ => random::with_calls(seed, true),
        };
        let mut pool = Pool::new();
        let program = parse(&mut pool, &text).unwrap();
        let before = explore(&pool, &program, STATES);
        let cone = cone(&mut pool, &program, Detail::Full);
        cone.check_invariants();
        let after = explore(&pool, &cone, STATES);
        // What was seen of the original is there in any case; what was not seen of the cone may be.
        if !after.complete {
            continue;
        }
        assert!(after.errors.is_superset(&before.errors), "{text}");
        if before.complete {
            all += 1;
            same += usize::from(after.errors == before.errors);
        }
        let edges = |p: &Program| dead_code(p).program.edges.len();
        smaller += usize::from(edges(&cone) < edges(&program));
    }
    assert!(
        all > 80 && smaller > 30,
        "{all} programs, {smaller} smaller"
    );
    assert!(2 * same > all, "cones are precise: {same} of {all}");
}

/// Whatever an array holds: values read from it are any, also as arguments and beside others in one assignment.
#[test]
fn a_cone_without_memory_has_at_least_the_errors() {
    let text = "
entry main
global m: (Array Int Int), x: Int [0, 3], y: Int [0, 3], z: Int [0, 3]
fn main() {
  a -> b: m := (store m 1 2), z := 0
  b -> c: x := (select m 1), y := (+ z 1), z := 2
  c -> d: call set((select m 1), y)
  d -> bad: assume (and (= x 2) (= y 1))
  d -> e: assume (= (select m 1) 2)
  e -> worse: assume (= z 3)
  e -> exit: assume (!= z 3)
  error bad
  error worse
}
fn set(to: Int [0, 3], by: Int [0, 3]) {
  s -> t: assume (= to 2)
  s -> exit: assume (!= to 2)
  t -> exit: z := by
}
";
    let mut pool = Pool::new();
    let program = parse(&mut pool, text).unwrap();
    let before = explore(&pool, &program, STATES);
    assert_eq!(before.errors.len(), 1);
    let cone = cone(&mut pool, &program, Detail::WithoutMemory);
    cone.check_invariants();
    let after = explore(&pool, &cone, STATES);
    assert!(after.errors.is_superset(&before.errors));
    insta::assert_snapshot!(
        "cone_without_memory",
        print(&pool, &dead_code(&cone).program)
    );
}

/// A loop that only works on what nobody asks for, a branch that leads to the same place, a call without effect
/// and a condition that stops are gone; what decides about the error stays.
#[test]
fn a_cone_has_what_decides_about_the_error() {
    let text = |wanted: &str| {
        format!(
            "
entry main
global lock: Int, log: Int, ready: Int
fn main() {{
  locals i: Int, n: Int
  a -> b: lock := 0, i := 0, ready := n
  b -> c: assume (< i n)
  c -> b: i := (+ i 1)
  b -> d: assume (>= i n)
  d -> e: call trace({wanted})
  e -> f: assume (= log 3)
  f -> g: assume (= ready 1)
  f -> h: assume (!= ready 1)
  g -> h: lock := 1
  h -> bad: assume (= lock 2)
  h -> exit: assume (!= lock 2)
  error bad
}}
fn trace(what: Int) {{ t -> exit: log := (+ log what) }}
"
        )
    };
    let mut pool = Pool::new();
    let program = parse(&mut pool, &text("i")).unwrap();
    let small = dead_code(&cone(&mut pool, &program, Detail::Full)).program;
    let left = print(&pool, &small);
    for part in [
        "lock := 0, ready := n",
        "(= ready 1)",
        "lock := 1",
        "(= lock 2)",
    ] {
        assert!(left.contains(part), "{part}: {left}");
    }
    for part in ["call trace", "i := ", "log 3"] {
        assert!(!left.contains(part), "{part}: {left}");
    }
    // If the error asks for what the call does, that and the loop stay, and the lock does not matter.
    let asks = text("i")
        .replace("(= lock 2)", "(= log 2)")
        .replace("(!= lock 2)", "(!= log 2)");
    let program = parse(&mut pool, &asks).unwrap();
    let small = dead_code(&cone(&mut pool, &program, Detail::Full)).program;
    let left = print(&pool, &small);
    for part in ["call trace(i)", "i := (+ i 1)", "log := (+ log what)"] {
        assert!(left.contains(part), "{part}: {left}");
    }
    assert!(!left.contains("lock := "), "{left}");
}

#[test]
fn forgetting_has_at_least_the_errors() {
    let (mut all, mut same, mut two_steps) = (0, 0, 0);
    for seed in 0..60 {
        let text = random::single(seed);
        let mut pool = Pool::new();
        let program = parse(&mut pool, &text).unwrap();
        let before = explore(&pool, &program, STATES);
        if !before.complete {
            continue;
        }
        for var in program.vars.ids() {
            let t = abstract_variables(&mut pool, &program, &[var].into_iter().collect());
            t.program.check_invariants();
            let mut reads = VarsOf::new(&t.program);
            let read = t.program.edges.iter().any(|e| {
                let vars = reads.read_by(&pool, &e.stmt);
                vars.contains(&var)
            });
            assert!(!read, "{text}");
            two_steps += t.program.locations.len() - program.locations.len();
            let after = explore(&pool, &t.program, 20 * STATES);
            if after.complete {
                assert!(after.errors.is_superset(&before.errors), "{text}");
                all += 1;
                same += usize::from(after.errors == before.errors);
            }
        }
    }
    assert!(all > 50 && 2 * same > all, "precise: {same} of {all}");
    assert!(two_steps > 0, "no parallel assignment was taken apart");
}

#[test]
fn splitting_by_values_keeps_errors() {
    let mut split = 0;
    for seed in 0..120 {
        let text = random::single(seed);
        let mut pool = Pool::new();
        let program = parse(&mut pool, &text).unwrap();
        let before = explore(&pool, &program, STATES);
        let limits = SplitLimits::default();
        let Some(t) = before
            .complete
            .then(|| split_values(&mut pool, &program, limits))
            .flatten()
        else {
            continue;
        };
        split += 1;
        t.program.check_invariants();
        let errors = explore(&pool, &t.program, STATES).errors;
        let errors: BTreeSet<LocId> = errors.iter().filter_map(|e| t.back.location(*e)).collect();
        assert_eq!(errors, before.errors, "{text}");
    }
    assert!(split > 10, "{split} programs were split");
}

/// The next state is computed from a constant that another state set; a counter is left symbolic.
#[test]
fn computed_states_are_split_and_counters_are_not() {
    let mut pool = Pool::new();
    let text = "
entry main
fn main() {
  locals s: Int, b: Int, n: Int
  a -> head: s := 1
  head -> one: assume (= s 1)
  head -> other: assume (!= s 1)
  one -> set: b := 4
  set -> head: s := (+ (* 2 b) 1)
  other -> nine: assume (= s 9)
  other -> bad: assume (!= s 9)
  nine -> count: n := (+ n 1)
  count -> head: s := 1
  error bad
}
";
    let program = parse(&mut pool, text).unwrap();
    let t = split_values(&mut pool, &program, SplitLimits::default()).unwrap();
    let errors = t.program.error_locations().count();
    assert_eq!(errors, 0, "no state fails");
    assert_eq!(t.back.pieces().flatten().count(), 2);
}

#[test]
fn a_state_machine_is_split_into_its_states() {
    let mut pool = Pool::new();
    let text = "
entry main
fn main() {
  locals s: Int, n: Int
  a -> head: s := 1
  head -> one: assume (= s 1)
  head -> other: assume (!= s 1)
  one -> head: s := 2
  other -> two: assume (= s 2)
  other -> bad: assume (!= s 2)
  two -> three: n := (+ n 1)
  three -> head: s := 1
  error bad
}
";
    let program = parse(&mut pool, text).unwrap();
    let t = split_values(&mut pool, &program, SplitLimits::default()).unwrap();
    assert!(
        t.program.error_locations().next().is_none(),
        "no state fails"
    );
    let pieces: Vec<usize> = t.back.pieces().map(Vec::len).collect();
    assert_eq!(pieces, [2]);
    let back = t.back.invariants(&mut pool, BTreeMap::new());
    let s = program.vars.iter().find(|v| v.name == "s").unwrap().term;
    let (one, two) = (pool.int(1), pool.int(2));
    let (one, two) = (pool.eq(s, one), pool.eq(s, two));
    let either = pool.or2(one, two);
    assert!(back.values().any(|&i| i == either));
    let tight = SplitLimits {
        copies: 3,
        ..SplitLimits::default()
    };
    assert!(split_values(&mut pool, &program, tight).is_none());
}

/// The state comes from `t`, which nobody else reads; what `t` holds matters in one state only.
#[test]
fn copies_that_behave_alike_are_one() {
    let mut pool = Pool::new();
    let text = "
entry main
fn main() {
  locals s: Int, t: Int, x: Int
  a -> head: s := 1
  head -> one: assume (= s 1)
  head -> other: assume (!= s 1)
  one -> next: t := 3
  next -> head: s := 2
  other -> two: assume (= s 2)
  other -> rest: assume (!= s 2)
  two -> head: s := t
  rest -> three: assume (= s 3)
  rest -> bad: assume (!= s 3)
  three -> back: assume (!= x 5)
  three -> worse: assume (= x 5)
  back -> head: s := 1
  error bad
  error worse
}
";
    let program = parse(&mut pool, text).unwrap();
    let split = split_values(&mut pool, &program, SplitLimits::default()).unwrap();
    let named = |e: LocId| {
        program.locations[split.back.location(e).unwrap()]
            .error
            .clone()
    };
    let errors: Vec<_> = split.program.error_locations().map(named).collect();
    assert_eq!(errors.len(), 1, "{errors:?}");
    // s = 1 with t unknown and with t = 3, s = 2, s = 3.
    let pieces: Vec<_> = split.back.pieces().flatten().collect();
    assert_eq!(pieces.len(), 4);
    let copies: BTreeSet<LocId> = pieces.iter().map(|p| p.copy).collect();
    assert_eq!(copies.len(), 3, "the first two behave alike");
    assert_eq!(split.heads.len(), 3);
}

#[test]
fn globals_become_parameters() {
    for (mut pool, program, before, text) in programs() {
        let program = globals_to_params(&mut pool, &program).program;
        program.check_invariants();
        assert!(program.globals.is_empty());
        let after = explore(&pool, &program, 10 * STATES);
        if after.complete {
            assert_eq!(after.errors, before.errors, "{text}");
        }
    }
}

#[test]
fn loops_become_recursion() {
    let mut compared = 0;
    for (mut pool, program, before, text) in programs() {
        let program = loops_to_recursion(&mut pool, &program).program;
        program.check_invariants();
        let successors = program.successors();
        for f in program.functions.iter() {
            let shape = crate::analysis::shape::shape(&program, &successors, f.entry);
            assert!(shape.loop_heads.is_empty(), "{text}");
        }
        // Recursion may go on for ever: compare what was found within the limit.
        let after = explore(&pool, &program, STATES);
        assert!(
            !before.errors.is_empty() || after.errors.is_empty(),
            "{text}"
        );
        assert!(after.exits.is_subset(&before.exits), "{text}");
        if after.complete {
            compared += 1;
            assert_eq!(after.errors.is_empty(), before.errors.is_empty(), "{text}");
            assert_eq!(after.exits, before.exits, "{text}");
        }
    }
    assert!(compared > 1, "{compared}");
}

#[test]
fn constants_and_slices() {
    let mut pool = Pool::new();
    let text = "
entry main
global debug: Int, log: Int, x: Int
fn main() {
  locals unused: Int
  a -> b: debug := 0, x := 1, log := 7
  b -> c: call trace(x)
  c -> d: assume (!= debug 0)
  c -> e: assume (= debug 0)
  d -> bad: skip
  e -> f: unused := (+ x 5)
  f -> bad: assume (= x 2)
  f -> exit: assume (!= x 2)
  error bad
}
fn trace(what: Int) { t -> exit: log := (+ log what) }
";
    let program = parse(&mut pool, text).unwrap();
    let folded = constants(&mut pool, &program);
    insta::assert_snapshot!("constants", print(&pool, &folded.program));
    let sliced = slice(&mut pool, &program);
    insta::assert_snapshot!("slice", print(&pool, &sliced.program));
    let with_calls = slice_with_calls(&mut pool, &program);
    insta::assert_snapshot!("slice_with_calls", print(&pool, &with_calls.program));
    let small = dead_code(&sliced.program);
    insta::assert_snapshot!("slice_dead_code", print(&pool, &small.program));
}

const MEMORY: &str = "
entry main
global m: (Array Int Int), n: (Array Int Int)
fn main() {
  locals p: Int, q: Int, x: Int [0, 3]
  a -> b: m := (store m 8 1)
  b -> c: m := (store (store m 4 2) 12 (select m 8))
  c -> d: n := (store n p 1)
  d -> e: n := (store n q 0)
  e -> f: x := (+ (select m 4) (select m 12))
  f -> bad: assume (= x 3)
  f -> g: assume (= (select n p) 0)
  g -> other: skip
  error bad
  error other
}
";

fn arrays_in(pool: &Pool, program: &Program) -> BTreeSet<String> {
    let mut roots = Vec::new();
    for edge in program.edges.iter() {
        match &edge.stmt {
            crate::Stmt::Assume(c) => roots.push(*c),
            crate::Stmt::Assign(pairs) => roots.extend(pairs.iter().map(|(_, e)| *e)),
            _ => {}
        }
    }
    let used = pool.post_order(&roots);
    let vars = program.vars.iter();
    let arrays = vars.filter(|v| matches!(pool.sort_kind(v.sort), logic::Sort::Array(..)));
    arrays
        .filter(|v| used.contains(&v.term))
        .map(|v| v.name.clone())
        .collect()
}

#[test]
fn cells_at_constant_addresses_become_variables() {
    let mut pool = Pool::new();
    let program = parse(&mut pool, MEMORY).unwrap();
    let t = scalar_replacement(&mut pool, &program).unwrap();
    t.program.check_invariants();
    assert_eq!(arrays_in(&pool, &t.program), ["n".to_string()].into());
    let var = |name: &str| t.program.vars.iter().find(|v| v.name == name).unwrap().term;
    let (cell, one) = (var("m[8]"), pool.int(1));
    let fact = pool.eq(cell, one);
    let head = t.program.edges.iter().nth(1).unwrap().from;
    let back = t.back.invariants(&mut pool, BTreeMap::from([(head, fact)]));
    let (m, eight) = (var("m"), pool.int(8));
    let select = pool.select(m, eight);
    assert_eq!(back[&t.back.location(head).unwrap()], pool.eq(select, one));
}

/// Random programs over addresses, data and sizes: where only links are kept, what was forgotten may be any number.
#[test]
fn a_cone_of_links_has_at_least_the_errors() {
    const STATEMENTS: [&str; 13] = [
        "x := (select data i)",
        "data := (store data i x)",
        "data := (store data 2 (select data i)), i := 1",
        "size := (store size 1 (select data i))",
        "size := (store size 1 (+ (select data 0) (select size 1) -1)), x := (select data 1)",
        "size := (store (store size 0 x) 1 (select data x))",
        "next := (store next p 10)",
        "next := (store next 10 20)",
        "p := (select next p)",
        "assume (<= (select data i) 5)",
        "assume (= (select next p) 20)",
        "i := (ite (> (select data i) 3) 1 0)",
        "havoc x",
    ];
    let (mut all, mut same, mut forgotten) = (0, 0, 0);
    for seed in 0..400 {
        let mut random = base::Random::new(seed);
        let mut edges = String::new();
        for at in 0..9 {
            let mut edge = |to: usize| {
                let stmt = STATEMENTS[random.below(STATEMENTS.len() as u64) as usize];
                edges += &format!("  l{at} -> l{to}: {stmt}\n");
            };
            edge(at + 1);
            if at % 3 == 1 {
                edge((at + 3).min(9));
            }
        }
        let text = format!(
            "
entry main
global next: (Array Int Int), data: (Array Int Int), size: (Array Int Int)
fn main() {{
  locals p: Int [0, 20], x: Int [0, 4], i: Int [0, 2]
  a -> l0: p := 10, i := 0, next := (const-array (Array Int Int) 0), data := (const-array (Array Int Int) 0), size := data
{edges}  l9 -> bad: assume (= (select size 1) 3)
  l9 -> m: assume (!= (select size 1) 3)
  m -> worse: assume (= p 20)
  m -> exit: assume (!= p 20)
  error bad
  error worse
}}
"
        );
        let mut pool = Pool::new();
        let mut program = parse(&mut pool, &text).unwrap();
        program.memory.block = 10;
        let before = explore(&pool, &program, 8 * STATES);
        let mut cone = cone(&mut pool, &program, Detail::Links);
        cone.check_invariants();
        // Data is 0 to 4 in all these programs.
        let new: Vec<_> = cone.vars.ids().skip(program.vars.len()).collect();
        for v in new {
            cone.vars[v].range = Some((0.into(), 4.into()));
        }
        let after = explore(&pool, &cone, 8 * STATES);
        // What arrays hold before the first statement is of no matter.
        if after.states > 8 * STATES || before.states > 8 * STATES {
            continue;
        }
        assert!(after.errors.is_superset(&before.errors), "{text}");
        all += 1;
        same += usize::from(after.errors == before.errors);
        forgotten += usize::from(!print(&pool, &dead_code(&cone).program).contains("store data"));
    }
    assert!(all > 200 && 4 * same > all, "{same} of {all}");
    assert!(2 * forgotten > all, "{forgotten} of {all}");
}

/// What stands beside a number that was forgotten, in what an array is set to, matters.
#[test]
fn a_cone_of_links_reads_what_is_beside_data() {
    let text = "
entry main
global data: (Array Int Int), size: (Array Int Int)
fn main() {
  locals x: Int [0, 4]
  a -> b: x := 1
  b -> c: size := (store (store size 0 x) 2 (select data 0))
  c -> d: x := 3
  d -> e: size := (store (store size 1 x) 2 (select data 1))
  e -> bad: assume (and (= (select size 0) 1) (= (select size 1) 3))
  e -> exit: assume (= (select size 0) 0)
  error bad
}
";
    let mut pool = Pool::new();
    let mut program = parse(&mut pool, text).unwrap();
    program.memory.block = 10;
    let cone = cone(&mut pool, &program, Detail::Links);
    let left = print(&pool, &dead_code(&cone).program);
    for part in [
        "x := 1",
        "x := 3",
        "havoc |any integer",
        "(store (store size 1 x) 2 |any integer",
    ] {
        assert!(left.contains(part), "{part}: {left}");
    }
    assert!(!left.contains("select data"), "{left}");
    assert_eq!(explore(&pool, &cone, STATES).errors.len(), 1);
}
