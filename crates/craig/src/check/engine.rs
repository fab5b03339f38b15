//! Who looks for the verdict: the portfolio, one engine of the table, or another program.

use super::judge::{caught, judge};
use super::portfolio;
use crate::Error;
use crate::horn::spacer::Spacer;
use engine::{ENGINES, EngineKind, Task};
use evidence::{Checked, Verdict};

const PORTFOLIO: &str = "portfolio";

/// Who looks for the verdict.
///
/// ```
/// use craig::{Engine, EngineKind};
///
/// assert_eq!("impact".parse::<Engine>().ok(), Some(EngineKind::Impact.into()));
/// assert!("no-such-engine".parse::<Engine>().is_err());
/// assert!(Engine::all().any(|e| e == Engine::default()));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Engine {
    /// The engines that fit the program, in turns.
    #[default]
    Portfolio,
    /// One engine alone.
    Alone(EngineKind),
    /// Another program that solves the Horn clauses of the program: `z3`, or a command that reads
    /// SMT-LIB from its standard input.
    Clauses(String),
}

impl Engine {
    /// The portfolio and the engines of the table, in the order in which help lists them.
    pub fn all() -> impl Iterator<Item = Engine> {
        let table = ENGINES.iter().map(|e| Engine::Alone(e.kind));
        std::iter::once(Engine::Portfolio).chain(table)
    }

    /// One line about the engine.
    pub fn summary(&self) -> &'static str {
        match self {
            Engine::Portfolio => "the engines that fit the program, in turns (default)",
            Engine::Alone(kind) => kind.entry().summary,
            Engine::Clauses(_) => "another program solves the Horn clauses of the program",
        }
    }

    /// Looks for a verdict and has its evidence judged.
    pub(super) fn solve(&self, task: &mut Task<'_>, memory: Option<u64>) -> Checked<Verdict> {
        let checked = match self {
            Engine::Portfolio => caught("the portfolio", || portfolio::run(task)),
            Engine::Alone(kind) => {
                let mut engine = (kind.entry().make)();
                let claim = caught("the engine", || engine.run(task));
                claim.map(|c| judge(task.pool, task.program, c, task.budget, task.stats))
            }
            Engine::Clauses(solver) => {
                let solver = solver.clone();
                caught("the clauses", || Spacer { solver, memory }.run(task))
            }
        };
        checked.unwrap_or_else(Checked::unknown)
    }
}

impl From<EngineKind> for Engine {
    fn from(kind: EngineKind) -> Self {
        Engine::Alone(kind)
    }
}

impl std::fmt::Display for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Engine::Portfolio => f.write_str(PORTFOLIO),
            Engine::Alone(kind) => kind.fmt(f),
            Engine::Clauses(solver) => write!(f, "clauses solved by {solver}"),
        }
    }
}

impl std::str::FromStr for Engine {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        if name == PORTFOLIO {
            return Ok(Engine::Portfolio);
        }
        name.parse::<EngineKind>().map(Engine::Alone).map_err(|e| {
            let names: Vec<String> = Engine::all().map(|e| e.to_string()).collect();
            Error::Message(format!("{e} (engines: {})", names.join(", ")))
        })
    }
}
