//! A correctness witness: its invariants and contracts are a proof if the checker accepts them as
//! they are; else they are candidate facts for a run of our own, whose proof decides.

use super::read::Witness;
use super::{Validation, same_files};
use crate::load::{SourceOptions, load_with_claims};
use crate::{Checker, Error};
use base::Budget;
use engine::EngineOptions;
use evidence::{Checked, Contract, Proof, Reason, Scope, Verdict};
use frontend::c::sema::claims::{Claim, ClaimKind, Refused};
use logic::{Pool, TermId};
use program::passes::inline::inline;
use program::{FuncId, LocId, Program};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The claims of a witness as formulas of the program.
#[derive(Default)]
struct Facts {
    at: Vec<(LocId, TermId)>,
    contracts: BTreeMap<FuncId, Contract>,
}

pub(super) fn validate(
    paths: &[PathBuf],
    options: &SourceOptions,
    witness: &Witness,
    claims: &[Claim],
    budget: &Budget,
) -> Result<Validation, Error> {
    let (mut loaded, placed) = load_with_claims(paths, options, claims)?;
    same_files(witness, &loaded)?;
    let mut account = format!(
        "The witness claims safety by {} expressions.\n",
        claims.len()
    );
    let mut facts = Facts::default();
    for p in placed {
        let claim = &claims[p.claim];
        let term = match p.formula {
            Ok(term) => term,
            Err(Refused::Wrong(why)) => {
                return Err(Error::Message(format!("{}: {why}", claim.origin)));
            }
            Err(Refused::Beyond(why)) => {
                account += &format!("  not used: {}: {why}\n", claim.origin);
                continue;
            }
        };
        // Where no execution gets, anything holds.
        if let Some((function, loc)) = p.at {
            facts.add(&mut loaded.pool, claim.kind, function, loc, term);
        }
    }
    // Most of the time is for making a proof of what is none by itself.
    let first = match budget.remaining() {
        Some(left) => budget.clone().with_time(left / 3),
        None => budget.clone(),
    };
    match accepted(&mut loaded.pool, &loaded.program, &facts, &first) {
        Ok(verdict) => {
            let obligations = verdict.record().obligations;
            account +=
                &format!("The witness was accepted as it is: {obligations} obligations hold.\n");
            return Ok(Validation {
                verdict,
                account,
                as_it_is: true,
            });
        }
        Err(reason) => {
            let why = super::why(&reason, &loaded.sources);
            account += &format!(
                "What the witness says is no proof by itself.\n  why: {why}\nIt is taken as a set of candidate facts.\n"
            );
        }
    }
    let mut checker = Checker::new()
        .source(options.clone())
        .engine_options(EngineOptions {
            candidates: facts.at,
            ..EngineOptions::default()
        });
    if let Some(left) = budget.remaining() {
        checker = checker.time(left);
    }
    let outcome = checker.check_loaded(loaded)?;
    Ok(Validation {
        account: format!("{account}{}", outcome.text()),
        verdict: outcome.verdict,
        as_it_is: false,
    })
}

impl Facts {
    fn add(
        &mut self,
        pool: &mut Pool,
        kind: ClaimKind,
        function: FuncId,
        loc: LocId,
        term: TermId,
    ) {
        let contract = |all: &BTreeMap<FuncId, Contract>, pool: &Pool| {
            let none = Contract {
                requires: pool.tt(),
                ensures: pool.tt(),
            };
            all.get(&function).cloned().unwrap_or(none)
        };
        match kind {
            ClaimKind::Loop | ClaimKind::Location => self.at.push((loc, term)),
            ClaimKind::Requires => {
                let mut c = contract(&self.contracts, pool);
                c.requires = pool.and2(c.requires, term);
                self.contracts.insert(function, c);
            }
            ClaimKind::Ensures => {
                let mut c = contract(&self.contracts, pool);
                c.ensures = pool.and2(c.ensures, term);
                self.contracts.insert(function, c);
            }
        }
    }
}

/// The checked verdict if the facts are a proof: of the inlined program, or by contracts.
fn accepted(
    pool: &mut Pool,
    program: &Program,
    facts: &Facts,
    budget: &Budget,
) -> Result<Checked<Verdict>, Reason> {
    let mut proofs = Vec::new();
    let inlined = inline(pool, program);
    if let Ok(inlined) = &inlined {
        let copies = inlined.at_copies(pool, &facts.at);
        proofs.push(proof(pool, Scope::Inlined, &copies, BTreeMap::new()));
    }
    if inlined.is_err() || !facts.contracts.is_empty() {
        let contracts = facts.contracts.clone();
        proofs.push(proof(pool, Scope::Modular, &facts.at, contracts));
    }
    let mut reason = Reason::NoProgress {
        what: "nothing to check".into(),
    };
    for proof in proofs {
        let checked = evidence::check(pool, program, Verdict::Safe(proof), budget);
        match checked.get() {
            Verdict::Unknown(why) => reason = why.clone(),
            _ => return Ok(checked),
        }
    }
    Err(reason)
}

fn proof(
    pool: &mut Pool,
    scope: Scope,
    facts: &[(LocId, TermId)],
    contracts: BTreeMap<FuncId, Contract>,
) -> Proof {
    let mut invariants: BTreeMap<LocId, TermId> = BTreeMap::new();
    for &(loc, fact) in facts {
        let so_far = invariants.get(&loc).copied();
        let all = match so_far {
            Some(other) => pool.and2(other, fact),
            None => fact,
        };
        invariants.insert(loc, all);
    }
    Proof {
        rest: Vec::new(),
        cone: None,
        scope,
        invariants,
        contracts,
    }
}
