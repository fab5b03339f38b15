//! The last resort behind budgets: ends a run that neither its time limit nor its memory limit could
//! stop, with `unknown` and the reason.
//!
//! Engines ask their budget often, but no test shows that every loop of every pass does. A run
//! that is well past a limit is ended from outside, so that a user's script always gets a verdict.
//! Whoever first takes the word, the run or the watchdog, speaks; the other is silent.

use crate::check::memory;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Time a run gets to stop by itself, and how often it is looked at.
const GRACE: Duration = Duration::from_millis(200);
const LOOK: Duration = Duration::from_millis(25);

/// A running watchdog.
pub struct Watchdog {
    taken: Arc<AtomicBool>,
}

impl Watchdog {
    /// Watches the process from now on. `give_up` gets the reason, tells the user and ends the
    /// process.
    pub fn start(
        time: Option<Duration>,
        memory: Option<u64>,
        give_up: impl Fn(&str) + Send + 'static,
    ) -> Watchdog {
        let taken = Arc::new(AtomicBool::new(false));
        let word = Arc::clone(&taken);
        let start = Instant::now();
        let latest = time.map(|t| t + GRACE);
        let most = memory.or_else(memory::default_limit).map(|m| m + m / 20);
        // A failed allocation would end the process without a word.
        let ceiling = memory::address_space_limit().map(|l| l - l / 16);
        std::thread::spawn(move || {
            while !word.load(Ordering::Relaxed) {
                std::thread::sleep(LOOK);
                let late = latest.is_some_and(|l| start.elapsed() > l);
                let (size, resident) = memory::usage().unwrap_or((0, 0));
                let large = most.is_some_and(|m| resident > m) || ceiling.is_some_and(|c| size > c);
                if (late || large) && !word.swap(true, Ordering::Relaxed) {
                    give_up(match late {
                        true => "the time limit passed and the run did not stop by itself",
                        false => "the memory limit was reached and the run did not stop by itself",
                    });
                    return;
                }
            }
        });
        Watchdog { taken }
    }

    /// The run has its answer; waits for ever if the watchdog is already speaking.
    pub fn answer(&self) {
        if self.taken.swap(true, Ordering::Relaxed) {
            loop {
                std::thread::park();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use std::sync::mpsc;

    #[test]
    fn speaks_when_a_limit_is_passed() {
        let (send, receive) = mpsc::channel();
        let _dog = Watchdog::start(None, Some(1), move |why| send.send(why.to_owned()).unwrap());
        let why = receive.recv_timeout(Duration::from_secs(20)).unwrap();
        assert!(why.contains("memory"), "{why}");
    }

    #[test]
    fn is_silent_after_an_answer() {
        let (send, receive) = mpsc::channel();
        let dog = Watchdog::start(Some(Duration::from_secs(3600)), None, move |why| {
            send.send(why.to_owned()).unwrap()
        });
        dog.answer();
        assert!(receive.recv_timeout(Duration::from_millis(200)).is_err());
    }
}
