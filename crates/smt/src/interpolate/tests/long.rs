//! Long paths: time must not explode with the number of cuts.

use crate::interpolate::{Interpolator, Options, Outcome};
use crate::{Answer, Solver};
use base::Budget;
use logic::{Pool, TermId};

/// A loop that counts `x` and `y` up, `y` twice as fast, with a branch about `z`; unrolled.
fn unrolled(pool: &mut Pool, n: usize) -> Vec<TermId> {
    let int = pool.int_sort();
    let var = |pool: &mut Pool, name: &str, i: usize| pool.constant(&format!("{name}@{i}"), int);
    let (zero, one, two) = (pool.int(0), pool.int(1), pool.int(2));
    let (x, y) = (var(pool, "x", 0), var(pool, "y", 0));
    let start = [pool.eq(x, zero), pool.eq(y, zero)];
    let mut parts = vec![pool.and(&start)];
    for i in 0..n {
        let (x, y, c) = (var(pool, "x", i), var(pool, "y", i), var(pool, "c", i));
        let (x1, y1) = (var(pool, "x", i + 1), var(pool, "y", i + 1));
        let (up, twice) = (pool.add2(x, one), pool.add2(y, two));
        let (z, z1) = (var(pool, "z", i), var(pool, "z", i + 1));
        let taken = pool.le(c, zero);
        let skipped = pool.not(taken);
        let more = pool.add2(z, one);
        let yes = [taken, pool.eq(z1, more)];
        let no = [skipped, pool.eq(z1, z)];
        let (yes, no) = (pool.and(&yes), pool.and(&no));
        let all = [pool.or2(yes, no), pool.eq(x1, up), pool.eq(y1, twice)];
        parts.push(pool.and(&all));
    }
    let (x, y) = (var(pool, "x", n), var(pool, "y", n));
    let double = pool.add2(x, x);
    parts.push(pool.lt(double, y));
    parts
}

#[test]
fn long_paths() {
    for n in [10, 100, 300] {
        let mut pool = Pool::new();
        let parts = unrolled(&mut pool, n);
        let budget = Budget::unlimited();
        let mut interpolator = Interpolator::new(Options::default());
        let outcome = interpolator.sequence(&mut pool, &parts, &budget);
        let Outcome::Interpolants(found) = outcome else {
            panic!("{outcome:?}")
        };
        assert_eq!(found.len(), n + 1);
        // y <= 2 * x, everywhere the same.
        assert!(found.iter().all(|&f| pool.dag_size(f) <= 8));
        println!(
            "{n}: {:?} {:?}",
            budget.elapsed(),
            interpolator.stats.checks
        );
    }
}

/// With a core, parts that the refutation does not need cost nothing and interpolants stay as they are across them: of a long
/// path with its reason in the middle, or near its end, each step still holds.
#[test]
fn idle_parts_of_long_paths_carry_interpolants_on() {
    for reason in [100, 280] {
        let mut pool = Pool::new();
        let int = pool.int_sort();
        let mut parts = Vec::new();
        for i in 0..300 {
            let (u, v) = (format!("u@{i}"), format!("u@{}", i + 1));
            let (u, v) = (pool.constant(&u, int), pool.constant(&v, int));
            parts.push(pool.le(u, v));
        }
        let (x, y) = (pool.constant("x", int), pool.constant("y", int));
        let (zero, one) = (pool.int(0), pool.int(1));
        let next = pool.add2(x, one);
        let facts = [pool.eq(x, zero), pool.eq(y, next), pool.lt(y, one)];
        for (k, fact) in facts.into_iter().enumerate() {
            let at = reason + 5 * k;
            parts[at] = pool.and2(parts[at], fact);
        }
        let budget = Budget::unlimited();
        let mut interpolator = Interpolator::new(Options {
            core: true,
            ..Options::default()
        });
        let outcome = interpolator.sequence(&mut pool, &parts, &budget);
        let Outcome::Interpolants(found) = outcome else {
            panic!("{outcome:?}")
        };
        assert_eq!(found.len(), parts.len() - 1);
        assert!(found[..reason].iter().all(|&f| f == pool.tt()));
        assert!(found[reason..reason + 10].iter().all(|&f| f != pool.tt()));
        assert!(found[reason + 10..].iter().all(|&f| f == pool.ff()));
        for (i, &part) in parts.iter().enumerate() {
            let before = match i {
                0 => pool.tt(),
                _ => found[i - 1],
            };
            let after = found.get(i).copied().unwrap_or(pool.ff());
            let mut solver = Solver::new();
            let wrong = pool.not(after);
            for t in [before, part, wrong] {
                solver.assert(&mut pool, t);
            }
            assert_eq!(solver.check(&mut pool, &[], &budget), Answer::Unsat, "{i}");
        }
    }
}
