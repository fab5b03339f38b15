//! One line of progress on standard error, only on a terminal.

use engine::Progress;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::time::Duration;

/// A line that tells how far the engine is.
pub struct Line {
    bar: ProgressBar,
}

impl Line {
    /// Draws nothing unless standard error is a terminal.
    pub fn new(quiet: bool) -> Self {
        let bar = ProgressBar::new_spinner();
        if quiet || !std::io::stderr().is_terminal() {
            bar.set_draw_target(ProgressDrawTarget::hidden());
        } else {
            if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed} {msg}") {
                bar.set_style(style);
            }
            bar.enable_steady_tick(Duration::from_millis(120));
        }
        Line { bar }
    }

    pub fn show(&self, p: &Progress) {
        if self.bar.is_hidden() {
            return;
        }
        let mib = craig::memory::usage().map_or(0, |(_, r)| r >> 20);
        self.bar.set_message(format!(
            "{}: {} refinements, {} nodes ({} covered), depth {}, {} solver calls, {mib} MiB",
            p.engine, p.refinements, p.nodes, p.covered, p.depth, p.solver_calls
        ));
    }

    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }
}
