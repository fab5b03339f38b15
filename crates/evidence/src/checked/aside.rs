//! Errors that are out of reach by abstract execution, set aside so that what looks for a proof of the others need not
//! look at them.
//!
//! Idea, on a program that reads lines into a list: that the lines are within their buffer is seen by one kind of
//! abstract execution (`sites`), that the list is one by another (`shapes`), and neither sees all. What the first shows is
//! set aside; the program that is left has fewer errors, and often needs less memory to be decided. The two proofs
//! are one in the end ([`Checked::with_aside`], `Proof::rest`).

use super::{Checked, Record, Subject, subject};
use crate::sites::{self, Explored};
use crate::{Proof, Reason, Rest, Scope, Verdict};
use base::Budget;
use logic::Pool;
use program::{LocId, Program};
use std::collections::BTreeSet;

/// Errors that abstract execution shows to be out of reach, while others stay open.
#[derive(Clone, Debug)]
pub struct Aside {
    /// The errors.
    errors: BTreeSet<LocId>,
    /// That the program in which only these are errors is safe.
    shown: Checked<Verdict>,
}

impl Aside {
    /// The program without the errors that were set aside.
    pub fn left(&self, program: &Program) -> Program {
        let mut out = program.clone();
        for &loc in &self.errors {
            out.locations[loc].error = None;
        }
        out
    }

    /// How many errors were set aside.
    pub fn len(&self) -> usize {
        self.errors.len()
    }

    /// Was none set aside?
    pub fn is_empty(&self) -> bool {
        self.errors.is_empty()
    }

    /// The verdict about the program, if no error is left of it.
    pub fn decided(self, program: &Program) -> Result<Checked<Verdict>, Box<Aside>> {
        let mut errors = program.locations.iter_enumerated();
        match errors.all(|(l, x)| x.error.is_none() || self.errors.contains(&l)) {
            true => Ok(self.shown),
            false => Err(Box::new(self)),
        }
    }
}

/// Sets the errors aside that abstract execution (`sites`) shows to be out of reach.
pub fn set_aside(pool: &mut Pool, program: &Program, budget: &Budget) -> Result<Aside, Reason> {
    let proof = Proof::by(Scope::Sites);
    let subject = subject(pool, program, &proof, budget)?;
    budget.check().map_err(Reason::OutOfBudget)?;
    let Subject::Inlined(inlined) = &subject else {
        return Err(Reason::EvidenceRejected {
            why: "abstract execution needs the inlined program".into(),
        });
    };
    let mut record = Record::default();
    let open: BTreeSet<LocId> = match sites::explored(pool, &inlined.program, budget) {
        Explored::Safe(states) => {
            record.states = Some(states);
            BTreeSet::new()
        }
        // Sound because an error of the program can be reached only if one of its copies can: what is no copy of one
        // leaves all open.
        Explored::Open(open, reason) => {
            let places = open.iter().map(|l| inlined.back.location(*l));
            places.collect::<Option<_>>().ok_or(reason)?
        }
        Explored::Nothing(reason) => return Err(reason),
    };
    record.subject = subject;
    let errors = program.locations.iter_enumerated();
    let errors = errors.filter(|(l, x)| x.error.is_some() && !open.contains(l));
    Ok(Aside {
        errors: errors.map(|(l, _)| l).collect(),
        shown: Checked {
            value: Verdict::Safe(proof),
            record,
        },
    })
}

impl Checked<Verdict> {
    /// The verdict about a program, of one about the program without the errors that were set aside.
    ///
    /// # Contract
    /// `self` is about [`Aside::left`] of the program in which the errors were set aside.
    // Sound because both parts were checked, and an execution to an error is one of the part that has this error.
    pub fn with_aside(mut self, aside: Aside) -> Self {
        match &mut self.value {
            Verdict::Safe(proof) => {
                if let Verdict::Safe(shown) = aside.shown.value {
                    proof.rest.push(Rest {
                        errors: aside.errors,
                        proof: shown,
                    });
                }
            }
            Verdict::Unknown(_) => self.record.aside = Some(Box::new(aside)),
            Verdict::Unsafe(_) => {}
        }
        self
    }

    /// The errors that are out of reach though there is no verdict, and that the program with no others is safe.
    pub fn shown_aside(&self) -> Option<(&BTreeSet<LocId>, &Checked<Verdict>)> {
        let aside = self.record.aside.as_ref()?;
        Some((&aside.errors, &aside.shown))
    }
}
