//! The budget is honoured within 50 ms, whatever the solver is doing.
//!
//! Each case is a problem that keeps one phase busy for seconds. Another thread cancels the run at
//! several moments; what the run still computes after that counts, in CPU time of its thread, so that a busy
//! machine does not count. With `--nocapture` the longest times are printed.

#![allow(clippy::unwrap_used)]
#![cfg(target_os = "linux")]

use base::{Budget, Id};
use logic::smtlib::{CommandKind, NoHooks, ScriptReader};
use logic::word::{FpOp, WordOp};
use logic::{Pool, Rational, TermId};
use smt::interpolate::{Options, sequence};
use smt::proof::PartitionId;
use smt::words::Words;
use smt::{Answer, Solver};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;
use testkit::formulas::Random;

const LIMIT: Duration = Duration::from_millis(if cfg!(debug_assertions) { 300 } else { 50 });

/// CPU time of a thread of this process.
fn cpu(thread: &str) -> Duration {
    let path = format!("/proc/{thread}/schedstat");
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let nanos = text.split(' ').next().and_then(|n| n.parse().ok());
    Duration::from_nanos(nanos.unwrap_or(0))
}

/// Builds a problem and runs it. The pool outlives the measurement: giving memory back is not part
/// of the answer.
type Work = fn(&mut Pool, &Budget);

/// The CPU time that `work` uses after its budget was cancelled at `moment` of its CPU time; `None` when it ended
/// before.
fn overshoot(moment: Duration, work: Work) -> Option<Duration> {
    let budget = Budget::unlimited();
    let flag = budget.cancel_flag();
    let (send, receive) = channel();
    let done = std::sync::Arc::new(AtomicBool::new(false));
    let over = std::sync::Arc::clone(&done);
    let worker = thread::spawn(move || {
        let name = std::fs::read_link("/proc/thread-self").unwrap();
        send.send(name.to_string_lossy().into_owned()).unwrap();
        let mut pool = Pool::new();
        work(&mut pool, &budget);
        over.store(true, Ordering::SeqCst);
        thread::yield_now(); // brings the count up to date
        cpu("thread-self")
    });
    let thread = receive.recv().unwrap();
    let start = cpu(&thread);
    let at = loop {
        let now = cpu(&thread);
        if done.load(Ordering::SeqCst) {
            break None;
        }
        if now.saturating_sub(start) >= moment {
            break Some(now);
        }
        thread::sleep(Duration::from_millis(2));
    };
    flag.store(true, Ordering::Relaxed);
    let end = worker.join().unwrap();
    at.map(|at| end.saturating_sub(at))
}

fn honoured(phase: &str, work: Work) {
    let mut longest = Duration::ZERO;
    let mut cancelled = 0;
    for ms in [10, 40, 90, 200, 450] {
        let again = || overshoot(Duration::from_millis(ms), work);
        let Some(mut time) = again() else {
            break;
        };
        // The canceller may have had to wait for a core after it looked at the clock.
        for _ in 0..3 {
            if time <= LIMIT {
                break;
            }
            time = time.min(again().unwrap_or(time));
        }
        longest = longest.max(time);
        cancelled += 1;
    }
    println!("{phase}: {longest:?} after {cancelled} cancellations");
    assert!(cancelled > 0, "{phase}: done before it could be cancelled");
    assert!(longest <= LIMIT, "{phase}: {longest:?}");
}

fn check(pool: &mut Pool, parts: &[TermId], proof: bool, budget: &Budget) -> Answer {
    let mut solver = match proof {
        true => Solver::with_proof(),
        false => Solver::new(),
    };
    for (i, &p) in parts.iter().enumerate() {
        solver.assert_in(pool, p, PartitionId::from_index(i));
        if budget.check().is_err() {
            break;
        }
    }
    let answer = solver.check(pool, &[], budget);
    std::mem::forget(solver);
    answer
}

fn int(pool: &mut Pool, name: &str, k: usize) -> TermId {
    let sort = pool.int_sort();
    pool.constant(&format!("{name}{k}"), sort)
}

/// One part a pigeon, one a hole.
fn pigeons(pool: &mut Pool, n: usize) -> Vec<TermId> {
    let bool = pool.bool_sort();
    let mut at = Vec::new();
    for p in 0..=n {
        let row = (0..n).map(|h| pool.constant(&format!("p{p}_{h}"), bool));
        at.push(row.collect::<Vec<_>>());
    }
    let mut parts: Vec<TermId> = at.iter().map(|row| pool.or(row)).collect();
    for h in 0..n {
        let hole: Vec<TermId> = at.iter().map(|row| row[h]).collect();
        let mut both = Vec::new();
        for (p, &one) in hole.iter().enumerate() {
            for &other in &hole[..p] {
                let pair = pool.and(&[one, other]);
                both.push(pool.not(pair));
            }
        }
        parts.push(pool.and(&both));
    }
    parts
}

/// Dense rows over `vars` variables with coefficients up to `size`.
fn rows(pool: &mut Pool, rows: usize, vars: usize, size: i64, equal: bool) -> Vec<TermId> {
    let mut random = Random(7);
    let mut parts = Vec::new();
    let xs: Vec<TermId> = (0..vars).map(|k| int(pool, "x", k)).collect();
    for &x in &xs {
        let (low, high) = (pool.int(0), pool.int(if equal { 1 } else { 1_000_000 }));
        parts.push(pool.le(low, x));
        parts.push(pool.le(x, high));
    }
    for _ in 0..rows {
        let mut total = 0;
        let mut summands = Vec::new();
        for &x in &xs {
            let c = (random.number() % (2 * size as u64)) as i64 - if equal { 0 } else { size };
            total += c;
            let c = pool.int(c);
            summands.push(pool.mul(&[c, x]));
        }
        let sum = pool.add(&summands);
        let right = pool.int(if equal { total / 2 } else { total - 3 * size });
        parts.push(match equal {
            true => pool.eq(sum, right),
            false => pool.le(sum, right),
        });
    }
    parts
}

#[test]
fn clauses() {
    honoured("clauses", |pool, budget| {
        let parts = pigeons(pool, 12);
        check(pool, &parts, false, budget);
    });
}

#[test]
fn clauses_with_proof() {
    honoured("clauses with proof", |pool, budget| {
        let parts = pigeons(pool, 12);
        check(pool, &parts, true, budget);
    });
}

#[test]
fn large_tableau() {
    honoured("large tableau", |pool, budget| {
        let parts = rows(pool, 170, 160, 1000, false);
        check(pool, &parts, false, budget);
    });
}

#[test]
fn integers() {
    honoured("cuts and branches", |pool, budget| {
        let parts = rows(pool, 5, 40, 100, true);
        check(pool, &parts, false, budget);
    });
}

#[test]
fn equalities_over_integers() {
    honoured("diophantine equations", |pool, budget| {
        let parts = rows(pool, 60, 90, 1000, true);
        check(pool, &parts, false, budget);
    });
}

#[test]
fn congruence() {
    honoured("congruence", |pool, budget| {
        let u = pool.int_sort();
        let f = pool.symbol("f", &[u], u);
        let mut parts = Vec::new();
        // Towers over many constants; choices of which are equal.
        let mut towers: Vec<TermId> = (0..60).map(|k| int(pool, "c", k)).collect();
        for _ in 0..150 {
            towers = towers.iter().map(|&t| pool.app(f, &[t])).collect();
        }
        for i in 0..60 {
            let mut choice = Vec::new();
            for j in 0..60 {
                let (a, b) = (int(pool, "c", i), int(pool, "c", j));
                let step = pool.app(f, &[b]);
                if i != j {
                    choice.push(pool.eq(a, step));
                }
                let same = pool.eq(towers[i], towers[j]);
                if i < j {
                    parts.push(pool.not(same));
                }
            }
            parts.push(pool.or(&choice));
        }
        check(pool, &parts, false, budget);
    });
}

#[test]
fn arrays() {
    honoured("arrays", |pool, budget| {
        let int_sort = pool.int_sort();
        let sort = pool.array_sort(int_sort, int_sort);
        let a = pool.constant("a", sort);
        // Two orders of the same swaps, at places that all differ: the results are equal.
        const SWAPS: usize = 40;
        let swap = |pool: &mut Pool, a: TermId, k: usize| {
            let (i, j) = (int(pool, "i", 2 * k), int(pool, "i", 2 * k + 1));
            let (x, y) = (pool.select(a, i), pool.select(a, j));
            let b = pool.store(a, i, y);
            pool.store(b, j, x)
        };
        let (mut left, mut right) = (a, a);
        for k in 0..SWAPS {
            left = swap(pool, left, k);
            right = swap(pool, right, SWAPS - 1 - k);
        }
        let same = pool.eq(left, right);
        let mut parts = vec![pool.not(same)];
        for k in 0..2 * SWAPS {
            for l in 0..k {
                let (i, j) = (int(pool, "i", k), int(pool, "i", l));
                let near = pool.eq(i, j);
                parts.push(pool.not(near));
            }
        }
        check(pool, &parts, false, budget);
    });
}

/// Reads a script and checks its assertions.
fn read(pool: &mut Pool, text: &str, budget: &Budget) {
    let mut reader = ScriptReader::new(text).with_budget(budget);
    let mut parts = Vec::new();
    while let Some(next) = reader.next(pool, &mut NoHooks) {
        if let Ok(CommandKind::Assert { term, .. }) = next.map(|c| c.kind) {
            parts.push(term);
        }
        if budget.check().is_err() {
            break;
        }
    }
    std::mem::forget(reader);
    check(pool, &parts, false, budget);
}

/// Texts are made once, outside the time that is measured.
fn once(text: &'static OnceLock<String>, make: fn() -> String) -> &'static str {
    text.get_or_init(make)
}

#[test]
fn reading_many_commands() {
    static TEXT: OnceLock<String> = OnceLock::new();
    fn text() -> String {
        let mut text = String::from("(declare-fun x () Int)\n");
        for k in 0..200_000 {
            text += &format!("(assert (or (< x {k}) (> (+ x {k} (* 3 x)) (ite (= x {k}) 7 x))))\n");
        }
        text
    }
    once(&TEXT, text);
    honoured("reading many commands", |pool, budget| {
        read(pool, once(&TEXT, text), budget);
    });
}

#[test]
fn reading_one_large_command() {
    static TEXT: OnceLock<String> = OnceLock::new();
    fn text() -> String {
        let mut text = String::from("(declare-fun x () Int)\n(assert (and ");
        for k in 0..200_000 {
            text += &format!("(or (< x {k}) (> (+ x {k} (* 3 x)) (ite (= x {k}) 7 x)))\n");
        }
        text + "))"
    }
    once(&TEXT, text);
    honoured("reading one large command", |pool, budget| {
        read(pool, once(&TEXT, text), budget);
    });
}

#[test]
fn reading_deep_terms() {
    static TEXT: OnceLock<String> = OnceLock::new();
    fn text() -> String {
        let deep = 300_000;
        let mut text =
            String::from("(declare-fun x () Int)\n(declare-fun f (Int) Int)\n(assert (= x ");
        text += &"(f (+ 1 ".repeat(deep);
        text += "x";
        text += &"))".repeat(deep);
        text + "))\n(assert (> x 7))"
    }
    once(&TEXT, text);
    honoured("reading deep terms", |pool, budget| {
        read(pool, once(&TEXT, text), budget);
    });
}

/// Bit operations on variables: values first, then bits.
#[test]
fn bits() {
    honoured("bits", |pool, budget| {
        let mut parts = Vec::new();
        let words: Vec<TermId> = (0..6).map(|k| int(pool, "w", k)).collect();
        for &w in &words {
            parts.push(pool.in_range(&Rational::ZERO, w, &Rational::power_of_two(32)));
        }
        // Mixing both ways round must give the same; it does.
        let (mut left, mut right) = (words[0], words[0]);
        for &w in &words[1..] {
            let and = pool.bit_and(w, left);
            let xor = pool.bit_xor(w, left);
            left = pool.bit_or(and, xor);
            right = pool.bit_or(right, w);
        }
        let same = pool.eq(left, right);
        parts.push(pool.not(same));
        check(pool, &parts, true, budget);
    });
}

/// A path through a loop whose body branches.
fn path(pool: &mut Pool, laps: usize) -> Vec<TermId> {
    let mut parts = Vec::new();
    let zero = pool.int(0);
    for k in 0..laps {
        let [x, y] = ["x", "y"].map(|n| int(pool, n, k));
        let [x2, y2] = ["x", "y"].map(|n| int(pool, n, k + 1));
        if k == 0 {
            let (a, b) = (pool.eq(x, zero), pool.eq(y, zero));
            parts.push(pool.and(&[a, b]));
        }
        let mut ways = Vec::new();
        for step in [1, 2, 3] {
            let step = pool.int(step);
            let (p, q) = (pool.add2(x, step), pool.add2(y, step));
            let (p, q) = (pool.eq(x2, p), pool.eq(y2, q));
            ways.push(pool.and(&[p, q]));
        }
        parts.push(pool.or(&ways));
    }
    let [x, y] = ["x", "y"].map(|n| int(pool, n, laps));
    let same = pool.eq(x, y);
    parts.push(pool.not(same));
    parts
}

#[test]
fn interpolants_of_paths() {
    honoured("interpolants of paths", |pool, budget| {
        let parts = path(pool, 120);
        sequence(pool, &parts, &Options::default(), budget);
    });
}

#[test]
fn interpolants_of_a_large_tableau() {
    honoured("interpolants of a large tableau", |pool, budget| {
        let parts = rows(pool, 60, 50, 1000, false);
        sequence(pool, &parts, &Options::default(), budget);
    });
}

/// Writes at unknown places, one a part, then a read that must find an old value.
#[test]
fn interpolants_of_arrays() {
    honoured("interpolants of arrays", |pool, budget| {
        let int_sort = pool.int_sort();
        let sort = pool.array_sort(int_sort, int_sort);
        let at = int(pool, "at", 0);
        let mut parts = Vec::new();
        let mut array = pool.constant("a0", sort);
        let first = pool.select(array, at);
        let seven = pool.int(7);
        parts.push(pool.eq(first, seven));
        for k in 0..40 {
            let (i, v) = (int(pool, "i", k), int(pool, "v", k));
            let next = pool.constant(&format!("a{}", k + 1), sort);
            let written = pool.store(array, i, v);
            let (step, same) = (pool.eq(next, written), pool.eq(i, at));
            let keeps = pool.eq(v, seven);
            let other = pool.not(same);
            let harmless = pool.or(&[other, keeps]);
            parts.push(pool.and(&[step, harmless]));
            array = next;
        }
        let last = pool.select(array, at);
        let kept = pool.eq(last, seven);
        parts.push(pool.not(kept));
        sequence(pool, &parts, &Options::default(), budget);
    });
}

#[test]
fn interpolants_of_large_proofs() {
    honoured("interpolants", |pool, budget| {
        let parts = pigeons(pool, 7);
        sequence(pool, &parts, &Options::default(), budget);
    });
}

#[test]
fn products() {
    honoured("products", |pool, budget| {
        let mut parts = Vec::new();
        for k in 0..6 {
            let [x, y, z] = ["x", "y", "z"].map(|n| int(pool, n, k));
            let cubes: Vec<TermId> = [x, y, z].iter().map(|&v| pool.mul(&[v, v, v])).collect();
            let sum = pool.add(&cubes);
            let right = pool.int(33 + 9 * k as i64);
            parts.push(pool.eq(sum, right));
        }
        check(pool, &parts, false, budget);
    });
}

/// Many terms: preparing them, the search over them and the model are long.
#[test]
fn many_terms() {
    honoured("many terms", |pool, budget| {
        let mut parts = Vec::new();
        for k in 0..150_000 {
            let (x, y) = (int(pool, "x", k), int(pool, "x", k + 1));
            let one = pool.int(1);
            let next = pool.add2(x, one);
            let (a, b) = (pool.eq(y, next), pool.le(y, x));
            parts.push(pool.or(&[a, b]));
            if budget.check().is_err() {
                return;
            }
        }
        check(pool, &parts, false, budget);
    });
}

/// One formula that is large by itself.
#[test]
fn one_large_formula() {
    honoured("one large formula", |pool, budget| {
        let mut parts = Vec::new();
        for k in 0..150_000 {
            let (x, y) = (int(pool, "x", k), int(pool, "x", k + 1));
            let [zero, two] = [0, 2].map(|n| pool.int(n));
            let double = pool.mul(&[two, x]);
            let (a, b) = (pool.eq(y, double), pool.le(y, zero));
            parts.push(pool.or(&[a, b]));
            if budget.check().is_err() {
                return;
            }
        }
        let all = pool.and(&parts);
        check(pool, &[all], true, budget);
    });
}

#[test]
fn translation_of_bit_vectors() {
    honoured("bit-vectors", |pool, budget| {
        let sort = pool.sort(logic::Sort::BitVec(2048));
        let (x, y) = (pool.constant("x", sort), pool.constant("y", sort));
        let mut t = x;
        for op in [WordOp::Mul, WordOp::Udiv, WordOp::Shl, WordOp::Smod] {
            t = pool.word(op, &[t, y]).unwrap();
        }
        let goal = pool.eq(t, x);
        let mut words = Words::new();
        let result = words.translate(pool, goal, budget);
        assert!(result.is_err());
        std::mem::forget(words);
    });
}

#[test]
fn translation_of_floats() {
    honoured("floats", |pool, budget| {
        let sort = pool.sort(logic::Sort::Float(11, 53));
        let (x, y) = (pool.constant("x", sort), pool.constant("y", sort));
        let rest = pool.word(WordOp::Float(FpOp::Rem), &[x, y]).unwrap();
        let rest = pool.word(WordOp::Float(FpOp::Rem), &[rest, x]).unwrap();
        let goal = pool.eq(rest, y);
        let mut words = Words::new();
        let _ = words.translate(pool, goal, budget);
        std::mem::forget(words);
    });
}

/// Rounds of mixing 32-bit words, compared with the same rounds in another order of the operands.
fn mixed(pool: &mut Pool, rounds: usize) -> Vec<TermId> {
    let mut parts = Vec::new();
    let size = Rational::power_of_two(32);
    let sort = pool.int_sort();
    let width = pool.num(size.clone(), sort);
    let words: Vec<TermId> = (0..8).map(|k| int(pool, "w", k)).collect();
    for &w in &words {
        parts.push(pool.in_range(&Rational::ZERO, w, &size));
    }
    let (mut left, mut right) = (words[0], words[0]);
    for k in 0..rounds {
        let w = words[1 + k % 7];
        let sum = pool.add2(left, w);
        let low = pool.modulo(sum, width);
        left = pool.bit_xor(low, w);
        // x ^ y is (x | y) - (x & y).
        let sum = pool.add2(w, right);
        let low = pool.modulo(sum, width);
        let (or, and) = (pool.bit_or(low, w), pool.bit_and(low, w));
        right = pool.sub(or, and);
    }
    let same = pool.eq(left, right);
    parts.push(pool.not(same));
    parts
}

/// Bits alone (`solver/alone.rs`): the translation of a large query, its assertion, and the search.
#[test]
fn bits_alone() {
    honoured("bits alone, many gates", |pool, budget| {
        let parts = mixed(pool, 400);
        check(pool, &parts, false, budget);
    });
    honoured("bits alone, search", |pool, budget| {
        let parts = mixed(pool, 12);
        check(pool, &parts, false, budget);
    });
}

fn word(pool: &mut Pool, name: &str, k: usize, bits: u32) -> TermId {
    let sort = pool.sort(logic::Sort::BitVec(bits));
    pool.constant(&format!("{name}{k}"), sort)
}

/// Equations of a script over words (`words/solve.rs`): a long chain of definitions, each of which is looked
/// through for circles.
#[test]
fn equations_of_words() {
    honoured("equations of words", |pool, budget| {
        let mut parts = Vec::new();
        for k in 0..60_000 {
            let (x, y, z) = (
                word(pool, "x", k, 32),
                word(pool, "x", k + 1, 32),
                word(pool, "y", k % 7, 32),
            );
            let sum = pool.word(WordOp::Add, &[x, z]).unwrap();
            parts.push(pool.eq(y, sum));
            if budget.check().is_err() {
                return;
            }
        }
        let _ = smt::words::solve(pool, &parts, budget);
    });
    honoured("equations of words, one large", |pool, budget| {
        let mut sum = word(pool, "x", 0, 32);
        let mut parts = Vec::new();
        for k in 1..60_000 {
            let x = word(pool, "x", k, 32);
            sum = pool.word(WordOp::Mul, &[sum, x]).unwrap();
            let (y, z) = (word(pool, "y", k, 32), word(pool, "z", k, 32));
            let right = pool.word(WordOp::Add, &[z, sum]).unwrap();
            if k % 100 == 0 {
                parts.push(pool.eq(y, right));
            }
            if budget.check().is_err() {
                return;
            }
        }
        let all = pool.and(&parts);
        let _ = smt::words::solve(pool, &[all], budget);
    });
}

/// Interpolants in terms of words: equations of many parts, then products whose bits are hard.
#[test]
fn interpolants_of_words() {
    honoured("interpolants of words, many parts", |pool, budget| {
        let mut parts = Vec::new();
        for k in 0..1500 {
            let (x, y) = (word(pool, "x", k, 32), word(pool, "x", k + 1, 32));
            let z = word(pool, "z", k % 7, 32);
            let sum = pool.word(WordOp::Add, &[x, z]).unwrap();
            let masked = pool.word(WordOp::Xor, &[sum, z]).unwrap();
            parts.push(pool.eq(y, masked));
        }
        let (first, last) = (word(pool, "x", 0, 32), word(pool, "x", 1500, 32));
        let other = pool.word(WordOp::Not, &[first]).unwrap();
        let (a, b) = (pool.eq(first, last), pool.eq(other, last));
        parts.push(pool.and(&[a, b]));
        let parent: Vec<usize> = (0..parts.len()).map(|k| (k + 1).min(1500)).collect();
        let mut words = Words::new();
        let _ = words.interpolants(pool, &parts, &parent, budget);
        std::mem::forget(words);
    });
    honoured("interpolants of words, products", |pool, budget| {
        let mut parts = Vec::new();
        let x: Vec<TermId> = (0..4).map(|k| word(pool, "x", k, 20)).collect();
        for (left, right) in [(0, 1), (2, 3)] {
            let product = pool.word(WordOp::Mul, &[x[left], x[right]]).unwrap();
            let own = word(pool, "y", left, 20);
            let same = pool.eq(product, own);
            parts.push(same);
        }
        let back = pool.word(WordOp::Mul, &[x[3], x[2]]).unwrap();
        let (y, z) = (word(pool, "y", 0, 20), word(pool, "y", 2, 20));
        let rest = pool.word(WordOp::Urem, &[y, z]).unwrap();
        let other = pool.word(WordOp::Urem, &[y, back]).unwrap();
        let same = pool.eq(rest, other);
        parts.push(pool.not(same));
        let mut words = Words::new();
        let _ = words.interpolants(pool, &parts, &[1, 2, 2], budget);
        std::mem::forget(words);
    });
}

/// Products that equations of the model are multiplied for, and small factors that make none of it true.
#[test]
fn products_and_equations() {
    honoured("products and equations", |pool, budget| {
        let mut parts = Vec::new();
        // A prime number that is to be a product.
        let prime = pool.int(1_000_000_000_039_i64);
        for k in 0..6 {
            let [x, y, z] = ["x", "y", "z"].map(|n| int(pool, n, k));
            let two = pool.int(2);
            let half = pool.int_div(y, two);
            let double = pool.add2(x, x);
            let both = pool.mul(&[z, half]);
            let sum = pool.add2(both, x);
            parts.extend([pool.eq(z, double), pool.eq(sum, prime)]);
            parts.extend([pool.ge(x, two), pool.ge(half, two)]);
            let product = pool.mul(&[x, y]);
            parts.push(pool.eq(product, prime));
        }
        check(pool, &parts, false, budget);
    });
}

/// Interpolants that say how many elements a sort has (`interpolate/arrays/count.rs`).
#[test]
fn interpolants_that_count() {
    honoured("interpolants that count", |pool, budget| {
        let index = pool.sort(logic::Sort::Uninterpreted("I".into()));
        let element = pool.sort(logic::Sort::Uninterpreted("E".into()));
        let sort = pool.array_sort(index, element);
        let constant = |pool: &mut Pool, n: &str, s| pool.constant(n, s);
        let (x, y) = (constant(pool, "x", element), constant(pool, "y", element));
        let mut array = pool.const_array(sort, y);
        for k in 0..5 {
            let i = constant(pool, &format!("i{k}"), index);
            array = pool.store(array, i, x);
        }
        let all = pool.const_array(sort, x);
        let (same, equal) = (pool.eq(all, array), pool.eq(x, y));
        let apart = pool.not(equal);
        let first = pool.and(&[same, apart]);
        let mut others = Vec::new();
        let many: Vec<TermId> = (0..6)
            .map(|k| constant(pool, &format!("j{k}"), index))
            .collect();
        for (k, &a) in many.iter().enumerate() {
            for &b in &many[..k] {
                let equal = pool.eq(a, b);
                others.push(pool.not(equal));
            }
        }
        let second = pool.and(&others);
        let options = Options {
            diff: true,
            ..Options::default()
        };
        sequence(pool, &[first, second], &options, budget);
    });
}
