//! Interpolants of random paths that write and read arrays.
//!
//! Each part has the array before and after it, a scalar before and after, two scalars that all parts
//! share, and one of its own, so that early arrays meet late indices. Symbols of one part are freed by
//! `local` without a change of meaning for the others.

use super::generate::vocabulary;
use crate::interpolate::clean::local::localise;
use crate::interpolate::proof::colour::Cuts;
use crate::interpolate::{Interpolator, Options, Outcome, Problem};
use crate::{Answer, Solver};
use base::{Budget, FxHashSet, Random};
use logic::{Pool, SymbolId, TermId};

struct Path {
    pool: Pool,
    parts: Vec<TermId>,
}

/// The terms that part `k` may use.
struct Place {
    arrays: [TermId; 2],
    scalars: [TermId; 2],
    own: TermId,
    common: [TermId; 2],
}

impl Place {
    fn new(pool: &mut Pool, k: usize) -> Place {
        let int = pool.int_sort();
        let sort = pool.array_sort(int, int);
        Place {
            arrays: [k, k + 1].map(|k| pool.constant(&format!("a{k}"), sort)),
            scalars: [k, k + 1].map(|k| pool.constant(&format!("x{k}"), int)),
            own: pool.constant(&format!("own{k}"), int),
            common: ["p", "q"].map(|n| pool.constant(n, int)),
        }
    }

    fn index(&self, pool: &mut Pool, random: &mut Random) -> TermId {
        match random.below(6) {
            0 | 1 => pool.int(random.below(3) as i64),
            2 => self.scalars[0],
            3 => self.own,
            _ => self.common[random.below(2) as usize],
        }
    }

    fn value(&self, pool: &mut Pool, random: &mut Random) -> TermId {
        match random.below(5) {
            0 => self.scalars[0],
            1 => self.common[0],
            2 => {
                let i = self.index(pool, random);
                pool.select(self.arrays[0], i)
            }
            _ => pool.int(random.below(3) as i64),
        }
    }

    /// The array after from the array before.
    fn write(&self, pool: &mut Pool, random: &mut Random) -> TermId {
        let mut written = self.arrays[0];
        for _ in 0..random.below(3) {
            let (i, v) = (self.index(pool, random), self.value(pool, random));
            written = pool.store(written, i, v);
        }
        pool.eq(self.arrays[1], written)
    }

    fn fact(&self, pool: &mut Pool, random: &mut Random) -> TermId {
        let (s, t) = match random.below(3) {
            0 => (self.index(pool, random), self.index(pool, random)),
            _ => {
                let (i, v) = (self.index(pool, random), self.value(pool, random));
                let array = self.arrays[random.below(2) as usize];
                (pool.select(array, i), v)
            }
        };
        match random.below(3) {
            0 => pool.eq(s, t),
            1 => pool.lt(s, t),
            _ => {
                let same = pool.eq(s, t);
                pool.not(same)
            }
        }
    }

    /// At the ends of a path more is said, so that most contradictions go all the way.
    fn part(&self, pool: &mut Pool, random: &mut Random, end: bool) -> TermId {
        let mut parts = Vec::new();
        if random.below(3) == 0 {
            let cases: Vec<TermId> = (0..2)
                .map(|_| {
                    let (w, f) = (self.write(pool, random), self.fact(pool, random));
                    pool.and2(w, f)
                })
                .collect();
            parts.push(pool.or(&cases));
        } else {
            parts.push(self.write(pool, random));
        }
        let step = pool.int(random.below(3) as i64);
        let next = match random.below(3) {
            0 => self.value(pool, random),
            _ => pool.add2(self.scalars[0], step),
        };
        parts.push(pool.eq(self.scalars[1], next));
        let facts = if end { 2 } else { random.below(4) / 3 };
        for _ in 0..facts {
            parts.push(self.fact(pool, random));
        }
        if random.below(2) == 0 {
            let (next, i) = (pool.add2(self.own, step), self.index(pool, random));
            parts.push(pool.eq(next, i));
        }
        pool.and(&parts)
    }
}

/// Anything.
fn random_path(seed: u64) -> Path {
    let mut random = Random::new(seed + 1);
    let mut pool = Pool::new();
    let n = 2 + random.below(4) as usize;
    let parts = (0..n)
        .map(|k| Place::new(&mut pool, k).part(&mut pool, &mut random, k % (n - 1) == 0))
        .collect();
    Path { pool, parts }
}

/// A value is written at `p`, left alone on the way, and missed at the end, where it is read at `p` or at
/// `q = p`: no part can be left out.
fn contradictory_path(seed: u64) -> Path {
    let mut random = Random::new(seed + 1);
    let random = &mut random;
    let mut path = Pool::new();
    let pool = &mut path;
    let n = 3 + random.below(4) as usize;
    let v = pool.int(5);
    let one = pool.int(1);
    let link = random.below(n as u64) as usize;
    let mut parts = Vec::new();
    for k in 0..n {
        let place = Place::new(pool, k);
        let [before, after] = place.arrays;
        let [p, q] = place.common;
        let (own, x) = (place.own, place.scalars[0]);
        let mut facts = Vec::new();
        if k == link {
            facts.push(pool.eq(p, q));
        }
        let apart = |pool: &mut Pool, i: TermId| {
            let next = pool.add2(i, one);
            let below = [p, q].map(|c| pool.le(next, c));
            pool.and(&below)
        };
        let keep = |pool: &mut Pool, random: &mut Random| {
            let value = place.value(pool, random);
            let (far, array) = match random.below(5) {
                0 => (apart(pool, own), pool.store(before, own, value)),
                1 => {
                    let (once, next) = (pool.store(before, own, value), pool.add2(own, one));
                    (apart(pool, next), pool.store(once, next, one))
                }
                2 => (apart(pool, x), pool.store(before, x, value)),
                3 => (pool.tt(), pool.store(before, p, v)),
                _ => {
                    let once = pool.store(before, p, value);
                    (pool.tt(), pool.store(once, p, v))
                }
            };
            let step = pool.eq(after, array);
            pool.and2(far, step)
        };
        facts.push(if k == 0 {
            let next = pool.add2(own, one);
            let named = pool.eq(next, p);
            match random.below(3) {
                0 => {
                    let read = pool.select(after, p);
                    pool.eq(read, v)
                }
                1 => {
                    let array = pool.store(before, p, v);
                    pool.eq(after, array)
                }
                _ => {
                    let array = pool.store(before, next, v);
                    let step = pool.eq(after, array);
                    pool.and2(named, step)
                }
            }
        } else if k + 1 < n {
            match random.below(3) {
                0 => {
                    let cases = [keep(pool, random), keep(pool, random)];
                    pool.or(&cases)
                }
                _ => keep(pool, random),
            }
        } else {
            let i = [p, q][random.below(2) as usize];
            let read = pool.select(before, i);
            match random.below(2) {
                0 => pool.lt(read, v),
                _ => {
                    let (shown, same) = (pool.eq(own, read), pool.eq(own, v));
                    let other = pool.not(same);
                    pool.and2(shown, other)
                }
            }
        });
        let step = match random.below(2) {
            0 => place.scalars[0],
            _ => pool.add2(place.scalars[0], one),
        };
        facts.push(pool.eq(place.scalars[1], step));
        parts.push(pool.and(&facts));
    }
    Path { pool: path, parts }
}

fn is_unsat(pool: &mut Pool, formulas: &[TermId]) -> Option<bool> {
    let mut solver = Solver::new();
    for &f in formulas {
        solver.assert(pool, f);
    }
    let budget = Budget::unlimited().with_conflicts(2000);
    match solver.check(pool, &[], &budget) {
        Answer::Unsat => Some(true),
        Answer::Sat => Some(false),
        Answer::Unknown(_) => None,
    }
}

/// Each step holds, by plain solver calls, and has the symbols that it may have.
fn judge(pool: &mut Pool, parts: &[TermId], list: &[TermId], seed: u64) {
    let n = parts.len();
    let parent: Vec<usize> = (0..n).map(|i| (i + 1).min(n - 1)).collect();
    vocabulary(pool, parts, &parent, list).unwrap();
    let mut before = pool.tt();
    for (k, &part) in parts.iter().enumerate() {
        let after = list.get(k).copied().unwrap_or(pool.ff());
        let violated = pool.not(after);
        let step = is_unsat(pool, &[before, part, violated]);
        assert_eq!(step, Some(true), "{seed}: step {k}");
        before = after;
    }
}

/// From one proof, and from a proof for each cut alone.
#[test]
fn array_paths_have_interpolants() {
    let budget = Budget::unlimited().with_conflicts(2000);
    let (mut unsat, mut found, mut in_steps) = (0, 0, 0);
    for seed in 0..600 {
        let make = [random_path, contradictory_path][(seed % 2) as usize];
        let Path { mut pool, parts } = make(seed);
        if is_unsat(&mut pool, &parts) != Some(true) {
            continue;
        }
        unsat += 1;
        let mut interpolator = Interpolator::new(Options::default());
        match interpolator.sequence(&mut pool, &parts, &budget) {
            Outcome::Interpolants(list) => {
                judge(&mut pool, &parts, &list, seed);
                found += 1;
            }
            Outcome::Sat(_) => panic!("{seed}: sat after unsat"),
            Outcome::Unknown(why) => println!("{seed}: {why}"),
        }
        let n = parts.len();
        let parent: Vec<usize> = (0..n).map(|i| (i + 1).min(n - 1)).collect();
        let cuts = Cuts::of_tree(&parent);
        let problem = Problem {
            parts: &parts,
            parent: &parent,
            cuts: &cuts,
        };
        match interpolator.stepwise(&mut pool, &problem, &budget) {
            Ok(list) => {
                judge(&mut pool, &parts, &list, seed);
                in_steps += 1;
            }
            Err(why) => println!("{seed}: {why}"),
        }
    }
    println!("{found} and {in_steps} of {unsat}");
    assert!(unsat > 350, "{unsat}");
    assert_eq!(found, unsat);
    assert_eq!(in_steps, unsat);
}

/// A search for the value that was written in the middle: its place has a name only in the first part
/// (`tmp`), the array before the write is read at later indices.
#[test]
fn the_place_of_a_write_goes_by_its_shared_name() {
    let text = "
        (declare-fun tmp () Int) (declare-fun size () Int)
        (declare-fun m0 () (Array Int Int)) (declare-fun m1 () (Array Int Int))
        (declare-fun j0 () Int) (declare-fun j1 () Int) (declare-fun j2 () Int)
        (assert (and (= size (+ (div tmp 8) 1)) (>= tmp 8) (<= 0 j0) (<= j0 0)
          (= m1 (store m0 (+ (* 4 (div (+ (div tmp 8) 1) 2)) 100) 3))))
        (assert (and (not (= (select m1 (+ (* 4 j0) 100)) 3)) (< j0 size) (= j1 (+ j0 1))))
        (assert (and (not (= (select m1 (+ (* 4 j1) 100)) 3)) (< j1 size) (= j2 (+ j1 1))))
        (assert (and (<= size j2) (or (< j2 0) (= (select m1 (+ (* 4 j2) 100)) 3) (<= size j2))))";
    let mut pool = Pool::new();
    let parts = parts_of(&mut pool, text);
    let budget = Budget::unlimited();
    let outcome = Interpolator::new(Options::default()).sequence(&mut pool, &parts, &budget);
    match outcome {
        Outcome::Interpolants(list) => judge(&mut pool, &parts, &list, 0),
        other => panic!("{other:?}"),
    }
}

fn parts_of(pool: &mut Pool, text: &str) -> Vec<TermId> {
    let script = logic::smtlib::parse_script(pool, text).unwrap();
    let terms = script.commands.iter().filter_map(|c| match c.kind {
        logic::smtlib::CommandKind::Assert { term, .. } => Some(term),
        _ => None,
    });
    terms.collect()
}

/// Constant arrays that one side alone knows, some writes away from what both know.
#[test]
fn constant_arrays_of_one_side_have_interpolants() {
    let head = "(declare-sort I 0) (declare-sort E 0)
        (declare-fun a () (Array Int Int)) (declare-fun v () Int) (declare-fun w () Int) (declare-fun z () Int)
        (declare-fun i () Int) (declare-fun j () Int) (declare-fun k () Int) (declare-fun b () (Array I E))
        (declare-fun x () E) (declare-fun y () E) (declare-fun p () I) (declare-fun q () I)
        (declare-fun u () E) (declare-fun r () I) (declare-fun s () I) (declare-fun t3 () I)
        (declare-fun f ((Array Int Int)) Bool)";
    let problems = [
        // As it is.
        "(assert (= a ((as const (Array Int Int)) v))) (assert (not (= (select a j) (select a k))))",
        "(assert (= b ((as const (Array I E)) x))) (assert (not (= (select b p) (select b q))))",
        "(assert (= b ((as const (Array I E)) x))) (assert (and (= b ((as const (Array I E)) y)) (= (select b p) x) (not (= x y))))",
        // One write away: two of three cells agree.
        "(assert (= a (store ((as const (Array Int Int)) v) i w)))
         (assert (and (= (select a 0) 1) (= (select a 1) 2) (= (select a 2) 3)))",
        "(assert (= a (store ((as const (Array Int Int)) v) i w)))
         (assert (and (= a (store ((as const (Array Int Int)) z) j 5)) (not (= (select a k) z)) (not (= j k))
           (= (select a 7) z) (= (select a 8) z) (not (= (select a 9) z)) (not (= j 9))))",
        // The other way round: the second side knows.
        "(assert (not (= (select a j) (select a k)))) (assert (= a ((as const (Array Int Int)) v)))",
        // What rewriting hides from lemmas.
        "(assert (= a ((as const (Array Int Int)) 0)))
         (assert (= a (store (store ((as const (Array Int Int)) z) 1 (+ w 1)) 0 w)))",
        // All elements of a sort without numbers are written, also those that no array is read at.
        "(assert (and (= b ((as const (Array I E)) x)) (not (= x y)) (not (= p q))))
         (assert (and (= b (store ((as const (Array I E)) y) r x)) (not (= y u))))",
        // A sort has one element, or two, and the other side knows more, with no word of that sort that both know.
        "(assert (and (= ((as const (Array I E)) x) (store ((as const (Array I E)) y) p x)) (not (= x y))))
         (assert (not (= q r)))",
        "(assert (and (= (store ((as const (Array I E)) x) p u) (store ((as const (Array I E)) y) q x)) (not (= x y))))
         (assert (distinct r s t3))",
        "(assert (and (= b (store ((as const (Array I E)) x) p u)) (not (= (select b p) x))))
         (assert (and (= b ((as const (Array I E)) y)) (not (= q r))))",
        // What a function is applied to is equal to an array that both sides know.
        "(assert (and (f (store a i z)) (< i 0)))
         (assert (and (not (f a)) (= ((as const (Array Int Int)) z) (store a j w)) (< 0 j)))",
    ];
    for (n, problem) in problems.into_iter().enumerate() {
        let mut pool = Pool::new();
        let parts = parts_of(&mut pool, &format!("{head} {problem}"));
        let options = Options {
            diff: true,
            ..Options::default()
        };
        let budget = Budget::unlimited();
        match Interpolator::new(options).sequence(&mut pool, &parts, &budget) {
            Outcome::Interpolants(list) => judge(&mut pool, &parts, &list, n as u64),
            other => panic!("{n}: {other:?}"),
        }
    }
}

/// With whatever is said about the other symbols, a formula and its localised form are both satisfiable or
/// both not.
#[test]
fn localising_changes_nothing_for_the_others() {
    let (mut unsat, mut changed) = (0, 0);
    for seed in 0..400 {
        let make = [random_path, contradictory_path][(seed % 2) as usize];
        let Path { mut pool, parts } = make(seed);
        for k in 0..parts.len() {
            let mut rest = parts.clone();
            let part = rest.remove(k);
            let others: FxHashSet<SymbolId> = pool.symbols_of(&rest).into_iter().collect();
            let mut own = pool.symbols_of(&[part]);
            own.retain(|s| !others.contains(s));
            let local = localise(&mut pool, part, own);
            changed += usize::from(local != part);
            let mut formulas = rest.clone();
            formulas.push(part);
            let before = is_unsat(&mut pool, &formulas);
            formulas.pop();
            formulas.push(local);
            let after = is_unsat(&mut pool, &formulas);
            if let (Some(before), Some(after)) = (before, after) {
                assert_eq!(before, after, "{seed}, part {k}");
                unsat += usize::from(before);
            }
        }
    }
    assert!(unsat > 200 && changed > 200, "{unsat} {changed}");
}
