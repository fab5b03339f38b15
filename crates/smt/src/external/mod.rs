//! Other solvers, as processes that speak SMT-LIB 2 and stay alive between checks.
//!
//! ```text
//! ExternalSolver (assertions, scopes)  --sync-->  Session (one process, what it was told)  <--> Channel
//! ```
//!
//! An [`External`] keeps a few sessions. A solver that checks gets the session that already knows
//! its assertions, or the one used longest ago, and tells it the difference. A crash, a hang or
//! nonsense ends the session; the next check starts a new one and tells it everything again. After
//! [`PATIENCE`] failures in a row the solver is not asked any more (for interpolants: if those failed). A check that it does not decide
//! goes to the native solver, and the counters say how many did.
//!
//! Bit operations and shifts are uninterpreted functions to the other solver; `loose` teaches it
//! their meaning as far as its models need it.
//!
//! Invariants: `Sat` is answered only with a model under which all assertions and assumptions
//! evaluate to true here. `Unsat` is the other solver's word (or the native one's).

mod answer;
mod interpolator;
mod launch;
mod loose;
mod model;
pub mod script;
mod session;
mod solver;
mod table;

pub use interpolator::ExternalInterpolator;
pub use launch::{Channel, Launch, Received};
pub use solver::ExternalSolver;
pub use table::{GENERIC, Interpolants, SOLVERS, SolverEntry, entry};

use base::Stop;
use session::Session;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Failures in a row after which a solver is given up.
const PATIENCE: u32 = 3;
/// Processes kept alive.
const SESSIONS: usize = 4;

/// Why a conversation ended.
#[derive(Debug)]
pub(crate) enum Error {
    /// The budget of the run is used up.
    Stop(Stop),
    /// The process went away.
    Crash(String),
    /// No answer in the short time of a check that is to be quick: nobody's fault.
    NotQuick,
    /// Interpolants were asked for, but the parts are satisfiable: an answer, and nobody's fault.
    Satisfiable,
    /// No answer in time, or one that makes no sense.
    Failure(&'static str, String),
}

/// Counters of the conversations.
#[derive(Clone, Debug, Default)]
pub struct ExternalStats {
    pub checks: u64,
    pub starts: u64,
    pub failures: u64,
    /// Checks that it did not decide: `unknown`, too slow, or a model that is none.
    pub unanswered: u64,
    /// How many of these the native solver decided.
    pub native: u64,
    /// What went wrong last.
    pub last_failure: Option<String>,
}

/// What a conversation is about: failures are counted apart.
#[derive(Clone, Copy)]
pub(crate) enum Purpose {
    Check,
    Interpolation,
}

#[derive(Default)]
pub(crate) struct State {
    sessions: Vec<Session>,
    pub(crate) stats: ExternalStats,
    /// By purpose.
    failures_in_row: [u32; 2],
    uses: u64,
}

/// A solver program with its live processes.
pub struct External {
    pub(crate) entry: SolverEntry,
    command: String,
    arguments: Vec<String>,
    launch: Box<dyn Launch>,
    /// Longest time for one check.
    pub(crate) limit: Duration,
    state: Mutex<State>,
    next_owner: AtomicU64,
}

impl External {
    /// A solver of the table.
    pub fn new(entry: &SolverEntry, launch: Box<dyn Launch>, limit: Duration) -> Self {
        External {
            entry: *entry,
            command: entry.command.into(),
            arguments: entry.arguments.iter().map(|a| a.to_string()).collect(),
            launch,
            limit,
            state: Mutex::default(),
            next_owner: AtomicU64::new(1),
        }
    }

    /// Another command in place of the table's, words separated by blanks.
    pub fn with_command(mut self, command: &str) -> Self {
        let mut words = command.split_whitespace().map(String::from);
        self.command = words.next().unwrap_or_default();
        self.arguments = words.collect();
        self
    }

    pub fn name(&self) -> &str {
        match self.entry.name {
            "command" => &self.command,
            name => name,
        }
    }

    pub fn interpolates(&self) -> bool {
        self.entry.interpolants != Interpolants::None
    }

    pub fn stats(&self) -> ExternalStats {
        self.lock().stats.clone()
    }

    /// Starts the first process, so that a missing program is known before the run.
    pub fn start(&self) -> Result<(), String> {
        if !self.entry.integers {
            return Err(format!(
                "{} has no integer arithmetic, which Craig's formulas need",
                self.entry.name
            ));
        }
        let session = self.open(0)?;
        let mut state = self.lock();
        state.stats.starts += 1;
        state.sessions.push(session);
        Ok(())
    }

    /// A new solver on these processes.
    pub fn solver(self: &Arc<Self>) -> ExternalSolver {
        let owner = self.next_owner.fetch_add(1, Ordering::Relaxed);
        ExternalSolver::new(Arc::clone(self), owner)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn open(&self, owner: u64) -> Result<Session, String> {
        let channel = self.launch.start(&self.command, &self.arguments);
        let channel =
            channel.map_err(|why| format!("{why}; to install: {}", self.entry.install))?;
        Ok(Session::new(channel, self.entry, owner))
    }

    /// Runs `work` on the owner's session; a failed session is dropped, and after a crash the work
    /// is tried once more on a new one.
    pub(crate) fn converse<T>(
        &self,
        owner: u64,
        purpose: Purpose,
        mut work: impl FnMut(&mut Session) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let mut again = true;
        loop {
            if self.lock().failures_in_row[purpose as usize] >= PATIENCE {
                return Err(Error::Failure(
                    "the other solver failed too often",
                    String::new(),
                ));
            }
            let mut session = self.take(owner)?;
            let result = work(&mut session);
            let mut state = self.lock();
            match result {
                Ok(value) => {
                    state.failures_in_row[purpose as usize] = 0;
                    state.uses += 1;
                    session.used = state.uses;
                    state.sessions.push(session);
                    return Ok(value);
                }
                Err(error @ (Error::Stop(_) | Error::NotQuick | Error::Satisfiable)) => {
                    return Err(error);
                }
                Err(error) => {
                    state.failures_in_row[purpose as usize] += 1;
                    state.stats.failures += 1;
                    let (Error::Crash(why) | Error::Failure(_, why)) = &error else {
                        return Err(error);
                    };
                    state.stats.last_failure = Some(why.clone());
                    if !(again && matches!(error, Error::Crash(_))) {
                        return Err(error);
                    }
                    again = false;
                }
            }
        }
    }

    /// The owner's session, else a new one, else the one used longest ago, emptied.
    fn take(&self, owner: u64) -> Result<Session, Error> {
        let mut state = self.lock();
        let of = |s: &Session| s.owner == owner || s.owner == 0;
        if let Some(at) = state.sessions.iter().position(of) {
            let mut session = state.sessions.swap_remove(at);
            session.owner = owner;
            return Ok(session);
        }
        if state.sessions.len() < SESSIONS {
            state.stats.starts += 1;
            drop(state);
            return self.open(owner).map_err(Error::Crash);
        }
        let oldest = (0..state.sessions.len()).min_by_key(|&i| state.sessions[i].used);
        let mut session = state
            .sessions
            .swap_remove(oldest.expect("there are sessions"));
        drop(state);
        session.restart(owner)?;
        Ok(session)
    }

    /// The owner is gone: its session may be emptied first.
    pub(crate) fn release(&self, owner: u64) {
        for session in &mut self.lock().sessions {
            if session.owner == owner {
                session.used = 0;
            }
        }
    }
}
