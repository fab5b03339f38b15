//! Subsumption among the conjuncts of a formula, with bounds compared by value.
//!
//! A clause is dropped when another one implies it literal by literal (`s >= 5 or p` goes beside
//! `s >= 7 or p`); a literal is dropped from a clause when a conjunct refutes it. Interpolants of paths
//! through a dispatch over constants are conjunctions of dozens of such clauses.

use base::{FxHashMap, Id};
use logic::{Comparison, Op, Pool, Rational, Relation, TermId};

/// Comparing is quadratic: more conjuncts than this are left as they are.
const LIMIT: usize = 200;

/// What a literal says of its linear form (leading coefficient 1, no constant).
#[derive(Clone, Debug, PartialEq)]
enum Range {
    /// Value, and whether it is excluded.
    AtMost(Rational, bool),
    AtLeast(Rational, bool),
    Equal(Rational),
    Other(Rational),
    /// No arithmetic literal.
    Opaque,
}

#[derive(Clone, Debug)]
struct Literal {
    term: TermId,
    form: usize,
    range: Range,
}

#[derive(Default)]
struct Forms(FxHashMap<Vec<(TermId, Rational)>, usize>);

impl Forms {
    fn literal(&mut self, pool: &Pool, term: TermId) -> Literal {
        let opaque = Literal {
            term,
            form: usize::MAX,
            range: Range::Opaque,
        };
        let (atom, positive) = match pool.op(term) {
            Op::Not => (pool.args(term)[0], false),
            _ => (term, true),
        };
        let Some(f) = Comparison::of(pool, atom, positive) else {
            return opaque;
        };
        let mut linear = f.linear;
        let Some((_, c)) = linear.terms.first().cloned() else {
            return opaque;
        };
        linear.scale(&c.recip());
        let value = -&linear.constant;
        let strict = f.relation == Relation::Lt;
        let range = match f.relation {
            Relation::Eq => Range::Equal(value),
            Relation::Ne => Range::Other(value),
            _ if c.is_positive() => Range::AtMost(value, strict),
            _ => Range::AtLeast(value, strict),
        };
        let next = self.0.len();
        let form = *self.0.entry(linear.terms).or_insert(next);
        Literal { term, form, range }
    }
}

impl Literal {
    /// One bit for the form, or for the term when there is none.
    fn bit(&self) -> u64 {
        let key = match self.range {
            Range::Opaque => self.term.index(),
            _ => self.form,
        };
        1 << (key % 64)
    }

    fn implies(&self, other: &Literal) -> bool {
        use Range::{AtLeast, AtMost, Equal, Other};
        if self.term == other.term {
            return true;
        }
        if self.form != other.form {
            return false;
        }
        match (&self.range, &other.range) {
            (AtMost(a, s), AtMost(b, t)) => a < b || a == b && (*s || !*t),
            (AtLeast(a, s), AtLeast(b, t)) => a > b || a == b && (*s || !*t),
            (Equal(a), AtMost(b, t)) => a < b || a == b && !*t,
            (Equal(a), AtLeast(b, t)) => a > b || a == b && !*t,
            (Equal(a), Other(b)) => a != b,
            (AtMost(a, s), Other(b)) => a < b || a == b && *s,
            (AtLeast(a, s), Other(b)) => a > b || a == b && *s,
            _ => false,
        }
    }
}

/// Whether the first clause implies the second, literal by literal.
fn subsumes(a: &[Literal], b: &[Literal]) -> bool {
    a.iter().all(|l| b.iter().any(|m| l.implies(m)))
}

/// An equivalent conjunction, with as many conjuncts or fewer.
pub(crate) fn reduce(pool: &mut Pool, conjuncts: &[TermId]) -> Vec<TermId> {
    if conjuncts.len() > LIMIT || conjuncts.iter().all(|&c| pool.op(c) != Op::Or) {
        return conjuncts.to_vec();
    }
    let mut forms = Forms::default();
    let mut clauses: Vec<Vec<Literal>> = Vec::with_capacity(conjuncts.len());
    for &c in conjuncts {
        let args = match pool.op(c) {
            Op::Or => pool.args(c).to_vec(),
            _ => vec![c],
        };
        clauses.push(args.iter().map(|&a| forms.literal(pool, a)).collect());
    }
    let units: Vec<Literal> = clauses
        .iter()
        .filter(|c| c.len() == 1)
        .map(|c| c[0].clone())
        .collect();
    for clause in clauses.iter_mut().filter(|c| c.len() > 1) {
        clause.retain(|l| {
            let negated = pool.not(l.term);
            let negated = forms.literal(pool, negated);
            !units.iter().any(|u| u.implies(&negated))
        });
    }
    // Each literal of a clause must have one of the same form in those it subsumes.
    let masks: Vec<u64> = clauses
        .iter()
        .map(|c| c.iter().fold(0, |mask, l| mask | l.bit()))
        .collect();
    let mut dropped = vec![false; clauses.len()];
    for i in 0..clauses.len() {
        // Of two equivalent clauses the first stays.
        dropped[i] = (0..clauses.len()).any(|k| {
            k != i
                && masks[k] & !masks[i] == 0
                && !dropped[k]
                && clauses[k].len() <= clauses[i].len()
                && subsumes(&clauses[k], &clauses[i])
                && (k < i || !subsumes(&clauses[i], &clauses[k]))
        });
    }
    let kept = clauses.iter().zip(&dropped).filter(|(_, d)| !**d);
    kept.map(|(c, _)| {
        let parts: Vec<TermId> = c.iter().map(|l| l.term).collect();
        pool.or(&parts)
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weaker_clauses_go() {
        let mut pool = Pool::new();
        let (int, bool) = (pool.int_sort(), pool.bool_sort());
        let [s, t] = ["s", "t"].map(|n| pool.constant(n, int));
        let p = pool.constant("p", bool);
        let five = pool.int(5);
        let seven = pool.int(7);
        let (low, high, top) = (pool.ge(s, five), pool.ge(s, seven), pool.le(t, five));
        let weak = pool.or(&[low, p]);
        let strong = pool.or(&[high, p]);
        assert_eq!(reduce(&mut pool, &[weak, strong]), [strong]);
        // A unit drops the clause it implies and the literals it refutes.
        assert_eq!(reduce(&mut pool, &[weak, high]), [high]);
        let not = pool.not(high);
        let other = pool.or(&[high, top, p]);
        let rest = pool.or(&[top, p]);
        assert_eq!(reduce(&mut pool, &[not, other]), [not, rest]);
        assert_eq!(reduce(&mut pool, &[weak, top]), [weak, top]);
    }
}
