//! `craig batch`: sets of tasks with expected verdicts, each run as a process of its own under limits,
//! and what comes of them: tables with scores and PAR2, quantile plots, files for BenchExec's
//! `table-generator`.
//!
//! ```text
//! .yml .set .csv ─tasks─→ tasks ─run (limits)─→ rows ─table, plot, xml─→ text · CSV · HTML · SVG · XML
//! ```

mod limits;
mod plot;
mod run;
mod table;
mod tasks;
mod xml;

pub use limits::{Fence, Limits};
pub use plot::svg;
pub use run::{Batch, run};
pub use table::{Series, csv, html, read_csv, text};
pub use tasks::{Task, read};
pub use xml::xml;

/// How a task ended, beside what was expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Category {
    /// The expected verdict.
    Correct,
    /// The other one.
    Wrong,
    /// A verdict, and none was expected.
    Unchecked,
    /// `unknown`.
    Unknown,
    /// The time limit.
    Timeout,
    /// The memory limit.
    Memory,
    /// Wrong input, or a crash.
    Error,
}

impl Category {
    /// All, in the order of tables.
    pub const ALL: [Category; 7] = [
        Category::Correct,
        Category::Wrong,
        Category::Unchecked,
        Category::Unknown,
        Category::Timeout,
        Category::Memory,
        Category::Error,
    ];

    /// The word of tables.
    pub fn as_str(self) -> &'static str {
        match self {
            Category::Correct => "correct",
            Category::Wrong => "wrong",
            Category::Unchecked => "unchecked",
            Category::Unknown => "unknown",
            Category::Timeout => "timeout",
            Category::Memory => "memory",
            Category::Error => "error",
        }
    }

    /// Reads [`Category::as_str`].
    pub fn of(word: &str) -> Option<Category> {
        Category::ALL.into_iter().find(|c| c.as_str() == word)
    }

    /// A verdict that is not known to be wrong.
    pub fn solved(self) -> bool {
        matches!(self, Category::Correct | Category::Unchecked)
    }
}

/// One row of the results.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The group of the task: its folder, or what the list says.
    pub group: String,
    /// The task's name.
    pub task: String,
    /// The property's name.
    pub property: String,
    /// `safe`, `unsafe`, or empty.
    pub expected: String,
    /// `safe`, `unsafe` or `unknown`.
    pub verdict: String,
    /// The property that is violated, where the answer says which.
    pub violated: String,
    /// How it ended.
    pub category: Category,
    /// CPU time in seconds.
    pub cpu: f64,
    /// Wall-clock time in seconds.
    pub wall: f64,
    /// Most memory in MiB; 0 where it cannot be measured.
    pub memory_mib: u64,
}

impl Row {
    /// Points as SV-COMP gives them.
    pub fn score(&self) -> i64 {
        match (self.category, self.verdict.as_str()) {
            (Category::Correct, "safe") => 2,
            (Category::Correct, _) => 1,
            (Category::Wrong, "safe") => -32,
            (Category::Wrong, _) => -16,
            _ => 0,
        }
    }
}
