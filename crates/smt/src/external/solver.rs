//! A solver whose checks another program decides, and the native solver where that one does not.
//!
//! A check is a conversation in rounds: a model with wrong values of loose operators is answered by lemmas
//! (`loose`), which stay in the scope. Engines limit some checks by conflicts, because a quick answer
//! or none is wanted; for another program that becomes a short time.

use super::loose::Teacher;
use super::model::Reading;
use super::session::{Session, TOO_LONG, shorten};
use super::{Error, External, Purpose, answer, model};
use crate::SmtSolver;
use crate::{Answer, Solver, Unknown};
use base::{Budget, FxHashSet, Stop};
use logic::{Model, Pool, TermId};
use std::sync::Arc;
use std::time::Duration;

/// Rounds of lemmas in one check.
const ROUNDS: usize = 100;
/// The time that stands for a limit on conflicts: this, and as much again for every hundred.
const QUICK: Duration = Duration::from_millis(200);

/// Assertions in scopes; told to a session when a check needs them.
pub struct ExternalSolver {
    external: Arc<External>,
    owner: u64,
    /// Assertions, and lemmas about their terms.
    scopes: Vec<Vec<TermId>>,
    teacher: Teacher,
    model: Model,
    core: Vec<TermId>,
}

/// What a conversation brought.
enum Reply {
    Sat(Model),
    Useless(String),
    Unsat(Vec<TermId>),
    Unknown,
}

impl ExternalSolver {
    pub(super) fn new(external: Arc<External>, owner: u64) -> Self {
        ExternalSolver {
            external,
            owner,
            scopes: vec![Vec::new()],
            teacher: Teacher::default(),
            model: Model::default(),
            core: Vec::new(),
        }
    }

    pub(super) fn owner(&self) -> u64 {
        self.owner
    }

    fn all(&self, assumptions: &[TermId]) -> Vec<TermId> {
        let asserted = self.scopes.iter().flatten().copied();
        asserted.chain(assumptions.iter().copied()).collect()
    }

    /// Adds what is not there yet to the innermost scope; false if there was nothing new.
    fn teach(&mut self, lemmas: Vec<TermId>) -> bool {
        if lemmas.is_empty() {
            return false;
        }
        let known: FxHashSet<TermId> = self.scopes.iter().flatten().copied().collect();
        let scope = self.scopes.last_mut();
        let scope = scope.expect("the outermost scope stays");
        let before = scope.len();
        scope.extend(lemmas.into_iter().filter(|l| !known.contains(l)));
        scope.len() > before
    }

    fn limit(&self, budget: &Budget) -> Duration {
        let conflicts = budget.conflicts.unwrap_or(u64::MAX);
        let hundreds = u32::try_from(conflicts / 100).unwrap_or(u32::MAX);
        let quick = QUICK.saturating_mul(hundreds.saturating_add(1));
        quick.min(self.external.limit)
    }

    /// Asks until there is an answer that needs no more lemmas.
    fn converse(
        &mut self,
        session: &mut Session,
        pool: &mut Pool,
        assumptions: &[TermId],
        budget: &Budget,
    ) -> Result<Reply, Error> {
        let limit = self.limit(budget);
        let from = budget.elapsed();
        for _ in 0..ROUNDS {
            let all = self.all(assumptions);
            let axioms = self.teacher.axioms(pool, &all);
            self.teach(axioms);
            let spent = budget.elapsed().saturating_sub(from);
            let reading = match self.round(
                session,
                pool,
                assumptions,
                limit.saturating_sub(spent),
                budget,
            )? {
                Err(word) => return Ok(word),
                Ok(reading) => reading,
            };
            match reading {
                Reading::Model(model) => return Ok(Reply::Sat(model)),
                Reading::Unreadable(why) => return Ok(Reply::Useless(why)),
                Reading::Wrong(model, given) => {
                    let all = self.all(assumptions);
                    let lemmas = self.teacher.lemmas(pool, &all, &model, &given);
                    // Sound because lemmas are valid formulas.
                    if !self.teach(lemmas) {
                        break;
                    }
                }
            }
        }
        Ok(Reply::Useless(
            "its model does not satisfy the formula".into(),
        ))
    }

    /// One question: the values after `sat`, else the answer.
    fn round(
        &self,
        session: &mut Session,
        pool: &mut Pool,
        assumptions: &[TermId],
        limit: Duration,
        budget: &Budget,
    ) -> Result<Result<Reading, Reply>, Error> {
        let entry = &self.external.entry;
        session.sync(pool, &self.scopes)?;
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
        let result = match reply.as_str() {
            "unsat" if names.is_empty() => Err(Reply::Unsat(assumptions.to_vec())),
            "unsat" => {
                let list = session.ask("(get-unsat-assumptions)", limit, budget)?;
                Err(Reply::Unsat(core(&list, &names, assumptions)))
            }
            "sat" => Ok(model::read(
                session,
                pool,
                &self.all(assumptions),
                limit,
                budget,
            )?),
            "unknown" => Err(Reply::Unknown),
            other => {
                let why = format!("it answers `{}` to check-sat", shorten(other));
                return Err(Error::Failure("the other solver answers nonsense", why));
            }
        };
        if names.is_empty() && !assumptions.is_empty() {
            session.pop();
        }
        Ok(result)
    }

    /// The native solver decides in place of the other one, with as much time.
    fn native(
        &mut self,
        pool: &mut Pool,
        assumptions: &[TermId],
        why: &'static str,
        detail: Option<String>,
        budget: &Budget,
    ) -> Answer {
        {
            let stats = &mut self.external.lock().stats;
            stats.unanswered += 1;
            if detail.is_some() {
                stats.last_failure = detail;
            }
        }
        let mut solver = Solver::new();
        for &t in self.scopes.iter().flatten() {
            solver.assert(pool, t);
        }
        let limited = budget.clone().with_time(self.external.limit);
        let answer = solver.check(pool, assumptions, &limited);
        match answer {
            Answer::Unknown(Unknown::Budget(Stop::Time)) if budget.check().is_ok() => {
                return Answer::Unknown(Unknown::Incomplete(why));
            }
            Answer::Unknown(_) => return answer,
            Answer::Sat => self.model = solver.model(pool),
            Answer::Unsat => self.core = solver.core().to_vec(),
        }
        self.external.lock().stats.native += 1;
        answer
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
        let quick = self.limit(budget) < external.limit;
        let word = external.converse(self.owner, Purpose::Check, |session| {
            match self.converse(session, pool, assumptions, budget) {
                Err(Error::Failure(TOO_LONG, _)) if quick => Err(Error::NotQuick),
                word => word,
            }
        });
        let (why, detail) = match word {
            Ok(Reply::Unsat(core)) => {
                self.core = core;
                return Answer::Unsat;
            }
            Ok(Reply::Sat(model)) => {
                self.model = model;
                return Answer::Sat;
            }
            Err(Error::Stop(stop)) => return Answer::Unknown(Unknown::Budget(stop)),
            Ok(Reply::Useless(why)) => ("the other solver's model is of no use", Some(why)),
            Ok(Reply::Unknown) => ("the other solver does not know", None),
            Err(Error::NotQuick | Error::Satisfiable) => (TOO_LONG, None),
            Err(Error::Crash(_)) => ("the other solver crashed", None),
            Err(Error::Failure(what, _)) => (what, None),
        };
        self.native(pool, assumptions, why, detail, budget)
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
