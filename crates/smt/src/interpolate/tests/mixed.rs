//! Interpolants of proofs whose literals mix both sides: functions of terms that only arithmetic equates, arrays
//! written at indices that the other side does not know, constant arrays.

use super::generate::vocabulary;
use crate::interpolate::{Interpolator, Method, Options, Outcome};
use crate::{Answer, Solver};
use base::{Budget, Random};
use logic::{Pool, SortId, TermId};

fn is_unsat(pool: &mut Pool, formulas: &[TermId]) -> Option<bool> {
    let mut solver = Solver::new();
    for &f in formulas {
        solver.assert(pool, f);
    }
    let budget = Budget::unlimited().with_conflicts(3000);
    match solver.check(pool, &[], &budget) {
        Answer::Unsat => Some(true),
        Answer::Sat => Some(false),
        Answer::Unknown(_) => None,
    }
}

/// Each node's part and the interpolants of its children imply its own.
fn judge(pool: &mut Pool, parts: &[TermId], parent: &[usize], list: &[TermId], what: &str) {
    for (k, &part) in parts.iter().enumerate() {
        let own = list.get(k).copied().unwrap_or(pool.ff());
        let mut step = vec![part, pool.not(own)];
        step.extend((0..k).filter(|&c| parent[c] == k).map(|c| list[c]));
        assert_eq!(is_unsat(pool, &step), Some(true), "{what}: step {k}");
    }
}

/// What one part says of its own constants, the function and a few symbols that all have.
struct Speaker {
    sort: SortId,
    own: [TermId; 2],
    common: Vec<TermId>,
    f: logic::SymbolId,
}

impl Speaker {
    fn common(&self, random: &mut Random) -> TermId {
        self.common[random.below(self.common.len() as u64) as usize]
    }

    fn shifted(&self, pool: &mut Pool, random: &mut Random, t: TermId) -> TermId {
        let k = pool.num(random.below(3) as i64 - 1, self.sort);
        match random.below(3) {
            0 => pool.add2(t, k),
            _ => t,
        }
    }

    fn own(&self, random: &mut Random) -> TermId {
        self.own[random.below(2) as usize]
    }

    fn fact(&self, pool: &mut Pool, random: &mut Random) -> TermId {
        let (own, shared) = (self.own(random), self.common(random));
        match random.below(9) {
            0 | 1 => {
                let t = self.shifted(pool, random, shared);
                pool.le(own, t)
            }
            2 | 3 => {
                let t = self.shifted(pool, random, shared);
                pool.le(t, own)
            }
            4 => {
                let twice = pool.add2(own, own);
                pool.eq(twice, shared)
            }
            5 => {
                let (x, y) = (self.common(random), self.own(random));
                let sum = pool.add2(own, y);
                pool.le(sum, x)
            }
            n => {
                let t = self.shifted(pool, random, own);
                let value = pool.app(self.f, &[t]);
                match n {
                    6 => pool.eq(value, shared),
                    7 => pool.lt(value, shared),
                    _ => pool.le(shared, value),
                }
            }
        }
    }

    fn part(&self, pool: &mut Pool, random: &mut Random) -> TermId {
        let count = 3 + random.below(4);
        let mut facts: Vec<TermId> = (0..count).map(|_| self.fact(pool, random)).collect();
        if random.below(3) == 0 {
            let cases = [self.fact(pool, random), self.fact(pool, random)];
            facts.push(pool.or(&cases));
        }
        pool.and(&facts)
    }
}

/// `lo <= a <= hi` and `f(a + k) < z` here, `hi <= b <= lo` and `z <= f(b + k)` there: contradictory by an
/// equality of a and b that no part knows.
fn squeezed(pool: &mut Pool, random: &mut Random, speakers: &[Speaker]) -> Vec<TermId> {
    let n = speakers.len();
    let mut parts: Vec<Vec<TermId>> = vec![Vec::new(); n];
    let s = &speakers[0];
    let (lo, hi, z) = (s.common[0], s.common[1], s.common[2]);
    let first = random.below(n as u64) as usize;
    let second = (first + 1 + random.below(n as u64 - 1) as usize) % n;
    let k = pool.num(random.below(5) as i64 - 2, s.sort);
    for (at, below, above) in [(first, lo, hi), (second, hi, lo)] {
        let own = speakers[at].own(random);
        let shift = pool.num(random.below(3) as i64, s.sort);
        let own_shifted = pool.sub(own, shift);
        let (low, high) = (pool.le(below, own_shifted), pool.le(own_shifted, above));
        let argument = pool.add2(own_shifted, k);
        let value = pool.app(s.f, &[argument]);
        let said = match at == first {
            true => pool.lt(value, z),
            false => pool.le(z, value),
        };
        parts[at].extend([low, high, said]);
    }
    let noise = |pool: &mut Pool, random: &mut Random, s: &Speaker| match random.below(2) {
        0 => pool.tt(),
        _ => s.fact(pool, random),
    };
    (0..n)
        .map(|k| {
            let extra = noise(pool, random, &speakers[k]);
            parts[k].push(extra);
            pool.and(&parts[k])
        })
        .collect()
}

#[test]
fn functions_of_terms_that_arithmetic_equates_have_interpolants() {
    let budget = Budget::unlimited().with_conflicts(3000);
    let (mut unsat, mut found, mut mixed) = (0u64, 0u64, 0u64);
    for seed in 0..700u64 {
        let mut random = Random::new(seed + 1);
        let mut pool = Pool::new();
        let sort = match seed % 2 {
            0 => pool.int_sort(),
            _ => pool.real_sort(),
        };
        let f = pool.symbol("f", &[sort], sort);
        let common: Vec<TermId> = ["x", "y", "z"].map(|n| pool.constant(n, sort)).to_vec();
        let n = 2 + random.below(3) as usize;
        let speakers: Vec<Speaker> = (0..n)
            .map(|k| Speaker {
                sort,
                own: ["a", "b"].map(|o| pool.constant(&format!("{o}{k}"), sort)),
                common: common.clone(),
                f,
            })
            .collect();
        let parts: Vec<TermId> = match seed % 4 {
            0 | 1 => squeezed(&mut pool, &mut random, &speakers),
            _ => speakers
                .iter()
                .map(|s| s.part(&mut pool, &mut random))
                .collect(),
        };
        // A sequence, or a tree.
        let parent: Vec<usize> = (0..n)
            .map(|i| match seed % 3 {
                0 => (i + 1 + random.below(n as u64) as usize).min(n - 1),
                _ => (i + 1).min(n - 1),
            })
            .collect();
        if is_unsat(&mut pool, &parts) != Some(true) {
            continue;
        }
        unsat += 1;
        let mut interpolator = Interpolator::new(Options::default());
        match interpolator.tree(&mut pool, &parts, &parent, &budget) {
            Outcome::Interpolants(list) => {
                vocabulary(&pool, &parts, &parent, &list).unwrap();
                judge(&mut pool, &parts, &parent, &list, &format!("seed {seed}"));
                found += 1;
            }
            Outcome::Sat(_) => panic!("{seed}: sat after unsat"),
            Outcome::Unknown(why) => println!("{seed}: {why}"),
        }
        let of_mixed = interpolator.stats.methods.get(&Method::Mixed);
        mixed += of_mixed.map_or(0, |c| c.accepted);
    }
    println!("{found} of {unsat}, {mixed} by auxiliary variables");
    assert!(unsat > 250, "{unsat}");
    assert!(mixed > 20, "{mixed}");
    assert_eq!(found, unsat);
}

fn parts_of(pool: &mut Pool, text: &str) -> Vec<TermId> {
    let script = logic::smtlib::parse_script(pool, text).unwrap();
    let commands = script.commands.iter();
    let asserted = commands.filter_map(|c| match c.kind {
        logic::smtlib::CommandKind::Assert { term, .. } => Some(term),
        _ => None,
    });
    asserted.collect()
}

/// The interpolant of two formulas, with `array-diff` if that is allowed.
fn between(text: &str, diff: bool) -> Option<String> {
    let mut pool = Pool::new();
    let parts = parts_of(&mut pool, text);
    let options = Options {
        diff,
        ..Options::default()
    };
    let budget = Budget::unlimited().with_conflicts(3000);
    match Interpolator::new(options).sequence(&mut pool, &parts, &budget) {
        Outcome::Interpolants(list) => {
            judge(&mut pool, &parts, &[1, 1], &list, text);
            Some(logic::smtlib::print_term(&pool, list[0]))
        }
        Outcome::Sat(_) => panic!("satisfiable: {text}"),
        Outcome::Unknown(_) => None,
    }
}

const HALVES: &str = "
    (declare-fun a () Int) (declare-fun b () Int) (declare-fun y () Int) (declare-fun f (Int) Int)
    (assert (and (<= (* 3 a) y) (<= y (+ 1 (* 3 a))) (= (f a) 1)))
    (assert (and (<= (* 3 b) y) (<= y (+ 1 (* 3 b))) (= (f b) 0)))";

#[test]
fn quotients_say_where_integers_meet() {
    let formula = between(HALVES, false).expect("an interpolant");
    assert!(formula.contains("div"), "{formula}");
}

const HIDDEN_WRITE: &str = "
    (declare-fun m () (Array Int Int)) (declare-fun n () (Array Int Int)) (declare-fun x () Int)
    (declare-fun i () Int) (declare-fun v () Int) (declare-fun j () Int) (declare-fun k () Int)
    (assert (and (= n (store m i v)) (< i x)))
    (assert (and (<= x j) (< j k) (not (= (select m j) (select n j)))))";

#[test]
fn a_write_at_a_hidden_index_needs_to_say_where_arrays_differ() {
    let formula = between(HIDDEN_WRITE, true).expect("an interpolant");
    assert!(formula.contains("array-diff"), "{formula}");
    assert_eq!(between(HIDDEN_WRITE, false), None);
}

#[test]
fn two_hidden_writes() {
    let text = "
    (declare-sort U 0) (declare-fun p (U) Bool)
    (declare-fun m () (Array U U)) (declare-fun n () (Array U U))
    (declare-fun i () U) (declare-fun j () U) (declare-fun v () U) (declare-fun w () U) (declare-fun k () U)
    (assert (and (= n (store (store m i v) j w)) (p i) (p j)))
    (assert (and (not (p k)) (not (= (select m k) (select n k)))))";
    assert!(between(text, true).is_some());
}

#[test]
fn constant_arrays_a_write_apart() {
    let text = "
    (declare-fun m () (Array Int Int)) (declare-fun v () Int) (declare-fun w () Int)
    (declare-fun i () Int) (declare-fun j () Int) (declare-fun x () Int) (declare-fun y () Int)
    (declare-fun p (Int) Bool)
    (assert (and (p v) (= m (store ((as const (Array Int Int)) v) i x))))
    (assert (and (not (p w)) (= m (store ((as const (Array Int Int)) w) j y))))";
    let mut pool = Pool::new();
    let parts = parts_of(&mut pool, text);
    assert_eq!(is_unsat(&mut pool, &parts), Some(true));
    assert!(between(text, true).is_some());
    // Over a sort that may have one element they may differ.
    let text = "
    (declare-sort U 0) (declare-fun v () Int) (declare-fun i () U) (declare-fun x () Int)
    (assert (= ((as const (Array U Int)) 1) (store ((as const (Array U Int)) 2) i 1)))";
    let parts = parts_of(&mut pool, text);
    assert_ne!(is_unsat(&mut pool, &parts), Some(true));
}
