//! The simplex against Fourier–Motzkin elimination and brute force, certificates by summation.
#![allow(clippy::unwrap_used)]

use super::certificate::{check_clause, inequality};
use super::*;
use base::Id;
use proptest::prelude::*;

/// Atoms `sum of coefficients * x <= constant` over a few variables of one sort.
struct Bench {
    pool: Pool,
    vars: Vec<TermId>,
    atoms: Vec<TermId>,
    arith: Arith,
}

impl Bench {
    fn new(vars: usize, int: bool) -> Self {
        let mut pool = Pool::new();
        let sort = if int {
            pool.int_sort()
        } else {
            pool.real_sort()
        };
        let vars = (0..vars)
            .map(|i| pool.constant(&format!("x{i}"), sort))
            .collect();
        Bench {
            pool,
            vars,
            atoms: Vec::new(),
            arith: Arith::new(),
        }
    }

    /// The literal of an atom; `None` for a constant.
    fn le(&mut self, coeffs: &[i64], constant: i64) -> Option<Lit> {
        let sort = self.pool.sort_of(self.vars[0]);
        let mut terms = Vec::new();
        for (v, c) in self.vars.iter().zip(coeffs) {
            if *c != 0 {
                terms.push((*v, Rational::from(*c)));
            }
        }
        let form = Linear {
            terms,
            constant: Rational::from(-constant),
        };
        let t = self.pool.le_zero(form, sort);
        let (atom, positive) = match self.pool.op(t) {
            Op::Not => (self.pool.args(t)[0], false),
            Op::Le => (t, true),
            _ => return None,
        };
        Some(Lit::new(self.register(atom), positive))
    }

    fn register(&mut self, atom: TermId) -> BoolVar {
        let at = self.atoms.iter().position(|a| *a == atom);
        let at = at.unwrap_or_else(|| {
            self.atoms.push(atom);
            self.atoms.len() - 1
        });
        let b = BoolVar::from_index(at);
        self.arith.register_atom(&mut self.pool, b, atom);
        b
    }

    fn verify(&self, conflict: &Conflict) {
        let clause: Vec<(TermId, bool)> = conflict
            .lits
            .iter()
            .map(|l| (self.atoms[l.var().index()], l.is_positive()))
            .collect();
        assert!(
            check_clause(&self.pool, &clause, &conflict.cert),
            "certificate {conflict:?}"
        );
    }

    fn assert_and_check(&mut self, lit: Lit) -> Result<(), Conflict> {
        self.arith.assert_lit(lit)?;
        let r = self.arith.check(&Budget::unlimited());
        self.arith.tableau.check_invariants();
        r
    }

    fn holds(&self, lit: Lit) -> bool {
        let atom = self.atoms[lit.var().index()];
        let [a, b] = *self.pool.args(atom) else {
            panic!()
        };
        let (a, b) = (
            self.arith.value(&self.pool, a).unwrap(),
            self.arith.value(&self.pool, b).unwrap(),
        );
        (a <= b) == lit.is_positive()
    }
}

/// Whether inequalities have a common rational solution, by eliminating variables one by one.
fn fourier_motzkin(mut rows: Vec<(Linear, bool)>) -> bool {
    loop {
        let Some(v) = rows.iter().find_map(|(l, _)| l.terms.first().map(|t| t.0)) else {
            return rows
                .iter()
                .all(|(l, strict)| l.constant.is_negative() || !strict && l.constant.is_zero());
        };
        let coeff = |l: &Linear| {
            l.terms
                .iter()
                .find(|(t, _)| *t == v)
                .map_or(Rational::ZERO, |(_, c)| c.clone())
        };
        let mut next = Vec::new();
        for (i, (l, s)) in rows.iter().enumerate() {
            let c = coeff(l);
            if c.is_zero() {
                next.push((l.clone(), *s));
            }
            for (m, t) in &rows[i + 1..] {
                let d = coeff(m);
                if (&c * &d).is_negative() {
                    let mut sum = l.clone();
                    sum.scale(&d.abs());
                    next.push((sum.add_scaled(&c.abs(), m), *s || *t));
                }
            }
        }
        rows = next;
    }
}

type Inequalities = Vec<(Vec<i64>, i64, bool)>;

fn system(vars: usize, size: usize) -> impl Strategy<Value = Inequalities> {
    let row = (
        prop::collection::vec(-3i64..=3, vars),
        -6i64..=6,
        any::<bool>(),
    );
    prop::collection::vec(row, 1..size)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    /// Over Real the answer is that of Fourier–Motzkin, with backtracking in between.
    #[test]
    fn agrees_with_elimination(rows in system(4, 14), pops in prop::collection::vec(any::<bool>(), 8)) {
        let mut bench = Bench::new(4, false);
        let mut asserted: Vec<Lit> = Vec::new();
        // All atoms from the start, so that there is something to propagate.
        for (coeffs, constant, _) in &rows {
            bench.le(coeffs, *constant);
        }
        for (i, (coeffs, constant, positive)) in rows.iter().enumerate() {
            let Some(lit) = bench.le(coeffs, *constant) else { continue };
            let lit = if *positive { lit } else { !lit };
            if asserted.iter().any(|l| l.var() == lit.var()) {
                continue;
            }
            bench.arith.push();
            let result = bench.assert_and_check(lit);
            asserted.push(lit);
            let inequalities = asserted.iter().map(|l| {
                let q = inequality(&bench.pool, bench.atoms[l.var().index()], l.is_positive()).unwrap();
                (q.form, q.strict)
            }).collect();
            prop_assert_eq!(result.is_ok(), fourier_motzkin(inequalities));
            match result {
                Err(conflict) => {
                    for l in &conflict.lits {
                        prop_assert!(asserted.contains(&!*l));
                    }
                    bench.verify(&conflict);
                    bench.arith.pop(1);
                    asserted.pop();
                    bench.arith.check(&Budget::unlimited()).unwrap();
                }
                Ok(()) => {
                    let mut implied = Vec::new();
                    bench.arith.propagate(&mut implied);
                    for l in implied {
                        let why = bench.arith.explain(l);
                        bench.verify(&why);
                        prop_assert!(why.lits[1..].iter().all(|r| asserted.contains(&!*r)));
                    }
                    let done = bench.arith.final_check(&mut bench.pool, &Budget::unlimited());
                    prop_assert!(matches!(done, FinalCheck::Ok));
                    for l in &asserted {
                        prop_assert!(bench.holds(*l));
                    }
                    if pops[i % pops.len()] && asserted.len() > 1 {
                        bench.arith.pop(2);
                        asserted.truncate(asserted.len() - 2);
                    }
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    /// Equations of the outermost level are solved for good; what comes after agrees with elimination,
    /// and conflicts name the equations they rest on.
    #[test]
    fn solved_equations(equations in system(4, 3), rows in system(4, 6), int: bool) {
        let mut bench = Bench::new(4, int);
        let mut asserted: Vec<Lit> = Vec::new();
        let rational = |bench: &Bench, asserted: &[Lit]| {
            fourier_motzkin(asserted.iter().map(|l| {
                let atom = bench.atoms[l.var().index()];
                let q = inequality(&bench.pool, atom, l.is_positive()).unwrap();
                (q.form, q.strict)
            }).collect())
        };
        for (coeffs, constant, _) in &equations {
            let minus: Vec<i64> = coeffs.iter().map(|c| -c).collect();
            for (coeffs, constant) in [(coeffs, *constant), (&minus, -constant)] {
                let Some(lit) = bench.le(coeffs, constant) else { continue };
                asserted.push(lit);
                if let Err(conflict) = bench.arith.assert_lit(lit) {
                    bench.verify(&conflict);
                    prop_assert!(!rational(&bench, &asserted));
                    return Ok(());
                }
            }
        }
        let first = bench.arith.check(&Budget::unlimited());
        prop_assert_eq!(first.is_ok(), rational(&bench, &asserted));
        if let Err(conflict) = first {
            bench.verify(&conflict);
            return Ok(());
        }
        for (coeffs, constant, positive) in &rows {
            let Some(lit) = bench.le(coeffs, *constant) else { continue };
            let lit = if *positive { lit } else { !lit };
            if asserted.iter().any(|l| l.var() == lit.var()) {
                continue;
            }
            bench.arith.push();
            let result = bench.assert_and_check(lit);
            asserted.push(lit);
            prop_assert_eq!(result.is_ok(), rational(&bench, &asserted));
            if let Err(conflict) = result {
                prop_assert!(conflict.lits.iter().all(|l| asserted.contains(&!*l)));
                bench.verify(&conflict);
                bench.arith.pop(1);
                asserted.pop();
                bench.arith.check(&Budget::unlimited()).unwrap();
            } else if !int {
                let done = bench.arith.final_check(&mut bench.pool, &Budget::unlimited());
                prop_assert!(matches!(done, FinalCheck::Ok));
                for l in &asserted {
                    prop_assert!(bench.holds(*l));
                }
            }
        }
    }
}

/// Decides a conjunction over Int by following branch lemmas; `None` when it gives up.
fn decide(bench: &mut Bench, lits: &[Lit], depth: usize) -> Option<bool> {
    bench.arith.push();
    let result = decide_within(bench, lits, depth);
    bench.arith.pop(1);
    result
}

fn decide_within(bench: &mut Bench, lits: &[Lit], depth: usize) -> Option<bool> {
    for &l in lits {
        if let Err(conflict) = bench.arith.assert_lit(l) {
            bench.verify(&conflict);
            return Some(false);
        }
    }
    let outcome = bench
        .arith
        .final_check(&mut bench.pool, &Budget::unlimited());
    bench.arith.tableau.check_invariants();
    match outcome {
        FinalCheck::Ok => Some(true),
        FinalCheck::Conflict(conflict) => {
            bench.verify(&conflict);
            Some(false)
        }
        FinalCheck::Lemmas(lemmas) => {
            let atom = lemmas[0].clause[0];
            assert!(bench.pool.op(atom) == Op::Le);
            let b = bench.register(atom);
            depth.checked_sub(1)?;
            let mut unknown = false;
            for positive in [true, false] {
                match decide(bench, &[Lit::new(b, positive)], depth - 1) {
                    Some(true) => return Some(true),
                    Some(false) => {}
                    None => unknown = true,
                }
            }
            (!unknown).then_some(false)
        }
        other => panic!("{other:?}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    /// Over Int in a box the answer is that of enumeration.
    #[test]
    fn integers_agree_with_enumeration(rows in system(3, 7)) {
        let mut bench = Bench::new(3, true);
        let mut lits = Vec::new();
        for i in 0..3 {
            let mut unit = vec![0; 3];
            unit[i] = 1;
            lits.extend(bench.le(&unit, 4));
            unit[i] = -1;
            lits.extend(bench.le(&unit, 4));
        }
        let mut constant_false = false;
        for (coeffs, constant, _) in &rows {
            match bench.le(coeffs, *constant) {
                Some(l) => lits.push(l),
                None => constant_false |= *constant < 0,
            }
        }
        let answer = decide(&mut bench, &lits, 60);
        let range = || -4i64..=4;
        let expected = range().any(|x| range().any(|y| range().any(|z| {
            rows.iter().all(|(c, k, _)| c[0] * x + c[1] * y + c[2] * z <= *k)
        })));
        if !constant_false {
            prop_assert_eq!(answer, Some(expected));
        }
    }

    /// Equalities without bounds: never a wrong refutation of a planted solution.
    #[test]
    fn unbounded_equalities(
        rows in prop::collection::vec(prop::collection::vec(-6i64..=6, 4), 1..5),
        at in prop::collection::vec(-9i64..=9, 4), off in 0i64..2,
    ) {
        let mut bench = Bench::new(4, true);
        let mut lits = Vec::new();
        for (i, a) in rows.iter().enumerate() {
            let c: i64 = a.iter().zip(&at).map(|(a, x)| a * x).sum::<i64>()
                + if i == 0 { off } else { 0 };
            let minus: Vec<i64> = a.iter().map(|a| -a).collect();
            if a.iter().all(|a| *a == 0) {
                continue;
            }
            lits.extend(bench.le(a, c));
            lits.extend(bench.le(&minus, -c));
        }
        let answer = decide(&mut bench, &lits, 12);
        if off == 0 {
            prop_assert_ne!(answer, Some(false));
        }
    }
}

#[test]
fn parity_is_refuted_without_branching() {
    // x + y = 2a and x - y = 2b + 1.
    let mut bench = Bench::new(4, true);
    let mut lits = Vec::new();
    for (row, c) in [([1, 1, -2, 0], 0), ([1, -1, 0, -2], 1)] {
        lits.extend(bench.le(&row, c));
        lits.extend(bench.le(&row.map(|a| -a), -c));
    }
    assert_eq!(decide(&mut bench, &lits, 0), Some(false));
    assert_eq!(bench.arith.stats().divisibility_conflicts, 1);
}

/// `x_0 = 0, x_(i+1) = x_i + 1 …, x_n <= n - 1`, twice: the second time on used rows.
#[test]
fn long_chains() {
    let n = 300;
    let mut bench = Bench::new(n + 1, true);
    let mut lits = Vec::new();
    let zero: Vec<i64> = vec![0; n + 1];
    for i in 0..=n {
        let mut row = zero.clone();
        row[i] = 1;
        if i > 0 {
            row[i - 1] = -1;
        }
        let c = i64::from(i > 0);
        lits.extend(bench.le(&row, c));
        lits.extend(bench.le(&row.iter().map(|a| -a).collect::<Vec<_>>(), -c));
    }
    let mut last = zero.clone();
    last[n] = 1;
    let (good, bad) = (
        bench.le(&last, n as i64).unwrap(),
        bench.le(&last, n as i64 - 1).unwrap(),
    );
    for _ in 0..2 {
        let with = |l: Lit| [lits.clone(), vec![l]].concat();
        assert_eq!(decide(&mut bench, &with(good), 0), Some(true));
        assert_eq!(decide(&mut bench, &with(bad), 0), Some(false));
    }
}

#[test]
fn small_steps_end() {
    // Each lap around the two rows lowers both bounds by a millionth: it would take ages to come down to 0.
    let mut bench = Bench::new(2, true);
    let far = 1_000_000_000_000_000;
    let rows: [(&[i64], i64); 6] = [
        (&[1, 0], far),
        (&[0, 1], far),
        (&[-1, 0], 0),
        (&[0, -1], 0),
        (&[1, -1], -1),
        (&[-999_999, 1_000_000], 1_000_000),
    ];
    for (coeffs, constant) in rows {
        let lit = bench.le(coeffs, constant).unwrap();
        bench.assert_and_check(lit).unwrap();
    }
    let mut out = Vec::new();
    for _ in 0..50 {
        bench.arith.propagate(&mut out);
    }
    let derived = bench.arith.nodes.len();
    assert!((2..200).contains(&derived), "{derived} bounds");
}
