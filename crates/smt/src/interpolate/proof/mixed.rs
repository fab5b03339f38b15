//! Mixed literals: partial interpolants with auxiliary variables.
//!
//! *Terms.* A literal that mixes symbols of both sides is cut in two by an auxiliary variable x: of `p + q <= 0`,
//! where p has A's own terms and q the rest, A sees `p + x <= 0` and B sees `q - x <= 0`; of `a = b` they see
//! `a = x` and `x = b`. Partial interpolants of clauses with such literals speak of x, and resolution on the
//! literal removes it.
//!
//! *Idea.* A: `y <= a <= s`, `f(a) < z`; B: `s <= b <= y`, `f(b) > z`. The pivot is `a = b`. Of the lemma
//! `a = b => f(a) = f(b)` and what is known of f comes `f(x) < z`. Trichotomy of a and b gives a
//! *bound* `x1 + x2 <= 0` which, if it is tight, says that x is x2. So the equality is resolved by
//! putting x2 for x; the inequalities by adding bounds: `y < s`, or `y = s` and what is said at the tight value.
//!
//! *Leaves.* A bound `(sum, slack, formula)` satisfies: the formula implies `sum <= 0`, and over Int `sum < -slack`
//! implies the formula, over Real `sum < 0` does. Bounds and equalities with x stand in the formulas as Boolean
//! constants, which occur positively only; `expand` puts their meaning back.
//!
//! *Source.* Christ, Hoenicke, Nutz: Proof tree preserving interpolation (TACAS 2013).
//!
//! Invariant: a leaf is younger than the leaves in its formula.

use crate::BoolVar;
use base::{Budget, FxHashMap, FxHashSet};
use logic::{Linear, Pool, Rational, SortId, TermId};

/// More leaves than this are not worth it.
const LEAVES: usize = 4_000;
/// The largest slack, and how many values of a variable are tried between two bounds.
const SLACK: i64 = 1_000;
/// Terms of a partial interpolant.
const SIZE: usize = 20_000;
const VALUES: i64 = 16;

/// The auxiliary variable of a mixed atom.
#[derive(Clone, Debug)]
pub(crate) struct Auxiliary {
    pub x: TermId,
    /// A's own part of an arithmetic atom's form; x is its negation. Empty for other sorts, where x is
    /// A's side of the equality.
    pub own: Linear,
    /// Whether the atom is an equality.
    pub equality: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Leaf {
    Bound {
        terms: Vec<(TermId, Rational)>,
        constant: Rational,
        slack: i64,
        formula: TermId,
    },
    /// The variable has this value.
    Value { x: TermId, value: TermId },
}

/// Auxiliary variables and leaves of one cut.
pub(crate) struct Mixed {
    budget: Budget,
    variables: FxHashMap<BoolVar, Auxiliary>,
    /// Variables of inequalities.
    bounded: FxHashSet<TermId>,
    all: FxHashSet<TermId>,
    leaves: Vec<(TermId, Leaf)>,
    index: FxHashMap<TermId, usize>,
    known: FxHashMap<Leaf, TermId>,
}

impl Mixed {
    pub fn new(budget: &Budget) -> Mixed {
        Mixed {
            budget: budget.clone(),
            variables: FxHashMap::default(),
            bounded: FxHashSet::default(),
            all: FxHashSet::default(),
            leaves: Vec::new(),
            index: FxHashMap::default(),
            known: FxHashMap::default(),
        }
    }

    fn check_budget(&self) -> Result<(), String> {
        let stopped = |stop| format!("the budget ran out: {stop:?}");
        self.budget.check().map_err(stopped)
    }

    pub fn variable(&self, var: BoolVar) -> Option<&Auxiliary> {
        self.variables.get(&var)
    }

    pub fn add_variable(
        &mut self,
        pool: &mut Pool,
        var: BoolVar,
        sort: SortId,
        own: Linear,
        equality: bool,
    ) -> Auxiliary {
        let x = pool.fresh_constant("mixed", sort);
        self.all.insert(x);
        if !equality {
            self.bounded.insert(x);
        }
        let made = Auxiliary { x, own, equality };
        self.variables.insert(var, made.clone());
        made
    }

    fn leaf(&mut self, pool: &mut Pool, leaf: Leaf) -> Result<TermId, String> {
        if let Some(&t) = self.known.get(&leaf) {
            return Ok(t);
        }
        if self.leaves.len() >= LEAVES {
            return Err("too many bounds on mixed literals".into());
        }
        let name = pool.fresh_constant("leaf", pool.bool_sort());
        self.index.insert(name, self.leaves.len());
        self.known.insert(leaf.clone(), name);
        self.leaves.push((name, leaf));
        Ok(name)
    }

    /// A bound, or just its formula if no inequality is left to be resolved with it.
    pub fn bound(
        &mut self,
        pool: &mut Pool,
        sum: Linear,
        slack: i64,
        formula: TermId,
    ) -> Result<TermId, String> {
        if formula == pool.ff() || !sum.terms.iter().any(|(t, _)| self.bounded.contains(t)) {
            return Ok(formula);
        }
        let leaf = Leaf::Bound {
            terms: sum.terms,
            constant: sum.constant,
            slack,
            formula,
        };
        self.leaf(pool, leaf)
    }

    /// That the variable of an equality has a value.
    pub fn value(&mut self, pool: &mut Pool, x: TermId, value: TermId) -> Result<TermId, String> {
        self.leaf(pool, Leaf::Value { x, value })
    }

    /// The leaves in a formula and in their formulas, oldest first.
    fn leaves_of(&self, pool: &Pool, formula: TermId) -> Vec<usize> {
        let mut seen: FxHashSet<usize> = FxHashSet::default();
        let mut roots = vec![formula];
        while !roots.is_empty() {
            let mut next = Vec::new();
            for t in pool.post_order(&roots) {
                if let Some(&k) = self.index.get(&t)
                    && seen.insert(k)
                    && let Leaf::Bound { formula, .. } = &self.leaves[k].1
                {
                    next.push(*formula);
                }
            }
            roots = next;
        }
        let mut list: Vec<usize> = seen.into_iter().collect();
        list.sort_unstable();
        list
    }

    /// The formula with each leaf replaced as `image` says, else by itself with its formula so changed.
    fn transform(
        &mut self,
        pool: &mut Pool,
        formula: TermId,
        mut image: impl FnMut(&mut Self, &mut Pool, &Leaf) -> Result<Option<TermId>, String>,
    ) -> Result<TermId, String> {
        let mut pairs: Vec<(TermId, TermId)> = Vec::new();
        for k in self.leaves_of(pool, formula) {
            self.check_budget()?;
            let (name, leaf) = self.leaves[k].clone();
            let new = match (image(self, pool, &leaf)?, leaf) {
                (Some(new), _) => new,
                (None, Leaf::Value { .. }) => continue,
                (
                    None,
                    Leaf::Bound {
                        terms,
                        constant,
                        slack,
                        formula,
                    },
                ) => {
                    let inner = pool.substitute(formula, &pairs);
                    if inner == formula {
                        continue;
                    }
                    self.bound(pool, Linear { terms, constant }, slack, inner)?
                }
            };
            pairs.push((name, new));
        }
        Ok(pool.substitute(formula, &pairs))
    }

    /// Puts a term for a variable, in the leaves too.
    fn replace(
        &mut self,
        pool: &mut Pool,
        formula: TermId,
        x: TermId,
        by: TermId,
    ) -> Result<TermId, String> {
        let mut pairs = vec![(x, by)];
        for k in self.leaves_of(pool, formula) {
            self.check_budget()?;
            let (name, leaf) = self.leaves[k].clone();
            let new = match leaf {
                Leaf::Value { x: y, value } => {
                    let value = pool.substitute(value, &pairs);
                    self.value(pool, y, value)?
                }
                Leaf::Bound {
                    terms,
                    constant,
                    slack,
                    formula,
                } => {
                    let mut sum = Linear { terms, constant };
                    let c = sum.coefficient(x);
                    if !c.is_zero() {
                        sum = sum.without(x).add_scaled(&c, &pool.linear(by));
                    }
                    // Terms that have x inside, such as quotients.
                    let mut whole = Linear::constant(sum.constant.clone());
                    for (t, c) in &sum.terms {
                        let t = pool.substitute(*t, &[(x, by)]);
                        whole = whole.add_scaled(c, &pool.linear(t));
                    }
                    let formula = pool.substitute(formula, &pairs);
                    self.bound(pool, whole, slack, formula)?
                }
            };
            if new != name {
                pairs.push((name, new));
            }
        }
        Ok(pool.substitute(formula, &pairs))
    }

    /// Resolution on a mixed atom: `holds` is of the clause that has the atom, `fails` of the one that has
    /// its negation.
    pub fn resolve(
        &mut self,
        pool: &mut Pool,
        var: BoolVar,
        holds: TermId,
        fails: TermId,
    ) -> Result<TermId, String> {
        let Some(aux) = self.variables.get(&var).cloned() else {
            // No leaf of the proof speaks of it here: the clauses do not need it.
            return Ok(pool.and2(holds, fails));
        };
        if pool.dag_size(holds) + pool.dag_size(fails) > SIZE {
            return Err("partial interpolants with mixed literals are too large".into());
        }
        if aux.equality {
            return self.transform(pool, holds, |this, pool, leaf| match *leaf {
                Leaf::Value { x, value } if x == aux.x => {
                    this.replace(pool, fails, x, value).map(Some)
                }
                _ => Ok(None),
            });
        }
        let sort = pool.sort_of(aux.x);
        self.transform(pool, fails, |this, pool, leaf| {
            let Some(upper) = occurring(leaf, aux.x) else {
                return Ok(None);
            };
            let inner = this.transform(pool, holds, |this, pool, leaf| {
                let Some(lower) = occurring(leaf, aux.x) else {
                    return Ok(None);
                };
                this.combine(pool, aux.x, sort, &upper, &lower).map(Some)
            })?;
            Ok(Some(inner))
        })
    }

    /// The sum of two bounds without x: `c x + …` above and `-d x + …` below.
    fn combine(
        &mut self,
        pool: &mut Pool,
        x: TermId,
        sort: SortId,
        upper: &Bounded,
        lower: &Bounded,
    ) -> Result<TermId, String> {
        let (c, d) = (upper.sum.coefficient(x), -lower.sum.coefficient(x));
        if !c.is_positive() || !d.is_positive() {
            return Err("bounds on a mixed literal point the same way".into());
        }
        let mut sum = upper.sum.without(x);
        sum.scale(&d);
        let sum = sum.add_scaled(&c, &lower.sum.without(x));
        if sort != pool.int_sort() {
            let mut tight = upper.sum.without(x);
            tight.scale(&-c.recip());
            let tight = pool.from_linear(&tight, sort);
            let above = self.replace(pool, upper.formula, x, tight)?;
            let below = self.replace(pool, lower.formula, x, tight)?;
            let at = pool.and2(above, below);
            let formula = below_or(pool, &sum, at, sort);
            return self.bound(pool, sum, 0, formula);
        }
        let (Some(c), Some(d)) = (c.to_i64(), d.to_i64()) else {
            return Err("a coefficient is too large".into());
        };
        let slack = d
            .checked_mul(upper.slack)
            .and_then(|a| a.checked_add(c.checked_mul(lower.slack)?))
            .and_then(|a| a.checked_add(c.checked_mul(d)?));
        let Some(slack) = slack.filter(|s| *s <= SLACK) else {
            return Err("bounds over the integers leave too much slack".into());
        };
        // From the side on which fewer values must be tried.
        let tries = |slack: i64, c: i64| (slack + c).div_euclid(c);
        let from_above = (tries(upper.slack, c), c) <= (tries(lower.slack, d), d);
        let (count, own, factor, step) = match from_above {
            true => (tries(upper.slack, c), upper, c, -1),
            false => (tries(lower.slack, d), lower, d, 1),
        };
        if count > VALUES {
            return Err("too many values between bounds over the integers".into());
        }
        // floor(-s / c), or ceil(t / d) = -floor(-t / d).
        let mut rest = own.sum.without(x);
        rest.scale(&Rational::MINUS_ONE);
        let quotient = pool.from_linear(&rest, sort);
        let divisor = pool.int(factor);
        let mut nearest = pool.int_div(quotient, divisor);
        if !from_above {
            nearest = pool.neg(nearest);
        }
        let mut cases = Vec::new();
        for i in 0..=count {
            let away = pool.int(step * i);
            let value = pool.add2(nearest, away);
            // Sound because without slack the formula is the bound itself, which the nearest value meets.
            let above = match from_above && upper.slack < 0 {
                true => pool.tt(),
                false => self.replace(pool, upper.formula, x, value)?,
            };
            let below = match !from_above && lower.slack < 0 {
                true => pool.tt(),
                false => self.replace(pool, lower.formula, x, value)?,
            };
            cases.push(pool.and2(above, below));
        }
        let formula = pool.or(&cases);
        self.bound(pool, sum, slack, formula)
    }

    /// The formula with the meaning of all leaves; an error if a variable is left.
    pub fn expand(&self, pool: &mut Pool, formula: TermId) -> Result<TermId, String> {
        let mut pairs: Vec<(TermId, TermId)> = Vec::new();
        for k in self.leaves_of(pool, formula) {
            let (name, leaf) = &self.leaves[k];
            if let Leaf::Bound { formula, .. } = leaf {
                let meaning = pool.substitute(*formula, &pairs);
                pairs.push((*name, meaning));
            }
        }
        let result = pool.substitute(formula, &pairs);
        let left = pool.post_order(&[result]);
        match left
            .iter()
            .any(|t| self.all.contains(t) || self.index.contains_key(t))
        {
            true => Err("a variable of a mixed literal is left".into()),
            false => Ok(result),
        }
    }
}

/// What a bound says, apart from the leaf it is.
struct Bounded {
    sum: Linear,
    slack: i64,
    formula: TermId,
}

/// The leaf if it is a bound with x.
fn occurring(leaf: &Leaf, x: TermId) -> Option<Bounded> {
    match leaf {
        Leaf::Bound {
            terms,
            constant,
            slack,
            formula,
        } if terms.iter().any(|(t, _)| *t == x) => Some(Bounded {
            sum: Linear {
                terms: terms.clone(),
                constant: constant.clone(),
            },
            slack: *slack,
            formula: *formula,
        }),
        _ => None,
    }
}

/// `sum < 0`, or `sum = 0` and the formula.
pub(crate) fn below_or(pool: &mut Pool, sum: &Linear, at: TermId, sort: SortId) -> TermId {
    if at == pool.tt() {
        return pool.le_zero(sum.clone(), sort);
    }
    let mut mirrored = sum.clone();
    mirrored.scale(&Rational::MINUS_ONE);
    let not_below = pool.le_zero(mirrored, sort);
    let below = pool.not(not_below);
    let tight = pool.eq_zero(sum.clone(), sort);
    let tight = pool.and2(tight, at);
    pool.or2(below, tight)
}
