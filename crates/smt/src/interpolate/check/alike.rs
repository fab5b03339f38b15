//! Steps that differ only in the names of constants: one of them is checked, the others hold with it.
//!
//! Paths that go round a loop give the same step again and again, with later versions of the variables. A
//! step is written down as a list of tokens in which constants are numbered as they first occur; equal lists
//! are steps that a renaming of constants turns into each other. Lists are made only for steps whose *shapes*
//! (hashes that ignore names) are equal.
//!
//! Sound because a formula and its image under an injective renaming of constants of the same sorts
//! are both valid or both not. Functions, numerals and operators keep their identity, and arguments change
//! places only under operators for which that means nothing.

use base::FxHashMap;
use base::FxHasher;
use logic::{Op, Pool, SortId, SymbolId, TermId};
use std::hash::{Hash, Hasher};

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Token {
    /// An operator and the term's sort; this many arguments follow.
    Op(Op, SortId, u32),
    /// A constant by its number.
    Constant(u32, SortId),
    /// A term by its number.
    Term(u32),
}

fn commutes(op: Op) -> bool {
    matches!(op, Op::And | Op::Or | Op::Eq | Op::Add | Op::Mul)
}

/// A step that holds.
struct Verified {
    formulas: Vec<TermId>,
    /// Made when another step has the same shape.
    form: Option<Vec<Token>>,
}

/// Steps of one shape that are kept.
const KEPT: usize = 4;

/// The steps seen.
#[derive(Default)]
pub(crate) struct Alike {
    /// Hashes of terms without the names of constants.
    shapes: FxHashMap<TermId, u64>,
    verified: FxHashMap<u64, Vec<Verified>>,
}

impl Alike {
    /// Is this conjunction one that was noted, with other names?
    pub(crate) fn is_verified(&mut self, pool: &Pool, formulas: &[TermId]) -> bool {
        self.add_shapes(pool, formulas);
        let shape = self.shape(formulas);
        let Some(mut list) = self.verified.remove(&shape) else {
            return false;
        };
        let form = self.form(pool, formulas);
        let found = list.iter_mut().any(|v| {
            let known = v.form.get_or_insert_with(|| self.form(pool, &v.formulas));
            *known == form
        });
        self.verified.insert(shape, list);
        found
    }

    /// The conjunction has no model.
    pub(crate) fn note(&mut self, formulas: Vec<TermId>) {
        let shape = self.shape(&formulas);
        let list = self.verified.entry(shape).or_default();
        if list.len() < KEPT {
            list.push(Verified {
                formulas,
                form: None,
            });
        }
    }

    fn shape(&self, formulas: &[TermId]) -> u64 {
        let shapes = formulas.iter().map(|f| self.shapes[f]);
        shapes.fold(0, u64::wrapping_add)
    }

    /// The conjunction of `formulas`, whose shapes are known, as tokens.
    fn form(&self, pool: &Pool, formulas: &[TermId]) -> Vec<Token> {
        let mut tokens = Vec::new();
        let mut numbers: FxHashMap<TermId, u32> = FxHashMap::default();
        let mut constants: FxHashMap<SymbolId, u32> = FxHashMap::default();
        let mut roots = formulas.to_vec();
        self.sort(&mut roots);
        let mut stack: Vec<TermId> = roots.iter().rev().copied().collect();
        let mut args: Vec<TermId> = Vec::new();
        while let Some(&t) = stack.last() {
            if numbers.contains_key(&t) {
                stack.pop();
                continue;
            }
            self.arguments(pool, t, &mut args);
            let before = stack.len();
            stack.extend(args.iter().rev().filter(|a| !numbers.contains_key(a)));
            if stack.len() > before {
                continue;
            }
            let next = numbers.len() as u32;
            match pool.as_constant(t) {
                Some(s) => {
                    let count = constants.len() as u32;
                    let number = *constants.entry(s).or_insert(count);
                    tokens.push(Token::Constant(number, pool.sort_of(t)));
                }
                None => {
                    tokens.push(Token::Op(pool.op(t), pool.sort_of(t), args.len() as u32));
                    tokens.extend(args.iter().map(|a| Token::Term(numbers[a])));
                }
            }
            numbers.insert(t, next);
            stack.pop();
        }
        tokens.extend(roots.iter().map(|t| Token::Term(numbers[t])));
        tokens
    }

    /// The arguments, those of commutative operators in the order of their shapes.
    fn arguments(&self, pool: &Pool, t: TermId, out: &mut Vec<TermId>) {
        out.clear();
        out.extend_from_slice(pool.args(t));
        if commutes(pool.op(t)) {
            self.sort(out);
        }
    }

    fn sort(&self, terms: &mut [TermId]) {
        terms.sort_unstable_by_key(|t| (self.shapes[t], *t));
    }

    fn add_shapes(&mut self, pool: &Pool, formulas: &[TermId]) {
        let mut stack = formulas.to_vec();
        while let Some(&t) = stack.last() {
            if self.shapes.contains_key(&t) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            let args = pool.args(t).iter();
            stack.extend(args.filter(|a| !self.shapes.contains_key(a)));
            if stack.len() > before {
                continue;
            }
            let mut hasher = FxHasher::default();
            if pool.as_constant(t).is_some() {
                pool.sort_of(t).hash(&mut hasher);
            } else {
                pool.op(t).hash(&mut hasher);
                let mut sum = 0u64;
                for (k, a) in pool.args(t).iter().enumerate() {
                    let place = match commutes(pool.op(t)) {
                        true => 1,
                        false => 2 * k as u64 + 3,
                    };
                    sum = sum.wrapping_add(self.shapes[a].wrapping_mul(place));
                }
                sum.hash(&mut hasher);
            }
            self.shapes.insert(t, hasher.finish());
            stack.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_do_not_matter_and_everything_else_does() {
        let mut pool = Pool::new();
        let (int, real) = (pool.int_sort(), pool.real_sort());
        let f = pool.symbol("f", &[int], int);
        let g = pool.symbol("g", &[int], int);
        let [a, b, c, d] = ["a", "b", "c", "d"].map(|n| pool.constant(n, int));
        let step = |pool: &mut Pool, [x, y, z]: [TermId; 3], f: SymbolId, n: i64| {
            let n = pool.int(n);
            let (fx, sum) = (pool.app(f, &[x]), pool.add(&[y, z, n]));
            vec![pool.lt(fx, sum), pool.eq(y, fx), pool.le(z, x)]
        };
        let mut alike = Alike::default();
        let first = step(&mut pool, [a, b, c], f, 5);
        assert!(!alike.is_verified(&pool, &first));
        alike.note(first);
        for same in [[a, b, c], [b, c, d], [a, c, d], [a, b, d]] {
            let same = step(&mut pool, same, f, 5);
            assert!(alike.is_verified(&pool, &same));
        }
        let others = [
            step(&mut pool, [a, b, c], g, 5),
            step(&mut pool, [a, b, c], f, 6),
            step(&mut pool, [a, b, a], f, 5),
            step(&mut pool, [a, a, c], f, 5),
        ];
        for other in others {
            assert!(!alike.is_verified(&pool, &other));
        }
        let [x, y] = ["x", "y"].map(|n| pool.constant(n, real));
        let (ints, reals) = (pool.lt(a, b), pool.lt(x, y));
        assert!(!alike.is_verified(&pool, &[ints]));
        alike.note(vec![ints]);
        assert!(!alike.is_verified(&pool, &[reals]));
        let later = pool.lt(c, d);
        assert!(alike.is_verified(&pool, &[later]));
        assert!(!alike.is_verified(&pool, &[ints, later]));
    }
}
