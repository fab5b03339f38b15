//! Threads with a deep stack, for work that recurses over what the user wrote.
//!
//! Parsers and lowerings follow the nesting of their input, which generated programs carry to
//! thousands of levels. Only the pages that are touched cost memory, but address space may be limited:
//! threads of which several live at a time ([`deep_thread`]) ask for less, and each asks for
//! little where it cannot have much.

use std::sync::{Arc, Mutex};
use std::thread::{Builder, Scope, ScopedJoinHandle};

/// The stack that is asked for first, that of one of several threads, and the one where address space
/// is limited.
const DEEP: usize = 1 << 30;
const SHARED: usize = 256 << 20;
const SMALL: usize = 64 << 20;

/// Runs `work` on a thread with a deep stack and returns its result. A panic of `work` goes on in the
/// caller. `None` if no thread can be started.
pub fn deep_stack<T: Send>(name: &str, work: impl FnOnce() -> T + Send) -> Option<T> {
    std::thread::scope(|scope| match spawn(scope, name, DEEP, work)?.join() {
        Ok(result) => Some(result),
        Err(panic) => std::panic::resume_unwind(panic),
    })
}

/// Starts a thread with a deep stack beside others. `None` if it cannot be started.
pub fn deep_thread<'s, T: Send + 's>(
    scope: &'s Scope<'s, '_>,
    name: &str,
    work: impl FnOnce() -> T + Send + 's,
) -> Option<ScopedJoinHandle<'s, T>> {
    spawn(scope, name, SHARED, work)
}

fn spawn<'s, T: Send + 's>(
    scope: &'s Scope<'s, '_>,
    name: &str,
    size: usize,
    work: impl FnOnce() -> T + Send + 's,
) -> Option<ScopedJoinHandle<'s, T>> {
    // The work is kept outside the closure, as a thread that does not start drops its closure.
    let cell = Arc::new(Mutex::new(Some(work)));
    let start = |size| {
        let cell = Arc::clone(&cell);
        let run = move || {
            let work = cell.lock().ok().and_then(|mut w| w.take());
            work.expect("the work is taken once")()
        };
        Builder::new()
            .name(name.into())
            .stack_size(size)
            .spawn_scoped(scope, run)
    };
    start(size).or_else(|_| start(SMALL)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn depth(n: u64) -> u64 {
        let room = std::hint::black_box([n; 64]);
        if n == 0 { room[0] } else { depth(n - 1) + 1 }
    }

    #[test]
    fn recursion_a_hundred_thousand_deep_fits() {
        assert_eq!(deep_stack("test", || depth(100_000)), Some(100_000));
        std::thread::scope(|scope| {
            let thread = deep_thread(scope, "test", || depth(100_000));
            assert_eq!(thread.and_then(|t| t.join().ok()), Some(100_000));
        });
    }

    #[test]
    fn a_panic_goes_on_in_the_caller() {
        let caught = std::panic::catch_unwind(|| deep_stack("test", || panic!("seen")));
        assert!(caught.is_err());
    }
}
