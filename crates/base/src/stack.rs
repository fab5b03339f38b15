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
            grow_heap();
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

/// Room that a thread's heap has from its beginning; no page of it is touched.
const HEAP: usize = 16 << 20;

/// Makes the heap of this thread large at once. glibc gives each thread a heap that otherwise grows by a few pages, with
/// a call of the system each time, a tenth of the time that reading a program takes. A first large block comes from the system;
/// that it is given back tells the allocator to keep such blocks, so the second one grows the heap, which stays.
fn grow_heap() {
    for size in [HEAP + (1 << 20), HEAP] {
        let mut room: Vec<u8> = Vec::new();
        // Where address space is limited the heap grows as it always does.
        let _ = std::hint::black_box(&mut room).try_reserve_exact(size);
    }
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
