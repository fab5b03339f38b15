//! What this crate needs of processes; crate `craig` has the real ones, tests have scripted ones.

use std::time::Duration;

/// Starts solver processes.
pub trait Launch: Send + Sync {
    /// Starts the program, or says what was looked for and why it did not start.
    fn start(&self, command: &str, arguments: &[String]) -> Result<Box<dyn Channel>, String>;
}

/// A running solver. Dropping it ends the process.
pub trait Channel: Send {
    /// Hands over text; never blocks on a solver that does not read.
    fn send(&mut self, text: &str) -> Result<(), String>;
    /// The next line of the answer, waiting at most this long.
    fn line(&mut self, wait: Duration) -> Received;
}

pub enum Received {
    Line(String),
    /// Nothing yet.
    Nothing,
    /// The process is gone.
    Closed,
}
