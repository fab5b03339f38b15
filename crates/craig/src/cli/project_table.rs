//! The live table of a project's run on a terminal: how far it is, the units at work, and a line for
//! every unit that is violated or open. Elsewhere nothing is drawn.

use craig::project::{Answer, Event};
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::sync::Mutex;
use std::time::Duration;

/// The table.
pub struct Table {
    all: MultiProgress,
    bar: ProgressBar,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    working: BTreeMap<String, ProgressBar>,
    proved: usize,
    violated: usize,
    open: usize,
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

impl Table {
    /// Draws nothing unless standard error is a terminal.
    pub fn new(quiet: bool, units: usize) -> Table {
        let all = MultiProgress::new();
        if quiet || !std::io::stderr().is_terminal() {
            all.set_draw_target(ProgressDrawTarget::hidden());
        }
        let bar = all.add(ProgressBar::new(units as u64));
        bar.set_style(style("{elapsed_precise} [{bar:30}] {pos}/{len} {msg}"));
        bar.enable_steady_tick(Duration::from_millis(200));
        Table {
            all,
            bar,
            state: Mutex::new(State::default()),
        }
    }

    /// Shows what happens.
    pub fn hear(&self, event: &Event<'_>) {
        let Ok(mut state) = self.state.lock() else {
            return;
        };
        match event {
            Event::Begins(unit) => {
                let line = self.all.add(ProgressBar::new_spinner());
                line.set_style(style("  {spinner} {elapsed:>4} {msg}"));
                line.set_message((*unit).to_string());
                line.enable_steady_tick(Duration::from_millis(200));
                state.working.insert((*unit).to_string(), line);
            }
            Event::Ends(result) => {
                if let Some(line) = state.working.remove(&result.unit) {
                    line.finish_and_clear();
                    self.all.remove(&line);
                }
                let (count, word) = match result.verdict {
                    Answer::Safe => (&mut state.proved, None),
                    Answer::Unsafe => (&mut state.violated, Some("violated")),
                    Answer::Unknown => (&mut state.open, Some("open    ")),
                };
                *count += 1;
                if let Some(word) = word {
                    let _ = self
                        .all
                        .println(format!("{word}  {}  {:.1} s", result.unit, result.seconds));
                }
                let (p, v, o) = (state.proved, state.violated, state.open);
                self.bar.inc(1);
                self.bar
                    .set_message(format!("{p} proved, {v} violated, {o} open"));
            }
        }
    }

    /// Takes the table away.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
        let _ = self.all.clear();
    }
}
