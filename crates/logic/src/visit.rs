//! Walks over term DAGs: post-order, substitution, free symbols, size. None recurses.

use crate::{Op, Pool, SymbolId, TermId};
use base::{FxHashMap, FxHashSet};

/// A map from terms (usually constants) to terms of the same sort, with the results of earlier
/// applications kept: applying one substitution to many terms walks shared parts once.
#[derive(Clone, Debug, Default)]
pub struct Substitution {
    memo: FxHashMap<TermId, TermId>,
}

impl Substitution {
    pub fn new(pairs: impl IntoIterator<Item = (TermId, TermId)>) -> Self {
        Substitution {
            memo: pairs.into_iter().collect(),
        }
    }

    /// Replaces every occurrence at once (results are not substituted again).
    pub fn apply(&mut self, pool: &mut Pool, term: TermId) -> TermId {
        rebuild_bottom_up(pool, &mut self.memo, term, |_, t| t)
    }
}

/// What a term becomes when `finish` is applied to each of its parts, arguments first. `memo` holds what
/// each part became; what is in it already is not visited again.
pub(crate) fn rebuild_bottom_up(
    pool: &mut Pool,
    memo: &mut FxHashMap<TermId, TermId>,
    root: TermId,
    mut finish: impl FnMut(&mut Pool, TermId) -> TermId,
) -> TermId {
    let mut stack = vec![root];
    let mut args = Vec::new();
    while let Some(&t) = stack.last() {
        if memo.contains_key(&t) {
            stack.pop();
            continue;
        }
        let before = stack.len();
        stack.extend(pool.args(t).iter().filter(|a| !memo.contains_key(a)));
        if stack.len() > before {
            continue;
        }
        args.clear();
        args.extend(pool.args(t).iter().map(|a| memo[a]));
        let same = args == pool.args(t);
        let rebuilt = if same { t } else { pool.rebuild(t, &args) };
        let result = finish(pool, rebuilt);
        memo.insert(t, result);
        stack.pop();
    }
    memo[&root]
}

impl Pool {
    /// One-off substitution; see [`Substitution`] for repeated use.
    pub fn substitute(&mut self, term: TermId, pairs: &[(TermId, TermId)]) -> TermId {
        Substitution::new(pairs.iter().copied()).apply(self, term)
    }

    /// All distinct subterms of `roots`, arguments before the terms that use them.
    pub fn post_order(&self, roots: &[TermId]) -> Vec<TermId> {
        let mut order = Vec::new();
        let mut done = FxHashSet::default();
        let mut stack: Vec<(TermId, bool)> = roots.iter().rev().map(|&t| (t, false)).collect();
        while let Some((t, expanded)) = stack.pop() {
            if expanded {
                order.push(t);
            } else if done.insert(t) {
                stack.push((t, true));
                stack.extend(self.args(t).iter().rev().map(|&a| (a, false)));
            }
        }
        order
    }

    /// The declared symbols that occur in `roots`, in order of id.
    pub fn symbols_of(&self, roots: &[TermId]) -> Vec<SymbolId> {
        let mut symbols: Vec<SymbolId> = self
            .post_order(roots)
            .into_iter()
            .filter_map(|t| match self.op(t) {
                Op::App(s) => Some(s),
                _ => None,
            })
            .collect();
        symbols.sort_unstable();
        symbols.dedup();
        symbols
    }

    /// The number of distinct subterms.
    pub fn dag_size(&self, term: TermId) -> usize {
        self.post_order(&[term]).len()
    }

    /// The conjuncts of a formula, nested conjunctions flattened.
    pub fn conjuncts(&self, term: TermId) -> Vec<TermId> {
        self.flatten(Op::And, term)
    }

    /// The disjuncts of a formula, nested disjunctions flattened.
    pub fn disjuncts(&self, term: TermId) -> Vec<TermId> {
        self.flatten(Op::Or, term)
    }

    fn flatten(&self, op: Op, term: TermId) -> Vec<TermId> {
        let mut out = Vec::new();
        let mut seen = FxHashSet::default();
        let mut stack = vec![term];
        while let Some(t) = stack.pop() {
            if !seen.insert(t) {
                continue;
            }
            if self.op(t) == op {
                stack.extend(self.args(t).iter().rev());
            } else if !(op == Op::And && t == self.tt() || op == Op::Or && t == self.ff()) {
                out.push(t);
            }
        }
        out
    }
}
