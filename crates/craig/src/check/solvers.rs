//! From the command line to [`smt::Solvers`]: which program decides the engines' queries, and where
//! the queries are written down.

use crate::Error;
use crate::check::process::Processes;
use smt::external::{External, GENERIC, SOLVERS, entry};
use smt::{QuerySink, Solvers};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// What the user asked for.
#[derive(Clone, Debug)]
pub struct SolverChoice {
    /// `native` or a name of the table.
    pub name: String,
    /// A command in place of the table's.
    pub command: Option<String>,
    /// Longest time for one check by another solver.
    pub limit: Duration,
    /// Memory of each process in bytes.
    pub memory: Option<u64>,
    /// Directory for problems.
    pub out: Option<PathBuf>,
}

impl Default for SolverChoice {
    fn default() -> Self {
        SolverChoice {
            name: "native".into(),
            command: None,
            limit: Duration::from_secs(5),
            memory: None,
            out: None,
        }
    }
}

/// The solvers of a run; a program that is missing is known here, before the run.
pub fn solvers(choice: &SolverChoice) -> Result<Solvers, Error> {
    let sink = match &choice.out {
        Some(dir) => Some(Box::new(Folder::new(dir)?) as Box<dyn QuerySink>),
        None => None,
    };
    let external = external(choice)?;
    if let Some(external) = &external {
        external.start()?;
    }
    Ok(Solvers::new(external.map(Arc::new), sink))
}

fn external(choice: &SolverChoice) -> Result<Option<External>, Error> {
    let row = match (choice.name.as_str(), &choice.command) {
        ("native", None) => return Ok(None),
        ("native", Some(_)) => &GENERIC,
        (name, _) => entry(name).ok_or_else(|| {
            let names: Vec<&str> = SOLVERS.iter().map(|e| e.name).collect();
            format!(
                "there is no solver `{name}` (solvers: native, {})",
                names.join(", ")
            )
        })?,
    };
    let launch = Box::new(Processes {
        memory: choice.memory,
    });
    let external = External::new(row, launch, choice.limit);
    Ok(Some(match &choice.command {
        Some(command) => external.with_command(command),
        None => external,
    }))
}

/// Numbered files in a directory.
struct Folder {
    dir: PathBuf,
    count: u32,
}

impl Folder {
    fn new(dir: &Path) -> Result<Self, Error> {
        std::fs::create_dir_all(dir).map_err(|e| format!("{}: {e}", dir.display()))?;
        Ok(Folder {
            dir: dir.to_path_buf(),
            count: 0,
        })
    }
}

impl QuerySink for Folder {
    fn write(&mut self, kind: &'static str, text: &str) {
        self.count += 1;
        let file = self.dir.join(format!("{:06}-{kind}.smt2", self.count));
        // A full disk must not change the verdict.
        let _ = std::fs::write(file, text);
    }
}
