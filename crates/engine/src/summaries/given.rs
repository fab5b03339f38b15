//! Contracts that the user wrote, as guesses for guards and summaries.
//!
//! ```text
//!   requires x > 0; ensures \result > x; assigns *p
//!   guard  x > 0      summaries  err or r > x;  err or mem.out = (store mem p (select mem.out p));  err or g.out = g
//! ```
//! They speak of the original program; functions with globals as parameters (`program::passes::globals`) have their
//! own names for what they share. A fact about something that a pass has taken away is left out.
//!
//! Nothing hangs on a contract being right: engines prove what they use of it, as of any other guess.

use super::contracts::Facts;
use base::{FxHashMap, FxHashSet};
use logic::{Op, Pool, Sort, TermId};
use program::{FuncId, Program, UserContract};

/// What a function's interface is called: `requires` and `ensures` have each name once.
struct Words {
    /// By the names of the original program: values at entry.
    before: FxHashMap<String, TermId>,
    /// Values at exit; what is not here stays what it was.
    after: FxHashMap<String, TermId>,
}

/// The facts that the user's contract says of a function of a program without globals, over its parameters at entry and its
/// returns at exit. After an error (`flag`) nothing is said.
pub fn given(
    pool: &mut Pool,
    contracts: &[UserContract],
    program: &Program,
    f: FuncId,
    flag: Option<TermId>,
) -> Facts {
    let mut facts = Facts::default();
    let name = &program.functions[f].name;
    let Some(contract) = contracts.iter().find(|c| c.function == *name) else {
        return facts;
    };
    let words = Words::of(program, f);
    for &fact in &contract.requires {
        facts.guards.extend(words.said(pool, fact, &words.before));
    }
    let mut summaries = Vec::new();
    for &fact in &contract.ensures {
        summaries.extend(words.said(pool, fact, &words.after));
    }
    summaries.extend(words.frame(pool, contract));
    for fact in summaries {
        let fact = match flag {
            Some(flag) => pool.or2(flag, fact),
            None => fact,
        };
        if fact != pool.tt() {
            facts.summaries.push(fact);
        }
    }
    facts.summaries.extend(flag.map(|flag| pool.not(flag)));
    facts
}

impl Words {
    fn of(program: &Program, f: FuncId) -> Words {
        let function = &program.functions[f];
        // A parameter that stands for a global is called `f:g`, a return that does `f:g.out`.
        let shared = format!("{}:", function.name);
        let own = |name: &str| !name.starts_with(&shared) || name[shared.len()..].starts_with(':');
        let mut words = Words {
            before: FxHashMap::default(),
            after: FxHashMap::default(),
        };
        for &p in &function.params {
            let var = &program.vars[p];
            let name = match own(&var.name) {
                true => var.name.clone(),
                false => var.name[shared.len()..].to_string(),
            };
            words.before.insert(name, var.term);
        }
        for &r in &function.returns {
            let var = &program.vars[r];
            let name = match own(&var.name) {
                true => var.name.clone(),
                false => var.name[shared.len()..]
                    .trim_end_matches(".out")
                    .to_string(),
            };
            words.after.insert(name, var.term);
        }
        words
    }

    /// The fact in the function's own words, where names mean what `now` says first.
    fn said(
        &self,
        pool: &mut Pool,
        fact: TermId,
        now: &FxHashMap<String, TermId>,
    ) -> Option<TermId> {
        let mut pairs = Vec::new();
        for t in pool.post_order(&[fact]) {
            let Some(symbol) = pool.as_constant(t) else {
                continue;
            };
            let name = pool.symbol_data(symbol).name.to_string();
            let old = name
                .strip_prefix("old(")
                .and_then(|rest| rest.strip_suffix(')'));
            let term = match old {
                Some(old) => self.before.get(old),
                None => now.get(&name).or_else(|| self.before.get(&name)),
            };
            pairs.push((t, *term?));
        }
        Some(pool.substitute(fact, &pairs))
    }

    /// What a function does not assign stays: all that it shares with others but the places named.
    fn frame(&self, pool: &mut Pool, contract: &UserContract) -> Vec<TermId> {
        let mut names: Vec<&String> = self.after.keys().collect();
        names.sort();
        let mut places: Vec<TermId> = Vec::new();
        for &place in &contract.assigned {
            places.extend(self.said(pool, place, &self.before));
        }
        let mut out = Vec::new();
        for name in names {
            let (Some(&before), after) = (self.before.get(name), self.after[name]) else {
                continue;
            };
            out.push(pool.eq(after, before));
            let mut changed = before;
            let mut seen = FxHashSet::default();
            for &place in &places {
                let Sort::Array(index, _) = *pool.sort_kind(pool.sort_of(before)) else {
                    break;
                };
                if pool.sort_of(place) == index && seen.insert(place) {
                    let value = pool.select(after, place);
                    changed = pool.store(changed, place, value);
                }
            }
            if pool.op(changed) == Op::Store {
                out.push(pool.eq(after, changed));
            }
        }
        out
    }
}
