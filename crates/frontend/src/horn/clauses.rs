//! From assertions to clauses: body predicates, a constraint, and a head (or none: a query).

use base::{FxHashMap, FxHashSet};
use logic::smtlib::Hooks;
use logic::{Op, Pool, SymbolId, TermId};
use program::Span;

/// Nesting of connectives around predicates beyond which a formula is refused.
const MOST_NESTED: usize = 500;
/// Clauses one assertion may be multiplied out into.
const MOST_CLAUSES: usize = 4096;

/// `body and constraint` implies `head`.
#[derive(Clone, Debug)]
pub struct Clause {
    pub body: Vec<TermId>,
    /// Conjuncts.
    pub constraint: Vec<TermId>,
    pub head: Option<TermId>,
    /// The constants that stand for the clause's variables.
    pub vars: Vec<TermId>,
    pub span: Span,
}

/// Stands for quantified formulas while an assertion is read: each is a Boolean constant.
#[derive(Default)]
pub struct Quantified {
    formulas: FxHashMap<TermId, Formula>,
}

struct Formula {
    exists: bool,
    vars: Vec<TermId>,
    body: TermId,
}

impl Hooks for Quantified {
    fn quantifier(
        &mut self,
        pool: &mut Pool,
        exists: bool,
        vars: &[TermId],
        body: TermId,
    ) -> Result<TermId, String> {
        let sort = pool.bool_sort();
        let mark = pool.fresh_constant("quantified", sort);
        self.formulas.insert(
            mark,
            Formula {
                exists,
                vars: vars.to_vec(),
                body,
            },
        );
        Ok(mark)
    }
}

/// A disjunction under construction: predicates that occur negatively and positively, and formulas
/// without predicates.
#[derive(Clone, Default)]
struct Disjunction {
    negative: Vec<TermId>,
    positive: Vec<TermId>,
    others: Vec<TermId>,
}

impl Disjunction {
    fn union(&self, other: &Disjunction) -> Disjunction {
        let mut out = self.clone();
        out.negative.extend(&other.negative);
        out.positive.extend(&other.positive);
        out.others.extend(&other.others);
        out
    }
}

struct Extractor<'a> {
    predicates: FxHashSet<SymbolId>,
    quantified: &'a Quantified,
    vars: Vec<TermId>,
    has_predicate: FxHashMap<TermId, bool>,
}

/// The clauses of an assertion.
pub fn extract(
    pool: &mut Pool,
    assertion: TermId,
    predicates: &[SymbolId],
    quantified: &Quantified,
    span: Span,
) -> Result<Vec<Clause>, String> {
    let mut ex = Extractor {
        predicates: predicates.iter().copied().collect(),
        quantified,
        vars: Vec::new(),
        has_predicate: FxHashMap::default(),
    };
    let disjunctions = ex.clauses(pool, assertion, true, 0)?;
    let mut out = Vec::new();
    for d in disjunctions {
        if d.positive.len() > 1 {
            return Err("a clause has more than one head: the system is not Horn".into());
        }
        let mut constraint = Vec::new();
        for o in d.others {
            let negated = pool.not(o);
            constraint.extend(pool.conjuncts(negated));
        }
        if constraint.contains(&pool.ff()) {
            continue;
        }
        out.push(Clause {
            body: d.negative,
            constraint,
            head: d.positive.first().copied(),
            vars: ex.vars.clone(),
            span,
        });
    }
    Ok(out)
}

impl Extractor<'_> {
    /// The formula (negated unless `positive`) as a conjunction of disjunctions, multiplied out only
    /// around predicates and quantifiers.
    fn clauses(
        &mut self,
        pool: &mut Pool,
        t: TermId,
        positive: bool,
        depth: usize,
    ) -> Result<Vec<Disjunction>, String> {
        if depth > MOST_NESTED {
            return Err("predicates are nested too deeply".into());
        }
        if !self.mentions_predicate(pool, t) {
            let formula = if positive { t } else { pool.not(t) };
            if formula == pool.tt() {
                return Ok(Vec::new());
            }
            return Ok(vec![Disjunction {
                others: vec![formula],
                ..Disjunction::default()
            }]);
        }
        if let Some(q) = self.quantified.formulas.get(&t) {
            if q.exists == positive {
                return Err("an existential quantifier in a head is not supported".into());
            }
            self.vars.extend(&q.vars);
            let body = q.body;
            return self.clauses(pool, body, positive, depth + 1);
        }
        let args = pool.args(t).to_vec();
        match pool.op(t) {
            Op::App(_) => {
                let mut d = Disjunction::default();
                if positive {
                    d.positive.push(t)
                } else {
                    d.negative.push(t)
                }
                Ok(vec![d])
            }
            Op::Not => self.clauses(pool, args[0], !positive, depth + 1),
            Op::And | Op::Or => {
                let parts: Result<Vec<_>, String> = args
                    .iter()
                    .map(|&a| self.clauses(pool, a, positive, depth + 1))
                    .collect();
                if (pool.op(t) == Op::And) == positive {
                    Ok(parts?.into_iter().flatten().collect())
                } else {
                    product(parts?)
                }
            }
            Op::Eq => {
                let (na, nb) = (pool.not(args[0]), pool.not(args[1]));
                let pair = if positive {
                    [pool.or2(na, args[1]), pool.or2(nb, args[0])]
                } else {
                    [pool.or2(args[0], args[1]), pool.or2(na, nb)]
                };
                self.both(pool, pair, depth)
            }
            Op::Ite => {
                let flip = |pool: &mut Pool, a| if positive { a } else { pool.not(a) };
                let (then, other) = (flip(pool, args[1]), flip(pool, args[2]));
                let not_c = pool.not(args[0]);
                let pair = [pool.or2(not_c, then), pool.or2(args[0], other)];
                self.both(pool, pair, depth)
            }
            _ => Err("a predicate stands inside a term".into()),
        }
    }

    fn both(
        &mut self,
        pool: &mut Pool,
        pair: [TermId; 2],
        depth: usize,
    ) -> Result<Vec<Disjunction>, String> {
        let mut out = self.clauses(pool, pair[0], true, depth + 1)?;
        out.extend(self.clauses(pool, pair[1], true, depth + 1)?);
        Ok(out)
    }

    fn mentions_predicate(&mut self, pool: &Pool, t: TermId) -> bool {
        if let Some(&known) = self.has_predicate.get(&t) {
            return known;
        }
        for s in pool.post_order(&[t]) {
            if self.has_predicate.contains_key(&s) {
                continue;
            }
            let found = match pool.op(s) {
                Op::App(f) if self.predicates.contains(&f) => true,
                _ => {
                    self.quantified.formulas.contains_key(&s)
                        || pool.args(s).iter().any(|a| self.has_predicate[a])
                }
            };
            self.has_predicate.insert(s, found);
        }
        self.has_predicate[&t]
    }
}

/// One disjunction for each choice of one from each part.
fn product(parts: Vec<Vec<Disjunction>>) -> Result<Vec<Disjunction>, String> {
    let mut out = vec![Disjunction::default()];
    for part in parts {
        if out.len() * part.len() > MOST_CLAUSES {
            return Err("an assertion stands for too many clauses".into());
        }
        out = out
            .iter()
            .flat_map(|a| part.iter().map(|b| a.union(b)))
            .collect();
    }
    Ok(out)
}
