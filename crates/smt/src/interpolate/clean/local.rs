//! Formulas without the symbols that only they have, as far as equations define them.
//!
//! *Idea.* A symbol of one part only can be quantified away in it without harm: the parts stay
//! contradictory, and an interpolant of the weaker parts is one of the parts. Most such symbols have an
//! equation. `x = t` replaces x. `b = store(a, i, v)` with a foreign `a` says that `a` is `b` with some value
//! at `i`, and that `b` has `v` there, so `a` becomes `store(b, i, w)` with a new `w`: an array that is read
//! on the other side under a name of this one is then read under the other's name. `t = u` with a term `t`
//! that has foreign symbols and a `u` that has none makes `u` stand for `t` everywhere else.
//!
//! An array whose equations are inside a disjunction is treated in each of its cases, with what else is
//! said of it. The result has fewer foreign symbols, not none: the rest is for the proof.

use base::FxHashSet;
use logic::{Op, Pool, Rational, Sort, SymbolId, TermId};

/// Cases of a disjunction that are treated one by one.
const CASES: usize = 8;
/// Disjunctions inside each other.
const NESTING: usize = 3;
/// Rounds of solving: each removes a symbol or uses an equation.
const ROUNDS: usize = 400;
/// Terms of a formula that may grow by cases.
const SIZE: usize = 20_000;

/// A formula that is implied by `formula` and implies it for some values of the `foreign` constants.
pub(crate) fn localise(
    pool: &mut Pool,
    formula: TermId,
    foreign: impl IntoIterator<Item = SymbolId>,
) -> TermId {
    let mut work = Work {
        foreign: foreign.into_iter().collect(),
    };
    work.run(pool, formula, NESTING)
}

struct Work {
    foreign: FxHashSet<SymbolId>,
}

impl Work {
    fn is_foreign(&self, pool: &Pool, t: TermId) -> bool {
        pool.as_constant(t)
            .is_some_and(|s| self.foreign.contains(&s))
    }

    fn touches(&self, pool: &Pool, t: TermId) -> bool {
        let symbols = pool.symbols_of(&[t]);
        symbols.iter().any(|s| self.foreign.contains(s))
    }

    fn run(&mut self, pool: &mut Pool, formula: TermId, nesting: usize) -> TermId {
        let mut parts = pool.conjuncts(formula);
        // Equations whose term has been replaced.
        let mut used: FxHashSet<TermId> = FxHashSet::default();
        for _ in 0..ROUNDS {
            let Some(i) = (0..parts.len()).find_map(|i| {
                let step = self.step(pool, parts[i], &parts, &used)?;
                Some((i, step))
            }) else {
                break;
            };
            let (i, step) = i;
            let equation = parts[i];
            if step.keeps {
                used.insert(equation);
            } else {
                parts.swap_remove(i);
            }
            if let Some(pair) = step.replace {
                for p in &mut parts {
                    if !(step.keeps && *p == equation) {
                        *p = pool.substitute(*p, &[pair]);
                    }
                }
            }
            parts.extend(step.says);
            let all = pool.and(&parts);
            parts = pool.conjuncts(all);
        }
        let flat = pool.and(&parts);
        match nesting {
            0 => flat,
            _ => self.cases(pool, flat, nesting),
        }
    }

    /// What an equation among `parts` is good for.
    fn step(
        &mut self,
        pool: &mut Pool,
        equation: TermId,
        parts: &[TermId],
        used: &FxHashSet<TermId>,
    ) -> Option<Rewriting> {
        if self.is_foreign(pool, equation) {
            // A Boolean that holds.
            return Some(Rewriting::replace(equation, pool.tt()));
        }
        if pool.op(equation) != Op::Eq {
            return None;
        }
        let [a, b] = *pool.args(equation) else {
            return None;
        };
        if pool.is_arith(pool.sort_of(a)) {
            return self.linear(pool, equation, parts, used);
        }
        for (x, t) in [(a, b), (b, a)] {
            if self.is_foreign(pool, x) && !occurs(pool, x, t) {
                return Some(Rewriting::replace(x, t));
            }
        }
        for (whole, written) in [(a, b), (b, a)] {
            if let Some(step) = self.turn(pool, whole, written) {
                return Some(step);
            }
        }
        None
    }

    /// `whole = store(inner, i, v)` where the array under the stores is foreign and not in `whole`.
    fn turn(&mut self, pool: &mut Pool, whole: TermId, written: TermId) -> Option<Rewriting> {
        if pool.op(written) != Op::Store {
            return None;
        }
        let mut base = written;
        while pool.op(base) == Op::Store {
            base = pool.args(base)[0];
        }
        if !self.is_foreign(pool, base) || occurs(pool, base, whole) {
            return None;
        }
        let (mut whole, mut written) = (whole, written);
        let mut says = Vec::new();
        while pool.op(written) == Op::Store {
            let [inner, i, v] = *pool.args(written) else {
                return None;
            };
            if occurs(pool, base, i) || occurs(pool, base, v) {
                return None;
            }
            let read = pool.select(whole, i);
            says.push(pool.eq(read, v));
            let &Sort::Array(_, element) = pool.sort_kind(pool.sort_of(whole)) else {
                return None;
            };
            let before = pool.fresh_constant("before", element);
            self.foreign.extend(pool.as_constant(before));
            whole = pool.store(whole, i, before);
            written = inner;
        }
        Some(Rewriting {
            replace: Some((base, whole)),
            says,
            keeps: false,
        })
    }

    fn linear(
        &self,
        pool: &mut Pool,
        equation: TermId,
        parts: &[TermId],
        used: &FxHashSet<TermId>,
    ) -> Option<Rewriting> {
        let [a, b] = *pool.args(equation) else {
            return None;
        };
        let sort = pool.sort_of(a);
        let form = pool.difference(a, b);
        let int = sort == pool.int_sort();
        let unit = |c: &Rational| !int || *c == Rational::ONE || *c == Rational::MINUS_ONE;
        let touching = form.terms.iter().filter(|(t, _)| self.touches(pool, *t));
        let touching: Vec<TermId> = touching.map(|t| t.0).collect();
        for (k, (x, c)) in form.terms.iter().enumerate() {
            if !unit(c) || !touching.contains(x) {
                continue;
            }
            let mut rest = form.clone();
            rest.terms.remove(k);
            rest.scale(&-&(&Rational::ONE / c));
            if self.is_foreign(pool, *x) {
                if rest.terms.iter().any(|(t, _)| occurs(pool, *x, *t)) {
                    continue;
                }
                let t = pool.from_linear(&rest, sort);
                return Some(Rewriting::replace(*x, t));
            }
            // A term with foreign symbols that equals one without.
            let others = parts.iter().filter(|&&p| p != equation);
            if touching.len() == 1
                && !used.contains(&equation)
                && others.clone().any(|&p| occurs(pool, *x, p))
            {
                let t = pool.from_linear(&rest, sort);
                return Some(Rewriting {
                    replace: Some((*x, t)),
                    says: Vec::new(),
                    keeps: true,
                });
            }
        }
        None
    }

    /// Foreign arrays that a disjunction speaks of: case by case, with all that is said of them.
    fn cases(&mut self, pool: &mut Pool, formula: TermId, nesting: usize) -> TermId {
        let parts = pool.conjuncts(formula);
        let arrays: FxHashSet<SymbolId> = pool
            .symbols_of(&[formula])
            .into_iter()
            .filter(|s| {
                let sort = pool.symbol_data(*s).sort;
                self.foreign.contains(s) && matches!(pool.sort_kind(sort), Sort::Array(..))
            })
            .collect();
        let speaks = |pool: &Pool, t: TermId| {
            let symbols = pool.symbols_of(&[t]);
            symbols.iter().any(|s| arrays.contains(s))
        };
        let (mut about, mut rest): (Vec<TermId>, Vec<TermId>) =
            parts.into_iter().partition(|&p| speaks(pool, p));
        let choice = about
            .iter()
            .position(|&p| pool.op(p) == Op::Or && pool.disjuncts(p).len() <= CASES);
        let Some(choice) = choice else {
            return formula;
        };
        let choice = about.swap_remove(choice);
        let cases = pool.disjuncts(choice);
        if cases.len() * pool.dag_size(formula) > SIZE {
            return formula;
        }
        // Sound because what is removed in one case alone occurs nowhere outside the cases.
        let all = self.foreign.clone();
        for s in pool.symbols_of(&rest) {
            self.foreign.remove(&s);
        }
        let mut results = Vec::new();
        for case in cases {
            let mut all = about.clone();
            all.push(case);
            let all = pool.and(&all);
            results.push(self.run(pool, all, nesting - 1));
        }
        self.foreign.extend(all);
        rest.push(pool.or(&results));
        pool.and(&rest)
    }
}

struct Rewriting {
    replace: Option<(TermId, TermId)>,
    says: Vec<TermId>,
    /// The equation stays.
    keeps: bool,
}

impl Rewriting {
    fn replace(x: TermId, t: TermId) -> Rewriting {
        Rewriting {
            replace: Some((x, t)),
            says: Vec::new(),
            keeps: false,
        }
    }
}

fn occurs(pool: &Pool, x: TermId, inside: TermId) -> bool {
    pool.post_order(&[inside]).contains(&x)
}
