//! Contracts of functions as formulas, for engines to try as guards and summaries.
//!
//! ```text
//! int f(int x) { contract(requires, x > 0); …; r = __craig_body_f(x); …; contract(ensures, result > x); return r; }
//! ```
//! What stands in the door before a body (`c/contracts`) holds of the body too, and of the door that a check of the
//! function itself comes through: their parameters are the same in number and order.

use crate::builder::Builder;
use crate::c::contracts::{BODY, CHECKED};
use crate::c::sema::claims::Part;
use base::FxHashMap;
use logic::{Pool, Substitution, TermId};
use program::{FuncId, UserContract, VarId};
use std::collections::BTreeMap;

/// The contracts that were met, each for the door and what stands behind it.
pub(super) fn collect(pool: &mut Pool, b: &Builder) -> Vec<UserContract> {
    let mut found: BTreeMap<FuncId, UserContract> = BTreeMap::new();
    for &(func, part, term) in &b.contracts {
        let contract = found.entry(func).or_default();
        match part {
            Part::Requires => contract.requires.push(term),
            Part::Ensures => contract.ensures.push(term),
            Part::Assigned => contract.assigned.push(term),
        }
    }
    let by_name: FxHashMap<&str, FuncId> = b
        .functions
        .iter_enumerated()
        .map(|(id, f)| (f.name.as_str(), id))
        .collect();
    let mut out = Vec::new();
    for (door, mut contract) in found {
        contract.function = b.functions[door].name.clone();
        for prefix in [BODY, CHECKED] {
            let name = format!("{prefix}{}", contract.function);
            if let Some(&behind) = by_name.get(name.as_str()) {
                out.extend(renamed(pool, b, door, behind, &contract));
            }
        }
        out.push(contract);
    }
    out
}

/// The contract in the words of another function with the same parameters.
fn renamed(
    pool: &mut Pool,
    b: &Builder,
    from: FuncId,
    to: FuncId,
    contract: &UserContract,
) -> Option<UserContract> {
    let (ours, theirs) = (&b.functions[from], &b.functions[to]);
    if ours.params.len() != theirs.params.len() || ours.returns.len() != theirs.returns.len() {
        return None;
    }
    let mut pairs = Vec::new();
    let all = |f: &program::Function| -> Vec<VarId> {
        f.params.iter().chain(&f.returns).copied().collect()
    };
    for (v, w) in all(ours).into_iter().zip(all(theirs)) {
        let (v, w) = (&b.vars[v], &b.vars[w]);
        if v.sort != w.sort {
            return None;
        }
        let old = |pool: &mut Pool, name: &str| pool.constant(&format!("old({name})"), v.sort);
        pairs.push((v.term, w.term));
        pairs.push((old(pool, &v.name), old(pool, &w.name)));
    }
    let mut words = Substitution::new(pairs);
    let mut all =
        |terms: &[TermId]| -> Vec<TermId> { terms.iter().map(|&t| words.apply(pool, t)).collect() };
    Some(UserContract {
        function: theirs.name.clone(),
        requires: all(&contract.requires),
        ensures: all(&contract.ensures),
        assigned: all(&contract.assigned),
    })
}
