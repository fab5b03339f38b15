//! The checks of a program and what a run found about each of them.
//!
//! A check is what the user sees as one: all error locations of one property at one place with one
//! message. It is *proved*, *violated* (by an execution that was replayed) or *undecided*. Only checked
//! verdicts decide: [`Findings::absorb`] takes a verdict about the program in which nothing but the checks
//! that are asked about counts as an error.
//!
//! Such a program is made by [`Findings::program_for`]: the other error locations stay, without their tags.
//! An error location has no way out, so an execution that violates another check ends there: a check is
//! proved for all executions that violate none before it.

use crate::{Checked, Reason, Trace, Verdict};
use program::{FuncId, LocId, Program, Property, Span, Stmt};
use std::collections::BTreeMap;

/// What can be violated, at one place.
#[derive(Clone, Debug)]
pub struct Check {
    /// Stable while the function does not change: `main/valid-deref/2`.
    pub name: String,
    /// The property.
    pub property: Property,
    /// The function that the place is in; of what the library checks, the one that calls it.
    pub function: String,
    /// The place.
    pub span: Span,
    /// What a violation is, for people.
    pub message: String,
    /// The error locations of the check.
    pub locations: Vec<LocId>,
}

/// What is known about a check.
#[derive(Clone, Debug)]
pub enum Decision {
    /// No execution violates it, unless another check was violated before.
    Proved,
    /// This execution violates it.
    Violated(Box<Trace>),
    /// Nobody knows, for this reason.
    Undecided(Reason),
}

impl Decision {
    /// `proved`, `violated` or `undecided`.
    pub fn as_str(&self) -> &'static str {
        match self {
            Decision::Proved => "proved",
            Decision::Violated(_) => "violated",
            Decision::Undecided(_) => "undecided",
        }
    }
}

/// A check with what is known about it.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The check.
    pub check: Check,
    /// What is known.
    pub decision: Decision,
}

/// The checks of a program, in the order of their places.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    list: Vec<Finding>,
}

/// A caller of each function that is called.
fn callers(program: &Program) -> BTreeMap<FuncId, FuncId> {
    let mut out = BTreeMap::new();
    for edge in program.edges.iter() {
        if let Stmt::Call { callee, .. } = edge.stmt {
            let caller = program.locations[edge.from].func;
            out.entry(callee).or_insert(caller);
        }
    }
    out
}

/// The function of the user's that the function works for: models of the library have dotted names, and a copy for
/// each call.
fn users(program: &Program, func: FuncId, callers: &BTreeMap<FuncId, FuncId>) -> FuncId {
    let mut at = func;
    // No chain of callers without a cycle is longer than there are functions.
    for _ in 0..program.functions.len() {
        match callers.get(&at) {
            Some(&caller) if program.functions[at].name.contains('.') => at = caller,
            _ => return at,
        }
    }
    func
}

impl Findings {
    /// All checks of the program, undecided.
    pub fn of(program: &Program) -> Findings {
        let mut checks: BTreeMap<(Span, Property, String), Vec<LocId>> = BTreeMap::new();
        for loc in program.error_locations() {
            if let Some(tag) = &program.locations[loc].error {
                let key = (tag.span, tag.property, tag.message.clone());
                checks.entry(key).or_default().push(loc);
            }
        }
        let callers = callers(program);
        let mut ordinals: BTreeMap<(String, Property), usize> = BTreeMap::new();
        let mut list = Vec::new();
        for ((span, property, message), locations) in checks {
            let func = users(program, program.locations[locations[0]].func, &callers);
            let function = program.functions[func].name.clone();
            let ordinal = ordinals.entry((function.clone(), property)).or_default();
            *ordinal += 1;
            let check = Check {
                name: format!("{function}/{}/{ordinal}", property.name()),
                property,
                function,
                span,
                message,
                locations,
            };
            let what = "nothing looked at it".into();
            let decision = Decision::Undecided(Reason::NoProgress { what });
            list.push(Finding { check, decision });
        }
        Findings { list }
    }

    /// The findings.
    pub fn list(&self) -> &[Finding] {
        &self.list
    }

    /// Numbers of the checks that nothing is known about.
    pub fn open(&self) -> Vec<usize> {
        let is_open = |i: &usize| matches!(self.list[*i].decision, Decision::Undecided(_));
        (0..self.list.len()).filter(is_open).collect()
    }

    /// The program in which only these checks count.
    pub fn program_for(&self, program: &Program, asked: &[usize]) -> Program {
        let mut out = program.clone();
        for (i, finding) in self.list.iter().enumerate() {
            if !asked.contains(&i) {
                for &loc in &finding.check.locations {
                    out.locations[loc].error = None;
                }
            }
        }
        out
    }

    /// Takes what a verdict about [`Self::program_for`] these checks says of them. Returns the check that
    /// was violated.
    pub fn absorb(&mut self, asked: &[usize], verdict: &Checked<Verdict>) -> Option<usize> {
        match verdict.get() {
            // Sound because the checker refuted every error of the program, which has those of these checks.
            Verdict::Safe(_) => {
                for &i in asked {
                    self.list[i].decision = Decision::Proved;
                }
                None
            }
            Verdict::Unsafe(_) => {
                let trace = verdict.record().trace.as_ref()?;
                let hit = |i: &&usize| self.list[**i].check.locations.contains(&trace.error);
                let found = *asked.iter().find(hit)?;
                self.list[found].decision = Decision::Violated(Box::new(trace.clone()));
                Some(found)
            }
            Verdict::Unknown(reason) => {
                let aside = verdict.shown_aside().map(|(errors, _)| errors);
                for &i in asked {
                    let mut places = self.list[i].check.locations.iter();
                    // Sound because the checker showed that none of these errors is reached.
                    let shown = aside.is_some_and(|errors| places.all(|l| errors.contains(l)));
                    self.list[i].decision = match shown {
                        true => Decision::Proved,
                        false => Decision::Undecided(reason.clone()),
                    };
                }
                None
            }
        }
    }

    /// How many are proved, violated and undecided.
    pub fn counts(&self) -> (usize, usize, usize) {
        let count = |word| {
            let like = |f: &&Finding| f.decision.as_str() == word;
            self.list.iter().filter(like).count()
        };
        (count("proved"), count("violated"), count("undecided"))
    }
}
