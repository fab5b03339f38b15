//! Predicates that play no part: those that no clause can derive are `false`, those from which no
//! query follows are `true`. Clauses about them need no place in the program; a system that only
//! looks non-linear becomes linear.
//! ```text
//!   q(x) and never(x) => false      no clause derives never: the query cannot be derived by this
//!   p(x) => unused(x)               nothing follows from unused: true
//! ```

use super::clauses::Clause;
use base::FxHashSet;
use logic::{Op, Pool, SymbolId, TermId};

/// What is left of a system.
pub struct Pruned {
    /// The numbers of the clauses that play a part.
    pub clauses: Vec<usize>,
    /// The predicates that no clause derives.
    pub underivable: FxHashSet<SymbolId>,
    /// The predicates in clauses that play a part.
    pub relevant: FxHashSet<SymbolId>,
}

pub fn prune(pool: &Pool, predicates: &[SymbolId], clauses: &[Clause]) -> Pruned {
    let symbol = |atom: TermId| match pool.op(atom) {
        Op::App(s) => s,
        _ => unreachable!("clauses hold applications of predicates"),
    };
    // Both sets grow by rounds over all clauses; a round that adds nothing is the last.
    let mut derivable: FxHashSet<SymbolId> = FxHashSet::default();
    loop {
        let before = derivable.len();
        for c in clauses {
            if let Some(head) = c.head
                && c.body.iter().all(|&a| derivable.contains(&symbol(a)))
            {
                derivable.insert(symbol(head));
            }
        }
        if derivable.len() == before {
            break;
        }
    }
    let usable = |c: &Clause| c.body.iter().all(|&a| derivable.contains(&symbol(a)));
    let mut relevant: FxHashSet<SymbolId> = FxHashSet::default();
    loop {
        let before = relevant.len();
        for c in clauses.iter().filter(|c| usable(c)) {
            if c.head.is_none_or(|h| relevant.contains(&symbol(h))) {
                relevant.extend(c.body.iter().map(|&a| symbol(a)));
            }
        }
        if relevant.len() == before {
            break;
        }
    }
    let plays = |c: &Clause| usable(c) && c.head.is_none_or(|h| relevant.contains(&symbol(h)));
    let numbered = clauses.iter().enumerate();
    Pruned {
        clauses: numbered.filter(|(_, c)| plays(c)).map(|(i, _)| i).collect(),
        underivable: predicates
            .iter()
            .copied()
            .filter(|p| !derivable.contains(p))
            .collect(),
        relevant,
    }
}
