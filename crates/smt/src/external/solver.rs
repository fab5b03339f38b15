//! A solver whose checks another program decides.

use super::session::{Session, shorten};
use super::{External, Trouble, answer, model};
use crate::backend::SmtSolver;
use crate::{Answer, Unknown};
use logic::{Budget, Model, Pool, TermId};
use std::sync::Arc;

/// Assertions in scopes; told to a session when a check needs them.
pub struct ExternalSolver {
    external: Arc<External>,
    owner: u64,
    scopes: Vec<Vec<TermId>>,
    model: Model,
    core: Vec<TermId>,
}

/// What a conversation brought.
enum Word {
    Sat(Result<Model, String>),
    Unsat(Vec<TermId>),
    Unknown,
}

impl ExternalSolver {
    pub(super) fn new(external: Arc<External>, owner: u64) -> Self {
        ExternalSolver {
            external,
            owner,
            scopes: vec![Vec::new()],
            model: Model::default(),
            core: Vec::new(),
        }
    }

    pub(super) fn owner(&self) -> u64 {
        self.owner
    }

    fn converse(
        &self,
        session: &mut Session,
        pool: &mut Pool,
        assumptions: &[TermId],
        budget: &Budget,
    ) -> Result<Word, Trouble> {
        let entry = &self.external.entry;
        session.sync(pool, &self.scopes)?;
        let limit = self.external.limit;
        let mut names = Vec::new();
        let reply = if entry.assumptions && !assumptions.is_empty() {
            names = assumptions
                .iter()
                .map(|&t| session.name_of(pool, t))
                .collect();
            let question = format!("(check-sat-assuming ({}))", names.join(" "));
            session.ask(&question, limit, budget)?
        } else {
            if !assumptions.is_empty() {
                session.push();
                for &t in assumptions {
                    session.assert(pool, t);
                }
            }
            session.ask("(check-sat)", limit, budget)?
        };
        let word = match reply.as_str() {
            "unsat" if names.is_empty() => Word::Unsat(assumptions.to_vec()),
            "unsat" => {
                let list = session.ask("(get-unsat-assumptions)", limit, budget)?;
                Word::Unsat(core(&list, &names, assumptions))
            }
            "sat" => {
                let mut all: Vec<TermId> = self.scopes.iter().flatten().copied().collect();
                all.extend(assumptions);
                Word::Sat(model::read(session, pool, &all, limit, budget)?)
            }
            "unknown" => Word::Unknown,
            other => {
                let why = format!("it answers `{}` to check-sat", shorten(other));
                return Err(Trouble::Failure("the other solver answers nonsense", why));
            }
        };
        if names.is_empty() && !assumptions.is_empty() {
            session.pop();
        }
        Ok(word)
    }

    fn unanswered(&self, why: &'static str, detail: Option<String>) -> Answer {
        let stats = &mut self.external.lock().stats;
        stats.unanswered += 1;
        if detail.is_some() {
            stats.last_failure = detail;
        }
        Answer::Unknown(Unknown::Incomplete(why))
    }
}

/// The assumptions named in the answer; all of them if it cannot be read.
fn core(list: &str, names: &[String], assumptions: &[TermId]) -> Vec<TermId> {
    let Some(listed) = answer::elements(list) else {
        return assumptions.to_vec();
    };
    let of = |n: &String| names.iter().position(|m| m == n).map(|i| assumptions[i]);
    let found: Option<Vec<TermId>> = listed.iter().map(of).collect();
    found.unwrap_or_else(|| assumptions.to_vec())
}

impl SmtSolver for ExternalSolver {
    fn push(&mut self) {
        self.scopes.push(Vec::new());
    }

    fn pop(&mut self) {
        if self.scopes.len() > 1 {
            self.scopes.pop();
        }
    }

    fn assert(&mut self, _: &mut Pool, t: TermId) {
        let scope = self.scopes.last_mut();
        scope.expect("the outermost scope stays").push(t);
    }

    fn check(&mut self, pool: &mut Pool, assumptions: &[TermId], budget: &Budget) -> Answer {
        self.core.clear();
        self.external.lock().stats.checks += 1;
        let external = Arc::clone(&self.external);
        let word = external.converse(self.owner, |session| {
            self.converse(session, pool, assumptions, budget)
        });
        match word {
            Ok(Word::Unsat(core)) => {
                self.core = core;
                Answer::Unsat
            }
            Ok(Word::Sat(Ok(model))) => {
                self.model = model;
                Answer::Sat
            }
            Ok(Word::Sat(Err(why))) => {
                self.unanswered("the other solver's model is of no use", Some(why))
            }
            Ok(Word::Unknown) => self.unanswered("the other solver does not know", None),
            Err(Trouble::Stop(stop)) => Answer::Unknown(Unknown::Budget(stop)),
            Err(Trouble::Crash(_)) => self.unanswered("the other solver crashed", None),
            Err(Trouble::Failure(what, _)) => self.unanswered(what, None),
        }
    }

    fn model(&mut self, _: &mut Pool) -> Model {
        self.model.clone()
    }

    fn core(&self) -> &[TermId] {
        &self.core
    }
}

impl Drop for ExternalSolver {
    fn drop(&mut self) {
        self.external.release(self.owner);
    }
}
