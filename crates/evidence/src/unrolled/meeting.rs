//! Where the two branches of a condition meet again, nothing remains of it.
//!
//! ```text
//!   g and c and p,  g and not c:   g and (c implies p), the second one where c does not hold
//! ```
//! So a guard is as long as the branches around a place, not as long as the way to it, and what the solver is asked
//! has only what matters.

use logic::{Op, Pool, TermId};

/// What a guard is the conjunction of.
pub(super) fn conjuncts<'a>(pool: &'a Pool, guard: &'a TermId) -> &'a [TermId] {
    match pool.op(*guard) {
        Op::And => pool.args(*guard),
        _ => std::slice::from_ref(guard),
    }
}

/// Two guards of which one has a condition and the other its opposite: their disjunction, and when it is the second.
pub(super) fn branches(pool: &mut Pool, a: TermId, b: TermId) -> Option<(TermId, TermId)> {
    let (ours, theirs) = (conjuncts(pool, &a).to_vec(), conjuncts(pool, &b).to_vec());
    let only = |these: &[TermId], those: &[TermId]| -> Vec<TermId> {
        these
            .iter()
            .copied()
            .filter(|t| !those.contains(t))
            .collect()
    };
    let (mut here, mut there) = (only(&ours, &theirs), only(&theirs, &ours));
    let (at, choice) = there.iter().enumerate().find_map(|(n, &t)| {
        let opposite = pool.not(t);
        here.contains(&opposite).then_some((n, t))
    })?;
    there.remove(at);
    let opposite = pool.not(choice);
    here.retain(|&t| t != opposite);
    let mut parts = only(&ours, &here);
    parts.retain(|&t| t != opposite);
    // What each branch adds holds where it is taken.
    for (condition, more) in [(opposite, here), (choice, there)] {
        let more = pool.and(&more);
        parts.push(pool.implies(condition, more));
    }
    Some((pool.and(&parts), choice))
}
