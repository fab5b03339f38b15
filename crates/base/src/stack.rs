//! Threads with a deep stack, for work that recurses over what the user wrote.
//!
//! Parsers and lowerings follow the nesting of their input, which generated programs carry to
//! thousands of levels. Only the pages that are touched cost memory.

use std::sync::Mutex;

/// The stack that is asked for first, and the one where address space is limited.
const DEEP: usize = 1 << 30;
const SMALL: usize = 64 << 20;

/// Runs `work` on a thread with a deep stack and returns its result. A panic of `work` goes on in the
/// caller. `None` if no thread can be started.
pub fn deep_stack<T: Send>(name: &str, work: impl FnOnce() -> T + Send) -> Option<T> {
    // The work is kept outside the closure, as a thread that does not start drops its closure.
    let cell = Mutex::new(Some(work));
    let run = || {
        let work = cell.lock().ok().and_then(|mut w| w.take());
        work.expect("the work is taken once")()
    };
    std::thread::scope(|scope| {
        let spawn = |size| {
            std::thread::Builder::new()
                .name(name.into())
                .stack_size(size)
                .spawn_scoped(scope, run)
        };
        let thread = spawn(DEEP).or_else(|_| spawn(SMALL)).ok()?;
        match thread.join() {
            Ok(result) => Some(result),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
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
    }

    #[test]
    fn a_panic_goes_on_in_the_caller() {
        let caught = std::panic::catch_unwind(|| deep_stack("test", || panic!("seen")));
        assert!(caught.is_err());
    }
}
