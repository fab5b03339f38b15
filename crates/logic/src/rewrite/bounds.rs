//! Facts about one linear form, merged: the tightest bounds, the value, the values excluded.
//!
//! A literal over `p <= k`, `p >= k`, `p = k` (strict, negated) is filed under the form `p` with a
//! positive leading coefficient and no constant. Per form at most two bounds or one equality stay.

use crate::{Bound, Comparison, Linear, Pool, Rational, Side, SortId, TermId};
use base::FxHashMap;

/// One end of an interval: the bound and whether it is excluded.
type End = Option<(Rational, bool)>;

#[derive(Debug)]
struct Form {
    linear: Linear,
    sort: SortId,
    lower: End,
    upper: End,
    value: Option<Rational>,
    excluded: Vec<Rational>,
    /// How many literals were merged.
    count: usize,
}

/// Merges the arithmetic literals among `facts` (a conjunction); `None` if they contradict.
pub(super) fn merge(pool: &mut Pool, facts: Vec<TermId>) -> Option<Vec<TermId>> {
    let mut out = Vec::with_capacity(facts.len());
    let mut forms: Vec<(Form, TermId)> = Vec::new();
    let mut index: FxHashMap<TermId, usize> = FxHashMap::default();
    for fact in facts {
        let Some(read) = Comparison::read(pool, fact) else {
            out.push(fact);
            continue;
        };
        let sort = read.sort;
        let Some(bound) = read.bound() else {
            out.push(fact);
            continue;
        };
        let linear = Linear {
            terms: bound.form.clone(),
            constant: Rational::ZERO,
        };
        let key = pool.from_linear(&linear, sort);
        let i = *index.entry(key).or_insert_with(|| {
            forms.push((
                Form {
                    linear,
                    sort,
                    lower: None,
                    upper: None,
                    value: None,
                    excluded: Vec::new(),
                    count: 0,
                },
                fact,
            ));
            forms.len() - 1
        });
        forms[i].0.add(bound)?;
    }
    for (mut form, fact) in forms {
        if form.count == 1 {
            out.push(fact);
        } else {
            form.close(pool)?;
            form.write(pool, &mut out);
        }
    }
    Some(out)
}

impl Form {
    fn add(&mut self, bound: Bound) -> Option<()> {
        self.count += 1;
        let (k, strict) = (bound.limit, bound.strict);
        match bound.side {
            Side::AtMost => {
                let tighter = match &self.upper {
                    None => true,
                    Some((old, excluded)) => k < *old || k == *old && strict && !excluded,
                };
                if tighter {
                    self.upper = Some((k, strict));
                }
            }
            Side::AtLeast => {
                let tighter = match &self.lower {
                    None => true,
                    Some((old, excluded)) => k > *old || k == *old && strict && !excluded,
                };
                if tighter {
                    self.lower = Some((k, strict));
                }
            }
            Side::Is => match &self.value {
                Some(old) if *old != k => return None,
                _ => self.value = Some(k),
            },
            Side::IsNot => self.excluded.push(k),
        }
        Some(())
    }

    /// Does the interval contain the value?
    fn contains(&self, k: &Rational) -> bool {
        let low = match &self.lower {
            None => true,
            Some((b, excluded)) => b < k || b == k && !excluded,
        };
        let high = match &self.upper {
            None => true,
            Some((b, excluded)) => k < b || b == k && !excluded,
        };
        low && high
    }

    /// Lets the constraints work on each other; `None` if they contradict.
    fn close(&mut self, pool: &Pool) -> Option<()> {
        if self.sort == pool.int_sort() {
            self.round();
        }
        self.excluded.sort();
        self.excluded.dedup();
        if let Some(value) = self.value.clone() {
            if !self.contains(&value) || self.excluded.contains(&value) {
                return None;
            }
            (self.lower, self.upper) = (None, None);
            self.excluded.clear();
            return Some(());
        }
        self.trim(pool);
        if let (Some((low, a)), Some((high, b))) = (&self.lower, &self.upper) {
            if low > high || low == high && (*a || *b) {
                return None;
            }
            if low == high {
                self.value = Some(low.clone());
                (self.lower, self.upper) = (None, None);
                self.excluded.clear();
            }
        }
        Some(())
    }

    /// Over Int the form has integer values: bounds become integral and not strict.
    fn round(&mut self) {
        if let Some((b, strict)) = &mut self.upper {
            let mut whole = b.floor();
            if *strict && whole == *b {
                whole -= &Rational::ONE;
            }
            (*b, *strict) = (whole, false);
        }
        if let Some((b, strict)) = &mut self.lower {
            let mut whole = b.ceil();
            if *strict && whole == *b {
                whole += &Rational::ONE;
            }
            (*b, *strict) = (whole, false);
        }
    }

    /// Drops excluded values outside the interval and moves its ends off excluded values.
    fn trim(&mut self, pool: &Pool) {
        let integral = self.sort == pool.int_sort();
        // Ascending for the lower end, descending for the upper.
        for i in 0..self.excluded.len() {
            let k = &self.excluded[i];
            if let Some((b, strict)) = &mut self.lower
                && b == k
            {
                if integral {
                    *b += &Rational::ONE;
                } else {
                    *strict = true;
                }
            }
        }
        for i in (0..self.excluded.len()).rev() {
            let k = &self.excluded[i];
            if let Some((b, strict)) = &mut self.upper
                && b == k
            {
                if integral {
                    *b -= &Rational::ONE;
                } else {
                    *strict = true;
                }
            }
        }
        let excluded = std::mem::take(&mut self.excluded);
        self.excluded = excluded.into_iter().filter(|k| self.contains(k)).collect();
    }

    fn write(&self, pool: &mut Pool, out: &mut Vec<TermId>) {
        let at = |k: &Rational| Linear {
            terms: self.linear.terms.clone(),
            constant: -k,
        };
        if let Some(k) = &self.value {
            out.push(pool.eq_zero(at(k), self.sort));
        }
        if let Some((k, strict)) = &self.upper {
            out.push(end(pool, at(k), *strict, self.sort));
        }
        if let Some((k, strict)) = &self.lower {
            let mut linear = at(k);
            linear.scale(&Rational::MINUS_ONE);
            out.push(end(pool, linear, *strict, self.sort));
        }
        for k in &self.excluded {
            let eq = pool.eq_zero(at(k), self.sort);
            out.push(pool.not(eq));
        }
    }
}

/// `linear <= 0`, or `linear < 0`.
fn end(pool: &mut Pool, mut linear: Linear, strict: bool, sort: SortId) -> TermId {
    if strict {
        linear.scale(&Rational::MINUS_ONE);
        let at_least = pool.le_zero(linear, sort);
        pool.not(at_least)
    } else {
        pool.le_zero(linear, sort)
    }
}
