//! Programs executed symbolically over all their paths: accepted only where no execution reaches an error.
#![allow(clippy::unwrap_used)]

use base::{Budget, Random, Work};
use evidence::{Proof, Scope, Verdict, check};
use logic::Pool;
use program::Program;
use program::interp::explore::explore;
use program::text::parse;
use std::collections::BTreeMap;
use std::fmt::Write;
use testkit::programs as random;

fn proved(pool: &mut Pool, program: &Program) -> bool {
    let proof = Proof {
        rest: Vec::new(),
        cone: None,
        scope: Scope::Unrolled,
        invariants: BTreeMap::new(),
        contracts: BTreeMap::new(),
    };
    // What takes longer is no proof.
    let budget = Budget::unlimited().with_slice(Work::thousand(300));
    let verdict = check(pool, program, Verdict::Safe(proof), &budget);
    matches!(verdict.get(), Verdict::Safe(_))
}

/// Is the program with this body proved?
fn accepted(body: &str) -> bool {
    let text = format!(
        "global a: (Array Int Int), n: Int [0, 255]
fn main() {{
  locals x: Int [0, 255], i: Int [0, 255], j: Int [0, 255]
  entry l0
  error e: unreach \"reached\"
{body}
}}"
    );
    let mut pool = Pool::new();
    let program = parse(&mut pool, &text).unwrap();
    proved(&mut pool, &program)
}

/// Counts to n, which is at most `most`; the error is at i = `error`.
fn counting(most: u32, error: &str) -> bool {
    accepted(&format!(
        "  l0 -> l1: assume (<= n {most})
  l1 -> l2: i := 0
  l2 -> l3: assume (< i n)
  l3 -> l2: i := (+ i 1)
  l2 -> l4: assume (>= i n)
  l4 -> e: assume {error}
  l4 -> exit: assume (not {error})"
    ))
}

#[test]
fn loops_are_unrolled_to_their_end() {
    assert!(counting(9, "(!= i n)"));
    assert!(counting(9, "(> i 9)"));
    assert!(!counting(9, "(= i 9)"));
    assert!(counting(255, "(< i n)"), "whatever the laps do");
    assert!(!counting(255, "(!= i n)"), "too many laps");
}

#[test]
fn loops_that_go_on_leave_the_rest_alone() {
    // The loop writes i and a; x keeps its value, and so does what a held only before it.
    let after = |error: &str| {
        accepted(&format!(
            "  l0 -> l1: i := 0, x := 7, a := (const-array (Array Int Int) 0)
  l1 -> l2: assume (< i n)
  l2 -> l3: a := (store a i 1)
  l3 -> l1: i := (+ i 1)
  l1 -> l4: assume (>= i n)
  l4 -> e: assume {error}
  l4 -> exit: assume (not {error})"
        ))
    };
    assert!(after("(!= x 7)"));
    assert!(after("(< i n)"));
    assert!(!after("(and (> n 3) (= (select a 3) 1))"));
    assert!(!after("(= i 200)"));
}

#[test]
fn loops_inside_loops() {
    let nested = |error: &str| {
        accepted(&format!(
            "  l0 -> l1: i := 0, x := 0
  l1 -> l2: assume (< i 4)
  l2 -> l3: j := 0
  l3 -> l4: assume (< j i)
  l4 -> l3: j := (+ j 1), x := (+ x 1)
  l3 -> l5: assume (>= j i)
  l5 -> l1: i := (+ i 1)
  l1 -> l6: assume (>= i 4)
  l6 -> e: assume {error}
  l6 -> exit: assume (not {error})"
        ))
    };
    assert!(nested("(!= x 6)"));
    assert!(!nested("(= x 6)"));
}

#[test]
fn writes_on_one_branch_only() {
    // a[x] = 1 if n < 5, else a[7] = 2: what a[7] is depends on x and n.
    let branches = |error: &str| {
        accepted(&format!(
            "  l0 -> l1: a := (const-array (Array Int Int) 0)
  l1 -> l2: assume (< n 5)
  l1 -> l3: assume (>= n 5)
  l2 -> l4: a := (store a x 1)
  l3 -> l4: a := (store a 7 2)
  l4 -> e: assume {error}
  l4 -> exit: assume (not {error})"
        ))
    };
    assert!(branches("(and (>= n 5) (!= (select a 7) 2))"));
    assert!(branches("(and (< n 5) (!= x 7) (!= (select a 7) 0))"));
    assert!(!branches("(and (< n 5) (!= (select a 7) 0))"));
    assert!(!branches("(and (>= n 5) (= x 7) (!= (select a 7) 1))"));
}

#[test]
fn cells_are_read_as_words() {
    // Cells that nobody wrote hold any integer; what is read of one is a byte of it, signed or not.
    let read = |error: &str| {
        accepted(&format!(
            "  l0 -> l1: a := (store a x n)
  l1 -> e: assume {error}
  l1 -> exit: assume (not {error})"
        ))
    };
    let (byte, signed) = ("(wrap.u8 (select a i))", "(wrap.s8 (select a i))");
    assert!(read(&format!("(> {byte} 255)")));
    assert!(!read(&format!("(= {byte} 255)")));
    assert!(read(&format!("(and (= {byte} 0) (!= {signed} 0))")));
    assert!(read(&format!("(and (= {signed} -1) (!= {byte} 255))")));
    assert!(read(&format!("(and (= {byte} 200) (!= {signed} -56))")));
    assert!(!read(&format!("(and (= {byte} 200) (= {signed} -56))")));
    assert!(!read(&format!("(= {signed} -128)")));
    // What was written is read again, also as a byte.
    assert!(read(&format!("(and (= i x) (!= {byte} n))")));
    assert!(!read(&format!("(and (!= i x) (!= {byte} n))")));
    // The cell itself and the byte of it.
    let whole = "(select a i)";
    assert!(read(&format!("(and (= {whole} 300) (!= {byte} 44))")));
    assert!(!read(&format!("(and (= {whole} 300) (= {byte} 44))")));
}

#[test]
fn signed_words_are_written_to_wider_cells() {
    let copied = |error: &str| {
        accepted(&format!(
            "  l0 -> l1: assume (= (wrap.s8 (select a i)) -1)
  l1 -> l2: a := (store a x (wrap.s8 (select a i)))
  l2 -> e: assume {error}
  l2 -> exit: assume (not {error})"
        ))
    };
    assert!(copied("(= (wrap.u32 (select a x)) 255)"));
    assert!(!copied("(= (wrap.u32 (select a x)) 4294967295)"));
    assert!(copied("(!= (wrap.u8 (select a x)) 255)"));
}

#[test]
fn cells_of_one_of_two_arrays() {
    let either = |error: &str| {
        accepted(&format!(
            "  l0 -> l1: assume (< n 5)
  l0 -> l2: assume (>= n 5)
  l1 -> l3: a := (const-array (Array Int Int) 5)
  l2 -> l3: havoc a
  l3 -> e: assume {error}
  l3 -> exit: assume (not {error})"
        ))
    };
    let byte = "(wrap.u8 (select a i))";
    assert!(either(&format!("(and (< n 5) (!= {byte} 5))")));
    assert!(!either(&format!("(and (< n 5) (= {byte} 5))")));
    assert!(!either(&format!("(and (>= n 5) (= {byte} 6))")));
    assert!(either(&format!("(> {byte} 255)")));
}

#[test]
fn tables_are_read_by_pieces() {
    // 0 to 39 are themselves, but 20 to 24 are 10 more.
    let mut table = "(const-array (Array Int Int) 7)".to_string();
    for k in 0..40 {
        let value = if (20..25).contains(&k) { k + 10 } else { k };
        table = format!("(store {table} {k} {value})");
    }
    let of = |error: &str| {
        accepted(&format!(
            "  l0 -> l1: a := {table}
  l1 -> e: assume {error}
  l1 -> exit: assume (not {error})"
        ))
    };
    assert!(of("(and (< x 20) (!= (select a x) x))"));
    assert!(of("(and (> x 39) (!= (select a x) 7))"));
    assert!(of("(and (< x 40) (> (select a x) 39))"));
    assert!(of("(and (= x 22) (!= (select a x) 32))"));
    assert!(!of("(and (> x 20) (< x 30) (= (select a x) 34))"));
    assert!(!of("(= (select a x) x)"));
    assert!(of("(and (= (select a x) 34) (!= x 24) (!= x 34))"));
}

#[test]
fn sums_of_bytes_are_numbers() {
    let sum = "(+ x (* 256 i) (* 65536 j))";
    let of = |error: &str| {
        accepted(&format!(
            "  l0 -> e: assume {error}
  l0 -> exit: assume (not {error})"
        ))
    };
    assert!(of(&format!("(> {sum} 16777215)")));
    assert!(!of(&format!("(= {sum} 16777215)")));
    assert!(of(&format!("(and (= {sum} 513) (!= x 1))")));
    assert!(!of(&format!("(and (= {sum} 513) (= x 1))")));
    assert!(of(&format!("(and (> x 0) (= {sum} 512))")));
}

#[test]
fn choices_without_a_condition_stay_open() {
    // Both edges can be taken from any state: x is 1 or 2.
    let open = |error: &str| {
        accepted(&format!(
            "  l0 -> l1: x := 1
  l0 -> l1: x := 2
  l1 -> e: assume {error}
  l1 -> exit: assume (not {error})"
        ))
    };
    assert!(open("(= x 3)"));
    assert!(!open("(= x 1)"));
    assert!(!open("(= x 2)"));
}

/// A program over an array of four cells and three variables of 0..3, with loops.
fn with_memory(seed: u64) -> String {
    let mut r = Random::new(seed);
    let mut out = String::from(
        "global a: (Array Int Int), x: Int [0, 3], y: Int [0, 3], z: Int [0, 3]
fn main() {
  error bad
  entry p
  p -> p0: a := (const-array (Array Int Int) 0)
",
    );
    let locations = 4 + r.below(4);
    let vars = ["x", "y", "z"];
    for k in 0..locations + 2 + r.below(5) {
        let from = k % locations;
        let to = match r.below(4) {
            0 => r.below(locations),
            _ => (from + 1 + r.below(2)).min(locations),
        };
        let to = match to == locations {
            true if r.below(2) == 0 => "bad".to_string(),
            true => "exit".to_string(),
            false => format!("p{to}"),
        };
        let (v, w) = (r.pick(&vars), r.pick(&vars));
        let stmt = match r.below(8) {
            0 | 1 => format!("a := (store a {v} {w})"),
            2 => format!("a := (store a {} {w})", r.below(4)),
            3 => format!("{v} := (select a {w})"),
            4 => format!("{v} := (wrap.u2 (+ {w} (select a {})))", r.below(4)),
            5 => format!("assume (< {v} (select a {w}))"),
            6 => format!("assume (>= (select a {v}) {})", r.below(4)),
            _ => format!("assume (< {v} {w})"),
        };
        let _ = writeln!(out, "  p{from} -> {to}: {stmt}");
    }
    out + "}\n"
}

#[test]
fn what_is_proved_has_no_error_in_any_state() {
    let (mut safe, mut accepted) = (0, 0);
    for seed in 0..90 {
        let text = match seed % 3 {
            0 => random::single(seed),
            1 => random::with_calls(seed, false),
            _ => with_memory(seed),
        };
        let mut pool = Pool::new();
        let program = parse(&mut pool, &text).unwrap();
        let explored = explore(&pool, &program, 1_500);
        let proved = proved(&mut pool, &program);
        assert!(!proved || explored.errors.is_empty(), "{text}");
        safe += usize::from(explored.complete && explored.errors.is_empty());
        accepted += usize::from(proved);
    }
    assert!(accepted > 10, "{accepted} of {safe} are proved");
}

#[test]
fn any_lap_in_place_of_all() {
    // A flag per lap: x is 1 where n is not 0, whatever the laps before did; nothing bounds their number.
    let locked = |error: &str| {
        accepted(&format!(
            "  l0 -> l1: havoc i
  l1 -> l2: x := 0
  l2 -> l3: assume (!= n 0)
  l2 -> l4: assume (= n 0)
  l3 -> l4: x := 1
  l4 -> l5: assume (!= n 0)
  l4 -> l6: assume (= n 0)
  l5 -> e: assume {error}
  l5 -> l6: assume (not {error})
  l6 -> l7: havoc j
  l7 -> l1: assume (> j 0)
  l7 -> exit: assume (= j 0)"
        ))
    };
    assert!(locked("(!= x 1)"));
    assert!(!locked("(= x 1)"));
    assert!(!locked("(= i 3)"));
}

#[test]
fn cells_written_at_numbers_bound_what_is_read() {
    let cells = |last: u32, error: &str| {
        let mut writes = String::new();
        for n in 0..40 {
            let (from, to) = (n, n + 1);
            writeln!(
                writes,
                "  l{from} -> l{to}: a := (store a {} {})",
                4 * n + 8,
                3 * n + 1
            )
            .unwrap();
        }
        accepted(&format!(
            "{writes}  l40 -> l41: assume (<= x {last})
  l41 -> l42: i := (select a (+ (* 4 x) 8))
  l42 -> e: assume {error}
  l42 -> exit: assume (not {error})"
        ))
    };
    assert!(cells(39, "(< i 1)"));
    assert!(cells(39, "(> i 118)"));
    assert!(!cells(39, "(= i 118)"));
    assert!(!cells(40, "(< i 1)"), "one cell was not written");
}

#[test]
fn branches_leave_nothing_behind() {
    // The guard after the branches is that before them; what an error excludes is known after it.
    let branches = |error: &str| {
        accepted(&format!(
            "  l0 -> l1: assume (< n 10)
  l1 -> l2: assume (< x 5)
  l1 -> l3: assume (not (< x 5))
  l2 -> l4: i := 1
  l3 -> l5: assume (< x 7)
  l3 -> l6: assume (not (< x 7))
  l5 -> l4: i := 2
  l6 -> l4: i := 3
  l4 -> e: assume {error}
  l4 -> exit: assume (not {error})"
        ))
    };
    assert!(branches("(>= n 10)"));
    assert!(branches("(and (= i 2) (!= x 5) (!= x 6))"));
    assert!(branches("(and (>= x 7) (!= i 3))"));
    assert!(!branches("(and (>= x 7) (= i 3))"));
    assert!(!branches("(and (= x 6) (= i 2) (= n 9))"));
    assert!(!branches("(and (= x 0) (= i 1))"));
}

/// A loop over i with this head and this statement in it, and then the error.
fn filling(goes_on: &str, lap: &str, error: &str) -> bool {
    accepted(&format!(
        "  l0 -> l1: i := 0, a := (store a 299 7)
  l1 -> l2: assume {goes_on}
  l2 -> l1: {lap}
  l1 -> l3: assume (not {goes_on})
  l3 -> e: assume {error}
  l3 -> exit: assume (not {error})"
    ))
}

#[test]
fn loops_that_fill_arrays_are_executed_whole() {
    let set = "a := (store a (+ 300 i) 5), i := (+ i 1)";
    let of = |error: &str| filling("(< i n)", set, error);
    assert!(of("(and (< x n) (!= (select a (+ 300 x)) 5))"));
    assert!(!of("(and (<= x n) (!= (select a (+ 300 x)) 5))"));
    assert!(of("(!= (select a 299) 7)"), "the cell before the first");
    assert!(of("(!= i n)"));
    assert!(!of("(= (select a (+ 300 n)) 4)"), "the cell after the last");
    let most = |error: &str| filling("(<= i n)", set, error);
    assert!(most("(and (<= x n) (!= (select a (+ 300 x)) 5))"));
    assert!(!most("(and (<= x (+ n 1)) (!= (select a (+ 300 x)) 5))"));
}

#[test]
fn copies_of_any_length() {
    let copy = "a := (store a (+ 300 i) (select a (+ 900 i))), i := (+ i 1)";
    let error = "(and (< x n) (!= (select a (+ 300 x)) (select a (+ 900 x))))";
    assert!(
        !filling("(< i n)", copy, error),
        "the loop reads what it writes"
    );
    let of = |shift: &str, error: &str| {
        let text = format!(
            "global a: (Array Int Int), b: (Array Int Int), n: Int [0, 255]
fn main() {{
  locals x: Int [0, 255], i: Int [0, 255], before: (Array Int Int)
  entry l0
  error e: unreach \"reached\"
  l0 -> l1: i := 0, before := a
  l1 -> l2: assume (< i n)
  l2 -> l1: a := (store a (+ {shift} i) (select before (+ 900 i))), i := (+ i 1)
  l1 -> l3: assume (>= i n)
  l3 -> e: assume {error}
  l3 -> exit: assume (not {error})
}}"
        );
        let mut pool = Pool::new();
        let program = parse(&mut pool, &text).unwrap();
        proved(&mut pool, &program)
    };
    assert!(of("300", error));
    assert!(!of("301", error));
    assert!(of("300", "(!= (select a 299) (select before 299))"));
    // Places overlap: what was there before counts.
    assert!(!of(
        "901",
        "(and (< x n) (!= (select a (+ 901 x)) (select a (+ 900 x))))"
    ));
    assert!(of(
        "901",
        "(and (< x n) (!= (select a (+ 901 x)) (select before (+ 900 x))))"
    ));
    assert!(!of(
        "(* 2 i)",
        "(and (= n 9) (= (select a 900) (select before 901)))"
    ));
}

#[test]
fn what_loops_fill_is_what_executions_write() {
    // Loops that look like it, most of which are not: steps, places and values at random.
    let mut accepted = 0;
    for seed in 0..120 {
        let mut r = Random::new(seed);
        let place = r.pick(&["i", "(+ i 1)", "(* 2 i)", "(- 3 i)", "x", "(+ i x)"]);
        let value = r.pick(&[
            "1",
            "i",
            "x",
            "(select a i)",
            "(select b i)",
            "(select b x)",
            "n",
        ]);
        let step = r.pick(&["1", "1", "1", "2", "x"]);
        let goes_on = r.pick(&[
            "(< i n)", "(< i n)", "(<= i n)", "(< i x)", "(!= i n)", "(< x n)",
        ]);
        let more = r.pick(&["", "", "", ", x := i", ", b := (store b i 2)", ", n := x"]);
        let cell = r.pick(&["x", "(+ x 1)", "n", "i", "0", "2"]);
        let other = r.pick(&["0", "1", "x", "n", "(select b x)", "(- x 1)"]);
        let condition = r.pick(&["true", "(< x n)", "(<= x n)", "(= x 0)"]);
        let first = r.below(2);
        let error = format!("(and {condition} (!= (select a {cell}) {other}))");
        let text = format!(
            "global a: (Array Int Int), b: (Array Int Int), n: Int [0, 3], x: Int [0, 3], i: Int [0, 5]
fn main() {{
  error bad
  entry p
  p -> p0: a := (const-array (Array Int Int) 0), b := (store (const-array (Array Int Int) 1) 1 3), i := {first}
  p0 -> p1: assume {goes_on}
  p1 -> p0: a := (store a {place} {value}), i := (+ i {step}){more}
  p0 -> p2: assume (not {goes_on})
  p2 -> bad: assume {error}
  p2 -> exit: assume (not {error})
}}"
        );
        let mut pool = Pool::new();
        let program = parse(&mut pool, &text).unwrap();
        let explored = explore(&pool, &program, 3_000);
        let proved = proved(&mut pool, &program);
        assert!(!proved || explored.errors.is_empty(), "{text}");
        accepted += usize::from(proved);
    }
    assert!(accepted > 6, "{accepted} are proved");
}

#[test]
fn bytes_of_a_number_are_the_number() {
    // What was written byte by byte on one way, and is what it was on another.
    let of = |last: &str, error: &str| {
        let text = format!(
            "global a: (Array Int Int), n: Int [0, 16777215], c: Int [0, 1]
fn main() {{
  locals w: Int
  entry l0
  error e: unreach \"reached\"
  l0 -> l1: a := (store (store (store a 0 0) 1 0) 2 0)
  l1 -> l2: assume (= c 1)
  l1 -> l3: assume (!= c 1)
  l2 -> l3: a := (store (store (store a 0 (wrap.u8 n)) 1 (wrap.u8 (div n 256))) 2 {last})
  l3 -> l4: w := (+ (select a 0) (* 256 (select a 1)) (* 65536 (select a 2)) 1)
  l4 -> e: assume {error}
  l4 -> exit: assume (not {error})
}}"
        );
        let mut pool = Pool::new();
        let program = parse(&mut pool, &text).unwrap();
        proved(&mut pool, &program)
    };
    for last in ["(wrap.u8 (div n 65536))", "(div n 65536)"] {
        assert!(of(last, "(and (= c 1) (!= w (+ n 1)))"), "{last}");
        assert!(!of(last, "(!= w (+ n 1))"), "{last}");
        assert!(of(last, "(and (= c 0) (!= w 1))"), "{last}");
    }
    assert!(!of("(div n 256)", "(and (= c 1) (!= w (+ n 1)))"));
}
